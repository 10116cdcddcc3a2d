"""Exit-code tables, and the annotation that holds one."""

from __future__ import annotations

import contextlib
import json
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

TABLE_ANNOTATION = "exit-codes.kubeflow.org/table"

RETRYABLE = "retryable"
PERMANENT = "permanent"
UNDEFINED = "undefined"

MIN_CODE, MAX_CODE = 1, 255
MAX_MAX_RETRIES = 999_999_999
OOM_KILLED = "OOMKilled"
_VERSION = 1
_MAX_TABLE_BYTES = 262_144  # what Kubernetes allows all annotations of an object together


def is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high  # True is an int to isinstance


@dataclass(frozen=True)
class Table:
    """What each end of a replica means. Verdicts are "retryable" or "permanent"; ValueError for
    what the contract does not allow."""

    profile: str
    permanent: frozenset[int]
    """Codes from 1 to 255, none of which is in `retryable`."""
    retryable: frozenset[int]
    undefined: str = PERMANENT
    """How a code in neither set is handled."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Reasons of containers and pods; "OOMKilled" holds together with code 137 only."""
    disruption: str = RETRYABLE
    """Drain, preemption, eviction, deletion."""
    no_exit_code: str = RETRYABLE
    """The job's container never ran to an end."""
    max_retries: int | None = None
    """How often one replica may be retried, 0 to 999999999; None for no limit."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "permanent", frozenset(self.permanent))
        object.__setattr__(self, "retryable", frozenset(self.retryable))
        object.__setattr__(self, "reasons", types.MappingProxyType(dict(self.reasons)))
        for code in self.permanent | self.retryable:
            if not is_int(code, MIN_CODE, MAX_CODE):
                raise ValueError(f"{code!r} is not an exit code from 1 to 255")
        if both := self.permanent & self.retryable:
            raise ValueError(f"permanent and retryable both have {min(both)}: keep it in one")
        verdicts = [self.undefined, self.disruption, self.no_exit_code, *self.reasons.values()]
        for verdict in verdicts:
            if verdict not in (RETRYABLE, PERMANENT):
                raise ValueError(f'{verdict!r} is no verdict: write "retryable" or "permanent"')
        limit = self.max_retries
        if limit is not None and not is_int(limit, 0, MAX_MAX_RETRIES):
            raise ValueError(f"max_retries is {limit!r}: write 0 to {MAX_MAX_RETRIES} or None")

    def __hash__(self) -> int:
        return hash(encode(self))

    def verdict_of(self, code: int) -> str:
        """What the lists say of `code`, any integer: "undefined" if it is in neither."""
        if code in self.permanent:
            return PERMANENT
        return RETRYABLE if code in self.retryable else UNDEFINED

    def handled_as(self, verdict: str) -> str:
        """What `verdict` is acted on as: "undefined" becomes the table's own fallback."""
        return self.undefined if verdict == UNDEFINED else verdict

    def is_retryable_exit_code(self, code: int) -> bool:
        """Whether a failed container's code alone is worth a retry; `decide` knows more."""
        return self.handled_as(self.verdict_of(code)) == RETRYABLE


DEFAULT_TABLE = Table(
    "kubeflow",
    permanent=frozenset({1, 2, 126, 127, 128, 139}),
    retryable=frozenset({130, 137, 138, 143}),
    reasons={OOM_KILLED: PERMANENT},
)
"""The table of tf-operator's pull request 518."""


def is_retryable_exit_code(code: int) -> bool:
    """`Table.is_retryable_exit_code` by the default table."""
    return DEFAULT_TABLE.is_retryable_exit_code(code)


def encode(table: Table) -> str:
    """The canonical value of `TABLE_ANNOTATION`: the same table gives the same bytes."""
    value: dict[str, Any] = {
        "version": _VERSION,
        "profile": table.profile,
        "permanent": sorted(table.permanent),
        "retryable": sorted(table.retryable),
        "undefined": table.undefined,
        "reasons": dict(sorted(table.reasons.items())),
        "disruption": table.disruption,
        "noExitCode": table.no_exit_code,
    }
    if table.max_retries is not None:
        value["maxRetries"] = table.max_retries
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class DecodeError(ValueError):
    """The value of a table annotation cannot be read: act as if it were not there."""


class _Number(str):
    """A number of JSON that is no small integer without sign, as it is written."""


def _read_integer(text: str) -> int | _Number:
    # "-0" is no 0, and Python refuses to read integers of thousands of digits.
    return int(text) if len(text) < 20 and text[0] != "-" else _Number(text)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise DecodeError(f"the key {key!r} stands there twice: keep one")
        read[key] = value
    return read


