"""Scenario 17: a pod that somebody took away, or that has no code, is not judged by a code."""

from __future__ import annotations

from typing import Any

import pytest

from enforced_jobs import OURS, Cluster, condition, failure, make_job
from enforcer import Enforcer
from kubectl import Object

_SEGFAULT = {"code": 139}


def _target(reason: str) -> list[Object]:
    return [{"type": "DisruptionTarget", "status": "True", "reason": reason}]


def _pytorch(name: str, ends: list[Any], **more: Any) -> Object:
    """The operator makes a deleted worker of it anew, while a TFJob would fail."""
    return make_job(name, {"Master": [], "Worker": ends}, kind="PyTorchJob", **more)


def _require_made_anew(cluster: Cluster, name: str, attempts: int = 2) -> None:
    pod = f"{name}-worker-0"
    cluster.wait(f"{pod} is made anew", lambda: cluster.instances(pod) == attempts)
    cluster.wait_running([pod])
    assert failure(cluster.job(name, "PyTorchJob")) is None


@pytest.mark.usefixtures("enforcer")
def test_deleted_before_and_after_the_end(cluster: Cluster, evidence: str) -> None:
    cluster.create(
        _pytorch("before", [], on_delete=_SEGFAULT),
        _pytorch("preempted", [], on_delete={**_SEGFAULT, "conditions": _target("Preemption")}),
        make_job("after", {"Worker": [{**_SEGFAULT, "after": 1}]}),
    )
    cluster.wait_running(["before-worker-0", "preempted-worker-0", "after-worker-0"])
    cluster.delete_pod("before-worker-0")
    cluster.delete_pod("preempted-worker-0")
    cluster.wait(
        "the pod has failed",
        lambda: cluster.pod_names("Failed") >= {"after-worker-0"} or failure(cluster.job("after")),
    )
    if "after-worker-0" in cluster.pods():
        cluster.client.send(
            "DELETE", f"/api/v1/namespaces/{cluster.namespace}/pods/after-worker-0"
        )
    cluster.wait_failures({"after": "ExitCodePermanent"})
    _require_made_anew(cluster, "before")
    _require_made_anew(cluster, "preempted")


@pytest.mark.usefixtures("enforcer")
def test_evicted(cluster: Cluster, evidence: str) -> None:
    evicted = {"conditions": _target("EvictionByEvictionAPI")}
    cluster.create(
        _pytorch("with-code", [{**_SEGFAULT, **evicted}]),
        _pytorch("killed", [{"code": 137, "reason": "OOMKilled", **evicted}]),
        _pytorch("no-status", [{"pod_reason": "Evicted", **evicted}]),
    )
    _require_made_anew(cluster, "with-code")
    _require_made_anew(cluster, "killed")
    cluster.wait(
        "the operator decides",
        lambda: failure(cluster.job("no-status", "PyTorchJob"))
        or cluster.instances("no-status-worker-0") > 1,
    )
    assert failure(cluster.job("no-status", "PyTorchJob")) not in OURS


@pytest.mark.usefixtures("enforcer")
def test_scaled_down(cluster: Cluster, evidence: str) -> None:
    job = make_job("scaled", {"PS": [], "Worker": []}, replicas=2, on_delete=_SEGFAULT)
    job["spec"]["enableDynamicWorker"] = True
    cluster.create(job)
    cluster.wait_running([f"scaled-worker-{i}" for i in (0, 1)])
    cluster.patch_job("scaled", {"spec": {"tfReplicaSpecs": {"Worker": {"replicas": 1}}}})
    cluster.wait("worker 1 is gone", lambda: "scaled-worker-1" not in cluster.pods())
    assert failure(cluster.job("scaled")) not in OURS


