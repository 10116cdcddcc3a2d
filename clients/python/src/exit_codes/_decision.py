"""What a table says of a pod that ended."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, cast

from ._table import OOM_KILLED, PERMANENT, RETRYABLE, TABLE_ANNOTATION, UNDEFINED, Table, read_table

_KILLED = 137  # Linux's 128 + SIGKILL, the code that an out-of-memory kill leaves


@dataclass(frozen=True)
class Decision:
    """What a table says of a pod that ended."""

    cause: str
    """"noTable", "succeeded", "disruption", "reason", "noExitCode", "code" or "retriesUsedUp"."""
    verdict: str | None
    """"retryable", "permanent" or "undefined"; None for noTable and succeeded."""
    handled_as: str | None
    """"retryable" or "permanent"; None for noTable and succeeded."""
    because: str
    """One sentence that says why."""

    @property
    def retry(self) -> bool:
        """Whether to start the replica again. False without a table: look at `cause`."""
        return self.handled_as == RETRYABLE


class PodError(ValueError):
    """What was given is no pod as Kubernetes writes it."""


def decide(
    pod: Mapping[str, Any] | str | bytes,
    container: str = "",
    retries: int = 0,
    *,
    job_annotations: Mapping[str, str] | None = None,
    table: Table | None = None,
) -> Decision:
    """Decides about a pod that ended, given as Kubernetes' JSON or what that parses to.

    `container` names the job's own container, "tensorflow" for a TFJob; the pod's first one is
    meant where it is empty. `retries` is how often this replica (type and index) was retried
    already, disruptions apart, since its job was last resumed. The table is `table` if given, else
    the pod's, else that among `job_annotations`. Raises PodError.
    """
    if isinstance(pod, (str, bytes)):
        try:
            pod = json.loads(pod)
        except (ValueError, RecursionError) as error:
            raise PodError(f"the pod is not JSON: {error}") from None
    reader = _Pod(_Object("", pod))
    found = table or read_table(reader.annotations, job_annotations)
    if found is None:
        return Decision(
            "noTable",
            None,
            None,
            "neither the pod nor its job has an exit-code table that can be read",
        )
    if reader.succeeded:
        return Decision("succeeded", None, None, "the pod succeeded")
    return _limited(found, _by_pod(found, reader, container), retries)


_T = TypeVar("_T")
_JSON_NAMES = {str: "a string", int: "an integer", dict: "an object", list: "an array"}


class _Object:
    """A JSON object with checked access to its fields; null is as good as absent."""

    def __init__(self, path: str, value: object) -> None:
        if not isinstance(value, Mapping):
            raise PodError(f"{path or 'the pod'} must be an object")
        self._prefix = path + "." if path else ""
        self._value = value

    def get(self, key: str, kind: type[_T]) -> _T | None:
        value = self._value.get(key)
        matches = isinstance(value, Mapping) if kind is dict else type(value) is kind
        if value is not None and not matches:
            raise PodError(f"{self._prefix}{key} must be {_JSON_NAMES[kind]}")
        return cast(Optional[_T], value)

    def text(self, key: str) -> str:
        return self.get(key, str) or ""

    def child(self, key: str) -> _Object:
        return _Object(self._prefix + key, self.get(key, dict) or {})

    def children(self, key: str) -> list[_Object]:
        items = self.get(key, list) or []
        return [_Object(f"{self._prefix}{key}[{index}]", item) for index, item in enumerate(items)]

    def time(self, key: str) -> int | None:
        """Seconds since the epoch of an RFC 3339 time, fractions cut off."""
        text = self.get(key, str)
        if text is None:
            return None
        try:
            whole, zone = re.fullmatch(_TIME, text).groups()  # type: ignore[union-attr]
            moment = datetime.datetime.fromisoformat(whole + ("+00:00" if zone == "Z" else zone))
        except (AttributeError, ValueError):
            raise PodError(f"{self._prefix}{key} must be an RFC 3339 time") from None
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        return (moment - epoch) // datetime.timedelta(seconds=1)


_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"
)


@dataclass(frozen=True)
class _Ended:
    """state.terminated of a container."""

    exit_code: int
    reason: str
    finished_at: int | None


class _Pod:
    """The fields of a pod that a decision needs, all checked."""

    def __init__(self, pod: _Object) -> None:
        metadata, spec, status = (pod.child(key) for key in ("metadata", "spec", "status"))
        annotations = metadata.child("annotations")
        table = annotations.get(TABLE_ANNOTATION, str)
        self.annotations = {} if table is None else {TABLE_ANNOTATION: table}
        self.deletion = metadata.time("deletionTimestamp")
        self.grace = metadata.get("deletionGracePeriodSeconds", int) or 0
        self.succeeded = status.text("phase") == "Succeeded"
        self.reason = status.text("reason")
        self.disruption_target = any(
            (condition.text("type"), condition.text("status")) == ("DisruptionTarget", "True")
            for condition in status.children("conditions")
        )
        self.ended = _ends(status.children("containerStatuses"))
        self.init_ended = _ends(status.children("initContainerStatuses"))
        inits = {one.text("name"): one.text("restartPolicy") for one in spec.children("initContainers")}
        # Of some pods only the status was kept.
        self.containers = [*(one.text("name") for one in spec.children("containers")), *self.ended]
        self.inits = [name for name in {**inits, **self.init_ended} if inits.get(name) != "Always"]

    def failed_init(self) -> tuple[str, _Ended] | None:
        """The first init container that ended with another code than 0, sidecars apart."""
        for name in self.inits:
            ended = self.init_ended.get(name)
            if ended is not None and ended.exit_code != 0:
                return name, ended
        return None


def _ends(statuses: list[_Object]) -> dict[str, _Ended | None]:
    ends: dict[str, _Ended | None] = {}
    for status in statuses:
        state = status.child("state")
        end = None
        if state.get("terminated", dict) is not None:
            terminated = state.child("terminated")
            code = terminated.get("exitCode", int) or 0
            end = _Ended(code, terminated.text("reason"), terminated.time("finishedAt"))
        ends.setdefault(status.text("name"), end)
    return ends


def _by_pod(table: Table, pod: _Pod, container: str) -> Decision:
    own = container or next(iter(pod.containers), "")
    ended, init = pod.ended.get(own), None
    if ended is None and (failed := pod.failed_init()):
        init, ended = failed
    if what := _disruption_of(pod, ended):
        return _decided(table, "disruption", table.disruption, f"the pod was disrupted ({what})")
    if by_reason := _by_reason(table, f"pod reason {pod.reason}", pod.reason, ended):
        return by_reason
    if init in ("init-pytorch", "kubectl-delivery"):
        what = f"init container {init}, which the operator adds, failed"
        return _decided(table, "noExitCode", table.no_exit_code, what)
    if ended is None:
        return _decided(table, "noExitCode", table.no_exit_code, f"container {own} never ran to an end")
    subject = f"container {own}" if init is None else f"init container {init}"
    what = f"{subject}: {ended.reason} with {ended.exit_code}"
    if by_reason := _by_reason(table, what, ended.reason, ended):
        return by_reason
    if init is None and ended.reason in ("Unknown", "ContainerStatusUnknown"):
        what = f"the runtime lost how container {own} ended"
        return _decided(table, "noExitCode", table.no_exit_code, what)
    verdict = table.verdict_of(ended.exit_code)
    return _decided(table, "code", verdict, f"{subject}: exit code {ended.exit_code}")


def _disruption_of(pod: _Pod, ended: _Ended | None) -> str:
    if pod.disruption_target:
        return "condition DisruptionTarget"
    if pod.reason in ("Preempting", "Terminated"):
        return f"reason {pod.reason}"
    if pod.deletion is None:
        return ""
    # deletionTimestamp is the time of the deletion plus the grace period.
    before_end = ended is None or ended.finished_at is None or pod.deletion - pod.grace <= ended.finished_at
    return "deleted before it ended" if before_end else ""


def _by_reason(table: Table, what: str, reason: str, ended: _Ended | None) -> Decision | None:
    verdict = table.reasons.get(reason) if reason else None
    # Runtimes give OOMKilled also when a child of the container's process was killed and the
    # process itself ended some other way.
    elsewhere = reason == OOM_KILLED and (ended is None or ended.exit_code != _KILLED)
    return None if verdict is None or elsewhere else _decided(table, "reason", verdict, what)


def _decided(table: Table, cause: str, verdict: str, what: str) -> Decision:
    because = f"{what} is {verdict} by profile {table.profile}"
    if verdict == UNDEFINED:
        because += f", which handles that as {table.undefined}"
    return Decision(cause, verdict, table.handled_as(verdict), because)


def _limited(table: Table, decision: Decision, retries: int) -> Decision:
    limit = table.max_retries
    if decision.cause == "disruption" or not decision.retry or limit is None or retries < limit:
        return decision
    because = (
        f"{decision.because}; but this replica was retried {retries} times already and the limit is {limit}"
    )
    return Decision("retriesUsedUp", PERMANENT, PERMANENT, because)