def decode(value: str) -> Table:
    """Reads a value of `TABLE_ANNOTATION` strictly: a JSON object of version 1 with every key of
    the contract, none twice and none besides, codes being integers from 1 to 255, on one side
    only. Key order and white space are free. Raises DecodeError."""
    try:
        if len(value.encode()) > _MAX_TABLE_BYTES:
            raise DecodeError(f"the table has more than {_MAX_TABLE_BYTES} bytes")
        read = json.loads(
            value,
            object_pairs_hook=_read_object,
            parse_int=_read_integer,
            parse_float=_Number,
            parse_constant=_refuse_constant,
        )
        # Half a UTF-16 pair can be escaped, but it is no character.
        json.dumps(read, ensure_ascii=False).encode()
    except DecodeError:
        raise
    except UnicodeError:
        raise DecodeError("the table is not JSON: a string is no valid Unicode") from None
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"the table is not JSON: {error}") from None
    return _table_of(read)


def _refuse_constant(name: str) -> NoReturn:
    raise DecodeError(f"the table is not JSON: {name}")


_KEYS = (
    "version",
    "profile",
    "permanent",
    "retryable",
    "undefined",
    "reasons",
    "disruption",
    "noExitCode",
    "maxRetries",
)


def _table_of(read: object) -> Table:
    if not isinstance(read, dict):
        raise _unexpected("the table", read, "a JSON object")
    version = read.get("version")
    if type(version) is int and version > _VERSION:
        raise DecodeError(
            f"the table is of version {version}, later than the one that is known here, {_VERSION}"
        )
    for key in read:
        if key not in _KEYS:
            raise DecodeError(f"unknown key {key!r}: take it out")
    for key in _KEYS[:-1]:
        if key not in read:
            raise DecodeError(f"a key is missing: {key!r}")
    if not is_int(version, _VERSION, _VERSION):
        raise _unexpected("version", version, str(_VERSION))
    profile = read["profile"]
    if type(profile) is not str:
        raise _unexpected("profile", profile, "the name of a profile")
    reasons = read["reasons"]
    if not isinstance(reasons, dict):
        raise _unexpected("reasons", reasons, "an object of reasons")
    limit = read.get("maxRetries")
    if "maxRetries" in read and not is_int(limit, 0, MAX_MAX_RETRIES):
        raise _unexpected("maxRetries", limit, f"an integer from 0 to {MAX_MAX_RETRIES}")
    verdicts = {key: read[key] for key in ("undefined", "disruption", "noExitCode")}
    for name, verdict in {**verdicts, **{f"reason {key!r}": reasons[key] for key in reasons}}.items():
        if verdict not in (RETRYABLE, PERMANENT):
            raise _unexpected(name, verdict, '"retryable" or "permanent"')
    codes = {key: _codes_of(key, read[key]) for key in ("permanent", "retryable")}
    if both := codes["permanent"] & codes["retryable"]:
        raise DecodeError(f"permanent and retryable both have {min(both)}: keep it in one")
    return Table(
        profile,
        codes["permanent"],
        codes["retryable"],
        verdicts["undefined"],
        reasons,
        verdicts["disruption"],
        verdicts["noExitCode"],
        limit,
    )


def _codes_of(name: str, read: object) -> frozenset[int]:
    if not isinstance(read, list):
        raise _unexpected(name, read, "an array of exit codes")
    for index, code in enumerate(read):
        if not is_int(code, MIN_CODE, MAX_CODE):
            raise _unexpected(f"{name}[{index}]", code, "an integer from 1 to 255")
    codes = frozenset(read)
    if len(codes) < len(read):
        twice = next(code for code in read if read.count(code) > 1)
        raise DecodeError(f"{name} has {twice} twice: keep one")
    return codes


def _unexpected(where: str, value: object, expected: str) -> DecodeError:
    if isinstance(value, (dict, list)):
        what = "an object" if isinstance(value, dict) else "an array"
    elif type(value) is str:
        what = f"the string {shown(value)}"
    elif isinstance(value, _Number):
        what = value[:24]
    else:
        what = json.dumps(value)
    return DecodeError(f"{where} is {what}: write {expected}")


def shown(text: str) -> str:
    """`text` in quotes, shortened, without control characters."""
    return repr(text if len(text) <= 40 else text[:40] + "...")


def read_table(
    pod_annotations: Mapping[str, str] | None,
    job_annotations: Mapping[str, str] | None = None,
) -> Table | None:
    """The table that holds for a pod: its own, else its job's; None if neither can be read (absent,
    malformed, of a later version)."""
    for candidates in (pod_annotations, job_annotations):
        value = (candidates or {}).get(TABLE_ANNOTATION)
        if value is not None:
            with contextlib.suppress(DecodeError):
                return decode(value)
    return None
