"""Many parallel writers of jobs, over plain HTTPS."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

import jobs
from api_client import ApiClient, jobs_path


@dataclass
class Written:
    """What all writers did."""

    names: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def write_in_parallel(
    connect: Callable[[], ApiClient],
    namespace: str,
    writers: int,
    seconds: float,
    meanwhile: Callable[[], None],
) -> Written:
    """Each writer creates and then updates one job after another; `meanwhile` runs in turns."""
    written = Written()
    end = monotonic() + seconds
    threads = [
        threading.Thread(target=_write, args=(connect(), namespace, f"w{n}", end, written))
        for n in range(writers)
    ]
    for thread in threads:
        thread.start()
    try:
        while monotonic() < end:
            meanwhile()
    finally:
        for thread in threads:
            thread.join()
    return written


def _write(client: ApiClient, namespace: str, prefix: str, end: float, written: Written) -> None:
    """Appending to a list is atomic, so that `written` needs no lock."""
    number = 0
    try:
        while monotonic() < end:
            name = f"{prefix}-{number}"
            number += 1
            begin = monotonic()
            created = client.send("POST", jobs_path(namespace), jobs.tfjob(name))
            written.seconds.append(monotonic() - begin)
            if created.status != 201:
                written.failures.append(f"create {name}: {created.status} {created.text}")
                continue
            written.names.append(name)
            label = {"metadata": {"labels": {"written": "twice"}}}
            updated = client.send(
                "PATCH", jobs_path(namespace, name), label, "application/merge-patch+json"
            )
            if updated.status != 200:
                written.failures.append(f"update {name}: {updated.status} {updated.text}")
    except OSError as error:
        written.failures.append(f"{prefix}: {error!r}")
    finally:
        client.close()
