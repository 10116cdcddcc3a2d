"""Scenario 19: counts and verdicts are right although processes are killed and calls fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic, sleep

import pytest

import faulty_proxy
import report
from api_client import jobs_path
from conftest import set_evidence
from control_plane import ControlPlane
from enforced_jobs import Cluster, failure, make_job
from enforcer import Account, Enforcer
from webhook import Webhook

_TERMINATED = {"code": 143}
_SEGFAULT = {"code": 139}


@pytest.fixture
def holding(plane: ControlPlane, webhook: Webhook, cluster: Cluster) -> object:
    set_evidence(plane, webhook, "finalizer")
    yield
    set_evidence(plane, webhook, "none")


@pytest.mark.killed_callers
def test_max_retries_are_exact_though_the_enforcer_is_killed(
    cluster: Cluster, holding: None, new_enforcer: Callable[..., Enforcer]
) -> None:
    """Killed at random, and so between and during all that it does for each retry."""
    limit = {"exit-codes.kubeflow.org/max-retries": "3"}
    names = [f"limited-{i}" for i in range(6)]
    ends = {str(i): [_TERMINATED] * 4 for i in range(2)}
    cluster.create(
        *(make_job(n, {"Worker": ends}, replicas=3, annotations=limit) for n in names),
        # A replica that ends three times only goes on.
        make_job("within", {"Worker": [_TERMINATED] * 3}, annotations=limit),
    )
    enforcer = new_enforcer("--leader-elect=false")
    dice = random.Random(3)
    kills = 0
    longest = 0.6
    end = monotonic() + 180
    while any(failure(cluster.job(name)) is None for name in names):
        assert monotonic() < end, f"not all have failed, though it was killed {kills} times only"
        enforcer.start(wait=False)
        sleep(dice.uniform(0.05, longest))
        enforcer.kill()
        kills += 1
        # On a slow machine, too, it gets to something in the end.
        longest *= 1.05
    enforcer.start()
    cluster.wait_failures(dict.fromkeys(names, "MaxRetriesExceeded"))
    cluster.wait_running(["within-worker-0"])
    assert cluster.instances("within-worker-0") == 4
    assert failure(cluster.job("within")) is None
    for name in names:
        attempts = [cluster.instances(f"{name}-worker-{i}") for i in range(3)]
        # The job fails with the first replica that is over; the other may be one behind.
        assert max(attempts[:2]) == 4, (name, attempts)
        assert attempts[2] == 1
    report.say(f"enforcer killed {kills} times: each limit of 3 retries held exactly")


def test_another_one_takes_over(
    cluster: Cluster, new_enforcer: Callable[..., Enforcer]
) -> None:
    first = new_enforcer().start()
    cluster.wait("it leads", first.leads)
    second = new_enforcer().start()
    cluster.create(make_job("before", {"Worker": [_SEGFAULT]}))
    cluster.wait_failures({"before": "ExitCodePermanent"})
    assert not second.leads()
    killed = monotonic()
    first.kill()
    names = [f"between-{i}" for i in range(10)]
    cluster.create(*(make_job(name, {"Worker": [_SEGFAULT]}) for name in names))
    cluster.wait("the other leads", second.leads, 20)
    took = monotonic() - killed
    cluster.wait_failures(dict.fromkeys(names, "ExitCodePermanent"))
    report.say(f"the other enforcer led {took:.1f} s after the leader was killed")
    # A leader that ends in order does not make the other one wait.
    third = new_enforcer().start()
    stopped = monotonic()
    assert second.stop() == 0
    cluster.wait("the next one leads", third.leads, 6)
    assert monotonic() - stopped < 6


def test_faults_of_the_api_server(
    cluster: Cluster,
    holding: None,
    plane: ControlPlane,
    account: Account,
    new_enforcer: Callable[..., Enforcer],
) -> None:
    limit = {"exit-codes.kubeflow.org/max-retries": "2"}
    permanent = [f"permanent-{i}" for i in range(20)]
    limited = [f"limited-{i}" for i in range(10)]
    retried = [f"retried-{i}" for i in range(10)]
    faults = {409: 0.15, 429: 0.02, 500: 0.15}
    with faulty_proxy.running(plane, faults, (0.2, 1.5)) as proxy:
        enforcer = new_enforcer(kubeconfig=account.kubeconfig(proxy.url))
        enforcer.keep_running()
        began = monotonic()
        for i, name in enumerate(permanent):
            cluster.create(make_job(name, {"Worker": [{**_SEGFAULT, "after": i * 0.3}]}))
        for name in limited:
            cluster.create(make_job(name, {"Worker": [_TERMINATED] * 3}, annotations=limit))
        for name in retried:
            cluster.create(make_job(name, {"Worker": [_TERMINATED] * 2}, annotations=limit))
        expected = dict.fromkeys(permanent, "ExitCodePermanent")
        expected.update(dict.fromkeys(limited, "MaxRetriesExceeded"))
        cluster.wait_failures(expected, seconds=120)
        cluster.wait_running([f"{name}-worker-0" for name in retried])
        seconds = monotonic() - began
        for name in retried:
            assert cluster.instances(f"{name}-worker-0") == 3
            assert failure(cluster.job(name)) is None
        for name in limited:
            assert cluster.instances(f"{name}-worker-0") == 3
        assert {"cut", "409", "429", "500"} <= set(proxy.injected), proxy.injected
        # 60 pods were judged and released, 30 jobs failed: a get and a patch each, and the faults.
        calls = sum(n for method, n in proxy.counts.items() if method not in ("WATCH", "LIST"))
        assert calls < 1200, proxy.counts
        assert proxy.counts["WATCH"] < seconds * 4
        # A watch that is cut is no reason to list anew.
        assert proxy.counts["LIST"] <= 5, proxy.counts
        report.say(
            f"through the faulty proxy: {dict(proxy.counts)} in {seconds:.0f} s, "
            f"injected {dict(proxy.injected)}"
        )
        _require_quiet(proxy)


def _require_quiet(proxy: faulty_proxy.FaultyProxy) -> None:
    """Where nothing happens there are only the Lease and watches."""
    proxy.faults = {}
    proxy.cut_after = None
    sleep(3)
    before = sum(proxy.counts.values())
    sleep(6)
    assert sum(proxy.counts.values()) - before < 12


def test_the_api_server_is_restarted(
    cluster: Cluster, holding: None, plane: ControlPlane, new_enforcer: Callable[..., Enforcer]
) -> None:
    # While it cannot renew its Lease it must end, and is started again as in a Deployment.
    enforcer = new_enforcer()
    enforcer.keep_running()
    cluster.wait("it leads", enforcer.leads)
    names = [f"restart-{i}" for i in range(10)]
    for i, name in enumerate(names):
        cluster.create(make_job(name, {"Worker": [{**_SEGFAULT, "after": 1 + i * 0.5}]}))
    cluster.wait("one has failed", lambda: any(map(failure, cluster.jobs().values())))
    plane.restart_api_server()
    cluster.client.close()
    path = jobs_path(cluster.namespace)
    cluster.wait("jobs are served again", lambda: cluster.client.get(path).status == 200)
    cluster.wait_failures(dict.fromkeys(names, "ExitCodePermanent"))
    for name in names:
        assert cluster.instances(f"{name}-worker-0") == 1
