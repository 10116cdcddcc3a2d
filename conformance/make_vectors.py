"""Writes vectors.json: what every reader of the exit-code table has to agree on.

The expectations are those of docs/annotation-contract.md, stated here by hand; no implementation is asked.

Usage: make_vectors.py [--check]     --check: fails where vectors.json is not what this writes
"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "vectors.json"
PREFIX = "exit-codes.kubeflow.org/"


def table(profile: str, permanent: list[int], retryable: list[int], undefined: str = "permanent",
          reasons: dict[str, str] | None = None, disruption: str = "retryable", no_exit_code: str = "retryable",
          max_retries: int | None = None) -> dict[str, Any]:
    value: dict[str, Any] = {
        "version": 1, "profile": profile, "permanent": permanent, "retryable": retryable, "undefined": undefined,
        "reasons": {"OOMKilled": "permanent"} if reasons is None else reasons, "disruption": disruption,
        "noExitCode": no_exit_code}
    if max_retries is not None:
        value["maxRetries"] = max_retries
    return value


LISTED, RETRIED = [1, 2, 126, 127, 128, 139], [130, 137, 138, 143]
KUBEFLOW = table("kubeflow", LISTED, RETRIED)
SIGNALS = table("signals", list(range(1, 128)), list(range(128, 256)), "retryable")
CLOUDML = table("cloudml", [], [130, 137, 143])
ALL_PERMANENT = table("all-permanent", [], [], disruption="permanent", no_exit_code="permanent")
ALL_RETRYABLE = table("all-retryable", LISTED, RETRIED, "retryable")
PROFILES = {each["profile"]: each for each in (KUBEFLOW, SIGNALS, CLOUDML, ALL_PERMANENT, ALL_RETRYABLE)}


def text(value: Any) -> str:
    """Canonical: no spaces, keys in their order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# -- pods ------------------------------------------------------------------------------------------------

def terminated(code: int, reason: str = "", finished: str = "2026-12-01T08:00:00Z") -> dict[str, Any]:
    state: dict[str, Any] = {"exitCode": code, "startedAt": "2026-12-01T07:00:00Z", "finishedAt": finished}
    if reason:
        state["reason"] = reason
    return {"terminated": state}


def pod(code: int | None = None, *, reason: str = "", phase: str = "Failed", pod_reason: str = "",
        condition: str | None = None, state: dict[str, Any] | None = None, deletion: str | None = None,
        grace: int | None = None, finished: str = "2026-12-01T08:00:00Z",
        others: list[tuple[str, dict[str, Any]]] | None = None,
        inits: list[tuple[str, dict[str, Any], bool]] | None = None, started: bool = True) -> dict[str, Any]:
    """A pod as `kubectl get -o json` prints it, as far as it matters; its container is `tensorflow`."""
    if state is None:
        state = terminated(code, reason, finished) if code is not None else {"waiting": {"reason": "PodInitializing"}}
    result: dict[str, Any] = {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "mnist-worker-0", "namespace": "default"},
        "spec": {"containers": [{"name": "tensorflow", "image": "registry.example.com/mnist:1"}]},
        "status": {"phase": phase}}
    if started:
        result["status"]["containerStatuses"] = [{"name": "tensorflow", "state": state, "restartCount": 0}]
    for name, other in others or []:
        result["spec"]["containers"].append({"name": name, "image": "registry.example.com/other:1"})
        result["status"]["containerStatuses"].append({"name": name, "state": other, "restartCount": 0})
    for name, init, sidecar in inits or []:
        spec: dict[str, Any] = {"name": name, "image": "registry.example.com/init:1"}
        if sidecar:
            spec["restartPolicy"] = "Always"
        result["spec"].setdefault("initContainers", []).append(spec)
        result["status"].setdefault("initContainerStatuses", []).append(
            {"name": name, "state": init, "restartCount": 0})
    if pod_reason:
        result["status"]["reason"] = pod_reason
    if condition is not None:
        result["status"]["conditions"] = [{"type": "Ready", "status": "False"},
                                          {"type": "DisruptionTarget", "status": condition,
                                           "reason": "EvictionByEvictionAPI"}]
    if deletion is not None:
        result["metadata"]["deletionTimestamp"] = deletion
    if grace is not None:
        result["metadata"]["deletionGracePeriodSeconds"] = grace
    return result


