"""The code of the README, run as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import exit_codes
from conftest import Run

BLOCKS = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8"), re.DOTALL
)
TRAINING, NESTED, CONTROLLER = BLOCKS


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("raise tf.errors.UnavailableError('ps-0 went away')", 138),
        ("import grpc._channel; raise grpc._channel._InactiveRpcError(grpc.StatusCode.UNAVAILABLE)", 138),
        ("raise BrokenPipeError", 138),
        ("raise tf.errors.InvalidArgumentError('shape')", 1),
        ("raise SystemExit(3)", 3),
        ("pass", 0),
    ],
)
def test_training_code_ends_with_138_where_the_readme_says_so(
    run: Run, tmp_path: Path, statement: str, status: int
) -> None:
    (tmp_path / "model.py").write_text(f"def train(tf): {statement}\n", encoding="utf-8")
    ended = run(TRAINING)
    assert ended.returncode == status, ended.stderr
    assert ("is retryable here: ending with 138" in ended.stderr) == (status == 138)


@pytest.mark.parametrize(("name", "status"), [("InvalidArgumentError", 1), ("AbortedError", 138)])
def test_a_wider_choice_leaves_out_what_is_permanent(run: Run, name: str, status: int) -> None:
    train = f"\nimport tensorflow\ndef train(): raise tensorflow.errors.{name}()\nrun(train)\n"
    assert run(NESTED + train).returncode == status


@pytest.mark.parametrize(
    ("annotations", "code", "restarted"),
    [
        ({}, 143, True),
        ({}, 139, False),
        ({exit_codes.RETRYABLE_ANNOTATION: "139"}, 139, True),
        ({exit_codes.MAX_RETRIES_ANNOTATION: "2"}, 143, False),
    ],
)
@pytest.mark.parametrize("annotated", [True, False])
def test_a_controller_restarts_what_the_table_says(
    run: Run, annotations: dict[str, str], code: int, restarted: bool, annotated: bool
) -> None:
    table = exit_codes.encode(exit_codes.make_table(annotations))
    job = {"metadata": {"annotations": {exit_codes.TABLE_ANNOTATION: table}} if annotated else {}}
    terminated = {"exitCode": code, "reason": "Error"}
    status = {
        "phase": "Failed",
        "containerStatuses": [{"name": "tensorflow", "state": {"terminated": terminated}}],
    }
    call = f"print(restart({json.dumps({'status': status})!r}, {json.dumps(job)!r}, 2))\n"
    ended = run(CONTROLLER + call)
    because, verdict = ended.stdout.splitlines()
    # Without a table the default one holds, in which no input of the user's counts.
    assert verdict == str(restarted if annotated else code == 143)
    assert ("neither the pod nor its job" in because) != annotated
