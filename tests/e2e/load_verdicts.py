"""Load, `make e2e-load`: 500 jobs of 4 workers that fail within a minute, among 5,000 pods."""

from __future__ import annotations

import json
import random
import statistics
import threading
from collections.abc import Callable, Iterator
from copy import deepcopy
from time import monotonic, sleep

import report
from api_client import jobs_path
from control_plane import ControlPlane
from enforced_jobs import PERMANENT, RETRYABLE, Cluster, failure, make_job
from enforcer import Enforcer
from kubectl import Kubectl, Object
from process import wait_until

_JOBS = 500
_WORKERS = 4
_SECONDS = 60
_PODS = 5000
_MEDIAN_SECONDS = 0.1
_BYTES = 50 * 1024 * 1024
_CODES = sorted(PERMANENT | RETRYABLE | {64, 134, 255})
_LABEL = "training.kubeflow.org"


def _reason(code: int) -> str | None:
    """For which a job with such an end fails; None: it is retried."""
    if code < 128:
        return "TFJobFailed"
    return None if code in RETRYABLE else "ExitCodePermanent"


def _idle_pods(cluster: Cluster, count: int) -> Iterator[Object]:
    """Pods as the operator makes them, of jobs that never end: nobody starts them."""
    made = cluster.client.send(
        "POST", f"{jobs_path(cluster.namespace)}?dryRun=All", make_job("idle", {"Worker": []})
    ).json
    template: Object = made["spec"]["tfReplicaSpecs"]["Worker"]["template"]
    del template["spec"]["nodeName"]
    template["metadata"].pop("finalizers", None)
    for number in range(count):
        job, index = f"idle-{number // _WORKERS:04}", str(number % _WORKERS)
        owner = {
            "apiVersion": "kubeflow.org/v1",
            "kind": "TFJob",
            "name": job,
            "uid": f"00000000-0000-0000-0000-{number // _WORKERS:012}",
            "controller": True,
        }
        pod: Object = {"apiVersion": "v1", "kind": "Pod", **deepcopy(template)}
        pod["metadata"] |= {
            "name": f"{job}-worker-{index}",
            "labels": {
                f"{_LABEL}/job-name": job,
                f"{_LABEL}/operator-name": "tfjob-controller",
                f"{_LABEL}/replica-index": index,
                f"{_LABEL}/replica-type": "worker",
            },
            "ownerReferences": [owner],
        }
        yield pod