decisions: list[dict[str, Any]] = []


def decide(name: str, of: dict[str, Any] | str | None, given: dict[str, Any], cause: str, verdict: str | None = None,
           handled_as: str | None = None, *, retries: int | None = None, job: dict[str, Any] | str | None = None,
           container: str = "tensorflow") -> None:
    vector: dict[str, Any] = {"name": name, "table": text(of) if isinstance(of, dict) else of}
    if job is not None:
        vector["jobTable"] = text(job) if isinstance(job, dict) else job
    vector["container"] = container
    if retries is not None:
        vector["retries"] = retries
    vector["pod"] = given
    vector["expect"] = {"cause": cause}
    if verdict is not None:
        vector["expect"] |= {"verdict": verdict, "handledAs": handled_as or verdict}
    decisions.append(vector)


def each_code() -> None:
    for name, profile in PROFILES.items():
        for code in (1, 2, 3, 42, 75, 126, 127, 128, 130, 134, 137, 138, 139, 143, 255):
            if code in profile["permanent"]:
                verdict = handled = "permanent"
            elif code in profile["retryable"]:
                verdict = handled = "retryable"
            else:
                verdict, handled = "undefined", profile["undefined"]
            decide(f"{name}: code {code}", profile, pod(code, reason="Error"), "code", verdict, handled)


def unusual_codes() -> None:
    for code in (256, 3221225477, -1, -1073741819, 2147483647):
        decide(f"code {code} is in no list", KUBEFLOW, pod(code), "code", "undefined", "permanent")
        decide(f"code {code} is in no list, also where unlisted codes are retried", SIGNALS, pod(code), "code",
               "undefined", "retryable")
    decide("0 in a failed pod: something beside the container failed", KUBEFLOW, pod(0, reason="Completed"), "code",
           "undefined", "permanent")
    decide("0 in a failed pod beside a sidecar that failed", KUBEFLOW,
           pod(0, reason="Completed", others=[("proxy", terminated(1, "Error"))]), "code", "undefined", "permanent")
    decide("0 in a failed pod is retried where unlisted codes are", ALL_RETRYABLE, pod(0), "code", "undefined", "retryable")


def successes() -> None:
    for name in ("kubeflow", "all-permanent"):
        decide(f"{name}: a pod that succeeded", PROFILES[name], pod(0, phase="Succeeded"), "succeeded")
    decide("a pod that succeeded although it was a disruption's target", KUBEFLOW,
           pod(0, phase="Succeeded", condition="True"), "succeeded")
    decide("a pod that succeeded while it was being deleted", KUBEFLOW,
           pod(0, phase="Succeeded", deletion="2026-12-01T07:59:00Z"), "succeeded")
    decide("a pod that succeeded with an odd code in its status", KUBEFLOW, pod(1, phase="Succeeded"), "succeeded")
    decide("a pod that succeeded after many retries", KUBEFLOW | {"maxRetries": 1}, pod(0, phase="Succeeded"),
           "succeeded", retries=5)


