"""Ends pods in every way that the exit-code table tells apart, and watches the operator.

No kubelet runs: a pod's end is a patch of its status, and a pod that the operator deletes goes
when it is deleted once more without a grace period.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic, sleep

import jobs
from api_client import ApiClient, jobs_path
from kubectl import Object

_NODE = "fake-node"
_DISRUPTED = {"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}


@dataclass(frozen=True)
class End:
    """How a pod ends, in words and as a status."""

    words: str
    code: int | None = None
    reason: str | None = None
    conditions: tuple[Object, ...] = ()
    times: int = 1
    """How often the replica's pods end so, one after another."""
    backoff_limit: int | None = None

    @property
    def status(self) -> Object:
        status: Object = {"phase": "Failed"}
        if self.conditions:
            status["conditions"] = list(self.conditions)
        if self.code is None:
            status["reason"] = self.reason
            return status
        terminated: Object = {"exitCode": self.code, "reason": self.reason or "Error"}
        status["containerStatuses"] = [
            {
                "name": "tensorflow",
                "image": "example.invalid/train",
                "imageID": "",
                "ready": False,
                "restartCount": 0,
                "state": {"terminated": terminated},
            }
        ]
        return status


ENDS = (
    *(End(f"exit code {code}", code) for code in (1, 2, 42, 126, 127, 128)),
    *(End(f"exit code {code}", code) for code in (130, 137, 138, 139, 143, 255)),
    End("exit code 137, container reason OOMKilled", 137, "OOMKilled"),
    End("exit code 1, pod condition DisruptionTarget", 1, None, (_DISRUPTED,)),
    End("exit code 143, pod condition DisruptionTarget", 143, None, (_DISRUPTED,)),
    End("pod reason Evicted, no container status", None, "Evicted"),
    End("exit code 139, five times, `backoffLimit: 2`", 139, times=5, backoff_limit=2),
    End("exit code 143, `backoffLimit: 0`", 143, backoff_limit=0),
)


@dataclass
class _Case:
    """One job with one worker, whose pods end in one way."""

    end: End
    name: str
    ended: list[str] = field(default_factory=list)  # uids of pods
    table: str | None = None
    outcome: str | None = None


@dataclass(frozen=True)
class Observation:
    end: End
    table: str | None
    """What the pod carried."""
    outcome: str


def observe(client: ApiClient, namespace: str, seconds: float = 120) -> list[Observation]:
    """Runs all ends at once, each in a job of its own."""
    cases = [_Case(end, f"end-{number}") for number, end in enumerate(ENDS)]
    for case in cases:
        answer = client.send("POST", jobs_path(namespace), _job(case))
        assert answer.status == 201, answer.text
    limit = monotonic() + seconds
    while waiting := [case for case in cases if case.outcome is None]:
        assert monotonic() < limit, f"no outcome of: {[case.end.words for case in waiting]}"
        pods = _by_name(client, f"/api/v1/namespaces/{namespace}/pods")
        stored = _by_name(client, jobs_path(namespace))
        for case in waiting:
            _step(client, namespace, case, stored[case.name], pods.get(f"{case.name}-worker-0"))
        sleep(0.1)
    return [Observation(case.end, case.table, str(case.outcome)) for case in cases]


def _job(case: _Case) -> Object:
    worker = jobs.replica("ExitCode")
    # Bound, so that a deletion is graceful: an unbound pod would vanish at once.
    worker["template"]["spec"]["nodeName"] = _NODE
    job = jobs.tfjob(case.name, {"Worker": worker})
    if case.end.backoff_limit is not None:
        job["spec"]["runPolicy"] = {"backoffLimit": case.end.backoff_limit}
    return job


def _by_name(client: ApiClient, path: str) -> dict[str, Object]:
    return {item["metadata"]["name"]: item for item in client.get(path).json["items"]}


def _step(client: ApiClient, namespace: str, case: _Case, job: Object, pod: Object | None) -> None:
    """Ends a new pod, lets a deleted one go, or writes down what became of the job."""
    conditions = dict(_true_conditions(job))
    if "Failed" in conditions:
        case.outcome = f"the job fails ({conditions['Failed']})"
    if pod is None or case.outcome:
        return
    path = f"/api/v1/namespaces/{namespace}/pods/{pod['metadata']['name']}"
    uid = pod["metadata"]["uid"]
    if "deletionTimestamp" in pod["metadata"]:
        now = {"gracePeriodSeconds": 0, "preconditions": {"uid": uid}}
        client.send("DELETE", path, now)
    elif uid in case.ended:
        return
    elif len(case.ended) == case.end.times:
        # The pod that follows the last one that ended.
        again = "the pod is deleted and created anew"
        times = f", {case.end.times} times" if case.end.times > 1 else ""
        case.outcome = f"{again}{times} ({conditions.get('Restarting', 'no condition')})"
    else:
        case.ended.append(uid)
        case.table = pod["metadata"].get("annotations", {}).get(jobs.TABLE)
        answer = client.send(
            "PATCH",
            f"{path}/status",
            {"status": case.end.status},
            "application/strategic-merge-patch+json",
        )
        assert answer.status == 200, answer.text


def _true_conditions(job: Object) -> Iterator[tuple[str, str]]:
    """Type and reason."""
    for condition in job.get("status", {}).get("conditions") or []:
        if condition["status"] == "True":
            yield condition["type"], condition["reason"]


def verdict(observation: Observation, classified: str) -> str:
    """What the table says, where it is not only about a code (`classified`)."""
    table = json.loads(observation.table or "{}")
    if observation.end.conditions:
        return str(table["disruption"])
    if observation.end.code is None:
        return str(table["noExitCode"])
    return classified
