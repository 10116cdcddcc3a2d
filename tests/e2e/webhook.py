"""The program under test, with certificates of certs/generate.sh, and its registration."""

from __future__ import annotations

import http.client
import os
import subprocess
from pathlib import Path

import metrics
from mounted_folder import MountedFolder
from process import Process, free_ports

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PROGRAM", PROJECT / "build" / "tfjob-webhook"))

CONFIGURATION = """\
apiVersion: exit-codes.kubeflow.org/v1alpha1
kind: WebhookConfiguration
profile: {profile}
evidence: {evidence}
profiles:
  own:
    extends: kubeflow
    retryable: "42"
    maxRetries: 5
namespaces:
- match: ["own-*"]
  profile: own
- match: ["warn-*"]
  enforcement: warn
- match: ["audit-*"]
  enforcement: audit
"""


def run_project_tool(*arguments: str | Path, environment: dict[str, str] | None = None) -> None:
    """Runs a script of the project; fails with what it said."""
    done = subprocess.run(
        [str(a) for a in arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0, f"{arguments[0]}:\n{done.stdout}{done.stderr}"


class Webhook:
    """`tfjob-webhook serve`, whose pair and configuration are files of a new folder."""

    def __init__(self, folder: Path, profile: str = "kubeflow") -> None:
        folder.mkdir()
        self._folder = folder
        self.certificates = folder / "certs"
        self.log = folder / "webhook.log"
        self.port, self._metrics_port = free_ports(2)
        self.configuration = folder / "config.yaml"
        self.configure(profile)
        self.issue_pair()
        self.mounted = MountedFolder(folder / "mounted", self.pair())
        self._process: Process | None = None

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def configure(self, profile: str = "kubeflow", evidence: str = "none") -> None:
        """Rewrites the configuration file."""
        new = self._folder / "config.yaml.new"
        new.write_text(CONFIGURATION.format(profile=profile, evidence=evidence))
        new.replace(self.configuration)

    def issue_pair(self, *flags: str, environment: dict[str, str] | None = None) -> None:
        """A new pair of the same CA, in `certificates`; not mounted yet."""
        run_project_tool(
            *(PROJECT / "certs" / "generate.sh", "--out", self.certificates),
            *("--san", "127.0.0.1", *flags),
            environment=environment,
        )

    def pair(self) -> dict[str, bytes]:
        return {name: (self.certificates / name).read_bytes() for name in ("tls.crt", "tls.key")}

    def start(self) -> None:
        self._process = Process(
            [
                *(PROGRAM, "serve", "--cert-dir", self.mounted.path),
                *("--bind-address", f"127.0.0.1:{self.port}"),
                *("--metrics-bind-address", f"127.0.0.1:{self._metrics_port}"),
                *("--config", self.configuration, "--shutdown-delay", "0s"),
            ],
            self.log,
        )
        self._process.wait_until("the webhook is ready", self._is_ready, 20)

    def stop(self) -> int:
        """Its exit status."""
        if self._process is None:
            return 0
        process, self._process = self._process, None
        return process.stop()

    def reviews(self, endpoint: str) -> float:
        """How many reviews it answered so far."""
        text = self._read("/metrics")
        return metrics.parse(text).total("tfjob_webhook_reviews_total", endpoint=endpoint)

    def _is_ready(self) -> bool:
        try:
            self._read("/readyz")
        except OSError:
            return False
        return True

    def _read(self, path: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._metrics_port, timeout=5)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if response.status != 200:
            raise OSError(f"{path}: {response.status} {text}")
        return text
