"""etcd and kube-apiserver on loopback. No kubelet and no controllers run."""

from __future__ import annotations

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

from api_client import ApiClient
from binaries import Binaries
from kubectl import Kubectl, Object
from process import Process, free_ports

_KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: test
contexts: [{{name: test, context: {{cluster: test, user: admin}}}}]
clusters:
- name: test
  cluster: {{server: "https://127.0.0.1:{port}", certificate-authority: ca.crt}}
users:
- name: admin
  user: {{client-certificate: admin.crt, client-key: admin.key}}
"""

# Who did what to jobs, with the annotations of admission.
_AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, update, patch]
  resources: [{group: kubeflow.org}]
- level: None
"""


@dataclass
class ControlPlane:
    """A running control plane. Its administrator is a member of system:masters."""

    folder: Path
    port: int
    kubectl: Kubectl
    processes: list[Process]
    api_server_arguments: list[str | Path]

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def audit_log(self) -> Path:
        return self.folder / "audit.log"

    @property
    def api_server(self) -> Process:
        return self.processes[-1]

    def client(self) -> ApiClient:
        """A connection of its own, as a program has it that is not kubectl."""
        context = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        context.load_cert_chain(self.folder / "admin.crt", self.folder / "admin.key")
        return ApiClient(self.port, context)

    def restart_api_server(self) -> None:
        """Ends it and starts it anew on what etcd holds; ready when this returns."""
        self.api_server.stop()
        self.processes[-1] = Process(self.api_server_arguments, self.api_server.log)
        self.api_server.wait_until("the API server is back", lambda: _is_ready(self), 120)

    def stop(self) -> None:
        # The API server first: without etcd it would hang on.
        for process in reversed(self.processes):
            process.stop()


def start(binaries: Binaries, folder: Path) -> ControlPlane:
    """Starts a control plane whose files are in the new `folder`; ready when this returns."""
    folder.mkdir()
    etcd_port, peer_port, port = free_ports(3)
    _make_certificates(folder)
    (folder / "kubeconfig").write_text(_KUBECONFIG.format(port=port))
    (folder / "audit_policy.yaml").write_text(_AUDIT_POLICY)
    kubectl = Kubectl(binaries.kubectl, folder / "kubeconfig")
    arguments = _api_server_arguments(binaries.api_server, folder, port, etcd_port)
    plane = ControlPlane(folder, port, kubectl, [], arguments)
    try:
        plane.processes.append(_start_etcd(binaries.etcd, folder, etcd_port, peer_port))
        plane.processes.append(Process(arguments, folder / "kube-apiserver.log"))
        plane.api_server.wait_until("the API server is ready", lambda: _is_ready(plane), 120)
    except BaseException:
        plane.stop()
        raise
    return plane


def _is_ready(plane: ControlPlane) -> bool:
    client = plane.client()
    try:
        return all(
            client.get(path).status == 200 for path in ("/readyz", "/api/v1/namespaces/default")
        )
    except OSError:
        return False
    finally:
        client.close()


def _start_etcd(program: Path, folder: Path, port: int, peer_port: int) -> Process:
    client, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer_port}"
    return Process(
        [
            *(program, "--data-dir", folder / "etcd", "--log-level=error", "--unsafe-no-fsync"),
            *("--listen-client-urls", client, "--advertise-client-urls", client),
            *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
            *("--initial-cluster", f"default={peer}"),
        ],
        folder / "etcd.log",
    )


def _api_server_arguments(
    program: Path, folder: Path, port: int, etcd_port: int
) -> list[str | Path]:
    return [
        program,
        f"--etcd-servers=http://127.0.0.1:{etcd_port}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={port}",
        f"--tls-cert-file={folder}/server.crt",
        f"--tls-private-key-file={folder}/server.key",
        f"--client-ca-file={folder}/ca.crt",
        f"--service-account-key-file={folder}/service_account.key",
        f"--service-account-signing-key-file={folder}/service_account.key",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--authorization-mode=RBAC",
        # Its controller, which would make the accounts that it asks for, does not run.
        "--disable-admission-plugins=ServiceAccount",
        f"--audit-policy-file={folder}/audit_policy.yaml",
        f"--audit-log-path={folder}/audit.log",
    ]


def _make_certificates(folder: Path) -> None:
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    _openssl(
        folder,
        *("req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.crt"),
        *("-subj", "/CN=test-ca", "-days", "2"),
    )
    (folder / "extensions").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    for name, subject in (("server", "/CN=localhost"), ("admin", "/O=system:masters/CN=admin")):
        _openssl(
            folder,
            *("req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", subject),
        )
        _openssl(
            folder,
            *("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
            *("-CAcreateserial", "-days", "2", "-extfile", "extensions", "-out", f"{name}.crt"),
        )
    _openssl(folder, "genrsa", "-out", "service_account.key", "2048")


def _openssl(folder: Path, *arguments: str) -> None:
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"openssl {' '.join(arguments)}:\n{done.stderr}"


def install_crds(kubectl: Kubectl, folder: Path) -> None:
    """Installs a folder of definitions, and waits until the API server serves them."""
    # Server-side: they are too large for the annotation of a client-side apply.
    kubectl("apply", "--server-side", "--force-conflicts", "-k", folder).ok()
    wait_for_crds(kubectl)


def wait_for_crds(kubectl: Kubectl) -> None:
    kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all").ok()


def schemaless_crd(group: str, kind: str, versions: list[str]) -> Object:
    """A definition that takes any object; all versions are served as they were written."""
    plural = kind.lower() + "s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": version == versions[-1],
                    "subresources": {"status": {}},
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "x-kubernetes-preserve-unknown-fields": True,
                        }
                    },
                }
                for version in versions
            ],
        },
    }
