"""Bad clients of every kind, while good ones are served."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from clients import CONTEXT, SANITIZED, Client, Ended, GoodClients, request
from webhook import Webhook, review

SMALL = review()
LOAD = os.environ.get("LOAD", "")  # tests/bench/load.cpp


@pytest.fixture
def webhook(tmp_path: Path):
    with Webhook(tmp_path) as running:
        yield running


def test_two_thousand_slow_clients(tmp_path: Path) -> None:
    """A byte a second, in handshake, head and body; they are closed when their time is up, and come again."""
    body = tmp_path / "review.json"
    body.write_bytes(review(20_000))
    with Webhook(tmp_path, "--request-timeout", "3s") as webhook, GoodClients(webhook.port, SMALL):
        slow = subprocess.Popen([LOAD, "slow", "--port", str(webhook.port), "--path", "/mutate", "--body", body,
                                 "--connections", "2000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert slow.stdout is not None and slow.stdout.readline() == "ready\n"
        time.sleep(5)
        deadline = time.monotonic() + 20  # where many share the machine, the slow ones come slowly
        while (now := webhook.connections()) <= 500:
            assert time.monotonic() < deadline, f"only {now} slow clients are connected"
            time.sleep(0.1)
        slow.communicate()
        webhook.wait_for_connections(4)


STAGES = {"connected": b"", "in the handshake": b"\x16\x03\x01\x02\x00\x01", "open": b"", "in the head": b"POST /mut",
          "behind the head": request(SMALL)[:-len(SMALL)], "in the body": request(SMALL)[:-10], "asked": request(SMALL)}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("end", ["half-closed", "closed", "reset"])
def test_ends_at_every_stage(webhook: Webhook, stage: str, end: str) -> None:
    with GoodClients(webhook.port, SMALL, count=1):
        for _ in range(20):
            client = Client(webhook.port, tls=stage not in ("connected", "in the handshake"))
            client.send(STAGES[stage])
            if end == "half-closed":
                client.raw.shutdown(socket.SHUT_WR) if client.socket is client.raw else client.socket.shutdown(socket.SHUT_WR)
            elif end == "closed":
                client.close()
            else:
                client.reset()
            client.close()
        webhook.wait_for_connections(1)


def test_clients_that_never_read(tmp_path: Path) -> None:
    """What cannot be sent stops reading, and is given up in the end."""
    with Webhook(tmp_path, "--write-timeout", "2s") as webhook, GoodClients(webhook.port, SMALL):
        before = webhook.resident()
        clients = [Client(webhook.port, timeout=3, receive_buffer=4096) for _ in range(10)]
        data = request(SMALL) * 50

        def flood(client: Client) -> None:
            try:
                for _ in range(200):
                    client.send(data)
            except OSError:
                return

        threads = [threading.Thread(target=flood, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert webhook.resident() - before < (400_000_000 if SANITIZED else 40_000_000)
        webhook.wait_for_connections(4, 60)
        for client in clients:
            client.close()


def test_garbage_beside_half_sent_requests(webhook: Webhook) -> None:
    data = request(SMALL)
    half = [Client(webhook.port) for _ in range(10)]
    for client in half:
        client.send(data[:len(data) // 2])
    for garbage in (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", os.urandom(300), b"\x16\x03\x03" + os.urandom(200), b"\0" * 100):
        for _ in range(25):
            with socket.create_connection(("127.0.0.1", webhook.port), timeout=5) as connection:
                connection.sendall(garbage)
    plain = Client(webhook.port, tls=False)
    reply = plain.ask(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (reply.status, reply.body) == (400, b"this port speaks HTTPS; write https:// instead of http://\n")
    for client in half:
        client.send(data[len(data) // 2:])
        assert client.reply().status == 200
        client.close()


REFUSED = {
    "long request line": (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
    "large head": (request(SMALL, fields="X-Long: " + "x" * 100_000 + "\r\n"), 431),
    "large body": (request(b" " * (9 << 20)), 413),
    "X-Content-Length": (request(SMALL).replace(b"Content-Length", b"X-Content-Length"), 411),
    "two Content-Length": (request(SMALL, fields="Content-Length: 3\r\n"), 400),
    "the same Content-Length twice": (request(SMALL, fields=f"Content-Length: {len(SMALL)}\r\n"), 400),
    "both lengths": (request(SMALL, fields="Transfer-Encoding: chunked\r\n"), 400),
    "chunked": (request(SMALL).replace(f"Content-Length: {len(SMALL)}".encode(), b"Transfer-Encoding: chunked"), 411),
    "compressed": (request(SMALL, fields="Content-Encoding: gzip\r\n"), 415),
    "YAML": (request(SMALL).replace(b"application/json", b"text/yaml"), 415),
    "another path": (request(SMALL, path="/elsewhere"), 404),
    "another method": (request(SMALL).replace(b"POST", b"PUT"), 405),
    "bare line feeds": (request(SMALL).replace(b"\r\n", b"\n"), 400)}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals_arrive(webhook: Webhook, what: str) -> None:
    """The status arrives whole, and the connection ends in order, however much was sent."""
    data, status = REFUSED[what]
    client = Client(webhook.port)
    try:
        client.send(data)
    except OSError:
        pass  # the server has ended the connection already; its reply is there to be read
    reply = client.reply()
    assert reply.status == status and reply.body.endswith(b"\n")
    assert reply.fields["connection"] == "close"
    assert client.ends()


def test_what_is_to_be_ignored(webhook: Webhook) -> None:
    client = Client(webhook.port)
    plain = client.ask(request(SMALL))
    for fields in ("Range: bytes=0-3\r\n", "X-Content-Length: 3\r\n", "If-Range: x\r\nRange: bytes=-1\r\n",
                   "Accept-Encoding: br, gzip\r\n", "Expect: 100-continue\r\n"):
        reply = client.ask(request(SMALL, fields=fields))
        assert (reply.status, reply.body) == (200, plain.body)
        assert "content-encoding" not in reply.fields and "content-range" not in reply.fields


def test_expectations_are_met(webhook: Webhook) -> None:
    client = Client(webhook.port)
    data = request(SMALL, fields="Expect: 100-continue\r\n")
    client.send(data[:-len(SMALL)])
    assert client.socket.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.send(SMALL)
    assert client.reply().status == 200


def test_ten_thousand_connection_attempts(webhook: Webhook) -> None:
    with GoodClients(webhook.port, SMALL, count=2):
        for i in range(10_000):
            with socket.create_connection(("127.0.0.1", webhook.port), timeout=5) as connection:
                if i % 50 == 0:
                    CONTEXT.wrap_socket(connection).close()
        webhook.wait_for_connections(2)


def test_idle_connections_are_small(tmp_path: Path) -> None:
    """A thousand connections that had a reply and wait: 16 KB each, OpenSSL's share with it, and no CPU."""
    with Webhook(tmp_path, "--loops", "2") as webhook:
        Client(webhook.port).ask(request(SMALL))
        before = webhook.resident()
        idle = [Client(webhook.port) for _ in range(1000)]
        for client in idle:
            assert client.ask(request(SMALL)).status == 200
        assert webhook.connections() >= 1000
        each = (webhook.resident() - before) / len(idle)
        assert SANITIZED or each < 20 * 1024, f"{each:.0f} bytes for each connection"
        used = webhook.cpu_ticks()
        time.sleep(1)
        assert webhook.cpu_ticks() - used <= 2
        for client in idle:
            client.close()
        webhook.wait_for_connections(1)


