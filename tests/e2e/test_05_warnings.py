"""Scenario 5: kubectl prints each warning once, and none for a plain good job."""

from __future__ import annotations

import jobs
from kubectl import Kubectl


def test_a_plain_good_job_is_created_without_a_warning(kubectl: Kubectl) -> None:
    result = kubectl.create(jobs.tfjob("mnist")).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/mnist created\n", "")
    assert jobs.tables(kubectl.get("tfjob", "mnist")) == {
        "job": jobs.KUBEFLOW,
        "Worker": jobs.KUBEFLOW,
    }


def test_each_warning_is_printed_once(kubectl: Kubectl) -> None:
    worker, helper = jobs.replica("ExitCode"), jobs.replica("Never")
    worker["template"]["spec"]["restartPolicy"] = "OnFailure"
    job = jobs.tfjob(
        "warned",
        {"Worker": worker, "Helper": helper},
        {jobs.PREFIX + "profile": "signals", jobs.PREFIX + "retriable": "42"},
    )
    result = kubectl.create(job).ok()
    assert result.out == "tfjob.kubeflow.org/warned created\n"
    assert len(result.warnings) == len(result.err.splitlines())
    expected = [
        "metadata.annotations[exit-codes.kubeflow.org/retriable]: "
        "does nothing: did you mean retryable?",
        'spec.tfReplicaSpecs[Helper]: "Helper" is no replica type of TFJob: '
        "use Chief, Master, PS, Worker, Evaluator",
        "spec.tfReplicaSpecs[Worker].restartPolicy: unlisted codes are retried without end: "
        "set max-retries or activeDeadlineSeconds",
        "spec.tfReplicaSpecs[Worker].template.spec.restartPolicy: is ignored: "
        "ExitCode holds, the replica's restartPolicy; remove this one",
    ]
    assert sorted(result.warnings) == sorted(map(jobs.as_warning, expected))
    assert all(len(warning) <= 120 for warning in result.warnings)
