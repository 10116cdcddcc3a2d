"""The API server's audit log."""

from __future__ import annotations

import json
from pathlib import Path

from process import wait_until


def annotations_of(log: Path, verb: str, namespace: str, name: str) -> dict[str, str]:
    """Audit annotations of the last request of that kind; waits until it is written."""
    found: list[dict[str, str]] = []

    def search() -> bool:
        # The last line may be half written.
        for line in log.read_text().splitlines(keepends=True):
            if not line.endswith("\n") or f'"{namespace}"' not in line:
                continue
            event = json.loads(line)
            subject = event["objectRef"]
            if (event["verb"], subject.get("namespace"), subject.get("name")) == (
                verb,
                namespace,
                name,
            ):
                found.append(event.get("annotations", {}))
        return bool(found)

    wait_until(f"{verb} of {namespace}/{name} is in the audit log", search, 10)
    return found[-1]
