"""Scenario 11: the API server's own figures, and what a creation costs."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median, quantiles
from time import perf_counter

import pytest

import jobs
import metrics
import policy
import report
from api_client import ApiClient, jobs_path
from control_plane import ControlPlane
from kubectl import Kubectl, Object
from process import wait_until

_ROUNDS = 300
_DURATION = "apiserver_admission_webhook_admission_duration_seconds"
# Neither is asked about by the webhook, so that one shows a create without it.
_NO_WEBHOOK, _POLICY = "kube-system", "tfjob-webhook"


@pytest.fixture
def client(plane: ControlPlane) -> Iterator[ApiClient]:
    client = plane.client()
    yield client
    client.close()


@pytest.fixture
def policies(kubectl: Kubectl, client: ApiClient) -> Iterator[None]:
    """The equivalent policies hold in one namespace."""
    made = policy.equivalent(_POLICY)
    for part in made:
        kubectl.inside("").create(part).ok()

    def in_force() -> bool:
        path = jobs_path(_POLICY) + "?dryRun=All"
        bad = client.send("POST", path, jobs.tfjob("bad", {"Worker": jobs.replica("Sometimes")}))
        good = client.send("POST", path, jobs.tfjob("good"))
        return bad.status == 422 and jobs.job_table(good.json) == jobs.KUBEFLOW

    try:
        wait_until("the policies are in force", in_force, 30)
        yield
    finally:
        for part in made:
            kubectl.inside("")("delete", part["kind"], part["metadata"]["name"]).ok()


def _creation(client: ApiClient, namespace: str, name: str) -> tuple[float, Object]:
    begin = perf_counter()
    answer = client.send("POST", jobs_path(namespace), jobs.tfjob(name))
    took = perf_counter() - begin
    assert answer.status == 201, answer.text
    return took, answer.json


def test_cost_of_a_creation(kubectl: Kubectl, client: ApiClient, policies: None) -> None:
    ways = {
        "no webhook": _NO_WEBHOOK,
        "our webhook": kubectl.namespace,
        "policies in CEL": _POLICY,
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    # In turns, so that whatever else the machine does hits all three.
    for number in range(_ROUNDS):
        for way, namespace in ways.items():
            took, job = _creation(client, namespace, f"cost-{number}")
            seconds[way].append(took)
            table = None if way == "no webhook" else jobs.KUBEFLOW
            assert set(jobs.tables(job).values()) == {table}, way
    for way, namespace in ways.items():
        middle, worst = median(seconds[way]), quantiles(seconds[way], n=100)[98]
        report.say(
            f"creation, {way + ':':<16} median {middle * 1e3:5.1f} ms, p99 {worst * 1e3:5.1f} ms"
        )
        client.send("DELETE", jobs_path(namespace))
    # Two calls over TLS: a bound that only a fault would break.
    assert median(seconds["our webhook"]) < median(seconds["no webhook"]) + 0.05


def test_no_call_failed_and_each_was_quick(kubectl: Kubectl, client: ApiClient) -> None:
    def read() -> metrics.Metrics:
        return metrics.parse(client.get("/metrics").text)

    before = read()
    for number in range(_ROUNDS):
        _creation(client, kubectl.namespace, f"call-{number}")
    after = read()
    assert metrics.failed_calls(after) == metrics.failed_calls(before)
    for endpoint in ("mutate", "validate"):
        name = f"{endpoint}-create.exit-codes.kubeflow.org"
        old = before.buckets(_DURATION, name=name)
        buckets = {
            bound: count - old.get(bound, 0)
            for bound, count in after.buckets(_DURATION, name=name).items()
        }
        assert max(buckets.values()) >= _ROUNDS
        bound = metrics.quantile_bound(buckets, 0.99)
        session = after.buckets(_DURATION, name=name)
        of_session = metrics.quantile_bound(session, 0.99)
        report.say(
            f"admission call, /{endpoint} on CREATE: p99 at most {bound * 1e3:g} ms one by one; "
            f"{of_session * 1e3:g} ms of all {max(session.values()):.0f}, the parallel ones too"
        )
        assert bound <= 0.5
