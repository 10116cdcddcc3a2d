#!/usr/bin/env python3
"""Shows the main job: makes certificates, starts the webhook, sends jobs as the API server would,
and prints what their users would see. Ends with 1 if the webhook does not do what is said here.

Run by `make demo`. Needs build/tfjob-webhook, openssl and python3-yaml.
"""

import base64
import copy
import difflib
import json
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
MANIFESTS = ROOT / "tests/testdata/manifests"
ACCEPTED = [
    "valid/tfjob-v1-all-policies.yaml",
    "valid/tfjob-v1-inputs-on-job.yaml",
    "valid/tfjob-v1alpha1-distributed.yaml",
    "valid/pytorchjob-v1-exit-code.yaml",
    "warned/tfjob-v1-template-restart-policy.yaml",
]
REJECTED = [
    "invalid/tfjob-v1alpha2-sometimes.yaml",
    "invalid/tfjob-v1beta1-wrong-case.yaml",
    "invalid/tfjob-v1-misnamed-container.yaml",
    "invalid/tfjob-v1-several-faults.yaml",
]


def paint(code, text):
    return f"\033[{code}m{text}\033[0m" if sys.stdout.isatty() else text


def title(text):
    print("\n" + paint("1", f"== {text}"), flush=True)


class Webhook:
    """`tfjob-webhook serve` on free ports of 127.0.0.1, with a certificate of its own authority."""

    def __init__(self, folder):
        certs = folder / "certs"
        subprocess.run(
            [ROOT / "certs/generate.sh", "--out", certs, "--san", "127.0.0.1"],
            check=True, stdout=subprocess.DEVNULL,
        )
        self.log = folder / "log"
        command = [
            ROOT / "build/tfjob-webhook", "serve", "--cert-dir", certs,
            "--bind-address", "127.0.0.1:0", "--metrics-bind-address", "127.0.0.1:0",
            "--shutdown-delay", "0s",
        ]
        self.process = subprocess.Popen(command, stderr=self.log.open("wb"))
        self.context = ssl.create_default_context(cafile=certs / "ca.crt")
        serving = self._wait_until_serving()
        self.address, self.operations = serving["https"], serving["http"]

    def _wait_until_serving(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in self.log.read_text().splitlines():
                if line.endswith("}") and json.loads(line)["message"] == "serving":
                    return json.loads(line)
            time.sleep(0.02)
        self.stop()
        sys.exit(f"the webhook does not serve:\n{self.log.read_text()}")

    def review(self, job, path="/mutate"):
        """The response for the CREATE of `job`."""
        group, version = job["apiVersion"].split("/")
        review = {
            "apiVersion": "admission.k8s.io/v1",
            "kind": "AdmissionReview",
            "request": {
                "uid": str(uuid.uuid4()),
                "kind": {"group": group, "version": version, "kind": job["kind"]},
                "name": job["metadata"].get("name", ""),
                "namespace": job["metadata"].get("namespace", "default"),
                "operation": "CREATE",
                "userInfo": {"username": "demo"},
                "object": job,
                "oldObject": None,
            },
        }
        request = urllib.request.Request(
            f"https://{self.address}{path}", json.dumps(review).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, context=self.context, timeout=10) as reply:
            return json.load(reply)["response"]

    def metrics(self):
        with urllib.request.urlopen(f"http://{self.operations}/metrics", timeout=10) as reply:
            return reply.read().decode()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def apply_patch(job, patch):
    """JSON Patch as far as the webhook uses it: add, and remove."""
    job = copy.deepcopy(job)
    for operation in patch:
        *parents, last = [
            token.replace("~1", "/").replace("~0", "~")
            for token in operation["path"].split("/")[1:]
        ]
        place = job
        for token in parents:
            place = place[int(token)] if isinstance(place, list) else place[token]
        if operation["op"] == "add":
            place[last] = operation["value"]
        else:
            del place[last]
    return job


def as_yaml(job):
    return yaml.safe_dump(job, sort_keys=False, width=110, allow_unicode=True).splitlines()


def print_diff(name, before, after):
    colors = {"+": "32", "-": "31", "@": "36"}
    for line in difflib.unified_diff(
        as_yaml(before), as_yaml(after), f"{name} as submitted", f"{name} as stored", lineterm="", n=2
    ):
        print(paint(colors[line[0]], line) if line[0] in colors else line)


def print_rejection(name, status):
    """As kubectl prints a Status with reason Invalid."""
    details = status["details"]
    causes = [f"{cause['field']}: {cause['message']}" for cause in details["causes"]]
    print(f"$ kubectl create -f {name}")
    head = f"The {details['kind']} \"{details['name']}\" is invalid: "
    if len(causes) == 1:
        print(paint("31", head + causes[0]))
        return
    print(paint("31", head))
    for cause in causes:
        print(paint("31", f"* {cause}"))


def expect(condition, what):
    if not condition:
        sys.exit(f"demo: {what}")


def show(webhook):
    for name in ACCEPTED:
        job = yaml.safe_load((MANIFESTS / name).read_text())
        title(f"accepted and annotated: {name}")
        response = webhook.review(job)
        expect(response["allowed"], f"{name} was not accepted")
        for warning in response.get("warnings", []):
            print(paint("33", f"Warning: {warning}"))
        after = apply_patch(job, json.loads(base64.b64decode(response["patch"])))
        print_diff(pathlib.Path(name).name, job, after)
        annotations = after["metadata"]["annotations"]
        expect("exit-codes.kubeflow.org/table" in annotations, f"{name} has no table")
        expect("patch" not in webhook.review(after), f"{name} is patched twice")

    for name in REJECTED:
        job = yaml.safe_load((MANIFESTS / name).read_text())
        title(f"rejected: {name}")
        for path in ("/mutate", "/validate"):
            response = webhook.review(job, path)
            expect(not response["allowed"], f"{name} was accepted by {path}")
        print_rejection(pathlib.Path(name).name, response["status"])

    title("what the metrics say of it")
    for line in webhook.metrics().splitlines():
        if line.startswith(("tfjob_webhook_reviews_total", "tfjob_webhook_findings_total")):
            print(line)


def main():
    with tempfile.TemporaryDirectory() as folder:
        title("certificates (certs/generate.sh) and server (tfjob-webhook serve)")
        webhook = Webhook(pathlib.Path(folder))
        print(f"serving https://{webhook.address}/mutate and /validate")
        try:
            show(webhook)
        finally:
            status = webhook.stop()
        expect(status == 0, f"the webhook ended with {status}")
        title("SIGTERM: the webhook has drained and ended with 0")
        print(f"{len(ACCEPTED)} jobs annotated, {len(REJECTED)} jobs rejected")


if __name__ == "__main__":
    main()
