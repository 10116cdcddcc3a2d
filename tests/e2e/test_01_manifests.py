"""Scenario 1: the project's manifests and certs/generate.sh against a real API server."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import jobs
from control_plane import schemaless_crd, wait_for_crds
from kubectl import Kubectl
from registration import CONFIGURATIONS, Registration
from webhook import PROJECT, run_project_tool

_MANIFESTS = PROJECT / "manifests"
_OVERLAYS = ["overlays/self-signed", "overlays/cert-manager"]
_SECRET = ("secret", "tfjob-webhook-cert")


@pytest.fixture
def cluster(registration: Registration, kubectl: Kubectl) -> Iterator[Kubectl]:
    """Without our configurations at first; registered as before at the end."""
    registration.remove()
    try:
        yield kubectl.inside("")
    finally:
        registration.install()


@pytest.fixture
def cert_manager(cluster: Kubectl) -> None:
    for kind in ("Issuer", "Certificate"):
        cluster.apply(schemaless_crd("cert-manager.io", kind, ["v1"])).ok()
    wait_for_crds(cluster)


def _ca_bundles(kubectl: Kubectl) -> list[bytes]:
    return [
        base64.b64decode(webhook["clientConfig"]["caBundle"])
        for kind in CONFIGURATIONS
        for webhook in kubectl.get(kind, "tfjob-webhook")["webhooks"]
    ]


def _stored_pair(kubectl: Kubectl) -> dict[str, bytes]:
    secret = kubectl.inside("tfjob-webhook").get(*_SECRET)
    assert secret["type"] == "kubernetes.io/tls"
    return {key: base64.b64decode(value) for key, value in secret["data"].items()}


@pytest.mark.parametrize("folder", ["base", *_OVERLAYS])
def test_apply_accepts(cluster: Kubectl, cert_manager: None, folder: str) -> None:
    client = cluster("apply", "-k", _MANIFESTS / folder).ok()
    server = cluster("apply", "--dry-run=server", "-k", _MANIFESTS / folder).ok()
    for result in (client, server):
        assert result.err == ""
        for kind in CONFIGURATIONS:
            assert f"{kind}.admissionregistration.k8s.io/tfjob-webhook " in result.out
        assert "deployment.apps/tfjob-webhook " in result.out
    assert set(re.findall(r"\(.*\)", server.out)) == {"(server dry run)"}
    # What was applied a moment ago is what would be applied.
    assert cluster("diff", "-k", _MANIFESTS / folder).ok().out == ""
    if folder == "overlays/cert-manager":
        assert "certificate.cert-manager.io/tfjob-webhook created" in client.out
        configuration = cluster.get(CONFIGURATIONS[0], "tfjob-webhook")
        assert (
            configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]
            == "tfjob-webhook/tfjob-webhook"
        )


def test_generate_stores_pair_and_ca_and_applying_again_keeps_both(
    cluster: Kubectl, tmp_path: Path
) -> None:
    def generate(*flags: str) -> None:
        run_project_tool(
            PROJECT / "certs" / "generate.sh",
            *("--out", str(tmp_path), "--apply", *flags),
            environment=cluster.environment,
        )

    def check(ca: bytes) -> None:
        assert _ca_bundles(cluster) == [ca] * 4
        assert _stored_pair(cluster) == {
            name: (tmp_path / name).read_bytes() for name in ("tls.crt", "tls.key")
        }

    overlay = _MANIFESTS / "overlays" / "self-signed"
    cluster("apply", "-k", overlay).ok()
    generate()
    ca = (tmp_path / "ca.crt").read_bytes()
    check(ca)

    cluster("apply", "-k", overlay).ok()
    cluster("apply", "--server-side", "--force-conflicts", "-k", overlay).ok()
    check(ca)

    first = (tmp_path / "tls.crt").read_bytes()
    generate()
    assert (tmp_path / "tls.crt").read_bytes() != first
    check(ca)

    generate("--new-ca")
    new_ca = (tmp_path / "ca.crt").read_bytes()
    assert new_ca != ca
    check(new_ca + ca)


def test_the_pod_meets_the_restricted_pod_security_standard(
    cluster: Kubectl, new_namespace: Callable[[str], Kubectl]
) -> None:
    restricted = new_namespace("restricted")
    cluster(
        *("label", "namespace", restricted.namespace),
        "pod-security.kubernetes.io/enforce=restricted",
    ).ok()
    cluster("apply", "-k", _MANIFESTS / "overlays" / "self-signed").ok()
    deployment = cluster.inside("tfjob-webhook").get("deployment", "tfjob-webhook")
    template = deployment["spec"]["template"]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "webhook", "labels": template["metadata"]["labels"]},
        "spec": template["spec"],
    }
    assert restricted.create(pod, "--dry-run=server").ok().err == ""

    # The same without one of its settings: so the standard is enforced here.
    bad = json.loads(json.dumps(pod))
    del bad["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"]
    refused = restricted.create(bad, "--dry-run=server").refused()
    assert 'violates PodSecurity "restricted:latest": allowPrivilegeEscalation' in refused.err


def test_jobs_of_the_exempt_namespaces_do_not_depend_on_the_webhook(
    cluster: Kubectl, registration: Registration
) -> None:
    registration.install()
    for namespace in ("kube-system", "tfjob-webhook"):
        exempt = cluster.inside(namespace)
        job = jobs.tfjob("exempt", {"Worker": jobs.replica("Sometimes")})
        assert exempt.create(job).ok().err == ""
        assert jobs.tables(exempt.get("tfjob", "exempt")) == {"job": None, "Worker": None}
        exempt("delete", "tfjob", "exempt").ok()
