"""Profiles, and the annotations by which users change them for a job."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Callable, TypeVar

from ._table import DEFAULT_TABLE, MAX_CODE, MAX_MAX_RETRIES, MIN_CODE, PERMANENT, RETRYABLE, Table, shown

PROFILE_ANNOTATION = "exit-codes.kubeflow.org/profile"
RETRYABLE_ANNOTATION = "exit-codes.kubeflow.org/retryable"
PERMANENT_ANNOTATION = "exit-codes.kubeflow.org/permanent"
MAX_RETRIES_ANNOTATION = "exit-codes.kubeflow.org/max-retries"

_SIGNALS = (
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP "
    "TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS"
).split()
_SYSEXITS = (
    "USAGE DATAERR NOINPUT NOUSER NOHOST UNAVAILABLE SOFTWARE OSERR OSFILE CANTCREAT IOERR TEMPFAIL "
    "PROTOCOL NOPERM CONFIG"
).split()
# Linux x86-64's signals, and sysexits.h. Not those of the module `signal`: they are this machine's.
_CODE_OF_NAME = {
    **{f"SIG{name}": 129 + index for index, name in enumerate(_SIGNALS)},
    **{f"EX_{name}": 64 + index for index, name in enumerate(_SYSEXITS)},
    "SIGIOT": 134,
    "SIGCLD": 145,
    "SIGPOLL": 157,
}
_DIGITS = re.compile(r"0|[1-9][0-9]{0,8}")
_BLANKS = " \t"


def _parse_code(text: str) -> int | None:
    if not _DIGITS.fullmatch(text) or not MIN_CODE <= int(text) <= MAX_CODE:
        return None
    return int(text)


def _parse_item(item: str) -> frozenset[int]:
    code = _parse_code(item) or _CODE_OF_NAME.get(item)
    if code is not None:
        return frozenset({code})
    left, _, right = item.partition("-")
    first, last = _parse_code(left), _parse_code(right)
    if first is None or last is None or first > last:
        raise ValueError(
            f"{shown(item)} is no exit code: write a number from 1 to 255, a range such as 100-110, "
            "a signal such as SIGTERM or a name of sysexits.h such as EX_TEMPFAIL"
        )
    return frozenset(range(first, last + 1))


_T = TypeVar("_T")


def parse_codes(text: str) -> frozenset[int]:
    """Reads a list of exit codes: "42, 100-110, SIGUSR2, EX_TEMPFAIL". Raises ValueError."""
    if not text.strip(_BLANKS):
        raise ValueError("the list is empty: write codes separated by commas, such as 42, 100-110, SIGUSR2")
    codes: frozenset[int] = frozenset()
    for count, item in enumerate(text.split(","), start=1):
        if not item.strip(_BLANKS):
            raise ValueError(f"item {count} of the list is empty: take out the comma too many")
        codes |= _parse_item(item.strip(_BLANKS))
    return codes


def parse_max_retries(text: str) -> int:
    """Reads a value of `MAX_RETRIES_ANNOTATION`: 0 to 999999999. Raises ValueError."""
    if not _DIGITS.fullmatch(text):
        raise ValueError(f"{shown(text)} is no number of retries: write a number from 0 to {MAX_MAX_RETRIES}")
    return int(text)


def _signals_profile() -> Table:
    return replace(
        DEFAULT_TABLE,
        profile="signals",
        permanent=frozenset(range(1, 128)),
        retryable=frozenset(range(128, 256)),
        undefined=RETRYABLE,
    )


BUILT_IN_PROFILES: Mapping[str, Table] = types.MappingProxyType(
    {
        table.profile: table
        for table in (
            DEFAULT_TABLE,
            _signals_profile(),
            replace(
                DEFAULT_TABLE, profile="cloudml", permanent=frozenset(), retryable=frozenset({130, 137, 143})
            ),
            replace(
                DEFAULT_TABLE,
                profile="all-permanent",
                permanent=frozenset(),
                retryable=frozenset(),
                disruption=PERMANENT,
                no_exit_code=PERMANENT,
            ),
            replace(DEFAULT_TABLE, profile="all-retryable", undefined=RETRYABLE),
        )
    }
)

_PROFILE_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?")
_PROFILE_KEYS = frozenset(
    (
        "extends",
        "permanent",
        "retryable",
        "remove",
        "reasons",
        "undefined",
        "disruption",
        "noExitCode",
        "maxRetries",
    )
)


def make_profiles(definitions: Mapping[str, Mapping[str, Any]]) -> dict[str, Table]:
    """The built-in profiles and those of an administrator, by name. `definitions` are as in the
    webhook's configuration under `profiles`. Raises ValueError."""
    tables = dict(BUILT_IN_PROFILES)
    for name in definitions:
        if name in BUILT_IN_PROFILES:
            raise ValueError(f"profile {name!r} is built in and cannot be redefined")
        if not _PROFILE_NAME.fullmatch(name):
            raise ValueError(
                f"{shown(name)} is no profile name: write 1 to 63 lower-case letters, digits, '-' and "
                "'.', with a letter or digit at both ends"
            )
    for name in definitions:
        chain: list[str] = []
        base = name
        while base not in tables:
            if base in chain:
                raise ValueError(f"profile {base!r} extends itself, perhaps through others")
            if base not in definitions:
                raise ValueError(f"profile {chain[-1]!r} extends {base!r}, which does not exist")
            chain.append(base)
            base = definitions[base].get("extends", DEFAULT_TABLE.profile)
        for link in reversed(chain):
            tables[link] = _extend(link, definitions[link], tables[base])
            base = link
    return tables


