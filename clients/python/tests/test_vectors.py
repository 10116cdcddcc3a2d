"""The vectors of the contract, which every client passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exit_codes

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "conformance" / "vectors.json").read_text(encoding="utf-8")
)
assert VECTORS["version"] == 1


def cases(kind: str) -> pytest.MarkDecorator:
    assert VECTORS[kind], f"there are no vectors of {kind}"
    return pytest.mark.parametrize("vector", VECTORS[kind], ids=[one["name"] for one in VECTORS[kind]])


def with_table(pod: dict[str, Any], table: str | None) -> dict[str, Any]:
    if table is None:
        return pod
    metadata = pod.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), exit_codes.TABLE_ANNOTATION: table}
    return {**pod, "metadata": {**metadata, "annotations": annotations}}


@cases("decisions")
def test_decision(vector: dict[str, Any]) -> None:
    job = {exit_codes.TABLE_ANNOTATION: vector["jobTable"]} if vector.get("jobTable") is not None else {}
    pod = with_table(vector["pod"], vector["table"])
    arguments = (vector["container"], vector.get("retries", 0))
    decision = exit_codes.decide(pod, *arguments, job_annotations=job)
    expected = vector["expect"]
    assert (decision.cause, decision.verdict, decision.handled_as) == (
        expected["cause"],
        expected.get("verdict"),
        expected.get("handledAs"),
    ), decision.because
    assert decision.because
    assert exit_codes.decide(json.dumps(pod), *arguments, job_annotations=job) == decision


@cases("tables")
def test_table(vector: dict[str, Any]) -> None:
    if not vector["valid"]:
        with pytest.raises(exit_codes.DecodeError):
            exit_codes.decode(vector["value"])
        return
    table = exit_codes.decode(vector["value"])
    assert exit_codes.encode(table) == vector["canonical"]
    assert exit_codes.decode(vector["canonical"]) == table


@cases("inputs")
def test_inputs(vector: dict[str, Any]) -> None:
    profiles = exit_codes.make_profiles(vector.get("profiles", {}))
    expected = vector["expect"]
    replica = vector.get("replica")
    if "invalid" in expected:
        with pytest.raises(exit_codes.InputError) as raised:
            exit_codes.make_table(vector["job"], replica, default=vector["profile"], profiles=profiles)
        assert {key for key, _ in raised.value.problems} == set(expected["invalid"])
        return
    table = exit_codes.make_table(vector["job"], default=vector["profile"], profiles=profiles)
    assert exit_codes.encode(table) == expected["job"]
    if "replica" in expected:
        table = exit_codes.make_table(
            vector["job"], replica or {}, default=vector["profile"], profiles=profiles
        )
        assert exit_codes.encode(table) == expected["replica"]
