"""A proxy before the API server that cuts watches, and refuses calls, at random."""

from __future__ import annotations

import functools
import http.client
import json
import random
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from control_plane import ControlPlane

_REASONS = {409: "Conflict", 429: "TooManyRequests", 500: "InternalError"}
_PASSED_ON = ("Authorization", "Content-Type", "Accept", "User-Agent")


class FaultyProxy:
    """`faults`: how likely each status is, for calls that are no watch."""

    def __init__(
        self, plane: ControlPlane, faults: dict[int, float], cut_after: tuple[float, float] | None
    ) -> None:
        self.faults = faults
        self.cut_after = cut_after
        self.counts: Counter[str] = Counter()
        """Requests, by method (WATCH for watches, LIST for lists of pods)."""
        self.injected: Counter[str] = Counter()
        self._random = random.Random(7)
        self._port = plane.port
        self._context = ssl.create_default_context(cafile=str(plane.folder / "ca.crt"))
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _any(self) -> None:
                proxy._handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _any

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        watch = "watch=true" in request.path
        self.counts["WATCH" if watch else request.command] += 1
        if "/pods?" in request.path and not watch and "limit=250" in request.path:
            self.counts["LIST"] += 1
        status = None if watch else self._fault(request.command)
        if status is not None:
            self.injected[str(status)] += 1
            self._refuse(request, status)
            return
        try:
            self._pass_on(request, body, watch)
        except OSError:
            # The API server is away, or the client has gone.
            request.close_connection = True

    def _fault(self, method: str) -> int | None:
        for status, likely in self.faults.items():
            # A conflict is of a write.
            if (status != 409 or method == "PATCH") and self._random.random() < likely:
                return status
        return None

    def _refuse(self, request: BaseHTTPRequestHandler, status: int) -> None:
        answer = json.dumps(
            {"kind": "Status", "apiVersion": "v1", "code": status, "reason": _REASONS[status],
             "message": "injected"}
        ).encode()
        request.send_response(status)
        if status == 429:
            request.send_header("Retry-After", "1")
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(answer)))
        request.end_headers()
        request.wfile.write(answer)

    def _pass_on(self, request: BaseHTTPRequestHandler, body: bytes, watch: bool) -> None:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self._port, context=self._context, timeout=30
        )
        try:
            headers = {k: request.headers[k] for k in _PASSED_ON if k in request.headers}
            connection.request(request.command, request.path, body or None, headers)
            upstream = connection.sock
            response = connection.getresponse()
            if watch and response.status == 200:
                self._pass_watch(request, response, upstream)
                return
            answer = response.read()
            request.send_response(response.status)
            for name in ("Content-Type", "Retry-After"):
                if value := response.getheader(name):
                    request.send_header(name, value)
            request.send_header("Content-Length", str(len(answer)))
            request.end_headers()
            request.wfile.write(answer)
        finally:
            connection.close()

    def _pass_watch(
        self,
        request: BaseHTTPRequestHandler,
        response: http.client.HTTPResponse,
        upstream: socket.socket,
    ) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        timer = None
        if self.cut_after:
            cut = functools.partial(upstream.shutdown, socket.SHUT_RDWR)
            timer = threading.Timer(self._random.uniform(*self.cut_after), cut)
            timer.start()
        try:
            while data := response.read1(65536):
                # Cut anywhere, in the midst of a line too.
                half = timer is not None and self._random.random() < 0.02
                data = data[: len(data) // 2] if half else data
                request.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                request.wfile.flush()
                if half:
                    break
            else:
                if timer is None or timer.is_alive():
                    request.wfile.write(b"0\r\n\r\n")
                    return
        except (http.client.HTTPException, ValueError):
            pass  # cut while it was read
        finally:
            if timer is not None:
                timer.cancel()
        self.injected["cut"] += 1
        request.close_connection = True


@contextmanager
def running(
    plane: ControlPlane, faults: dict[int, float], cut_after: tuple[float, float] | None
) -> Iterator[FaultyProxy]:
    proxy = FaultyProxy(plane, faults, cut_after)
    try:
        yield proxy
    finally:
        proxy.stop()
