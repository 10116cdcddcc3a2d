"""A mutating webhook of somebody else, in this process."""

from __future__ import annotations

import base64
import json
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jobs
from api_client import ApiClient, jobs_path
from control_plane import ControlPlane
from kubectl import Kubectl, Object
from process import wait_until

Patch = list[Object]
Mutation = Callable[[Object, int], Patch | str]
"""Makes a JSON Patch of the object and the number of the call, which counts from 1; a text: refuses
the object for that reason."""
Probe = Callable[[ApiClient], object]
"""Makes a call that the webhook is asked about."""

_NEW_TFJOBS: Object = {
    "apiGroups": ["kubeflow.org"],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["tfjobs"],
}
CHANGED_PODS: Object = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["UPDATE"],
    "resources": ["pods"],
}


@contextmanager
def registered(
    plane: ControlPlane,
    kubectl: Kubectl,
    name: str,
    rule: Object = _NEW_TFJOBS,
    probe: Probe | None = None,
    **mutations: Mutation,
) -> Iterator[Counter[str]]:
    """Serves `mutations` and registers them, in order, as configuration `name` for one namespace.

    They are asked about what `rule` says; `probe` is for another one than new TFJobs.

    Yields how often each was called since.
    """
    calls: Counter[str] = Counter()
    server = _serve(plane, mutations, calls)
    try:
        kubectl.inside("").create(_configuration(plane, kubectl, name, rule, mutations, server)).ok()
        _wait_until_called(plane, probe or _creates_tfjobs(kubectl), calls)
        calls.clear()
        yield calls
    finally:
        delete = ("delete", "--ignore-not-found", "mutatingwebhookconfiguration", name)
        kubectl.inside("")(*delete).ok()
        server.shutdown()
        server.server_close()


def _serve(
    plane: ControlPlane, mutations: dict[str, Mutation], calls: Counter[str]
) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            name = self.path.split("?")[0].removeprefix("/")
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)["request"]
            calls[name] += 1
            patch = mutations[name](request["object"], calls[name])
            response: Object = {"uid": request["uid"], "allowed": not isinstance(patch, str)}
            if isinstance(patch, str):
                response["status"] = {"message": patch}
            elif patch:
                response["patchType"] = "JSONPatch"
                response["patch"] = base64.b64encode(json.dumps(patch).encode()).decode()
            review = {
                "apiVersion": "admission.k8s.io/v1",
                "kind": "AdmissionReview",
                "response": response,
            }
            answer = json.dumps(review).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Its pair is good for 127.0.0.1, whoever shows it.
    context.load_cert_chain(plane.folder / "server.crt", plane.folder / "server.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _configuration(
    plane: ControlPlane,
    kubectl: Kubectl,
    name: str,
    rule: Object,
    mutations: dict[str, Mutation],
    server: ThreadingHTTPServer,
) -> Object:
    bundle = base64.b64encode((plane.folder / "ca.crt").read_bytes()).decode()
    url = f"https://127.0.0.1:{server.server_address[1]}"
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [
            {
                "name": f"{mutation}.example.com",
                "clientConfig": {"url": f"{url}/{mutation}", "caBundle": bundle},
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "reinvocationPolicy": "IfNeeded",
                "namespaceSelector": {
                    "matchLabels": {"kubernetes.io/metadata.name": kubectl.namespace}
                },
                "rules": [rule],
            }
            for mutation in mutations
        ],
    }


def _creates_tfjobs(kubectl: Kubectl) -> Probe:
    path = jobs_path(kubectl.namespace) + "?dryRun=All"
    return lambda client: client.send("POST", path, jobs.tfjob("probe"))


def _wait_until_called(plane: ControlPlane, probe: Probe, calls: Counter[str]) -> None:
    client = plane.client()

    def called() -> bool:
        probe(client)
        return bool(calls)

    wait_until("the other webhook is asked", called, 30)
    client.close()
