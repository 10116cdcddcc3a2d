"""Scenario 18: what the enforcer leaves alone, and how it is tried out and switched off."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import jobs
from api_client import ApiClient
from conftest import set_evidence
from control_plane import ControlPlane
from enforced_jobs import FINALIZER, OURS, Cluster, failure, make_job
from enforcer import Account, Enforcer
from fake_kubelet import ENDS, NODE
from kubectl import Kubectl, Object
from other_webhook import CHANGED_PODS, registered
from webhook import PROGRAM, Webhook

_SEGFAULT = {"code": 139}


def _pod(name: str, job: Object, kind: str = "TFJob", **owner: object) -> Object:
    """One as the operator makes them for `job`, which segfaults."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "annotations": {jobs.TABLE: jobs.KUBEFLOW, ENDS: '[{"code": 139}]'},
            "labels": {
                "training.kubeflow.org/job-name": job["metadata"]["name"],
                "training.kubeflow.org/replica-type": "worker",
                "training.kubeflow.org/replica-index": "0",
            },
            "ownerReferences": [
                {
                    "apiVersion": "kubeflow.org/v1",
                    "kind": kind,
                    "name": job["metadata"]["name"],
                    "uid": job["metadata"]["uid"],
                    "controller": True,
                    **owner,
                }
            ],
        },
        "spec": {
            "nodeName": NODE,
            "containers": [{"name": "tensorflow", "image": "example.invalid/train"}],
        },
    }


def _create_pod(cluster: Cluster, pod: Object) -> None:
    answer = cluster.client.send("POST", f"/api/v1/namespaces/{cluster.namespace}/pods", pod)
    assert answer.status == 201, answer.text


def _require_a_verdict_after(cluster: Cluster, enforcer: Enforcer) -> None:
    """Whatever the enforcer does about earlier pods it has done by then."""
    cluster.create(make_job("marker", {"Worker": [_SEGFAULT]}))
    cluster.wait_failures({"marker": "ExitCodePermanent"})


def test_pods_of_others(cluster: Cluster, enforcer: Enforcer) -> None:
    cluster.create(make_job("mine", {"Worker": []}))
    cluster.wait_running(["mine-worker-0"])
    job = cluster.job("mine")
    _create_pod(cluster, _pod("of-a-replica-set", job, "ReplicaSet", apiVersion="apps/v1"))
    _create_pod(cluster, _pod("of-another-uid", job, uid="00000000-0000-0000-0000-000000000000"))
    _create_pod(cluster, _pod("not-controlled", job, controller=False))
    cluster.wait("they have failed", lambda: len(cluster.pod_names("Failed")) == 3)
    _require_a_verdict_after(cluster, enforcer)
    assert failure(cluster.job("mine")) is None


def test_a_new_job_of_the_same_name(cluster: Cluster, enforcer: Enforcer) -> None:
    cluster.create(make_job("again", {"Worker": []}))
    cluster.wait_running(["again-worker-0"])
    old = cluster.job("again")
    cluster.delete_job("again")
    cluster.create(make_job("again", {"PS": []}))
    cluster.wait_running(["again-ps-0"])
    # A pod of the old job, which the garbage collector has not come to yet, fails now.
    _create_pod(cluster, _pod("again-worker-9", old))
    cluster.wait("it has failed", lambda: "again-worker-9" in cluster.pod_names("Failed"))
    _require_a_verdict_after(cluster, enforcer)
    assert failure(cluster.job("again")) is None


def test_jobs_that_another_controller_manages(cluster: Cluster, enforcer: Enforcer) -> None:
    cluster.create(
        make_job("managed", {"Worker": []}, managedBy="kueue.x-k8s.io/multikueue"),
        make_job("other-policy", {"Worker": [_SEGFAULT]}, policies={"Worker": "OnFailure"}),
    )
    _create_pod(cluster, _pod("managed-worker-0", cluster.job("managed")))
    cluster.wait("it has failed", lambda: "managed-worker-0" in cluster.pod_names("Failed"))
    _require_a_verdict_after(cluster, enforcer)
    assert failure(cluster.job("managed")) is None
    assert failure(cluster.job("other-policy")) not in OURS