def disruptions() -> None:
    decide("the condition DisruptionTarget goes before a permanent code", KUBEFLOW, pod(1, condition="True"),
           "disruption", "retryable")
    decide("the condition DisruptionTarget goes before a reason", KUBEFLOW,
           pod(137, reason="OOMKilled", condition="True"), "disruption", "retryable")
    decide("the condition DisruptionTarget goes before the lack of a code", ALL_RETRYABLE,
           pod(condition="True", started=False), "disruption", "retryable")
    decide("a table may hold disruptions for permanent", ALL_PERMANENT, pod(143, condition="True"), "disruption", "permanent")
    for status in ("False", "Unknown"):
        decide(f"a condition DisruptionTarget that is {status} is none", KUBEFLOW, pod(1, condition=status), "code", "permanent")
    for reason in ("Preempting", "Terminated"):
        decide(f"pod reason {reason} is a disruption", KUBEFLOW, pod(1, pod_reason=reason), "disruption", "retryable")
        decide(f"pod reason {reason} without any container status", KUBEFLOW, pod(pod_reason=reason, started=False),
               "disruption", "retryable")
    for reason in ("Evicted", "NodeShutdown", "DeadlineExceeded", "NodeAffinity", "UnexpectedAdmissionError", "preempting"):
        decide(f"pod reason {reason} alone is no disruption: the code decides", KUBEFLOW, pod(139, pod_reason=reason),
               "code", "permanent")
        decide(f"pod reason {reason} without a code", KUBEFLOW, pod(pod_reason=reason, started=False), "noExitCode", "retryable")
    decide("a container's reason Preempting is no disruption", KUBEFLOW, pod(1, reason="Preempting"), "code", "permanent")


def deletions() -> None:
    at = "2026-12-01T08:00:00Z"  # when the container ended
    cases = [("deleted a minute before it ended", "2026-12-01T07:59:30Z", 30, True),
             ("deleted in the second in which it ended", "2026-12-01T08:00:30Z", 30, True),
             ("deleted a second after it ended", "2026-12-01T08:00:31Z", 30, False),
             ("deleted long after it ended", "2026-12-01T09:00:00Z", 30, False),
             ("deleted without grace before it ended", "2026-12-01T07:59:59Z", 0, True),
             ("deleted without grace as it ended", "2026-12-01T08:00:00Z", 0, True),
             ("deleted without grace after it ended", "2026-12-01T08:00:01Z", 0, False),
             ("deleted with an hour of grace, and ended within it", "2026-12-01T08:30:00Z", 3600, True),
             ("deleted before it ended, no grace period told", "2026-12-01T08:00:00Z", None, True),
             ("deleted after it ended, no grace period told", "2026-12-01T08:00:01Z", None, False)]
    for name, deletion, grace, before in cases:
        given = pod(1, deletion=deletion, grace=grace, finished=at)
        if before:
            decide(name, KUBEFLOW, given, "disruption", "retryable")
        else:
            decide(name, KUBEFLOW, given, "code", "permanent")
    decide("deleted before it ended, by its 143", KUBEFLOW, pod(143, deletion="2026-12-01T08:00:20Z", grace=30),
           "disruption", "retryable")
    decide("deleted before it ended, where disruptions are permanent", ALL_PERMANENT,
           pod(143, deletion="2026-12-01T08:00:20Z", grace=30), "disruption", "permanent")
    decide("deleted while its container never started", KUBEFLOW,
           pod(deletion="2026-12-01T08:00:00Z", grace=0, started=False), "disruption", "retryable")


