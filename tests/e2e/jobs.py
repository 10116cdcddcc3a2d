"""TFJobs to submit, and the tables of stored ones."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from kubectl import Object

PREFIX = "exit-codes.kubeflow.org/"
TABLE = PREFIX + "table"


def table(
    retryable: list[int],
    permanent: list[int],
    profile: str = "kubeflow",
    undefined: str = "permanent",
    max_retries: int | None = None,
) -> str:
    """The annotation's canonical text, written here once more and independently."""
    fields: dict[str, Any] = {
        "version": 1,
        "profile": profile,
        "permanent": permanent,
        "retryable": retryable,
        "undefined": undefined,
        "reasons": {"OOMKilled": "permanent"},
        "disruption": "retryable",
        "noExitCode": "retryable",
    }
    if max_retries is not None:
        fields["maxRetries"] = max_retries
    return json.dumps(fields, separators=(",", ":"))


KUBEFLOW = table([130, 137, 138, 143], [1, 2, 126, 127, 128, 139])
"""What a job without inputs carries."""
WITH_42_PERMANENT = table([130, 137, 138, 143], [1, 2, 42, 126, 127, 128, 139])
OWN = table([42, 130, 137, 138, 143], [1, 2, 126, 127, 128, 139], profile="own", max_retries=5)
"""Under the profile `own` of the session's configuration."""


def replica(
    policy: str | None, container: str = "tensorflow", annotations: dict[str, str] | None = None
) -> Object:
    made: Object = {
        "replicas": 1,
        "template": {
            "spec": {"containers": [{"name": container, "image": "example.invalid/train"}]}
        },
    }
    if policy is not None:
        made["restartPolicy"] = policy
    if annotations is not None:
        made["template"]["metadata"] = {"annotations": annotations}
    return made


def tfjob(
    name: str,
    replicas: dict[str, Object] | None = None,
    annotations: dict[str, str] | None = None,
    **spec: Any,
) -> Object:
    """A TFJob v1; its one worker is under ExitCode unless `replicas` are given."""
    metadata: Object = {"name": name}
    if annotations is not None:
        metadata["annotations"] = annotations
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "TFJob",
        "metadata": metadata,
        "spec": {"tfReplicaSpecs": replicas or {"Worker": replica("ExitCode")}, **spec},
    }


def replica_templates(job: Object) -> dict[str, tuple[Object, Object]]:
    """By replica type (or index, in v1alpha1): the replica spec and its template."""
    spec = job["spec"]
    found = next(value for key, value in spec.items() if key.lower().endswith("replicaspecs"))
    pairs = found.items() if isinstance(found, dict) else enumerate(found)
    return {str(key): (value, value.get("template") or {}) for key, value in pairs}


def _table_in(holder: Object) -> str | None:
    annotations = (holder.get("metadata") or {}).get("annotations") or {}
    value: str | None = annotations.get(TABLE)
    return value


def job_table(job: Object) -> str | None:
    return _table_in(job)


def template_tables(job: Object) -> dict[str, str | None]:
    """By replica type: the table of its template."""
    return {key: _table_in(template) for key, (_, template) in replica_templates(job).items()}


def tables(job: Object) -> dict[str, str | None]:
    """By place: `job`, and each replica type."""
    return {"job": job_table(job), **template_tables(job)}


def without_tables(job: Object) -> Object:
    """A copy that lacks the tables, and metadata and annotations that hold nothing."""
    bare = deepcopy(job)
    for holder in (bare, *(template for _, template in replica_templates(bare).values())):
        metadata = holder.get("metadata") or {}
        annotations = metadata.get("annotations") or {}
        annotations.pop(TABLE, None)
        if not annotations:
            metadata.pop("annotations", None)
        if not metadata:
            holder.pop("metadata", None)
    return bare


def as_warning(text: str) -> str:
    """A finding as kubectl prints it: 120 characters, of which the path loses its beginning."""
    return text if len(text) <= 120 else "..." + text[-117:]
