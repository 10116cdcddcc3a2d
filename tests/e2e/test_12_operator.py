"""Scenario 12: with training-operator running."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import binaries
import failed_pods
import jobs
import training_operator
from control_plane import ControlPlane
from failed_pods import Observation
from kubectl import Kubectl
from process import wait_until
from registration import Registration
from webhook import PROGRAM, PROJECT

_DOCUMENT = PROJECT / "docs" / "operator-behaviour.md"
_HEAD = """\
# What training-operator {version} does with failed pods

Written by `make e2e` (tests/e2e/test_12_operator.py), which compares it with what it sees each
time, and writes it anew with `make e2e E2E_FLAGS=--update-docs`.

A TFJob with one worker under `restartPolicy: ExitCode`, created through the webhook; its pod
carries the `kubeflow` table. "Table" is what that says; "operator" is what happened, with the
reason of the job's condition. Nothing enforces the table here.

| how the pod ended | table | operator |
|---|---|---|
"""
_TAIL = """\

A TFJob with `restartPolicy: Sometimes` that is stored without the webhook: no pod is ever made,
and each attempt leaves the event

```
{event}
```

With the webhook it is refused, and the operator never sees it.
"""


@pytest.fixture(scope="module")
def operator(
    programs: binaries.Binaries,
    plane: ControlPlane,
    registration: Registration,
    scratch: Path,
    logs: dict[str, Path],
) -> Iterator[None]:
    # Jobs that other tests left would keep it busy.
    plane.kubectl("delete", "tfjobs", "--all", "--all-namespaces", "--wait=false").ok()
    with training_operator.running(programs, plane, scratch / "operator") as process:
        logs["training-operator"] = process.log
        yield
    del logs["training-operator"]


def _failures_to_create(kubectl: Kubectl) -> list[str]:
    """The messages of such events, each as often as it was counted."""
    events = kubectl("get", "events", "--field-selector=reason=FailedCreatePod", "--output=json")
    return [item["message"] for item in events.json["items"] for _ in range(item["count"])]


def _loop_without_the_webhook(kubectl: Kubectl, registration: Registration) -> str:
    """The event that a job with a policy of no meaning leaves again and again."""
    with registration.removed():
        kubectl.create(jobs.tfjob("loop", {"Worker": jobs.replica("Sometimes")})).ok()
        wait_until(
            "the operator failed three times", lambda: len(_failures_to_create(kubectl)) >= 3
        )
    assert kubectl.names("pods") == []
    conditions = kubectl.get("tfjob", "loop").get("status", {}).get("conditions", [])
    assert "Failed" not in [condition["type"] for condition in conditions]
    kubectl("delete", "tfjob", "loop").ok()
    messages = set(_failures_to_create(kubectl))
    assert len(messages) == 1, messages
    return messages.pop()


def _classified(end: failed_pods.End) -> str:
    """What the program says about a code."""
    reason = ["--reason", end.reason] if end.reason else []
    done = subprocess.run(
        [PROGRAM, "classify", str(end.code), *reason], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[0]


def _row(seen: Observation) -> str:
    classified = _classified(seen.end) if seen.end.code is not None else ""
    return f"| {seen.end.words} | {failed_pods.verdict(seen, classified)} | {seen.outcome} |\n"


def test_a_job_that_the_webhook_refuses_never_reaches_the_operator(
    kubectl: Kubectl, operator: None
) -> None:
    kubectl.create(jobs.tfjob("loop", {"Worker": jobs.replica("Sometimes")})).refused()
    kubectl.create(jobs.tfjob("good", {"Worker": jobs.replica("ExitCode")})).ok()
    # Whatever it does for a later job, it would have done for the earlier one.
    wait_until("the good job has its pod", lambda: kubectl.names("pods") == ["pod/good-worker-0"])
    assert _failures_to_create(kubectl) == []
    pod = kubectl.get("pod", "good-worker-0")
    assert pod["metadata"]["annotations"][jobs.TABLE] == jobs.KUBEFLOW
    kubectl("delete", "tfjob", "good").ok()


def test_what_the_operator_does_is_as_documented(
    kubectl: Kubectl,
    operator: None,
    plane: ControlPlane,
    registration: Registration,
    programs: binaries.Binaries,
    new_namespace: Callable[[str], Kubectl],
    request: pytest.FixtureRequest,
) -> None:
    client = plane.client()
    observations = failed_pods.observe(client, kubectl.namespace)
    client.close()
    assert {seen.table for seen in observations} == {jobs.KUBEFLOW}
    event = _loop_without_the_webhook(new_namespace("loop"), registration)
    text = (
        _HEAD.format(version=programs.operator_module.name.rpartition("@v")[2])
        + "".join(map(_row, observations))
        + _TAIL.format(event=event)
    )
    if request.config.getoption("--update-docs"):
        _DOCUMENT.write_text(text)
    assert _DOCUMENT.read_text() == text, "see the top of docs/operator-behaviour.md"