@pytest.mark.usefixtures("enforcer")
def test_suspended_before_the_end_and_resumed(cluster: Cluster, evidence: str) -> None:
    retried = {"exit-codes.kubeflow.org/max-retries": "1"}
    ends = [{"code": 143}, None, {"code": 143}, {"code": 143}]
    cluster.create(
        make_job("paused", {"Worker": []}, on_delete=_SEGFAULT),
        make_job("counted", {"Worker": ends}, on_delete=_SEGFAULT, annotations=retried),
    )
    cluster.wait("its first retry", lambda: cluster.instances("counted-worker-0") == 2)
    cluster.wait_running(["paused-worker-0", "counted-worker-0"])
    for name in ("paused", "counted"):
        cluster.patch_job(name, {"spec": {"runPolicy": {"suspend": True}}})
    cluster.wait("no pod is left", lambda: not cluster.pods())
    for name in ("paused", "counted"):
        assert condition(cluster.job(name), "Suspended")
        assert failure(cluster.job(name)) is None
        cluster.patch_job(name, {"spec": {"runPolicy": {"suspend": False}}})
    cluster.wait_running(["paused-worker-0"])
    # One retry before, one after: it counts from zero again, and then is used up.
    cluster.wait_failures({"counted": "MaxRetriesExceeded"})
    if evidence == "finalizer":
        assert cluster.instances("counted-worker-0") == 4
    assert failure(cluster.job("paused")) is None


def test_suspended_after_the_end(
    cluster: Cluster, new_enforcer: Any, evidence: str
) -> None:
    cluster.create(make_job("late", {"Worker": [_SEGFAULT]}))
    if evidence == "finalizer":
        # Nobody is there to judge: it stays as it ended.
        cluster.wait("it has ended", lambda: cluster.pod_names("Failed") or cluster.pods())
        cluster.wait(
            "it is being deleted",
            lambda: "deletionTimestamp" in cluster.pods()["late-worker-0"]["metadata"],
        )
    cluster.wait("it was started", lambda: cluster.instances("late-worker-0") >= 1)
    cluster.patch_job("late", {"spec": {"runPolicy": {"suspend": True}}})
    cluster.wait("it is suspended", lambda: condition(cluster.job("late"), "Suspended"))
    enforcer: Enforcer = new_enforcer().start()
    cluster.wait("it leads", enforcer.leads)
    cluster.wait("no pod is left", lambda: not cluster.pods())
    cluster.patch_job("late", {"spec": {"runPolicy": {"suspend": False}}})
    cluster.wait_running(["late-worker-0"])
    assert failure(cluster.job("late")) is None


@pytest.mark.usefixtures("enforcer")
def test_no_exit_code_and_other_containers(cluster: Cluster, evidence: str) -> None:
    ends: dict[str, Object] = {
        "nothing": {"pod_reason": "NodeLost"},
        "unknown": {"code": 137, "reason": "ContainerStatusUnknown"},
        "init": {**_SEGFAULT, "init": True, "container": "setup"},
        "init-pytorch": {**_SEGFAULT, "init": True, "container": "init-pytorch"},
        "sidecar": {**_SEGFAULT, "container": "proxy"},
    }
    for name, end in ends.items():
        job = _pytorch(name, [end])
        spec = job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]
        if name == "init":
            spec["initContainers"] = [{"name": "setup", "image": "example.invalid/setup"}]
        if name == "sidecar":
            spec["containers"].append({"name": "proxy", "image": "example.invalid/proxy"})
        cluster.create(job)
    for name in ends:
        cluster.wait(
            f"the operator decides about {name}",
            lambda name=name: failure(cluster.job(name, "PyTorchJob"))
            or cluster.instances(f"{name}-worker-0") > 1,
        )
    # An init container of the user's has a code, which the operator does not look at: it retries.
    cluster.wait_failures({"init": "ExitCodePermanent"}, "PyTorchJob")
    for name in ends.keys() - {"init"}:
        assert failure(cluster.job(name, "PyTorchJob")) not in OURS, name
    _require_made_anew(cluster, "unknown")