def _extend(name: str, definition: Mapping[str, Any], base: Table) -> Table:
    try:
        if unknown := set(definition) - _PROFILE_KEYS:
            raise ValueError(f"unknown key {min(unknown)!r}")
        moved = {side: _code_list(definition.get(side, ())) for side in ("retryable", "permanent", "remove")}
        for left, right in (("retryable", "permanent"), ("retryable", "remove"), ("permanent", "remove")):
            if both := moved[left] & moved[right]:
                raise ValueError(f"{min(both)} is in both {left} and {right}: keep it in one")
        table = _Inputs(None, moved["retryable"], moved["permanent"], definition.get("maxRetries")).apply(
            base
        )
        reasons = {**base.reasons, **(definition.get("reasons") or {})}
        return replace(
            table,
            profile=name,
            retryable=table.retryable - moved["remove"],
            permanent=table.permanent - moved["remove"],
            reasons={reason: verdict for reason, verdict in reasons.items() if verdict is not None},
            undefined=definition.get("undefined", base.undefined),
            disruption=definition.get("disruption", base.disruption),
            no_exit_code=definition.get("noExitCode", base.no_exit_code),
        )
    except ValueError as error:
        raise ValueError(f"profile {name!r}: {error}") from None


def _code_list(value: object) -> frozenset[int]:
    """A string, "42, SIGUSR2", or a list of items, [42, "SIGUSR2"]."""
    if isinstance(value, str):
        return parse_codes(value)
    if not isinstance(value, (list, tuple)):
        raise ValueError("a list of codes must be a string or a list of items")
    return frozenset().union(*(_parse_item(str(item).strip(_BLANKS)) for item in value))


@dataclass(frozen=True)
class _Inputs:
    """What a user's annotations on one metadata ask for."""

    profile: str | None = None
    retryable: frozenset[int] = frozenset()
    permanent: frozenset[int] = frozenset()
    max_retries: int | None = None

    def apply(self, table: Table) -> Table:
        return replace(
            table,
            permanent=(table.permanent - self.retryable) | self.permanent,
            retryable=(table.retryable | self.retryable) - self.permanent,
            max_retries=table.max_retries if self.max_retries is None else self.max_retries,
        )


class InputError(ValueError):
    """Input annotations that cannot be used: `problems` has (annotation, message) of each."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__("\n".join(f"{key}: {message}" for key, message in problems))
        self.problems = problems


def make_table(
    job: Mapping[str, str],
    replica: Mapping[str, str] | None = None,
    *,
    default: str = DEFAULT_TABLE.profile,
    profiles: Mapping[str, Table] = BUILT_IN_PROFILES,
) -> Table:
    """The table that the webhook writes for annotations of a job, or of a replica of it.

    The replica's profile holds, else the job's, else `default`, the namespace's; then the job's
    lists apply, then the replica's; the later wins. Raises InputError, with all problems of both.
    """
    problems: list[tuple[str, str]] = []
    inputs = [_read_inputs(annotations, profiles, problems) for annotations in (job, replica or {})]
    if problems:
        raise InputError(problems)
    table = profiles[next((one.profile for one in reversed(inputs) if one.profile), default)]
    for one in inputs:
        table = one.apply(table)
    return table


def _read_inputs(
    annotations: Mapping[str, str], profiles: Mapping[str, Table], problems: list[tuple[str, str]]
) -> _Inputs:
    def read(key: str, parse: Callable[[str], _T], absent: _T) -> _T:
        if key not in annotations:
            return absent
        try:
            return parse(annotations[key])
        except ValueError as error:
            problems.append((key, str(error)))
            return absent

    def known(name: str) -> str:
        if name not in profiles:
            raise ValueError(f"there is no profile {shown(name)}: the profiles are {', '.join(profiles)}")
        return name

    profile = read(PROFILE_ANNOTATION, known, "") or None
    nothing: frozenset[int] = frozenset()
    retryable = read(RETRYABLE_ANNOTATION, parse_codes, nothing)
    permanent = read(PERMANENT_ANNOTATION, parse_codes, nothing)
    if both := retryable & permanent:
        message = f"lists {min(both)}, which {RETRYABLE_ANNOTATION} lists too: keep it on one side"
        problems.append((PERMANENT_ANNOTATION, message))
    limit = read(MAX_RETRIES_ANNOTATION, parse_max_retries, -1)
    return _Inputs(profile, retryable, permanent, None if limit < 0 else limit)
