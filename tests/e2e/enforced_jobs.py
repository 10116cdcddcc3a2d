"""Jobs whose pods end as they say, and what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from api_client import ApiClient, jobs_path
from fake_kubelet import ENDS, NODE, ON_DELETE, FakeKubelet
from kubectl import Object
from process import wait_until

PERMANENT = {1, 2, 126, 127, 128, 139}
RETRYABLE = {130, 137, 138, 143}
OURS = ("ExitCodePermanent", "MaxRetriesExceeded")
FINALIZER = "exit-codes.kubeflow.org/verdict"
_KINDS = {
    "TFJob": ("tfReplicaSpecs", "tensorflow", "tfjobs"),
    "PyTorchJob": ("pytorchReplicaSpecs", "pytorch", "pytorchjobs"),
    "XGBoostJob": ("xgbReplicaSpecs", "xgboost", "xgboostjobs"),
    "PaddleJob": ("paddleReplicaSpecs", "paddle", "paddlejobs"),
    "JAXJob": ("jaxReplicaSpecs", "jax", "jaxjobs"),
}


def plural(kind: str) -> str:
    return _KINDS[kind][2]


def make_job(
    name: str,
    ends: dict[str, list[Any] | dict[str, list[Any]]],
    *,
    kind: str = "TFJob",
    replicas: int = 1,
    on_delete: Object | None = None,
    annotations: dict[str, str] | None = None,
    policies: dict[str, str] | None = None,
    **run_policy: Any,
) -> Object:
    """By replica type: how the pods of each replica end, one after another."""
    field, container, _ = _KINDS[kind]
    specs: Object = {}
    for kind_of_replica, list_of_ends in ends.items():
        marks = {ENDS: json.dumps(list_of_ends)}
        if on_delete is not None:
            marks[ON_DELETE] = json.dumps(on_delete)
        specs[kind_of_replica] = {
            "replicas": 1 if kind_of_replica in ("Master", "Chief") else replicas,
            "restartPolicy": (policies or {}).get(kind_of_replica, "ExitCode"),
            "template": {
                "metadata": {"annotations": marks},
                "spec": {
                    "nodeName": NODE,
                    "terminationGracePeriodSeconds": 30,
                    "containers": [{"name": container, "image": "example.invalid/train"}],
                },
            },
        }
    metadata: Object = {"name": name}
    if annotations:
        metadata["annotations"] = annotations
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": {field: specs, "runPolicy": run_policy},
    }


def condition(job: Object, kind: str) -> Object | None:
    """The condition of that type that holds."""
    for item in job.get("status", {}).get("conditions") or []:
        if item["type"] == kind and item["status"] == "True":
            found: Object = item
            return found
    return None


def failure(job: Object) -> str | None:
    """The reason for which it failed."""
    found = condition(job, "Failed")
    return found["reason"] if found else None


@dataclass
class Cluster:
    """What the tests do and see, in one namespace."""

    client: ApiClient
    namespace: str
    kubelet: FakeKubelet

    def create(self, *jobs: Object) -> None:
        for job in jobs:
            answer = self.client.send("POST", self._path(job["kind"]), job)
            assert answer.status == 201, answer.text

    def jobs(self, kind: str = "TFJob") -> dict[str, Object]:
        return self._by_name(self._path(kind))

    def job(self, name: str, kind: str = "TFJob") -> Object:
        found: Object = self.client.get(f"{self._path(kind)}/{name}").json
        return found

    def pods(self) -> dict[str, Object]:
        return self._by_name(f"/api/v1/namespaces/{self.namespace}/pods")

    def pod_names(self, phase: str = "Running") -> set[str]:
        """Pods in that phase that are not being deleted."""
        return {
            name
            for name, pod in self.pods().items()
            if pod["status"].get("phase") == phase
            and "deletionTimestamp" not in pod["metadata"]
        }

    def events(self, reason: str) -> list[Object]:
        path = f"/api/v1/namespaces/{self.namespace}/events"
        items: list[Object] = self.client.get(path).json["items"]
        return [item for item in items if item["reason"] == reason]

    def instances(self, pod: str) -> int:
        return self.kubelet.instances(self.namespace, pod)

    def patch_job(self, name: str, patch: Object, kind: str = "TFJob") -> None:
        path = f"{self._path(kind)}/{name}"
        answer = self.client.send("PATCH", path, patch, "application/merge-patch+json")
        assert answer.status == 200, answer.text

    def delete_job(self, name: str, kind: str = "TFJob") -> None:
        assert self.client.send("DELETE", f"{self._path(kind)}/{name}").status == 200

    def delete_pod(self, name: str) -> None:
        """Gracefully, as people and controllers do."""
        path = f"/api/v1/namespaces/{self.namespace}/pods/{name}"
        assert self.client.send("DELETE", path).status in (200, 202)

    def remove_all(self) -> None:
        """Leaves nothing behind that the next test's enforcer and operator would look at."""
        for kind in _KINDS:
            assert self.client.send("DELETE", self._path(kind)).status == 200
        # The operator may make a pod anew until it has seen that its job is gone.
        self.wait("no pod is left", lambda: not self._remove_pods(), 120)

    def _remove_pods(self) -> int:
        """How many there were."""
        path = f"/api/v1/namespaces/{self.namespace}/pods"
        pods = self.pods()
        for name, pod in pods.items():
            if pod["metadata"].get("finalizers"):
                patch = {"metadata": {"finalizers": None}}
                answer = self.client.send(
                    "PATCH", f"{path}/{name}", patch, "application/merge-patch+json"
                )
                assert answer.status in (200, 404), answer.text
        if pods:
            assert self.client.send("DELETE", path, {"gracePeriodSeconds": 0}).status == 200
        return len(pods)

    def wait(self, what: str, check: Callable[[], object], seconds: float = 60) -> None:
        wait_until(f"{self.namespace}: {what}", check, seconds)

    def wait_running(self, names: Iterable[str], seconds: float = 60) -> None:
        wanted = set(names)
        self.wait(f"{sorted(wanted)[:4]}... run", lambda: wanted <= self.pod_names(), seconds)

    def wait_failures(
        self, reasons: dict[str, str], kind: str = "TFJob", seconds: float = 90
    ) -> None:
        """Until each job failed for its reason."""
        seen: dict[str, str | None] = {}

        def all_failed() -> bool:
            seen.update({name: failure(job) for name, job in self.jobs(kind).items()})
            return all(seen.get(name) is not None for name in reasons)

        try:
            self.wait("all have failed", all_failed, seconds)
        except AssertionError as error:
            missing = sorted(name for name in reasons if seen.get(name) is None)
            raise AssertionError(f"{error}; not failed: {missing}") from None
        assert {name: seen[name] for name in reasons} == reasons

    def _path(self, kind: str) -> str:
        return jobs_path(self.namespace, plural=plural(kind))

    def _by_name(self, path: str) -> dict[str, Object]:
        return {item["metadata"]["name"]: item for item in self.client.get(path).json["items"]}
