"""`tfjob-webhook enforce`, as the service account and with the roles of manifests/components."""

from __future__ import annotations

import http.client
import os
import threading
from pathlib import Path

import yaml

import metrics
from control_plane import ControlPlane
from kubectl import Object
from process import Process, free_ports
from webhook import PROGRAM, PROJECT

NAMESPACE = "tfjob-webhook"
_RIGHTS = ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
_ACCOUNT = "tfjob-enforcer"
_KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: test
contexts: [{{name: test, context: {{cluster: test, user: enforcer, namespace: {namespace}}}}}]
clusters:
- name: test
  cluster: {{server: "{server}", certificate-authority: "{ca}"}}
users:
- name: enforcer
  user: {{token: "{token}"}}
"""


def rendered_component(plane: ControlPlane, folder: Path) -> list[Object]:
    """All objects of an overlay with the component, as people add it."""
    folder.mkdir(exist_ok=True)
    manifests = os.path.relpath(PROJECT / "manifests", folder)
    (folder / "kustomization.yaml").write_text(
        "apiVersion: kustomize.config.k8s.io/v1beta1\n"
        "kind: Kustomization\n"
        f"resources: [{manifests}/overlays/self-signed]\n"
        f"components: [{manifests}/components/enforcer]\n"
    )
    return list(yaml.safe_load_all(plane.kubectl("kustomize", folder).ok().out))


class Account:
    """The component's account with just its roles, and kubeconfigs for it."""

    def __init__(self, plane: ControlPlane, folder: Path) -> None:
        self._plane = plane
        self._folder = folder
        objects = rendered_component(plane, folder)
        for item in objects:
            is_right = item["metadata"]["name"] == _ACCOUNT and item["kind"] in _RIGHTS
            if is_right or item["kind"] == "Namespace":
                plane.kubectl.apply(item).ok()
        self.token = (
            plane.kubectl.inside(NAMESPACE)("create", "token", _ACCOUNT, "--duration=3h").ok().out
        ).strip()

    def kubeconfig(self, server: str | None = None) -> Path:
        """For the API server, or for what stands before it at this URL."""
        name = "direct" if server is None else server.rpartition(":")[2]
        path = self._folder / f"kubeconfig-{name}"
        path.write_text(
            _KUBECONFIG.format(
                namespace=NAMESPACE,
                server=server or self._plane.url,
                ca=self._plane.folder / "ca.crt",
                token=self.token,
            )
        )
        return path


class Enforcer:
    """One process; its log is kept over restarts."""

    def __init__(
        self, log: Path, kubeconfig: Path, configuration: Path | None, *flags: str
    ) -> None:
        (self._port,) = free_ports(1)
        self.log = log
        self._arguments: list[str | Path] = [PROGRAM, "enforce", "--kubeconfig", kubeconfig]
        if configuration is not None:
            self._arguments += ["--config", configuration]
        self._arguments += [f"--metrics-bind-address=127.0.0.1:{self._port}", *flags]
        self.process: Process | None = None
        self._stopping = threading.Event()
        self._keeper: threading.Thread | None = None

    def start(self, wait: bool = True) -> Enforcer:
        self.process = Process(self._arguments, self.log)
        if wait:
            self.process.wait_until("the enforcer has listed the pods", self.is_ready, 30)
        return self

    def keep_running(self) -> None:
        """Starts it, and again whenever it ends, until it is stopped: as a Deployment does."""

        def run() -> None:
            while not self._stopping.wait(0.2):
                if self.process is None or not self.process.is_running():
                    self.start(wait=False)

        self._keeper = threading.Thread(target=run, daemon=True)
        self._keeper.start()

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process = None

    def stop(self) -> int:
        """Its exit status."""
        self._stopping.set()
        if self._keeper is not None:
            self._keeper.join()
        if self.process is None:
            return 0
        process, self.process = self.process, None
        return process.stop()

    def __enter__(self) -> Enforcer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def is_ready(self) -> bool:
        try:
            return self._read("/readyz")[0] == 200
        except OSError:
            return False

    def leads(self) -> bool:
        try:
            return self.metric("tfjob_enforcer_leader") == 1
        except OSError:
            return False

    def metric(self, name: str, **labels: str) -> float:
        status, text = self._read("/metrics")
        assert status == 200, text
        return metrics.parse(text).total(name, **labels)

    def resident_bytes(self) -> int:
        """Of its memory, as the kernel tells."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmHWM")

    def _read(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()
