"""Clients of the webhook, good and bad ones, over real sockets of 127.0.0.1."""

from __future__ import annotations

import os
import socket
import ssl
import struct
import threading
import time
from dataclasses import dataclass, field


SANITIZED = bool(os.environ.get("SANITIZED"))  # the program is some ten times slower, and keeps what is freed


def tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


CONTEXT = tls_context()


def request(body: bytes, path: str = "/mutate", fields: str = "") -> bytes:
    """As the API server sends it."""
    return (f"POST {path}?timeout=5s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: kube-apiserver-admission\r\n"
            f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n"
            f"{fields}\r\n").encode() + body


@dataclass
class Reply:
    status: int
    fields: dict[str, str]
    body: bytes


class Ended(Exception):
    """The connection ended before a reply was whole."""


class Client:
    """One connection, plain or over TLS; blocking, with a limit of 20 s for each wait."""

    def __init__(self, port: int, tls: bool = True, timeout: float = 20, receive_buffer: int = 0):
        self.raw = socket.socket()
        self.raw.settimeout(timeout)
        if receive_buffer:
            self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.raw.connect(("127.0.0.1", port))
        self.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket: socket.socket = CONTEXT.wrap_socket(self.raw) if tls else self.raw
        self.received = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def reply(self) -> Reply:
        """The next reply, behind any 100 Continue."""
        while True:
            while (end := self.received.find(b"\r\n\r\n")) < 0:
                self._receive()
            head = self.received[:end].decode("latin-1").split("\r\n")
            status = int(head[0].split(" ")[1])
            self.received = self.received[end + 4:]
            if status == 100:
                continue
            fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in head[1:])}
            size = int(fields.get("content-length", "0"))
            while len(self.received) < size:
                self._receive()
            body, self.received = self.received[:size], self.received[size:]
            return Reply(status, fields, body)

    def ask(self, data: bytes) -> Reply:
        self.send(data)
        return self.reply()

    def ends(self) -> bool:
        """Whether the server ends the connection in order, with nothing more to read."""
        try:
            return self.socket.recv(1) == b""
        except (ConnectionError, ssl.SSLError):
            return False

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        self.socket.close()

    def _receive(self) -> None:
        try:
            data = self.socket.recv(65536)
        except (ConnectionError, ssl.SSLError) as error:
            raise Ended(str(error)) from error
        if not data:
            raise Ended("end of the connection")
        self.received += data


@dataclass
class GoodClients:
    """Well-behaved clients that ask all the while: every reply has to be a 200, and none may take long."""

    port: int
    body: bytes
    count: int = 4
    limit: float = 20.0 if SANITIZED else 2.0  # seconds
    latencies: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __enter__(self) -> GoodClients:
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(self.count)]
        for thread in self._threads:
            thread.start()
        time.sleep(0.2)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        if kind is None:
            assert not self.failures, self.failures[:5]
            assert len(self.latencies) >= self.count
            assert max(self.latencies) < self.limit, f"a good client waited for {max(self.latencies):.2f} s"

    def _run(self) -> None:
        data = request(self.body)
        client: Client | None = None
        while not self._stop.is_set():
            begin = time.monotonic()
            try:
                client = client or Client(self.port)
                reply = client.ask(data)
                if reply.status != 200:
                    self.failures.append(f"status {reply.status}")
                if reply.fields.get("connection") == "close":
                    client.close()
                    client = None
            except (OSError, Ended) as error:
                self.failures.append(f"{type(error).__name__}: {error}")
                client = None
            self.latencies.append(time.monotonic() - begin)
            time.sleep(0.01)
        if client is not None:
            client.close()
