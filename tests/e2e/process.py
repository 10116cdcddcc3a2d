"""Programs that a test session runs beside itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep


def free_ports(count: int) -> list[int]:
    """Free ports of loopback, taken together so that they differ."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(what: str, check: Callable[[], object], seconds: float = 60) -> None:
    """Asks `check` until it says yes; fails the test with `what` did not happen."""
    end = monotonic() + seconds
    while not check():
        assert monotonic() < end, f"after {seconds:g} s still not: {what}"
        sleep(0.05)


class Process:
    """A program that writes into a log file, and is stopped by its process id."""

    def __init__(
        self,
        arguments: Sequence[str | Path],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.log = log
        self._name = Path(arguments[0]).name
        with log.open("ab") as file:
            # A session of its own: Ctrl-C reaches pytest alone, which then stops this in order.
            self._process = subprocess.Popen(
                [str(a) for a in arguments],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )

    def is_running(self) -> bool:
        return self._process.poll() is None

    def require_running(self) -> None:
        status = self._process.poll()
        assert status is None, f"{self._name} ended with {status}:\n{self.tail(20)}"

    def wait_until(self, what: str, check: Callable[[], object], seconds: float = 60) -> None:
        """As the function, but fails at once if the program ends."""

        def still_running_and_so() -> object:
            self.require_running()
            return check()

        try:
            wait_until(what, still_running_and_so, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.tail(20)}") from None

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """As a node that loses its power: no chance to clean up."""
        self._process.kill()
        self._process.wait()

    def stop(self, seconds: float = 20) -> int:
        """Ends it, by force after `seconds`; its exit status, negative for a signal."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def tail(self, lines: int) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
