from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Callable

import pytest

import fakes

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def frameworks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frameworks")
    fakes.write(folder)
    return folder


@pytest.fixture
def run(tmp_path: Path, frameworks: Path) -> Run:
    """Runs a program in a process of its own, with the stand-ins for frameworks in its path."""
    source = Path(__file__).parents[1] / "src"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment.update(PYTHONPATH=f"{source}:{frameworks}", PYTHONDONTWRITEBYTECODE="1")

    def run(program: str, **options: object) -> subprocess.CompletedProcess[str]:
        script = tmp_path / "program.py"
        script.write_text(textwrap.dedent(program), encoding="utf-8")
        arguments = {"capture_output": True, "text": True, "timeout": 60, "env": environment, **options}
        return subprocess.run([sys.executable, str(script)], **arguments)  # type: ignore[call-overload,no-any-return]

    return run
