"""The real training-operator, beside an API server without a kubelet."""

from __future__ import annotations

import http.client
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml

from binaries import Binaries
from control_plane import ControlPlane
from process import Process, free_ports

SCHEMES = ("tfjob", "pytorchjob", "xgboostjob", "paddlejob", "jaxjob")
"""The kinds that read exit codes."""

_NAMESPACE = "kubeflow"
_SECRET = "training-operator-webhook-cert"
_CERTIFICATES = "k8s-webhook-server/serving-certs"
# It waits for its certificate here, whatever the temporary folder is that it reads it from.
_FIXED = Path("/tmp", _CERTIFICATES, "tls.crt")


@contextmanager
def running(
    programs: Binaries,
    plane: ControlPlane,
    folder: Path,
    schemes: Sequence[str] = ("tfjob",),
    flags: Sequence[str] = (),
) -> Iterator[Process]:
    """The operator, for these kinds. Its files are in the new `folder`."""
    kubectl = plane.kubectl.inside(_NAMESPACE)
    kubectl.apply(_object("Namespace", _NAMESPACE)).ok()
    kubectl.apply(_object("Secret", _SECRET)).ok()
    health_port, webhook_port = free_ports(2)
    _register_its_webhook(plane, programs.operator_module, webhook_port)
    _make_a_pair_for_its_webhook(plane, folder)
    with _file_that_it_waits_for():
        process = Process(
            [
                *(programs.operator, "--kubeconfig", kubectl.kubeconfig),
                *(f"--enable-scheme={scheme}" for scheme in schemes),
                *flags,
                f"--health-probe-bind-address=127.0.0.1:{health_port}",
                f"--webhook-server-port={webhook_port}",
                "--metrics-bind-address=0",
            ],
            folder / "training-operator.log",
            {"MY_POD_NAMESPACE": _NAMESPACE, "TMPDIR": str(folder)},
        )
        try:
            process.wait_until("the operator is ready", lambda: _is_ready(health_port), 120)
            yield process
        finally:
            process.stop()


def _object(kind: str, name: str) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}}


def _register_its_webhook(plane: ControlPlane, module: Path, port: int) -> None:
    """It waits for its own configuration, to write a CA into; no namespace is asked about."""
    rendered = plane.kubectl("kustomize", module / "manifests" / "base" / "webhook").ok().out
    configuration = yaml.safe_load(rendered)
    for webhook in configuration["webhooks"]:
        path = webhook["clientConfig"].pop("service")["path"]
        webhook["clientConfig"]["url"] = f"https://127.0.0.1:{port}{path}"
        webhook["namespaceSelector"] = {"matchLabels": {"kubernetes.io/metadata.name": "none"}}
    plane.kubectl.apply(configuration).ok()


def _make_a_pair_for_its_webhook(plane: ControlPlane, folder: Path) -> None:
    """Nobody asks its webhook, so that any pair will do."""
    mounted = folder / _CERTIFICATES
    mounted.mkdir(parents=True)
    for end in ("crt", "key"):
        shutil.copy(plane.folder / f"server.{end}", mounted / f"tls.{end}")


@contextmanager
def _file_that_it_waits_for() -> Iterator[None]:
    if _FIXED.exists():
        yield
        return
    _FIXED.parent.mkdir(parents=True, exist_ok=True)
    _FIXED.touch()
    try:
        yield
    finally:
        shutil.rmtree(_FIXED.parents[1])


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