def reasons() -> None:
    decide("an out-of-memory kill is told by the reason, not by 137", KUBEFLOW, pod(137, reason="OOMKilled"), "reason", "permanent")
    decide("137 without that reason", KUBEFLOW, pod(137, reason="Error"), "code", "retryable")
    for code, verdict in ((143, "retryable"), (1, "permanent")):
        decide(f"OOMKilled with {code}: a child was killed, the code decides", KUBEFLOW, pod(code, reason="OOMKilled"), "code", verdict)
    decide("OOMKilled with 0 in a failed pod", KUBEFLOW, pod(0, reason="OOMKilled"), "code", "undefined", "permanent")
    decide("signals: an out-of-memory kill is permanent there, too", SIGNALS, pod(137, reason="OOMKilled"), "reason", "permanent")
    decide("a sidecar's out-of-memory kill is not the container's", KUBEFLOW,
           pod(143, reason="Error", others=[("proxy", terminated(137, "OOMKilled"))]), "code", "retryable")
    mine = table("mine", LISTED, RETRIED, reasons={"ContainerCannotRun": "permanent", "Evicted": "permanent", "NodeLost": "retryable"})
    decide("a table may list no OOMKilled", mine, pod(137, reason="OOMKilled"), "code", "retryable")
    decide("a listed reason of the container goes before its code", mine, pod(130, reason="ContainerCannotRun"), "reason", "permanent")
    decide("a listed reason of the pod goes before the code", mine, pod(143, pod_reason="Evicted"), "reason", "permanent")
    decide("a listed reason of the pod needs no code", mine, pod(pod_reason="Evicted", started=False), "reason", "permanent")
    decide("a listed reason may be retryable", mine, pod(1, pod_reason="NodeLost"), "reason", "retryable")
    decide("reasons are compared by case", mine, pod(1, reason="containercannotrun"), "code", "permanent")
    decide("a listed reason of another container is not the job's", mine,
           pod(143, others=[("proxy", terminated(128, "ContainerCannotRun"))]), "code", "retryable")
    retry = table("mine", LISTED, RETRIED, reasons={"OOMKilled": "retryable"})
    decide("a table may retry out-of-memory kills", retry, pod(137, reason="OOMKilled"), "reason", "retryable")


def initialising() -> None:
    failed = lambda code, reason="Error": terminated(code, reason)  # noqa: E731
    decide("a failed init container decides by its code", KUBEFLOW,
           pod(started=True, inits=[("download", failed(1), False)]), "code", "permanent")
    decide("a failed init container may be worth a retry", KUBEFLOW,
           pod(inits=[("download", failed(143), False)]), "code", "retryable")
    decide("a failed init container with a code in no list", KUBEFLOW, pod(inits=[("download", failed(7), False)]), "code",
           "undefined", "permanent")
    decide("an init container's out-of-memory kill", KUBEFLOW, pod(inits=[("download", failed(137, "OOMKilled"), False)]),
           "reason", "permanent")
    decide("the one of several init containers that failed decides", KUBEFLOW,
           pod(inits=[("first", terminated(0, "Completed"), False), ("second", failed(139), False)]), "code", "permanent")
    decide("init containers that did well decide nothing", KUBEFLOW,
           pod(inits=[("first", terminated(0, "Completed"), False)]), "noExitCode", "retryable")
    decide("an init container is not asked where the container ran", KUBEFLOW,
           pod(143, inits=[("first", failed(1), False)]), "code", "retryable")
    decide("a sidecar among the init containers is never asked", KUBEFLOW, pod(inits=[("proxy", failed(1), True)]),
           "noExitCode", "retryable")
    decide("behind a sidecar that failed the init container that failed is asked", KUBEFLOW,
           pod(inits=[("proxy", failed(2), True), ("download", failed(143), False)]), "code", "retryable")
    for name in ("init-pytorch", "kubectl-delivery"):
        decide(f"{name} is the operator's own: no exit code", KUBEFLOW, pod(inits=[(name, failed(1), False)]),
               "noExitCode", "retryable")
        decide(f"{name} is the operator's own, where that is permanent", ALL_PERMANENT, pod(inits=[(name, failed(1), False)]),
               "noExitCode", "permanent")
    decide("a user's init container is asked beside the operator's", KUBEFLOW,
           pod(inits=[("init-pytorch", terminated(0, "Completed"), False), ("download", failed(127), False)]), "code", "permanent")
    decide("an init container that is still running decides nothing", KUBEFLOW,
           pod(inits=[("download", {"running": {}}, False)]), "noExitCode", "retryable")


