"""The servers that are compared: each a process on a free port of 127.0.0.1 with the same pair."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_pair(folder: Path) -> None:
    """A self-signed P-256 pair, tls.crt and tls.key, renamed into place."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-addext", "extendedKeyUsage=serverAuth", "-keyout", folder / "new.key", "-out", folder / "new.crt"],
        check=True, capture_output=True)
    os.replace(folder / "new.key", folder / "tls.key")
    os.replace(folder / "new.crt", folder / "tls.crt")


class Server:
    """A running server and what it uses."""

    tls = True

    def __init__(self, name: str, command: list[str | Path], port: int, env: dict[str, str] | None = None,
                 log: Path | None = None):
        self.name = name
        self.port = port
        with open(log or os.devnull, "wb") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **(env or {})})
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{name} does not serve") from None
                time.sleep(0.05)

    def processes(self) -> list[int]:
        """The process and its children (nginx's workers)."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def cpu(self) -> float:
        """Seconds of CPU so far, user's and system's, of all threads. By the clock that every process has
        (clock_getcpuclockid(3)): /proc/PID/stat counts in ticks, of which one in five idle seconds is
        already 0.2 %."""
        return sum(time.clock_gettime((~process << 3) | 2) for process in self.processes())

    def memory(self, field: str = "VmRSS") -> int:
        """Bytes of resident memory; VmHWM: the most that it ever was."""
        total = 0
        for process in self.processes():
            for line in Path(f"/proc/{process}/status").read_text().splitlines():
                if line.startswith(field + ":"):
                    total += int(line.split()[1]) * 1024
        return total

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Webhook(Server):
    """tfjob-webhook itself."""

    def __init__(self, program: Path, certificates: Path, loops: int, *flags: str, log: Path | None = None):
        self.metrics_port = free_port()
        port = free_port()
        super().__init__("tfjob-webhook", [
            program, "serve", "--cert-dir", certificates, "--bind-address", f"127.0.0.1:{port}",
            "--metrics-bind-address", f"127.0.0.1:{self.metrics_port}", "--loops", str(loops),
            "--max-connections", "20000", "--shutdown-delay", "0s", *flags], port, log=log)

    def metrics(self) -> dict[str, float]:
        """The samples of /metrics by name and labels."""
        with socket.create_connection(("127.0.0.1", self.metrics_port), timeout=5) as connection:
            connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return {line[0]: float(line[1]) for line in lines if len(line) == 2 and line[0].startswith("tfjob")}


def constant(program: Path, certificates: Path | None, loops: int, reply: Path) -> Server:
    """Our own server with a constant reply; without certificates: plain HTTP. It chooses its port, so
    that it is asked for it."""
    probe = subprocess.Popen([program, certificates or "-", str(loops), reply], stdout=subprocess.PIPE, text=True)
    assert probe.stdout is not None
    server = Server.__new__(Server)
    server.name = "our constant reply" + ("" if certificates else ", plain HTTP")
    server.tls = certificates is not None
    server.port = int(probe.stdout.readline())
    server.process = probe
    return server


def nginx(folder: Path, certificates: Path, workers: int, reply: Path) -> Server:
    """nginx with a constant reply; it reads the whole body before the next request, and discards it."""
    port = free_port()
    text = reply.read_text().replace("\\", "\\\\").replace("'", "\\'")
    configuration = folder / "nginx.conf"
    configuration.write_text(f"""
daemon off; worker_processes {workers}; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
worker_rlimit_nofile 40000; user root;
events {{ worker_connections 20000; }}
http {{
  access_log off; server_tokens off; gzip off; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port} ssl backlog=1024;
    ssl_certificate {certificates}/tls.crt; ssl_certificate_key {certificates}/tls.key;
    ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache off; ssl_session_tickets off;
    keepalive_timeout 120s; keepalive_requests 1000000000; client_max_body_size 8m;
    location = /mutate {{ default_type application/json; return 200 '{text}'; }}
  }}
}}
""")
    return Server("nginx, constant reply", ["nginx", "-c", configuration, "-p", folder], port)


def controller_runtime(program: Path, certificates: Path, processors: int) -> Server:
    port = free_port()
    return Server("controller-runtime", [program, "--port", str(port), "--cert-dir", certificates], port,
                  {"GOMAXPROCS": str(processors)})
