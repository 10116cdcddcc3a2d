"""Scenario 4: what is wrong is refused, nothing is stored, and the message says how to mend it."""

from __future__ import annotations

import pytest

import jobs
from jobs import replica, tfjob
from kubectl import Kubectl, Object

_WORKER = "spec.tfReplicaSpecs[Worker]"
_CHOICES = "use one of Always, OnFailure, Never, ExitCode"
_CODES = "metadata.annotations[exit-codes.kubeflow.org/{}]"

_FAULTS: dict[str, tuple[Object, list[str]]] = {
    "sometimes": (
        tfjob("bad", {"Worker": replica("Sometimes")}),
        [f'{_WORKER}.restartPolicy: "Sometimes" is no restart policy: {_CHOICES}'],
    ),
    "wrong case": (
        tfjob("bad", {"Worker": replica("exitcode")}),
        [
            f'{_WORKER}.restartPolicy: "exitcode" is no restart policy: '
            "did you mean ExitCode? Or " + _CHOICES
        ],
    ),
    "two replicas": (
        tfjob("bad", {"Worker": replica("Sometimes"), "PS": replica("never")}),
        [
            'spec.tfReplicaSpecs[PS].restartPolicy: "never" is no restart policy: '
            "did you mean Never? Or " + _CHOICES,
            f'{_WORKER}.restartPolicy: "Sometimes" is no restart policy: {_CHOICES}',
        ],
    ),
    "misnamed container": (
        tfjob("bad", {"Worker": replica("ExitCode", container="tensorflw")}),
        [
            f'{_WORKER}.template.spec.containers: has no container named "tensorflow", the one '
            'whose exit code the operator reads under ExitCode: rename "tensorflw" to it'
        ],
    ),
    "bad code list": (
        tfjob("bad", annotations={jobs.PREFIX + "retryable": "42, 300"}),
        [_CODES.format("retryable") + ": '300' is not an exit code: write a number from 1 to 255"],
    ),
    "unknown profile": (
        tfjob("bad", annotations={jobs.PREFIX + "profile": "kubeflw"}),
        [
            _CODES.format("profile")
            + ': there is no profile "kubeflw": did you mean kubeflow? The profiles are '
            "kubeflow, signals, cloudml, all-permanent, all-retryable, own"
        ],
    ),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_refused(kubectl: Kubectl, fault: str) -> None:
    job, causes = _FAULTS[fault]
    result = kubectl.create(job).refused()
    told = causes[0] if len(causes) == 1 else "".join(f"\n* {cause}" for cause in causes)
    assert (result.out, result.err) == ("", f'The TFJob "bad" is invalid: {told}\n')
    assert kubectl.names("tfjobs") == []