def lost() -> None:
    decide("no container status at all", KUBEFLOW, pod(started=False), "noExitCode", "retryable")
    decide("no container status at all, where that is permanent", ALL_PERMANENT, pod(started=False), "noExitCode", "permanent")
    decide("a container that waits still", KUBEFLOW, pod(state={"waiting": {"reason": "ImagePullBackOff"}}), "noExitCode", "retryable")
    decide("a container that runs still, in a pod that failed", KUBEFLOW, pod(state={"running": {"startedAt": "2026-12-01T07:00:00Z"}}),
           "noExitCode", "retryable")
    for reason in ("Unknown", "ContainerStatusUnknown"):
        decide(f"a state that the runtime lost ({reason}): its 137 is made up", KUBEFLOW, pod(137, reason=reason), "noExitCode", "retryable")
        decide(f"a state that the runtime lost ({reason}), where that is permanent", ALL_PERMANENT, pod(137, reason=reason),
               "noExitCode", "permanent")
        decide(f"a lost state ({reason}) of a sidecar is nothing", KUBEFLOW,
               pod(1, others=[("proxy", terminated(137, reason))]), "code", "permanent")
    last = pod(state={"waiting": {"reason": "CrashLoopBackOff"}})
    last["status"]["containerStatuses"][0]["lastState"] = terminated(1, "Error")
    decide("lastState is an earlier end, not this one", KUBEFLOW, last, "noExitCode", "retryable")
    decide("a container of another name is not the job's", KUBEFLOW, pod(1), "noExitCode", "retryable", container="pytorch")
    decide("another container's code is not the job's", KUBEFLOW,
           pod(state={"waiting": {}}, others=[("proxy", terminated(1))]), "noExitCode", "retryable")
    second = pod(1, others=[("pytorch", terminated(143, "Error"))])
    decide("the job's container may be the second", KUBEFLOW, second, "code", "retryable", container="pytorch")
    decide("without a name the first container is meant", KUBEFLOW, second, "code", "permanent", container="")


def counting() -> None:
    three, zero = KUBEFLOW | {"maxRetries": 3}, KUBEFLOW | {"maxRetries": 0}
    for retries, cause, verdict in ((0, "code", "retryable"), (2, "code", "retryable"), (3, "retriesUsedUp", "permanent"),
                                    (4, "retriesUsedUp", "permanent")):
        decide(f"maxRetries 3 after {retries} retries", three, pod(143), cause, verdict, retries=retries)
    decide("maxRetries 0 allows none", zero, pod(143), "retriesUsedUp", "permanent", retries=0)
    decide("without maxRetries there is no limit", KUBEFLOW, pod(143), "code", "retryable", retries=1000)
    decide("a permanent code needs no limit", three, pod(1), "code", "permanent", retries=3)
    decide("an unlisted code that is handled as permanent", three, pod(42), "code", "undefined", "permanent", retries=3)
    retry = ALL_RETRYABLE | {"maxRetries": 2}
    decide("an unlisted code that is retried counts, too", retry, pod(42), "retriesUsedUp", "permanent", retries=2)
    decide("an unlisted code below the limit", retry, pod(42), "code", "undefined", "retryable", retries=1)
    for retries in (3, 100):
        decide(f"a disruption never counts, after {retries} retries", three, pod(1, condition="True"), "disruption",
               "retryable", retries=retries)
    decide("no exit code counts as a retry", three, pod(started=False), "retriesUsedUp", "permanent", retries=3)
    decide("no exit code below the limit", three, pod(started=False), "noExitCode", "retryable", retries=2)
    mine = table("mine", LISTED, RETRIED, reasons={"NodeLost": "retryable"}, max_retries=1)
    decide("a retryable reason counts as a retry", mine, pod(1, pod_reason="NodeLost"), "retriesUsedUp", "permanent", retries=1)


# -- tables ----------------------------------------------------------------------------------------------

tables: list[dict[str, Any]] = []
UNREADABLE: dict[str, str] = {}


def valid(name: str, value: str, canonical: str) -> None:
    tables.append({"name": name, "value": value, "valid": True, "canonical": canonical})


