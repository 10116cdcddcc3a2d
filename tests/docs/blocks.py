"""The fenced blocks of a page that are marked to be run.

A mark is the line above the block: `<!-- run -->`, or `<!-- run: exit 1 -->` where the last command is to
end with that status. A block of `sh` is a script. A block of `console` has commands behind `$ ` (lines
that end with a backslash or `<<'END'` go on) and below each what it prints; a line `...` there stands for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^<!-- run(?:: exit (\d+))? -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    text: str  # for a shell
    shown: str  # as the page has it, the prompt included
    output: str  # what the page says it prints


@dataclass
class Block:
    line: int  # of its first line, from 1
    language: str
    text: str
    status: int  # of its last command

    def commands(self) -> list[Command]:
        """Of a block of `console`."""
        commands: list[Command] = []
        lines = iter(self.text.splitlines(keepends=True))
        for line in lines:
            if line.startswith("$ "):
                while line.endswith("\\\n"):
                    line += next(lines)
                if line.endswith("<<'END'\n"):
                    line += "".join(iter(lambda: next(lines), "END\n")) + "END\n"
                commands.append(Command(line[2:], line, ""))
            elif commands:
                commands[-1].output += line
            else:
                raise ValueError(f"the block of line {self.line} begins with no command")
        return commands


def marks_of(text: str) -> int:
    """How many blocks a page means to have run."""
    return len(re.findall(r"^<!-- run\b", text, re.MULTILINE))


def blocks_of(text: str) -> list[Block]:
    return [
        Block(text.count("\n", 0, match.start(3)) + 1, match[2], match[3], int(match[1] or 0))
        for match in _BLOCK.finditer(text)
    ]


def pages(project: Path) -> list[Path]:
    """README.md and all pages of docs, clients and conformance."""
    found = [project / "README.md", project / "conformance/README.md"]
    return found + sorted((project / "docs").glob("*.md")) + sorted((project / "clients").glob("*/README.md"))
