"""The program under test: `tfjob-webhook serve`, on free ports of 127.0.0.1."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAM = os.environ["PROGRAM"]

JOB = {
    "apiVersion": "kubeflow.org/v1", "kind": "TFJob", "metadata": {"name": "mnist", "namespace": "default"},
    "spec": {"tfReplicaSpecs": {"Worker": {"replicas": 2, "restartPolicy": "ExitCode", "template": {
        "spec": {"containers": [{"name": "tensorflow", "image": "registry.example.com/mnist:1"}]}}}}}}


def review(padding: int = 0) -> bytes:
    """An AdmissionReview of JOB, with an annotation of `padding` bytes."""
    job = json.loads(json.dumps(JOB))
    if padding:
        job["metadata"]["annotations"] = {"padding": "x" * padding}
    kind = {"group": "kubeflow.org", "version": "v1", "kind": "TFJob"}
    return json.dumps({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "kind": kind, "namespace": "default", "name": "mnist",
        "operation": "CREATE", "userInfo": {"username": "ada"}, "object": job, "oldObject": None}}).encode()


def make_pair(folder: Path) -> None:
    """A new self-signed pair, tls.crt and tls.key; not at one moment, as a person would copy it."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext", "extendedKeyUsage=serverAuth",
         "-keyout", folder / "new.key", "-out", folder / "new.crt"], check=True, capture_output=True)
    os.replace(folder / "new.key", folder / "tls.key")
    os.replace(folder / "new.crt", folder / "tls.crt")


class Webhook:
    """A running webhook; used as a context, it has to end with 0."""

    def __init__(self, folder: Path, *flags: str, prefix: tuple[str, ...] = ()):
        if not (folder / "tls.crt").exists():
            make_pair(folder)
        self.folder = folder
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*prefix, PROGRAM, "serve", "--cert-dir", str(folder), "--bind-address", "127.0.0.1:0",
                 "--metrics-bind-address", "127.0.0.1:0", "--shutdown-delay", "0s", *flags], stderr=log)
        deadline = time.monotonic() + 30
        while not (serving := re.search(r'"https":"[^"]*:(\d+)","http":"[^"]*:(\d+)"', self.log.read_text())):
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)
        self.port, self.metrics_port = int(serving[1]), int(serving[2])

    def __enter__(self) -> Webhook:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(30)
        if kind is None:
            assert status == 0, self.log.read_text()[-3000:]

    def get(self, path: str) -> str:
        with socket.create_connection(("127.0.0.1", self.metrics_port), timeout=10) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def connections(self) -> int:
        """Open connections of the port for reviews."""
        found = re.findall(r"^tfjob_webhook_connections\{.*\} (\S+)$", self.get("/metrics"), re.M)
        return sum(int(float(value)) for value in found)

    def resident(self) -> int:
        """Bytes of resident memory."""
        return self._memory("VmRSS")

    def most_resident(self) -> int:
        """Bytes of resident memory that it had at most."""
        return self._memory("VmHWM")

    def _memory(self, field: str) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", status, re.M)[1]) * 1024  # type: ignore[index]

    def cpu_ticks(self) -> int:
        """Hundredths of a second that it has used."""
        return sum(map(int, Path(f"/proc/{self.process.pid}/stat").read_text().split()[13:15]))

    def wait_for_connections(self, count: int, seconds: float = 15) -> None:
        deadline = time.monotonic() + seconds
        while (now := self.connections()) > count:
            assert time.monotonic() < deadline, f"{now} connections are open, not {count}"
            time.sleep(0.05)
