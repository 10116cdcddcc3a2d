"""What the vectors leave open: messages, and input that no JSON file can hold."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import exit_codes

KUBEFLOW = (
    '{"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],"retryable":[130,137,138,143],'
    '"undefined":"permanent","reasons":{"OOMKilled":"permanent"},"disruption":"retryable",'
    '"noExitCode":"retryable"}'
)


def edited(old: str, new: str) -> str:
    assert old in KUBEFLOW
    return KUBEFLOW.replace(old, new, 1)


def test_the_default_table_has_the_bytes_of_the_contract() -> None:
    assert exit_codes.encode(exit_codes.DEFAULT_TABLE) == KUBEFLOW
    assert exit_codes.decode(KUBEFLOW) == exit_codes.DEFAULT_TABLE
    assert hash(exit_codes.decode(KUBEFLOW)) == hash(exit_codes.DEFAULT_TABLE)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "the table is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("\ufeff" + KUBEFLOW, "the table is not JSON: Unexpected UTF-8 BOM"),
        (KUBEFLOW + "x", "the table is not JSON: Extra data"),
        (edited("kubeflow", "\ud83d"), "the table is not JSON: a string is no valid Unicode"),
        (edited("kubeflow", "\\ud83dx"), "the table is not JSON: a string is no valid Unicode"),
        ("[" * 200_000, "the table is not JSON: "),
        (" " * 262_145, "the table has more than 262144 bytes"),
        ("[]", "the table is an array: write a JSON object"),
        ("NaN", "the table is not JSON: NaN"),
        ('{"version":2}', "the table is of version 2, later than the one that is known here, 1"),
        (edited(":1", ":0"), "version is 0: write 1"),
        (edited(":1", ":true"), "version is true: write 1"),
        (edited('"version":1', '"Version":1'), "unknown key 'Version': take it out"),
        (edited('"version":1,', ""), "a key is missing: 'version'"),
        (edited('"profile"', '"versio\\u006e":1,"profile"'), "the key 'version' stands there twice"),
        (edited("[1,", "[0,"), "permanent[0] is 0: write an integer from 1 to 255"),
        (edited("[1,", "[1.0,"), "permanent[0] is 1.0: write an integer from 1 to 255"),
        (edited("[1,", '["1",'), "permanent[0] is the string '1': write an integer from 1 to 255"),
        (edited("[1,", "[true,"), "permanent[0] is true: write an integer from 1 to 255"),
        (edited("[1,", f"[1{'0' * 5000},"), f"permanent[0] is 1{'0' * 23}: write an integer from 1 to 255"),
        (edited("[1,", "[2,"), "permanent has 2 twice: keep one"),
        (edited("[130,", "[139,"), "permanent and retryable both have 139: keep it in one"),
        (edited("[130,137,138,143]", "{}"), "retryable is an object: write an array of exit codes"),
        (edited('ed":"permanent"', 'ed":"no"'), "undefined is the string 'no': write \"retryable\" or"),
        (edited('Killed":"permanent"', 'Killed":null'), "reason 'OOMKilled' is null: write \"retryable\" or"),
        (edited('"noExit', '"maxRetries":-0,"noExit'), "maxRetries is -0: write an integer from 0"),
        (edited('"noExit', '"maxRetries":null,"noExit'), "maxRetries is null: write an integer from 0"),
    ],
)  # fmt: skip
def test_decode_says_what_is_wrong(value: str, message: str) -> None:
    with pytest.raises(exit_codes.DecodeError) as raised:
        exit_codes.decode(value)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("profile", "encoded"),
    [
        ("<a&b>/", '"<a&b>/"'),
        ("\b\f\n\r\t\x01\x7f", '"\\b\\f\\n\\r\\t\\u0001\x7f"'),
        ('"\\', '"\\"\\\\"'),
        ("\u2028é\U0001f600", '"\u2028é\U0001f600"'),
    ],
)
def test_strings_are_escaped_as_little_as_possible(profile: str, encoded: str) -> None:
    table = dataclasses.replace(exit_codes.DEFAULT_TABLE, profile=profile)
    value = exit_codes.encode(table)
    assert value.startswith(f'{{"version":1,"profile":{encoded},')
    assert exit_codes.decode(value) == table


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"retryable": {1}}, "permanent and retryable both have 1: keep it in one"),
        ({"permanent": {0}}, "0 is not an exit code from 1 to 255"),
        ({"permanent": {True}}, "True is not an exit code from 1 to 255"),
        ({"undefined": "undefined"}, "'undefined' is no verdict: write \"retryable\" or \"permanent\""),
        ({"reasons": {"Evicted": None}}, "None is no verdict: write \"retryable\" or \"permanent\""),
        ({"max_retries": -1}, "max_retries is -1: write 0 to 999999999 or None"),
    ],
)  # fmt: skip
def test_no_table_breaks_the_contract(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        dataclasses.replace(exit_codes.DEFAULT_TABLE, **change)
    assert str(raised.value) == message


def test_a_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        exit_codes.DEFAULT_TABLE.reasons["Evicted"] = "retryable"  # type: ignore[index]


def test_only_the_codes_of_the_default_table_are_retried() -> None:
    retried = {code for code in range(-300, 70_000) if exit_codes.is_retryable_exit_code(code)}
    assert retried == {130, 137, 138, 143}


@pytest.mark.parametrize(
    ("pod", "message"),
    [
        ("{", "the pod is not JSON: "),
        ([], "the pod must be an object"),
        ({"status": []}, "status must be an object"),
        ({"status": {"phase": 1}}, "status.phase must be a string"),
        ({"metadata": {"deletionTimestamp": "now"}}, "metadata.deletionTimestamp must be an RFC 3339 time"),
        ({"status": {"conditions": [0]}}, "status.conditions[0] must be an object"),
        (
            {"status": {"containerStatuses": [{}, {"state": {"terminated": {"exitCode": "1"}}}]}},
            "status.containerStatuses[1].state.terminated.exitCode must be an integer",
        ),
    ],
)
def test_what_is_no_pod_is_named(pod: Any, message: str) -> None:
    with pytest.raises(exit_codes.PodError) as raised:
        exit_codes.decide(pod)
    assert str(raised.value).startswith(message)


def test_a_decision_says_why() -> None:
    ended = {"exitCode": 3, "reason": "Error", "finishedAt": None}
    pod = {"status": {"containerStatuses": [{"name": "pytorch", "state": {"terminated": ended}}]}}
    decision = exit_codes.decide(pod, "pytorch", table=exit_codes.DEFAULT_TABLE)
    assert decision.because == (
        "container pytorch: exit code 3 is undefined by profile kubeflow, which handles that as permanent"
    )
    assert not decision.retry


@pytest.mark.parametrize(
    ("statuses", "because"),
    [
        ("containerStatuses", "container data: exit code 143 is retryable by profile kubeflow"),
        ("initContainerStatuses", "init container data: exit code 143 is retryable by profile kubeflow"),
    ],
)
def test_a_pod_of_which_only_the_status_was_kept_is_decided_about(statuses: str, because: str) -> None:
    ended = {"name": "data", "state": {"terminated": {"exitCode": 143, "reason": "Error"}}}
    pod = {"status": {statuses: [ended, {"name": "last"}]}}
    assert exit_codes.decide(pod, table=exit_codes.DEFAULT_TABLE).because == because


@pytest.mark.parametrize(
    ("grace", "cause"), [(2**63 - 1, "disruption"), (30, "disruption"), (29, "code"), (-(2**63), "code")]
)
def test_grace_periods_of_any_length_are_compared(grace: int, cause: str) -> None:
    terminated = {"exitCode": 1, "finishedAt": "2026-12-01T09:00:00.9+01:00"}
    pod = {
        "metadata": {"deletionTimestamp": "2026-12-01T08:00:30Z", "deletionGracePeriodSeconds": grace},
        "status": {"containerStatuses": [{"name": "a", "state": {"terminated": terminated}}]},
    }
    assert exit_codes.decide(pod, table=exit_codes.DEFAULT_TABLE).cause == cause


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ({"kubeflow": {}}, "profile 'kubeflow' is built in and cannot be redefined"),
        ({"My": {}}, "'My' is no profile name: write 1 to 63 lower-case letters"),
        ({"a": {"extends": "b"}}, "profile 'a' extends 'b', which does not exist"),
        ({"a": {"extends": "b"}, "b": {"extends": "a"}}, "profile 'a' extends itself, perhaps"),
        ({"a": {"retryable": "7", "remove": [7]}}, "profile 'a': 7 is in both retryable and remove"),
        ({"a": {"retriable": "7"}}, "profile 'a': unknown key 'retriable'"),
        ({"a": {"retryable": [256]}}, "profile 'a': '256' is no exit code"),
        ({"a": {"retryable": None}}, "profile 'a': a list of codes must be a string or a list of items"),
        ({"a": {"maxRetries": "3"}}, "profile 'a': max_retries is '3'"),
    ],
)  # fmt: skip
def test_bad_definitions_make_no_profiles(definitions: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        exit_codes.make_profiles(definitions)
    assert str(raised.value).startswith(message)


def test_profiles_extend_each_other_in_a_long_chain() -> None:
    definitions: dict[str, Any] = {
        f"p{i}": {"retryable": [i % 255 + 1], "extends": f"p{i - 1}" if i else "kubeflow"}
        for i in range(2000)
    }
    last = exit_codes.make_profiles(definitions)["p1999"]
    assert (len(last.retryable), len(last.permanent)) == (255, 0)


def test_all_that_is_wrong_with_inputs_is_told() -> None:
    with pytest.raises(exit_codes.InputError) as raised:
        exit_codes.make_table(
            {exit_codes.RETRYABLE_ANNOTATION: "42, 256", exit_codes.PROFILE_ANNOTATION: "kubflow"},
            {exit_codes.MAX_RETRIES_ANNOTATION: "٣"},
        )
    assert raised.value.problems == [
        (
            exit_codes.PROFILE_ANNOTATION,
            "there is no profile 'kubflow': the profiles are kubeflow, signals, cloudml, all-permanent, "
            "all-retryable",
        ),
        (
            exit_codes.RETRYABLE_ANNOTATION,
            "'256' is no exit code: write a number from 1 to 255, a range such as 100-110, a signal such "
            "as SIGTERM or a name of sysexits.h such as EX_TEMPFAIL",
        ),
        (
            exit_codes.MAX_RETRIES_ANNOTATION,
            "'٣' is no number of retries: write a number from 0 to 999999999",
        ),
    ]