def test_dry_run(cluster: Cluster, new_enforcer: Callable[..., Enforcer]) -> None:
    enforcer = new_enforcer("--dry-run").start()
    cluster.wait("it leads", enforcer.leads)
    cluster.create(make_job("tried", {"Worker": [_SEGFAULT]}))
    cluster.wait("the operator retries", lambda: cluster.instances("tried-worker-0") == 2)
    cluster.wait_running(["tried-worker-0"])
    cluster.wait("it says so", lambda: len(cluster.events("ExitCodePermanent")) == 2)
    assert cluster.events("ExitCodePermanent")[0]["message"].startswith("dry run: pod tried-")
    assert failure(cluster.job("tried")) is None
    assert enforcer.metric("tfjob_enforcer_verdicts_total", action="would_fail", code="139") == 1


def test_one_namespace(
    cluster: Cluster,
    new_enforcer: Callable[..., Enforcer],
    new_namespace: Callable[[str], Kubectl],
) -> None:
    other = Cluster(cluster.client, new_namespace("elsewhere").namespace, cluster.kubelet)
    enforcer = new_enforcer("--namespace", cluster.namespace).start()
    cluster.wait("it leads", enforcer.leads)
    for each in (other, cluster):
        each.create(make_job("here", {"Worker": [_SEGFAULT]}))
    cluster.wait_failures({"here": "ExitCodePermanent"})
    other.wait("the operator retries", lambda: other.instances("here-worker-0") == 2)
    other.wait_running(["here-worker-0"])
    assert failure(other.job("here")) is None
    other.remove_all()


def test_without_the_enforcer_all_is_as_before(cluster: Cluster) -> None:
    cluster.create(
        make_job("segfault", {"Worker": [_SEGFAULT]}), make_job("one", {"Worker": [{"code": 1}]})
    )
    cluster.wait("the operator retries", lambda: cluster.instances("segfault-worker-0") == 2)
    cluster.wait_running(["segfault-worker-0"])
    cluster.wait_failures({"one": "TFJobFailed"})
    assert failure(cluster.job("segfault")) is None


def test_time_to_live_of_failed_jobs(cluster: Cluster, enforcer: Enforcer) -> None:
    cluster.create(make_job("short", {"Worker": [_SEGFAULT]}, ttlSecondsAfterFinished=3))
    cluster.wait("it fails", lambda: failure(cluster.jobs().get("short", {})) is not None)
    cluster.wait("it is deleted", lambda: "short" not in cluster.jobs(), 30)


@pytest.fixture
def holding(plane: ControlPlane, webhook: Webhook, cluster: Cluster) -> object:
    set_evidence(plane, webhook, "finalizer")
    yield
    set_evidence(plane, webhook, "none")


def _held(cluster: Cluster) -> set[str]:
    return {
        name
        for name, pod in cluster.pods().items()
        if FINALIZER in pod["metadata"].get("finalizers", [])
    }


def test_no_pod_is_held_for_good(cluster: Cluster, holding: None, enforcer: Enforcer) -> None:
    done = {"code": 0, "reason": "Completed", "phase": "Succeeded"}
    cluster.create(
        make_job("succeeds", {"Worker": [done]}),
        make_job("deleted", {"Worker": []}),
        make_job("suspended", {"Worker": []}),
        make_job("orphaned", {"Worker": []}),
    )
    running = {f"{name}-worker-0" for name in ("deleted", "suspended", "orphaned")}
    cluster.wait_running(running)
    cluster.wait("what succeeded is released", lambda: _held(cluster) == running)
    cluster.patch_job("suspended", {"spec": {"runPolicy": {"suspend": True}}})
    # No garbage collector runs here: what it would do with the pods of a deleted job.
    cluster.delete_job("deleted")
    cluster.delete_pod("deleted-worker-0")
    cluster.delete_job("orphaned")
    path = f"/api/v1/namespaces/{cluster.namespace}/pods/orphaned-worker-0"
    orphan = {"metadata": {"ownerReferences": None}}
    cluster.client.send("PATCH", path, orphan, "application/merge-patch+json")
    cluster.wait("none is held", lambda: not _held(cluster))
    cluster.wait(
        "what was deleted is gone",
        lambda: not {"deleted-worker-0", "suspended-worker-0"} & set(cluster.pods()),
    )


def test_a_namespace_that_is_going(
    cluster: Cluster, holding: None, new_enforcer: Callable[..., Enforcer], plane: ControlPlane
) -> None:
    ends = {"0": [_SEGFAULT]}
    cluster.create(make_job("last", {"Worker": ends}, replicas=2))
    cluster.wait("it has failed", lambda: cluster.instances("last-worker-0") == 1)
    cluster.wait_running(["last-worker-1"])
    plane.kubectl("delete", "namespace", cluster.namespace, "--wait=false").ok()
    # No namespace controller runs here: what it would do.
    cluster.delete_job("last")
    for pod in cluster.pods():
        cluster.delete_pod(pod)
    assert _held(cluster)
    enforcer = new_enforcer().start()
    cluster.wait("no pod is left", lambda: not cluster.pods())
    assert enforcer.leads()


