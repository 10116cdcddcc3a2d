"""docs/command-line.md says what `--help` says.

Usage: command_line_test.py PROGRAM [--update]
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/command-line.md"
HEADER = """\
# Command line

What `--help` says of every command; written by `tests/docs/command_line_test.py --update` and compared with
the program by `make test`. [README](../README.md) shows what each is for.

Exit statuses are the same everywhere: 0 nothing denied, 1 something denied, 2 usage, 3 input unreadable
(which goes before 1). Installed as `kubectl-tfjob_policy`, the program is `kubectl tfjob-policy`.
"""


def help_of(program: str, *command: str) -> str:
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def page(program: str) -> str:
    top = help_of(program)
    commands = re.findall(r"^  ([a-z-]+) ", top.partition("Subcommands:\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert "serve" in commands, f"the help lists no commands: {top}"
    text = HEADER + f"\n```\n{top}```\n"
    for command in commands:
        text += f"\n## {command}\n\n```\n{help_of(program, command)}```\n"
    return text


def main() -> int:
    right = page(sys.argv[1])
    if "--update" in sys.argv:
        PAGE.write_text(right)
        return 0
    shown = PAGE.read_text()
    sys.stdout.writelines(
        difflib.unified_diff(shown.splitlines(keepends=True), right.splitlines(keepends=True), "page", "program")
    )
    return 0 if shown == right else 1


if __name__ == "__main__":
    sys.exit(main())
