"""Every command block that a page marks is run, and prints what the page says (see blocks.py).

Usage: commands_test.py PROGRAM [--update]
Commands run in a new folder that looks like a fresh clone after `make`: the project's own files and
build/tfjob-webhook, which is in the PATH too. --update writes what they print into the pages.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from blocks import Block, blocks_of, marks_of, pages

PROJECT = Path(__file__).resolve().parent.parent.parent


@contextmanager
def clone(program: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """The folder that commands run in, and their environment."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tfjob-webhook"
        (folder / "build").mkdir(parents=True)
        for entry in PROJECT.iterdir():
            if not entry.name.startswith((".", "build")):
                (folder / entry.name).symlink_to(entry)
        (folder / "build/tfjob-webhook").symlink_to(program)
        path = f"{folder}/build:{os.environ['PATH']}"
        yield folder, {"PATH": path, "HOME": name, "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def run(script: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def agrees(shown: str, printed: str) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line + "\n") for line in shown.splitlines())
    return re.fullmatch(pattern, printed) is not None


def check(block: Block, folder: Path, environment: dict[str, str]) -> tuple[str, list[str]]:
    """The block as it should be, and what is wrong with it."""
    if block.language == "sh":
        status, printed = run("set -e\n" + block.text, folder, environment)
        wrong = [] if status == block.status else [f"ended with {status}:\n{printed}"]
        return block.text, wrong
    text = ""
    wrong = []
    status = 0
    for command in block.commands():
        status, printed = run(command.text, folder, environment)
        if agrees(command.output, printed):
            text += command.shown + command.output
            continue
        text += command.shown + printed
        lines = difflib.unified_diff(
            command.output.splitlines(keepends=True), printed.splitlines(keepends=True), "page", "printed", n=1
        )
        wrong.append(f"{command.shown}{''.join(lines)}")
    if status != block.status:
        wrong.append(f"the last command ended with {status}, not {block.status}")
    return text, wrong


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    ran = 0
    failed = 0
    for page in pages(PROJECT):
        text = page.read_text()
        blocks = blocks_of(text)
        if len(blocks) != marks_of(text):
            print(f"{page.relative_to(PROJECT)}: a mark has no block right below it")
            failed += 1
        # A page's blocks share a folder: later ones may use what earlier ones wrote.
        with clone(program) as (folder, environment):
            for block in blocks:
                ran += 1
                right, wrong = check(block, folder, environment)
                if update and right != block.text:
                    text = text.replace(block.text, right)
                elif wrong:
                    failed += 1
                    print(f"{page.relative_to(PROJECT)}:{block.line}: " + "\n".join(wrong))
        if update:
            page.write_text(text)
    print(f"{ran} blocks ran, {failed} faults")
    return 1 if failed or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