def test_descriptors_used_up(tmp_path: Path) -> None:
    """Who is connected is served; who waits is served when there is room again."""
    with Webhook(tmp_path, prefix=("prlimit", "--nofile=64:64")) as webhook:
        good = Client(webhook.port)
        assert good.ask(request(SMALL)).status == 200
        crowd = [socket.create_connection(("127.0.0.1", webhook.port), timeout=5) for _ in range(100)]
        for _ in range(20):
            assert good.ask(request(SMALL)).status == 200
            time.sleep(0.01)
        used = webhook.cpu_ticks()
        time.sleep(1)
        assert webhook.cpu_ticks() - used <= 20, "the acceptor spins"
        for connection in crowd:
            connection.close()
        assert Client(webhook.port).ask(request(SMALL)).status == 200
        assert "cannot take a connection" in webhook.log.read_text()


def test_full_memory_budget(tmp_path: Path) -> None:
    with Webhook(tmp_path, "--max-buffered-bytes", "1600000") as webhook, GoodClients(webhook.port, SMALL):
        large = request(review(1_500_000))
        holder = Client(webhook.port)
        holder.send(large[:1_480_000])
        time.sleep(0.2)
        refused = Client(webhook.port)
        refused.send(large[:300_000])
        reply = refused.reply()
        assert (reply.status, reply.fields["retry-after"]) == (429, "1")
        assert refused.ends()
        holder.send(large[1_480_000:])
        assert holder.reply().status == 200
        assert Client(webhook.port).ask(large).status == 200


def test_sigterm_under_load(tmp_path: Path) -> None:
    """64 connections that ask without a pause: whatever was sent whole is answered."""
    with Webhook(tmp_path, "--shutdown-delay", "500ms") as webhook:
        data = request(SMALL)
        lost: list[str] = []
        answered = 0
        closed_by_reply = 0
        counting = threading.Lock()

        def ask_until_gone() -> None:
            nonlocal answered, closed_by_reply
            while True:
                try:
                    client = Client(webhook.port)
                except OSError:
                    return  # nobody listens any more
                while True:
                    client.send(data)
                    try:
                        reply = client.reply()
                    except Ended as error:
                        lost.append(str(error))
                        return
                    with counting:
                        answered += 1
                        closed_by_reply += reply.fields.get("connection") == "close"
                    if reply.fields.get("connection") == "close":
                        client.close()
                        break

        threads = [threading.Thread(target=ask_until_gone) for _ in range(64)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        webhook.process.terminate()
        assert webhook.process.wait(20) == 0
        for thread in threads:
            thread.join()
        assert not lost, f"{len(lost)} of {answered} requests: {lost[:3]}"
        assert answered > 500 and closed_by_reply >= 64