def invalid(name: str, value: str, *, schema: bool = False) -> None:
    """`schema`: a JSON Schema cannot see what is wrong."""
    vector: dict[str, Any] = {"name": name, "value": value, "valid": False}
    if schema:
        vector["schema"] = "valid"
    tables.append(vector)
    UNREADABLE[name] = value


def without(key: str) -> str:
    value = copy.deepcopy(KUBEFLOW)
    del value[key]
    return text(value)


def with_(**fields: Any) -> str:
    return text(KUBEFLOW | fields)


def encodings() -> None:
    for name, profile in PROFILES.items():
        valid(f"{name} is canonical", text(profile), text(profile))
    limited = KUBEFLOW | {"maxRetries": 3}
    valid("maxRetries is last", text(limited), text(limited))
    valid("maxRetries may be 0", with_(maxRetries=0), with_(maxRetries=0))
    valid("maxRetries may be 999999999", with_(maxRetries=999999999), with_(maxRetries=999999999))
    valid("white space is free", json.dumps(KUBEFLOW, indent=2), text(KUBEFLOW))
    valid("the order of keys is free", text(dict(reversed(limited.items()))), text(limited))
    valid("codes come in any order", with_(permanent=[139, 128, 127, 126, 2, 1]), text(KUBEFLOW))
    valid("both lists may be empty", text(table("x", [], [])), text(table("x", [], [])))
    valid("there may be no reasons", with_(reasons={}), with_(reasons={}))
    valid("reasons are sorted", with_(reasons={"b": "retryable", "a": "permanent"}), with_(reasons={"a": "permanent", "b": "retryable"}))
    valid("codes 1 and 255", text(table("x", [1], [255])), text(table("x", [1], [255])))

    invalid("no JSON", "kubeflow")
    invalid("nothing", "")
    invalid("cut off", text(KUBEFLOW)[:-1])
    invalid("text behind it", text(KUBEFLOW) + "x")
    invalid("two values", text(KUBEFLOW) * 2)
    invalid("a list", "[" + text(KUBEFLOW) + "]")
    invalid("null", "null")
    invalid("a string of JSON", text(text(KUBEFLOW)))
    invalid("a later version", with_(version=2))
    invalid("a later version with keys of its own", text({"version": 7, "policies": []}))
    invalid("version 0", with_(version=0))
    invalid("a version that is a string", with_(version="1"))
    invalid("a version that is no integer", text(KUBEFLOW).replace('"version":1', '"version":1.5'))
    for key in ("version", "profile", "permanent", "retryable", "undefined", "reasons", "disruption", "noExitCode"):
        invalid(f"{key} is missing", without(key))
    invalid("an unknown key", with_(retries=3))
    invalid("a key of another case", text(KUBEFLOW).replace("noExitCode", "noexitcode"))
    invalid("a key twice", text(KUBEFLOW).replace('"undefined"', '"profile":"x","undefined"', 1), schema=True)
    invalid("a reason twice", with_(reasons={"A": "permanent"}).replace('{"A":"permanent"}', '{"A":"permanent","A":"retryable"}'), schema=True)
    for what, code in (("0", 0), ("256", 256), ("negative", -1), ("a string", "130"), ("a fraction", 1.5), ("null", None),
                       ("true", True), ("huge", 99999999999999999999)):
        invalid(f"a code that is {what}", with_(permanent=[code]))
    invalid("a code twice in a list", with_(retryable=[130, 137, 138, 143, 143]))
    invalid("a code on both sides", text(table("x", [1, 2], [2, 3])), schema=True)
    invalid("a list that is an object", with_(retryable={}))
    invalid("a list that is a string", with_(retryable="130"))
    invalid("an unknown verdict", with_(undefined="maybe"))
    invalid("undefined handled as undefined", with_(undefined="undefined"))
    invalid("a verdict of another case", with_(disruption="Retryable"))
    invalid("a verdict that is null", with_(noExitCode=None))
    invalid("a reason without a known verdict", with_(reasons={"OOMKilled": "fatal"}))
    invalid("reasons that are a list", with_(reasons=["OOMKilled"]))
    invalid("a profile that is a number", with_(profile=5))
    invalid("maxRetries negative", with_(maxRetries=-1))
    invalid("maxRetries too high", with_(maxRetries=1000000000))
    invalid("maxRetries a string", with_(maxRetries="3"))
    invalid("maxRetries null", with_(maxRetries=None))
    invalid("maxRetries no integer", with_(maxRetries=2.5))


