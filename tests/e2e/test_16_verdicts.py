"""Scenario 16: the table holds on an unmodified operator, with and without the finalizer."""

from __future__ import annotations

from typing import Any

import pytest

from enforced_jobs import FINALIZER, PERMANENT, RETRYABLE, Cluster, failure, make_job
from enforcer import Enforcer
from kubectl import Object

pytestmark = pytest.mark.usefixtures("enforcer")

_BY_OPERATOR = "TFJobFailed"
_OOM = {"code": 137, "reason": "OOMKilled"}


def _reason(end: Object) -> str | None:
    """For which a job with such an end fails; None: it is retried."""
    if end["code"] < 128:
        return _BY_OPERATOR
    if end["code"] in RETRYABLE and end != _OOM:
        return None
    return "ExitCodePermanent"


def _require_attempts(cluster: Cluster, evidence: str, pods: list[str]) -> None:
    """How often the operator made each of the pods that its job failed for."""
    attempts = {name: cluster.instances(name) for name in pods}
    most = 1 if evidence == "finalizer" else 2
    assert {name for name, number in attempts.items() if number > most} == set()


def _require_released(cluster: Cluster) -> None:
    """Only pods that go on are held."""

    def none_is_held() -> bool:
        return not [
            name
            for name, pod in cluster.pods().items()
            if FINALIZER in pod["metadata"].get("finalizers", [])
            and pod["status"].get("phase") in ("Failed", "Succeeded")
        ]

    cluster.wait("ended pods are released", none_is_held)


def test_every_exit_code(cluster: Cluster, evidence: str) -> None:
    ends = {f"code-{code:03}": {"code": code} for code in range(1, 256)}
    cluster.create(*(make_job(name, {"Worker": [end]}) for name, end in ends.items()))

    reasons = {name: _reason(end) for name, end in ends.items()}
    cluster.wait_failures({n: r for n, r in reasons.items() if r is not None}, seconds=120)
    retried = {f"{name}-worker-0" for name, reason in reasons.items() if reason is None}
    cluster.wait("retried pods, and no others, run", lambda: cluster.pod_names() == retried)
    assert {name for name, job in cluster.jobs().items() if failure(job)} == {
        name for name, reason in reasons.items() if reason
    }
    assert {name: cluster.instances(name) for name in retried} == dict.fromkeys(retried, 2)
    _require_attempts(
        cluster, evidence, [f"{n}-worker-0" for n, r in reasons.items() if r == "ExitCodePermanent"]
    )
    _require_released(cluster)


def test_each_clean_pod_policy(cluster: Cluster, evidence: str) -> None:
    ends = [{"code": code} for code in sorted(PERMANENT | RETRYABLE)] + [_OOM]
    cases = {
        f"{policy.lower()}-{end['code']}{'-oom' if end is _OOM else ''}": (policy, end)
        for policy in ("None", "Running", "All")
        for end in ends
    }
    cluster.create(
        *(
            make_job(name, {"Worker": {"0": [end]}}, replicas=3, cleanPodPolicy=policy)
            for name, (policy, end) in cases.items()
        )
    )

    reasons = {name: _reason(end) for name, (_, end) in cases.items()}
    cluster.wait_failures({n: r for n, r in reasons.items() if r is not None}, seconds=120)
    # The operator's own jobs with `None` keep what runs; what ended is theirs to keep, too.
    expected = set()
    for name, (policy, _) in cases.items():
        if reasons[name] is None:
            expected |= {f"{name}-worker-{i}" for i in range(3)}
        elif policy == "None":
            expected |= {f"{name}-worker-{i}" for i in (1, 2)}
    cluster.wait("just these pods run", lambda: cluster.pod_names() == expected)
    gone = {n for n, (policy, _) in cases.items() if policy == "All" and reasons[n] is not None}
    cluster.wait(
        "All keeps no pod",
        lambda: not [p for p in cluster.pods() if p.rpartition("-worker-")[0] in gone],
    )
    _require_attempts(
        cluster, evidence, [f"{n}-worker-0" for n, r in reasons.items() if r == "ExitCodePermanent"]
    )
    _require_released(cluster)


_KINDS: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "TFJob": ("chief", {"Chief": [{"code": 139}], "Worker": []}),
    "PyTorchJob": ("worker", {"Master": [], "Worker": [{"code": 139}]}),
    "XGBoostJob": ("worker", {"Master": [], "Worker": [{"code": 139}]}),
    "PaddleJob": ("worker", {"Worker": [{"code": 139}]}),
    "JAXJob": ("worker", {"Worker": [{"code": 139}]}),
}


def test_all_kinds(cluster: Cluster, evidence: str) -> None:
    for kind, (_, ends) in _KINDS.items():
        cluster.create(make_job(f"{kind.lower()}-permanent", ends, kind=kind))
        retried = {t: [{"code": 143}] if e else [] for t, e in ends.items()}
        cluster.create(make_job(f"{kind.lower()}-retried", retried, kind=kind))
    for kind, (replica, _) in _KINDS.items():
        cluster.wait_failures({f"{kind.lower()}-permanent": "ExitCodePermanent"}, kind)
        again = f"{kind.lower()}-retried-{replica}-0"
        cluster.wait(f"{again} is made again", lambda: cluster.instances(again) == 2)
        cluster.wait_running([again])
        assert failure(cluster.job(f"{kind.lower()}-retried", kind)) is None
    _require_released(cluster)


def test_what_people_see(cluster: Cluster, enforcer: Enforcer, evidence: str) -> None:
    cluster.create(
        make_job("seen", {"Worker": [{"code": 139, "message": "bad batch\n" + "x" * 2000}]})
    )
    cluster.wait_failures({"seen": "ExitCodePermanent"})
    job = cluster.job("seen")
    found = [c for c in job["status"]["conditions"] if c["type"] == "Failed"][0]
    start = (
        "pod seen-worker-0 ended with exit code 139 (SIGSEGV, signal 11), reason Error: "
        "139 (SIGSEGV, signal 11) is permanent: profile kubeflow lists it. It wrote: bad batch\n"
    )
    assert found["message"] == start + "x" * 990
    assert job["status"]["completionTime"] == found["lastTransitionTime"]
    cluster.wait("both Events", lambda: len(cluster.events("ExitCodePermanent")) >= 2)
    about = {e["involvedObject"]["kind"]: e for e in cluster.events("ExitCodePermanent")}
    assert set(about) == {"TFJob", "Pod"}
    for event in about.values():
        assert event["message"] == (start + "x" * 990)[:1024]
        assert event["type"] == "Warning"
    assert (
        enforcer.metric("tfjob_enforcer_verdicts_total", kind="TFJob", code="139", action="failed")
        == 1
    )
