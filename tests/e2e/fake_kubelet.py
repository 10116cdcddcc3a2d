"""Stands in for the kubelet: pods run, end as their template says, and go when they are deleted.

A template's annotation `e2e/ends` is a list in JSON: how the first, second, ... pod of that name
ends; pods behind the list run on. An object has such lists by replica index. `e2e/on-delete` is how a running pod ends once it is deleted.
An end is `{"code": 139}` with any of `reason`, `pod_reason`, `conditions`, `init`, `container`,
`message`, `after` (seconds); without `code` no container has ended.
"""

from __future__ import annotations

import heapq
import http.client
import json
import threading
from collections import defaultdict
from datetime import datetime, timezone
from time import monotonic
from typing import Any

from api_client import ApiClient
from control_plane import ControlPlane
from kubectl import Object

NODE = "fake-node"
ENDS = "e2e/ends"
ON_DELETE = "e2e/on-delete"
_CONTAINERS = {
    "TFJob": "tensorflow",
    "PyTorchJob": "pytorch",
    "PaddleJob": "paddle",
    "XGBoostJob": "xgboost",
    "JAXJob": "jax",
}
_PATCH = "application/strategic-merge-patch+json"


def time_text() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class FakeKubelet:
    """Acts on the pods of all namespaces, in threads of its own, until it is stopped."""

    def __init__(self, plane: ControlPlane, workers: int = 2) -> None:
        self._plane = plane
        self._lock = threading.Condition()
        self._queue: list[tuple[float, int, str, Object]] = []
        self._number = 0
        self._stopped = False
        self.made: dict[tuple[str, str], list[str]] = defaultdict(list)
        """By namespace and name: the uids of all pods so far."""
        self.ended: dict[str, float] = {}
        """By uid: when its end was written, by `monotonic`."""
        self._seen: set[tuple[str, str]] = set()
        self._threads = [threading.Thread(target=self._watch, daemon=True)]
        self._threads += [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            self._lock.notify_all()

    def instances(self, namespace: str, name: str) -> int:
        with self._lock:
            return len(self.made.get((namespace, name), []))

    def end(self, pod: Object, end: Object, after: float) -> None:
        """Has a pod that runs end so, in that many seconds."""
        self._add(pod["metadata"]["uid"], "end", pod, end, after)

    def _watch(self) -> None:
        version = ""
        while not self._stopped:
            client = self._plane.client()
            try:
                version = self._list_and_watch(client, version)
            except (OSError, ValueError, KeyError, http.client.HTTPException):
                version = ""
            finally:
                client.close()

    def _list_and_watch(self, client: ApiClient, version: str) -> str:
        path = "/api/v1/pods"
        if not version:
            pods = client.get(path).json
            for pod in pods["items"]:
                self._take(pod)
            version = pods["metadata"]["resourceVersion"]
        query = f"watch=true&resourceVersion={version}&timeoutSeconds=30"
        for line in client.lines(f"{path}?{query}"):
            event = json.loads(line)
            if event["type"] == "ERROR":
                return ""
            version = event["object"]["metadata"]["resourceVersion"]
            if event["type"] != "DELETED":
                self._take(event["object"])
            if self._stopped:
                break
        return version

    def _take(self, pod: Object) -> None:
        """What a pod calls for is done once."""
        metadata = pod["metadata"]
        uid = metadata["uid"]
        key = (metadata["namespace"], metadata["name"])
        with self._lock:
            if uid not in self.made[key]:
                self.made[key].append(uid)
            number = self.made[key].index(uid)
        if pod["spec"].get("nodeName") != NODE:
            return
        phase = pod.get("status", {}).get("phase", "Pending")
        ended = phase in ("Failed", "Succeeded")
        annotations = metadata.get("annotations", {})
        if "deletionTimestamp" in metadata:
            end = json.loads(annotations[ON_DELETE]) if ON_DELETE in annotations else None
            if not ended and end:
                self._add(uid, "end", pod, end, end.get("after", 0))
            self._add(uid, "remove", pod, None, 0.3 if end and not ended else 0)
            return
        if phase == "Pending":
            self._add(uid, "run", pod, None, 0)
        ends = json.loads(annotations.get(ENDS, "[]"))
        if isinstance(ends, dict):
            ends = ends.get(metadata["labels"]["training.kubeflow.org/replica-index"], [])
        if not ended and number < len(ends) and ends[number] is not None:
            end = ends[number]
            self._add(uid, "end", pod, end, end.get("after", 0.05))

    def _add(self, uid: str, what: str, pod: Object, end: Any, after: float) -> None:
        with self._lock:
            if (uid, what) in self._seen:
                return
            self._seen.add((uid, what))
            self._number += 1
            job = {**pod, "e2e-end": end}
            heapq.heappush(self._queue, (monotonic() + after, self._number, what, job))
            self._lock.notify()

    def _work(self) -> None:
        client = self._plane.client()
        while True:
            with self._lock:
                while not self._stopped and (
                    not self._queue or self._queue[0][0] > monotonic()
                ):
                    wait = self._queue[0][0] - monotonic() if self._queue else None
                    self._lock.wait(wait)
                if self._stopped:
                    return
                _, _, what, pod = heapq.heappop(self._queue)
            try:
                self._act(client, what, pod)
            except (OSError, http.client.HTTPException):
                # The API server is away: a kubelet tries again.
                client.close()
                with self._lock:
                    self._number += 1
                    heapq.heappush(self._queue, (monotonic() + 0.5, self._number, what, pod))

    def _act(self, client: ApiClient, what: str, pod: Object) -> None:
        metadata = pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
        uid = metadata["uid"]
        if what == "remove":
            options = {"gracePeriodSeconds": 0, "preconditions": {"uid": uid}}
            answer = client.send("DELETE", path, options)
            if answer.status not in (200, 404, 409):
                raise OSError(answer.text)
            return
        container = job_container(pod)
        if what == "run":
            status = running(pod, container)
        else:
            status = failed(pod, container, pod["e2e-end"])
            self.ended.setdefault(uid, monotonic())
        patch = {"metadata": {"uid": uid}, "status": status}
        answer = client.send("PATCH", f"{path}/status", patch, _PATCH)
        # Gone, or another one of the name, is fine. A server that has just started lets nobody in.
        if answer.status not in (200, 404, 409):
            raise OSError(answer.text)


def job_container(pod: Object) -> str:
    owners = pod["metadata"].get("ownerReferences") or [{}]
    return _CONTAINERS.get(owners[0].get("kind", ""), "tensorflow")


def _container(name: str, state: Object) -> Object:
    return {
        "name": name,
        "image": "example.invalid/train",
        "imageID": "",
        "ready": False,
        "restartCount": 0,
        "state": state,
    }


def running(pod: Object, container: str) -> Object:
    return {
        "phase": "Running",
        "observedGeneration": pod["metadata"].get("generation", 1),
        "containerStatuses": [_container(container, {"running": {"startedAt": time_text()}})],
    }


def failed(pod: Object, container: str, end: Object) -> Object:
    """The status of a pod that ended so."""
    now = time_text()
    status: Object = {
        "phase": end.get("phase", "Failed"),
        "observedGeneration": pod["metadata"].get("generation", 1),
    }
    if "conditions" in end:
        status["conditions"] = end["conditions"]
    if "pod_reason" in end:
        status["reason"] = end["pod_reason"]
    if "code" not in end:
        return status
    terminated: Object = {
        "exitCode": end["code"],
        "reason": end.get("reason", "Error"),
        "startedAt": now,
        "finishedAt": now,
    }
    if "message" in end:
        terminated["message"] = end["message"]
    # A patch adds to the state that is there.
    ended = _container(
        end.get("container", container), {"running": None, "terminated": terminated}
    )
    if end.get("init"):
        status["initContainerStatuses"] = [ended]
        waiting = {"running": None, "waiting": {"reason": "PodInitializing"}}
        status["containerStatuses"] = [_container(container, waiting)]
    else:
        status["containerStatuses"] = [ended]
        if end.get("container"):
            done = {**terminated, "exitCode": 0, "reason": "Completed"}
            state = {"running": None, "terminated": done}
            status["containerStatuses"].append(_container(container, state))
    return status