def fallbacks() -> None:
    for name in ("no JSON", "nothing", "cut off", "a later version", "a later version with keys of its own", "an unknown key",
                 "a key twice", "permanent is missing", "a code on both sides", "a code that is a string"):
        decide(f"a pod's table that cannot be read ({name}): the job's holds", UNREADABLE[name], pod(134), "code",
               "retryable", job=SIGNALS)
        decide(f"a pod's table that cannot be read ({name}), and no other", UNREADABLE[name], pod(134), "noTable")
    decide("no table on the pod: the job's holds", None, pod(143), "code", "retryable", job=KUBEFLOW)
    decide("no table at all", None, pod(143), "noTable")
    decide("no table at all, of a pod that succeeded", None, pod(0, phase="Succeeded"), "noTable")
    decide("neither table can be read", UNREADABLE["cut off"], pod(1), "noTable", job=UNREADABLE["a later version"])
    decide("the pod's own table goes before its job's", KUBEFLOW, pod(139), "code", "permanent", job=SIGNALS)


# -- inputs ----------------------------------------------------------------------------------------------

inputs: list[dict[str, Any]] = []


def asked(name: str, expect: dict[str, Any], *, profile: str = "kubeflow", job: dict[str, str] | None = None,
          replica: dict[str, str] | None = None, profiles: dict[str, Any] | None = None) -> None:
    vector: dict[str, Any] = {"name": name, "profile": profile}
    if profiles is not None:
        vector["profiles"] = profiles
    vector["job"] = {PREFIX + key: value for key, value in (job or {}).items()}
    if replica is not None:
        vector["replica"] = {PREFIX + key: value for key, value in replica.items()}
    vector["expect"] = {key: text(value) if isinstance(value, dict) else value for key, value in expect.items()}
    inputs.append(vector)


def changed(base: dict[str, Any], permanent: list[int] = (), retryable: list[int] = (), **fields: Any) -> dict[str, Any]:  # type: ignore[assignment]
    """`base` with codes moved to a side."""
    value = copy.deepcopy(base)
    for code in permanent:
        value["retryable"] = [each for each in value["retryable"] if each != code]
    for code in retryable:
        value["permanent"] = [each for each in value["permanent"] if each != code]
    value["permanent"] = sorted({*value["permanent"], *permanent})
    value["retryable"] = sorted({*value["retryable"], *retryable})
    return value | fields


