"""The program takes what the Deployment gives it: flags, configuration, a pair of generate.sh.

PROGRAM names the program. Needs python3-yaml.
"""

import http.client
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BASE = PROJECT / "manifests/base"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Connection(http.client.HTTPSConnection):
    """To loopback, but verified as the name that the API server asks for."""

    def __init__(self, port, name, context):
        super().__init__("127.0.0.1", port, timeout=10, context=context)
        self.name, self.context = name, context

    def connect(self):
        plain = socket.create_connection((self.host, self.port), 10)
        self.sock = self.context.wrap_socket(plain, server_hostname=self.name)


class Serve(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.container = yaml.safe_load((BASE / "deployment.yaml").read_text())["spec"][
            "template"]["spec"]["containers"][0]
        subprocess.run(
            [PROJECT / "certs/generate.sh", "--out", self.folder / "certs"],
            check=True, stdout=subprocess.DEVNULL,
        )
        self.port, self.health_port = free_ports(2)
        # The Deployment's own arguments, with this machine's paths and ports.
        here = {
            "/etc/tfjob-webhook/certs": str(self.folder / "certs"),
            "/etc/tfjob-webhook/config": str(BASE),
            "=:8443": f"=127.0.0.1:{self.port}",
            "=:8080": f"=127.0.0.1:{self.health_port}",
            "=10s": "=0s",
        }
        arguments = list(self.container["args"])
        for there, replacement in here.items():
            self.assertTrue(any(there in a for a in arguments), f"{there} in {arguments}")
            arguments = [a.replace(there, replacement) for a in arguments]
        self.log = (self.folder / "log").open("w+")
        self.addCleanup(self.log.close)
        self.program = subprocess.Popen(
            [os.environ["PROGRAM"], *arguments], stdout=self.log, stderr=self.log
        )
        self.addCleanup(self.stop)

    def stop(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def probe(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.health_port, timeout=5)
        try:
            connection.request("GET", self.container[name]["httpGet"]["path"])
            return connection.getresponse().status
        finally:
            connection.close()

    def wait_until_ready(self):
        for _ in range(200):
            self.assertIsNone(self.program.poll(), self.said())
            try:
                if self.probe("readinessProbe") == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        self.fail(f"not ready after 10 s: {self.said()}")

    def test_it_starts_passes_its_probes_serves_the_service_name_and_ends(self):
        self.wait_until_ready()
        self.assertEqual(self.probe("livenessProbe"), 200)

        context = ssl.create_default_context(cafile=self.folder / "certs/ca.crt")
        for kind in ("mutating", "validating"):
            for webhook in yaml.safe_load((BASE / f"{kind}_webhook.yaml").read_text())["webhooks"]:
                service = webhook["clientConfig"]["service"]
                name = f"{service['name']}.{service['namespace']}.svc"
                connection = Connection(self.port, name, context)
                connection.request("GET", service["path"])
                # Known, but reviews are posted.
                self.assertEqual(connection.getresponse().status, 405)
                connection.close()

        self.program.send_signal(signal.SIGTERM)
        self.assertEqual(self.program.wait(20), 0, self.said())


if __name__ == "__main__":
    unittest.main()
