"""Scenario 15: `tfjob-webhook policies` on an API server without the webhook decides as the webhook does.

It has a control plane of its own, whose definitions have no schema, so that every version is served and
nothing but the policies can refuse a job.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import binaries
import control_plane
import jobs
import samples
from jobs import replica, tfjob
from kubectl import Kubectl, Object
from process import wait_until
from webhook import PROGRAM, PROJECT

_VERSIONS = {
    "TFJob": ["v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1"],
    "MPIJob": ["v1", "v2beta1"],
    **{kind: ["v1"] for kind in ("PyTorchJob", "PaddleJob", "XGBoostJob", "JAXJob", "MXJob")},
}
_CONFIGURATION = """\
apiVersion: exit-codes.kubeflow.org/v1alpha1
kind: WebhookConfiguration
profiles:
  own: {extends: kubeflow, permanent: "255"}
namespaces:
- match: ["own-*", "[a-c]x?"]
  profile: own
- match: ["warn-*"]
  enforcement: warn
- match: ["audit-*"]
  enforcement: audit
"""
_DRY_RUN = ("--dry-run=server", "--validate=ignore", "--output=json")


@pytest.fixture(scope="module")
def cluster(programs: binaries.Binaries, scratch: Path, logs: dict[str, Path]) -> Iterator[Kubectl]:
    """The policies of a configuration hold in it."""
    folder = scratch / "policies"
    logs["kube-apiserver of the policies"] = folder / "kube-apiserver.log"
    plane = control_plane.start(programs, folder)
    try:
        for kind, versions in _VERSIONS.items():
            plane.kubectl.apply(control_plane.schemaless_crd("kubeflow.org", kind, versions)).ok()
        control_plane.wait_for_crds(plane.kubectl)
        for namespace in ("own-1", "bxy", "bxyz", "warn-1", "audit-1"):
            plane.kubectl("create", "namespace", namespace).ok()
        # Before there are policies, for ratcheting.
        plane.kubectl.create(tfjob("stored", {"Worker": replica("Sometimes")})).ok()
        configuration = folder / "config.yaml"
        configuration.write_text(_CONFIGURATION)
        made = subprocess.run(
            [PROGRAM, "policies", "--config", configuration], capture_output=True, text=True, check=True
        )
        applied = plane.kubectl.apply(made.stdout).ok()
        assert applied.warnings == []
        wait_until("the policies hold", lambda: _hold(plane.kubectl))
        yield plane.kubectl
    finally:
        plane.stop()


def _hold(kubectl: Kubectl) -> bool:
    """Each policy is taken up at a time of its own."""
    bad = tfjob("probe", {"Worker": replica("Sometimes")})
    denies = kubectl.create(bad, *_DRY_RUN).status == 1
    warns = bool(kubectl.inside("warn-1").create(bad, *_DRY_RUN).warnings)
    tables = kubectl.create(tfjob("probe"), *_DRY_RUN)
    return denies and warns and tables.status == 0 and jobs.job_table(json.loads(tables.out)) is not None


def _webhook_says(job: Object) -> Object | None:
    """The job as the webhook would have it stored; None where it is denied."""
    done = subprocess.run(
        [PROGRAM, "annotate", "--output", "json-patch", "-"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 1:
        return None
    assert done.returncode == 0, done.stderr
    annotated: Object = json.loads(json.dumps(job))
    for operation in json.loads(done.stdout or "[]"):
        tokens = [t.replace("~1", "/").replace("~0", "~") for t in operation["path"].split("/")[1:]]
        at = annotated
        for token in tokens[:-1]:
            at = at[int(token)] if isinstance(at, list) else at[token]
        assert operation["op"] == "add"
        at[tokens[-1]] = operation["value"]
    return annotated


def _has_inputs_of_its_own(job: Object) -> bool:
    text = json.dumps(job)
    return any(f'"{jobs.PREFIX}{key}"' in text for key in ("retryable", "permanent", "max-retries"))


def _all_samples(module: Path) -> list[samples.Sample]:
    folder = PROJECT / "tests" / "testdata" / "manifests" / "invalid"
    invalid = [
        samples.Sample(f"invalid/{path.name}", job)
        for path in sorted(folder.iterdir())
        for job in yaml.safe_load_all(path.read_text())
        if isinstance(job, dict) and job.get("kind") in _VERSIONS
    ]
    assert len(invalid) > 20
    return samples.our_own() + samples.operator_examples(module) + invalid


def test_every_sample_is_decided_as_the_webhook_does(
    cluster: Kubectl, programs: binaries.Binaries
) -> None:
    wrong = []
    denied = 0
    annotated = 0
    for sample in _all_samples(programs.operator_module):
        (sample.job.get("metadata") or {}).pop("namespace", None)
        wanted = _webhook_says(sample.job)
        got = cluster.create(sample.job, *_DRY_RUN)
        if (got.status == 0) != (wanted is not None):
            wrong.append(f"{sample.label}: webhook {wanted is not None}, policies: {got.out}{got.err}")
        elif wanted is None:
            denied += 1
            if "ValidatingAdmissionPolicy 'tfjob-policy-deny'" not in got.err or "expression" in got.err:
                wrong.append(f"{sample.label}: {got.err}")
        else:
            # A table that CEL cannot make is left out, never another.
            may_lack = _has_inputs_of_its_own(sample.job)
            tables = jobs.tables(wanted)
            for place, table in jobs.tables(got.json).items():
                if table != tables[place] and not (may_lack and table is None):
                    wrong.append(f"{sample.label}: {place}: {table} instead of {tables[place]}")
                annotated += table is not None
    assert wrong == []
    assert denied > 20
    assert annotated > 60


def test_tables_of_v1alpha1_are_where_their_replicas_are(cluster: Kubectl) -> None:
    template = {"spec": {"containers": [{"name": "tensorflow", "image": "example.com/a"}]}}
    worker = {"tfReplicaType": "WORKER", "template": template}
    job = {
        "apiVersion": "kubeflow.org/v1alpha1",
        "kind": "TFJob",
        "metadata": {"name": "old"},
        # A PS needs no template, and two replicas may be the same.
        "spec": {"replicaSpecs": [{"tfReplicaType": "PS"}, worker, worker]},
    }
    wanted = _webhook_says(job)
    assert wanted is not None
    assert jobs.tables(cluster.create(job, *_DRY_RUN).json) == jobs.tables(wanted)
    assert list(jobs.tables(wanted).values()) == [jobs.KUBEFLOW, None, jobs.KUBEFLOW, jobs.KUBEFLOW]


def test_messages_say_what_to_do(cluster: Kubectl) -> None:
    bad = tfjob("bad", {"Worker": replica("Sometimes"), "PS": replica("never")})
    text = cluster.create(bad).refused().err
    assert "spec.tfReplicaSpecs: the restart policy of " in text
    assert "is none: use one of Always, OnFailure, Never, ExitCode" in text
    assert "Worker" in text and "PS" in text
    one = cluster.create(tfjob("bad", {"Worker": replica("Sometimes")})).refused().err
    # As docs/policies.md shows it.
    assert one in (PROJECT / "docs" / "policies.md").read_text()
    assert cluster.names("tfjobs") == ["tfjob.kubeflow.org/stored"]


def test_namespaces_have_their_own_profile_and_enforcement(cluster: Kubectl) -> None:
    bad = tfjob("bad", {"Worker": replica("Sometimes")})
    good = tfjob("good", {"Worker": replica("ExitCode")})
    warned = cluster.inside("warn-1").create(bad, *_DRY_RUN)
    assert warned.status == 0
    assert len(warned.warnings) == 1 and "the restart policy of Worker is none" in warned.warnings[0]
    audited = cluster.inside("audit-1").create(bad, *_DRY_RUN)
    assert (audited.status, audited.warnings) == (0, [])
    for namespace, profile in {"own-1": "own", "bxy": "own", "bxyz": "kubeflow", "default": "kubeflow"}.items():
        stored = cluster.inside(namespace).create(good, *_DRY_RUN).json
        for table in jobs.tables(stored).values():
            assert table is not None and json.loads(table)["profile"] == profile, namespace
    named = tfjob("named", annotations={jobs.PREFIX + "profile": "signals"})
    table = jobs.job_table(cluster.inside("own-1").create(named, *_DRY_RUN).json)
    assert table is not None and json.loads(table)["profile"] == "signals"


def test_a_stored_fault_does_not_hold_a_job_up(cluster: Kubectl) -> None:
    cluster("label", "tfjob", "stored", "a=b").ok()
    added = '{"spec":{"tfReplicaSpecs":{"PS":{"restartPolicy":"Rarely","template":{"spec":{}}}}}}'
    assert "PS" in cluster("patch", "tfjob", "stored", "--type=merge", f"--patch={added}").refused().err
    finalizer = '{"metadata":{"finalizers":["example.com/hold"]}}'
    cluster("patch", "tfjob", "stored", "--type=merge", f"--patch={finalizer}").ok()
    cluster("delete", "tfjob", "stored", "--wait=false").ok()
    cluster("patch", "tfjob", "stored", "--type=merge", '--patch={"metadata":{"finalizers":null}}').ok()


def test_a_table_comes_back(cluster: Kubectl) -> None:
    cluster.create(tfjob("kept", {"Worker": replica("ExitCode")})).ok()
    stored = jobs.tables(cluster.get("tfjob", "kept"))
    assert set(stored.values()) == {jobs.KUBEFLOW}
    cluster("annotate", "tfjob", "kept", f"{jobs.TABLE}-").ok()
    assert jobs.tables(cluster.get("tfjob", "kept")) == stored
    before = cluster.get("tfjob", "kept")["metadata"]["resourceVersion"]
    cluster("annotate", "--overwrite", "tfjob", "kept", f"{jobs.TABLE}={jobs.KUBEFLOW}").ok()
    assert cluster.get("tfjob", "kept")["metadata"]["resourceVersion"] == before
    cluster("delete", "tfjob", "kept").ok()