def from_inputs() -> None:
    asked("nothing asked", {"job": KUBEFLOW})
    asked("nothing asked, of a replica", {"job": KUBEFLOW, "replica": KUBEFLOW}, replica={})
    for name, profile in PROFILES.items():
        asked(f"the namespace's profile {name}", {"job": profile}, profile=name)
        asked(f"the job's profile {name}", {"job": profile}, job={"profile": name})
    asked("the replica's profile goes before the job's", {"job": SIGNALS, "replica": CLOUDML}, job={"profile": "signals"},
          replica={"profile": "cloudml"})
    asked("the job's profile goes before the namespace's", {"job": CLOUDML, "replica": CLOUDML}, profile="signals",
          job={"profile": "cloudml"}, replica={})
    lists = {"42": [42], "42,43": [42, 43], " 42 , 43 ": [42, 43], "100-103": [100, 101, 102, 103], "7-7": [7], "1": [1], "255": [255],
             "SIGUSR2": [140], "SIGABRT": [134], "SIGSEGV": [139], "EX_TEMPFAIL": [75], "EX_USAGE": [64],
             "42, 100-102, SIGUSR2, EX_TEMPFAIL": [42, 75, 100, 101, 102, 140], "42,42": [42]}
    for written, codes in lists.items():
        asked(f"retryable {written!r}", {"job": changed(KUBEFLOW, retryable=codes)}, job={"retryable": written})
    asked("permanent takes from the other side", {"job": changed(KUBEFLOW, permanent=[137, 143])}, job={"permanent": "137, SIGTERM"})
    asked("both lists", {"job": changed(KUBEFLOW, permanent=[137], retryable=[139])}, job={"permanent": "137", "retryable": "139"})
    asked("the replica's list goes behind the job's", {"job": changed(KUBEFLOW, retryable=[42]), "replica": changed(KUBEFLOW, permanent=[42])},
          job={"retryable": "42"}, replica={"permanent": "42"})
    asked("the job's list holds on the replica's profile", {"job": changed(KUBEFLOW, retryable=[42]), "replica": changed(CLOUDML, retryable=[42])},
          job={"retryable": "42"}, replica={"profile": "cloudml"})
    asked("max-retries", {"job": KUBEFLOW | {"maxRetries": 3}}, job={"max-retries": "3"})
    asked("max-retries 0", {"job": KUBEFLOW | {"maxRetries": 0}}, job={"max-retries": "0"})
    asked("the replica's max-retries goes before the job's", {"job": KUBEFLOW | {"maxRetries": 3}, "replica": KUBEFLOW | {"maxRetries": 5}},
          job={"max-retries": "3"}, replica={"max-retries": "5"})
    own = {"mine": {"extends": "kubeflow", "retryable": "42, SIGUSR2", "permanent": [255, "SIGABRT"], "maxRetries": 5}}
    mine = changed(KUBEFLOW, permanent=[134, 255], retryable=[42, 140], profile="mine", maxRetries=5)
    asked("an administrator's profile", {"job": mine}, profile="mine", profiles=own)
    asked("max-retries goes before the profile's", {"job": mine | {"maxRetries": 1}}, profiles=own, job={"profile": "mine", "max-retries": "1"})
    for key, bad in (("retryable", ("", "0", "256", "042", "-1", "+1", "1.5", "10-5", "10 - 20", "1,,2", "1,", "sigterm", "SIGFOO",
                                    "SIGRTMIN", "TEMPFAIL", "SIGHUP-SIGINT", "42;43", "300-400")),
                     ("permanent", ("x",)), ("max-retries", ("", "-1", "three", "3.0", "1000000000", "03")),
                     ("profile", ("", "Kubeflow", "unknown"))):
        for written in bad:
            asked(f"{key} {written!r} cannot be read", {"invalid": [PREFIX + key]}, job={key: written})
    asked("a code on both sides of one metadata", {"invalid": [PREFIX + "permanent"]},
          job={"retryable": "1-50", "permanent": "42"})


def main() -> int:
    for add in (each_code, unusual_codes, successes, disruptions, deletions, reasons, initialising, lost, counting,
                encodings, fallbacks, from_inputs):
        add()
    for group in (decisions, tables, inputs):
        names = [each["name"] for each in group]
        assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    groups = {"version": 1, "decisions": decisions, "tables": tables, "inputs": inputs}
    lines = ['{"version":1,']
    for index, group in enumerate(("decisions", "tables", "inputs")):
        rows = ",\n".join(json.dumps(each, ensure_ascii=False) for each in groups[group])  # type: ignore[union-attr]
        lines.append(f'"{group}":[\n{rows}\n]' + ("," if index < 2 else "}"))
    content = "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        if FILE.read_text() != content:
            print("conformance/vectors.json is not what make_vectors.py writes: run it")
            return 1
    else:
        FILE.write_text(content)
    print(f"{len(decisions)} decisions, {len(tables)} tables, {len(inputs)} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