def test_another_webhook_refuses(
    cluster: Cluster, holding: None, enforcer: Enforcer, plane: ControlPlane, kubectl: Kubectl
) -> None:
    cluster.create(make_job("refused", {"Worker": []}))
    cluster.wait_running(["refused-worker-0"])
    path = f"/api/v1/namespaces/{cluster.namespace}/pods/refused-worker-0"

    def relabel(client: ApiClient) -> None:
        label = {"metadata": {"labels": {"a": "b"}}}
        client.send("PATCH", path + "?dryRun=All", label, "application/merge-patch+json")

    with registered(
        plane, kubectl, "keeps-pods", CHANGED_PODS, relabel, keeps=lambda *_: "kept here"
    ):
        cluster.delete_pod("refused-worker-0")
        refused = "tfjob_enforcer_releases_refused_total"
        cluster.wait("it is refused", lambda: enforcer.metric(refused) >= 2)
        assert _held(cluster) == {"refused-worker-0"}
        # It backs off.
        assert enforcer.metric(refused) < 12
        cluster.wait("it says so", lambda: cluster.events("ReleaseRefused"))
        assert "kept here" in cluster.events("ReleaseRefused")[0]["message"]
    cluster.wait("it is released", lambda: not _held(cluster))


def test_switched_off(
    cluster: Cluster,
    plane: ControlPlane,
    webhook: Webhook,
    holding: None,
    enforcer: Enforcer,
) -> None:
    cluster.create(make_job("held", {"Worker": []}))
    cluster.wait_running(["held-worker-0"])
    assert _held(cluster) == {"held-worker-0"}
    set_evidence(plane, webhook, "none")
    cluster.wait("it is free", lambda: not _held(cluster))
    assert cluster.pod_names() == {"held-worker-0"}


def test_release_all(cluster: Cluster, holding: None, account: Account) -> None:
    done = {"code": 0, "reason": "Completed", "phase": "Succeeded"}
    cluster.create(make_job("a", {"Worker": [done]}), make_job("b", {"Worker": [_SEGFAULT, None]}))
    cluster.wait("both have ended", lambda: len(_held(cluster)) == 2)

    def release() -> str:
        command = [PROGRAM, "enforce", "--release-all", "--kubeconfig", account.kubeconfig()]
        done = subprocess.run(
            [*command, "--namespace", cluster.namespace], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = release()
    assert f"TFJob {cluster.namespace}/a: its new pods are not held any more" in first
    assert f"pod {cluster.namespace}/a-worker-0: released" in first
    assert "2 jobs changed so that new pods are not held" in first
    assert not _held(cluster)
    assert release() == "0 pods released, 0 jobs changed so that new pods are not held\n"
    # The operator goes on as it would have: the new pod is not held.
    cluster.wait_running(["b-worker-0"])
    assert not _held(cluster)


def test_the_component_is_accepted(plane: ControlPlane, account: Account, scratch: Path) -> None:
    """Under the restricted Pod Security Standard of its namespace, which would warn."""
    folder = scratch / "component"
    result = plane.kubectl("apply", "--dry-run=server", "-k", folder).ok()
    assert result.err == ""
    assert "deployment.apps/tfjob-enforcer created (server dry run)" in result.out


def test_the_role_is_the_smallest(plane: ControlPlane, account: Account) -> None:
    """The other tests show that it is enough."""
    kubectl = plane.kubectl
    who = "--as=system:serviceaccount:tfjob-webhook:tfjob-enforcer"

    def may(*what: str) -> bool:
        return kubectl("auth", "can-i", *what, who).status == 0

    assert may("patch", "tfjobs.kubeflow.org", "--subresource=status", "-A")
    assert may("patch", "pods", "-A")
    for what in (
        ("create", "pods", "-A"),
        ("update", "pods", "-A"),
        ("patch", "pods", "--subresource=status", "-A"),
        ("get", "secrets", "-A"),
        ("delete", "tfjobs.kubeflow.org", "-A"),
        ("update", "tfjobs.kubeflow.org", "-A"),
        ("patch", "mpijobs.kubeflow.org", "-A"),
        ("delete", "leases.coordination.k8s.io", "-n", "tfjob-webhook"),
        ("get", "leases.coordination.k8s.io/other", "-n", "tfjob-webhook"),
        ("get", "leases.coordination.k8s.io", "-n", "default"),
    ):
        assert not may(*what), what

