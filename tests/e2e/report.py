"""Figures that the session prints at its end."""

from __future__ import annotations

LINES: list[str] = []


def say(text: str) -> None:
    LINES.append(text)