def _create_all(plane: ControlPlane, path: str, objects: list[Object]) -> None:
    """From four connections at once."""
    refused: list[str] = []

    def work(share: list[Object]) -> None:
        client = plane.client()
        for item in share:
            answer = client.send("POST", path, item)
            if answer.status != 201:
                refused.append(answer.text)
        client.close()

    threads = [threading.Thread(target=work, args=(objects[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == []


class _Verdicts:
    """When each job of a namespace was seen to have failed, by `monotonic`."""

    def __init__(self, plane: ControlPlane, namespace: str) -> None:
        self.seen: dict[str, float] = {}
        self._client = plane.client()
        path = jobs_path(namespace)
        version = self._client.get(f"{path}?limit=1").json["metadata"]["resourceVersion"]
        query = f"watch=true&resourceVersion={version}&timeoutSeconds=3600"
        self._lines = self._client.lines(f"{path}?{query}")
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        try:
            for line in self._lines:
                self._see(line)
        except TimeoutError:
            pass  # no job has changed for a minute: they have all ended

    def _see(self, line: bytes) -> None:
        # Most changes of a job are none that fails it; parsing them all takes a core.
        if b'"type":"Failed"' not in line:
            return
        now = monotonic()
        job = json.loads(line)["object"]
        if failure(job):
            self.seen.setdefault(job["metadata"]["name"], now)


def test_verdicts_under_load(
    cluster: Cluster,
    plane: ControlPlane,
    evidence: str,
    new_namespace: Callable[[str], Kubectl],
    new_enforcer: Callable[..., Enforcer],
) -> None:
    enforcer = new_enforcer().start()
    wait_until("it leads", enforcer.leads)
    there = int(enforcer.metric("tfjob_enforcer_pods"))
    others = Cluster(cluster.client, new_namespace("idle").namespace, cluster.kubelet)
    idle = list(_idle_pods(cluster, _PODS - _JOBS * _WORKERS - there))
    _create_all(plane, f"/api/v1/namespaces/{others.namespace}/pods", idle)

    dice = random.Random(11)
    codes = {f"load-{i:03}": _CODES[i % len(_CODES)] for i in range(_JOBS)}
    jobs = [make_job(name, {"Worker": []}, replicas=_WORKERS) for name in codes]
    _create_all(plane, jobs_path(cluster.namespace), jobs)

    def all_run() -> bool:
        sleep(1)  # not to be a load itself
        return (
            enforcer.metric("tfjob_enforcer_pods") >= _PODS
            and len(cluster.pod_names()) == _JOBS * _WORKERS
        )

    cluster.wait("all pods run", all_run, 400)
    # One that starts lists them all, which takes the most.
    other = new_enforcer().start()
    watched = other.metric("tfjob_enforcer_pods")
    assert watched >= _PODS
    uids: dict[str, dict[str, str]] = {name: {} for name in codes}
    pods = cluster.pods()
    verdicts = _Verdicts(plane, cluster.namespace)
    for name, code in codes.items():
        # A crash takes all workers of a job with it.
        after = dice.uniform(0, _SECONDS)
        for index in range(_WORKERS):
            pod = pods[f"{name}-worker-{index}"]
            uids[name][pod["metadata"]["name"]] = pod["metadata"]["uid"]
            cluster.kubelet.end(pod, {"code": code}, after)

    reasons = {name: _reason(code) for name, code in codes.items()}
    permanent = {name for name, reason in reasons.items() if reason}
    retried = {pod for name in codes if name not in permanent for pod in uids[name]}

    def all_decided() -> bool:
        sleep(1)
        return permanent <= verdicts.seen.keys() and all(
            cluster.instances(pod) > 1 for pod in retried
        )

    cluster.wait("every job failed or was retried", all_decided, _SECONDS + 120)
    cluster.wait_running(retried, 120)
    assert {name: failure(job) for name, job in cluster.jobs().items()} == reasons
    assert {pod: cluster.instances(pod) for pod in retried} == dict.fromkeys(retried, 2)
    by_us = sum(reason == "ExitCodePermanent" for reason in reasons.values())
    assert enforcer.metric("tfjob_enforcer_verdicts_total", action="failed") == by_us
    assert enforcer.metric("tfjob_enforcer_verdicts_total", action="retried") == len(retried)

    ended = cluster.kubelet.ended

    def delays(reason: str) -> list[float]:
        """From the first end of a pod to the job's, where that is why it failed."""
        return [
            verdicts.seen[name] - min(ended[uid] for uid in uids[name].values() if uid in ended)
            for name in reasons
            if reasons[name] == reason
        ]

    ours = delays("ExitCodePermanent")
    median = statistics.median(ours)
    late = statistics.quantiles(ours, n=100)[98]
    operator = statistics.median(delays("TFJobFailed"))
    resident = max(enforcer.resident_bytes(), other.resident_bytes())
    report.say(
        f"evidence: {evidence}, {_JOBS} jobs of {_WORKERS} workers that fail within {_SECONDS} s: "
        f"from the end of a pod to the job's {median * 1000:.0f} ms (median), {late * 1000:.0f} ms "
        f"(99th percentile), {median / operator:.2f} of what the operator takes for those that it "
        f"fails; at most {resident / 1024 / 1024:.1f} MiB resident with {watched:.0f} pods"
    )
    assert resident < _BYTES
    assert median < _MEDIAN_SECONDS
    others.remove_all()
