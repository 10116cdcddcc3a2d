"""certs/generate.sh and certs/ca_bundle.sh, run for real; openssl judges what they make."""

import base64
import os
import pathlib
import re
import stat
import subprocess
import tempfile
import unittest

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
GENERATE = PROJECT / "certs/generate.sh"
CA_BUNDLE = PROJECT / "certs/ca_bundle.sh"
SERVICE_NAMES = [
    "DNS:tfjob-webhook",
    "DNS:tfjob-webhook.tfjob-webhook",
    "DNS:tfjob-webhook.tfjob-webhook.svc",
    "DNS:tfjob-webhook.tfjob-webhook.svc.cluster.local",
]


def run(*command, stdin=None, env=None):
    return subprocess.run(
        [str(c) for c in command], input=stdin, env=env, capture_output=True, text=True, timeout=60
    )


def openssl(*arguments):
    done = run("openssl", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names_of(certificate):
    text = openssl("x509", "-in", certificate, "-noout", "-ext", "subjectAltName")
    return [name.strip() for name in text.split("\n")[1].split(",")]


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "certs"

    def generate(self, *arguments, env=None):
        return run(GENERATE, "--out", self.out, *arguments, env=env)

    def generated(self, *arguments, env=None):
        done = self.generate(*arguments, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def read(self, name):
        return (self.out / name).read_bytes()

    def assert_refused(self, status, message, *arguments):
        done = self.generate(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr, f"generate.sh: {message}\n")


class Pair(WithFolder):
    def test_the_certificate_names_the_service_in_all_four_ways(self):
        self.generated()
        self.assertEqual(names_of(self.out / "tls.crt"), SERVICE_NAMES)

    def test_namespace_service_and_further_names_are_taken(self):
        self.generated(
            "--namespace", "ml", "--service", "hook", "--san", "localhost", "--san", "127.0.0.1",
            "--san", "::1",
        )
        self.assertEqual(
            names_of(self.out / "tls.crt"),
            ["DNS:hook", "DNS:hook.ml", "DNS:hook.ml.svc", "DNS:hook.ml.svc.cluster.local",
             "DNS:localhost", "IP Address:127.0.0.1", "IP Address:0:0:0:0:0:0:0:1"],
        )

    def test_names_of_full_length_fit(self):
        self.generated("--namespace", "n" * 63, "--service", "s" * 63)
        self.assertEqual(names_of(self.out / "tls.crt")[1], f"DNS:{'s' * 63}.{'n' * 63}")

    def test_keys_lie_on_p256(self):
        self.generated()
        for name in ("ca.key", "tls.key"):
            text = openssl("pkey", "-in", self.out / name, "-noout", "-text")
            self.assertIn("NIST CURVE: P-256", text)

    def test_the_pair_belongs_together_and_the_chain_verifies_for_a_server(self):
        self.generated()
        self.assertEqual(
            openssl("pkey", "-in", self.out / "tls.key", "-pubout"),
            openssl("x509", "-in", self.out / "tls.crt", "-noout", "-pubkey"),
        )
        openssl(
            "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", self.out / "ca.crt",
            "-verify_hostname", "tfjob-webhook.tfjob-webhook.svc", self.out / "tls.crt",
        )

    def test_the_pair_cannot_sign_and_serves_only(self):
        self.generated()
        text = openssl("x509", "-in", self.out / "tls.crt", "-noout", "-text")
        self.assertIn("CA:FALSE", text)
        self.assertIn("TLS Web Server Authentication", text)
        self.assertNotIn("Client Authentication", text)

    def test_days_are_counted_from_now(self):
        self.generated("--days", "2", "--ca-days", "5")
        for name, days in (("tls.crt", 2), ("ca.crt", 5)):
            for seconds, ends in ((days * 86400 - 120, False), (days * 86400 + 120, True)):
                done = run(
                    "openssl", "x509", "-in", self.out / name, "-noout", "-checkend", seconds
                )
                self.assertEqual(done.returncode != 0, ends, (name, seconds))

    def test_only_the_owner_reads_keys_and_nothing_else_is_left_behind(self):
        self.generated()
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in self.out.iterdir()}
        self.assertEqual(
            modes, {"ca.crt": 0o644, "ca.key": 0o600, "tls.crt": 0o644, "tls.key": 0o600}
        )

    def test_git_ignores_what_is_made(self):
        patterns = (PROJECT / "certs/.gitignore").read_text().split("\n")
        self.generated()
        self.generated("--new-ca")
        for path in self.out.iterdir():
            self.assertIn("*" + path.suffix, patterns)


class Rotation(WithFolder):
    def test_a_second_run_keeps_the_ca_and_issues_a_new_pair(self):
        self.assertIn("ca.crt (new)", self.generated())
        ca, key, pair = self.read("ca.crt"), self.read("ca.key"), self.read("tls.crt")
        self.assertIn("ca.crt (kept)", self.generated())
        self.assertEqual((self.read("ca.crt"), self.read("ca.key")), (ca, key))
        self.assertNotEqual(self.read("tls.crt"), pair)
        openssl("verify", "-CAfile", self.out / "ca.crt", self.out / "tls.crt")

    def test_a_new_ca_leaves_the_old_one_trusted(self):
        self.generated()
        old_ca, old_pair = self.read("ca.crt"), self.out.parent / "old.crt"
        old_pair.write_bytes(self.read("tls.crt"))
        self.generated("--new-ca")
        self.assertNotEqual(self.read("ca.crt"), old_ca)
        self.assertEqual(self.read("ca-previous.crt"), old_ca)
        bundle = self.out.parent / "bundle.crt"
        bundle.write_bytes(base64.b64decode(self.generated("--ca-bundle-only")))
        for pair in (old_pair, self.out / "tls.crt"):
            openssl("verify", "-CAfile", bundle, pair)

    def test_a_ca_that_ends_first_is_refused(self):
        self.generated("--days", "5", "--ca-days", "10")
        pair = self.read("tls.crt")
        done = self.generate("--days", "20", "--ca-days", "20")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(
            done.stderr,
            r"^generate.sh: the CA in .* ends \(.* GMT\) before a pair of 20 days would; "
            r"use --new-ca, or fewer --days\n$",
        )
        self.assertEqual(self.read("tls.crt"), pair)

    def test_half_a_ca_is_refused(self):
        self.generated()
        (self.out / "ca.key").unlink()
        self.assert_refused(
            1,
            f"only one of ca.crt and ca.key is in {self.out}; put the other back, or remove it "
            "(or use --new-ca) to start with a new CA",
        )

    def test_a_key_of_another_ca_is_refused(self):
        self.generated()
        (self.out / "ca.key").write_bytes(self.read("tls.key"))
        self.assert_refused(
            1,
            f"{self.out}/ca.key does not belong to {self.out}/ca.crt; put the right one back, "
            "or use --new-ca",
        )


class Arguments(WithFolder):
    def test_bad_flags_are_refused_with_what_to_write_instead(self):
        label = "is no name of that kind: use lower-case letters, digits and '-'; see --help"
        days = "is no number of days: use 1 to 99999; see --help"
        san = "is neither a DNS name nor an IP address; see --help"
        for arguments, message in (
            (["--sans", "x"], "unknown argument '--sans'; see --help"),
            (["extra"], "unknown argument 'extra'; see --help"),
            (["--days"], "--days needs a value; see --help"),
            (["--san", ""], "--san needs a value; see --help"),
            (["--days", "0"], f"--days '0' {days}"),
            (["--days", "1y"], f"--days '1y' {days}"),
            (["--ca-days", "-3"], f"--ca-days '-3' {days}"),
            (["--namespace", "Team"], f"--namespace 'Team' {label}"),
            (["--service", "a.b"], f"--service 'a.b' {label}"),
            (["--service", "s" * 64], f"--service '{'s' * 64}' {label}"),
            (["--san", "a b"], f"--san 'a b' {san}"),
            (["--san", "x,DNS:evil"], f"--san 'x,DNS:evil' is no IP address; see --help"),
            (["--san", "x,y"], f"--san 'x,y' {san}"),
            (["--ca-days", "10"],
             "--days 365 is longer than --ca-days 10: a pair cannot outlive its CA; see --help"),
            (["--ca-bundle-only", "--apply"],
             "--ca-bundle-only goes with neither --apply nor --new-ca; see --help"),
        ):
            with self.subTest(arguments):
                self.assert_refused(2, message, *arguments)
                self.assertFalse(self.out.exists())

    def test_a_bundle_without_a_ca_is_refused(self):
        self.assert_refused(
            1, f"no ca.crt in {self.out}; run this without --ca-bundle-only first",
            "--ca-bundle-only",
        )

    def test_help_names_every_flag(self):
        done = run(GENERATE, "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        source = GENERATE.read_text()
        flags = set(re.findall(r"^ +(--[a-z-]+)\)", source, re.M))
        self.assertGreater(len(flags), 5)
        for flag in flags:
            self.assertIn(f"  {flag} ", done.stdout)


class Apply(WithFolder):
    """With a kubectl that writes down what it is asked; tests/e2e has a real one."""

    def setUp(self):
        super().setUp()
        tools = self.out.parent / "tools"
        tools.mkdir()
        self.log = self.out.parent / "log"
        kubectl = tools / "kubectl"
        kubectl.write_text(
            "#!/bin/sh\n"
            f'echo "$*" >> {self.log}\n'
            'case "$*" in\n'
            '"get namespace missing"*) exit 1 ;;\n'
            '"get mutating"*) echo "first.example.com second.example.com" ;;\n'
            '"get validating"*) echo third.example.com ;;\n'
            '"create secret"*) echo "kind: Secret" ;;\n'
            f'apply*) cat >> {self.log} ;;\n'
            "esac\n"
        )
        kubectl.chmod(0o755)
        self.env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}

    def test_every_webhook_gets_the_ca_before_the_secret_gets_the_pair(self):
        self.generated("--apply", "--namespace", "ml", env=self.env)
        bundle = base64.b64encode(self.read("ca.crt")).decode()
        calls = self.log.read_text().split("\n")
        self.assertEqual(
            [c for c in calls if not c.startswith("get ")][:2],
            [
                "patch mutatingwebhookconfiguration tfjob-webhook --type=strategic --patch "
                '{"webhooks":['
                f'{{"name":"first.example.com","clientConfig":{{"caBundle":"{bundle}"}}}},'
                f'{{"name":"second.example.com","clientConfig":{{"caBundle":"{bundle}"}}}}]}}',
                "patch validatingwebhookconfiguration tfjob-webhook --type=strategic --patch "
                f'{{"webhooks":[{{"name":"third.example.com","clientConfig":'
                f'{{"caBundle":"{bundle}"}}}}]}}',
            ],
        )
        secret = next(i for i, c in enumerate(calls) if c.startswith("create secret"))
        self.assertIn("tls tfjob-webhook-cert --namespace ml", calls[secret])
        self.assertGreater(secret, max(i for i, c in enumerate(calls) if c.startswith("patch")))
        self.assertIn("kind: Secret", calls)

    def test_a_missing_namespace_is_named(self):
        done = self.generate("--apply", "--namespace", "missing", env=self.env)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(
            done.stderr,
            "generate.sh: no namespace missing; apply manifests/overlays/self-signed first\n",
        )
        self.assertNotIn("create secret", self.log.read_text())


class CaBundle(WithFolder):
    def setUp(self):
        super().setUp()
        self.generated()
        self.ca = self.out / "ca.crt"
        self.bundle = base64.b64encode(self.read("ca.crt")).decode()

    def test_each_webhook_gets_the_bundle_and_nothing_else_changes(self):
        for name in ("mutating_webhook.yaml", "validating_webhook.yaml"):
            text = (PROJECT / "manifests/base" / name).read_text()
            done = run(CA_BUNDLE, "--ca", self.ca, stdin=text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            expected = yaml.safe_load(text)
            for webhook in expected["webhooks"]:
                webhook["clientConfig"]["caBundle"] = self.bundle
            self.assertEqual(yaml.safe_load(done.stdout), expected)
            # Once more: an older bundle is replaced.
            again = run(CA_BUNDLE, "--ca", self.ca, stdin=done.stdout)
            self.assertEqual(again.stdout, done.stdout)

    def test_a_url_replaces_the_service_and_keeps_its_path(self):
        text = (PROJECT / "manifests/base/mutating_webhook.yaml").read_text()
        done = run(CA_BUNDLE, "--ca", self.ca, "--url", "https://127.0.0.1:9443", stdin=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for webhook in yaml.safe_load(done.stdout)["webhooks"]:
            self.assertEqual(
                webhook["clientConfig"],
                {"caBundle": self.bundle, "url": "https://127.0.0.1:9443/mutate"},
            )

    def test_the_layout_of_kubectl_is_read_too(self):
        text = (
            "kind: List\nitems:\n- webhooks:\n  - clientConfig:\n      caBundle: b2xk\n"
            "      service:\n        path: /validate\n        name: x\n    name: n\n"
            "  - name: m\n    clientConfig:\n      service:\n        path: /mutate\n"
        )
        done = run(CA_BUNDLE, "--ca", self.ca, stdin=text)
        first, second = yaml.safe_load(done.stdout)["items"][0]["webhooks"]
        service = {"path": "/validate", "name": "x"}
        self.assertEqual(
            first, {"clientConfig": {"caBundle": self.bundle, "service": service}, "name": "n"}
        )
        self.assertEqual(second["clientConfig"]["caBundle"], self.bundle)

    def test_what_cannot_work_is_refused(self):
        for arguments, stdin, status, message in (
            (["--ca", self.ca], "kind: Pod\n", 1, "no clientConfig in the input"),
            (["--ca", CA_BUNDLE], "", 1, f"{CA_BUNDLE} holds no PEM certificate"),
            ([], "", 2, "--ca FILE is missing; see --help"),
            (["--url"], "", 2, "--url needs a value; see --help"),
            (["--ca", self.ca, "--url", "http://x"], "", 2,
             "--url 'http://x' has to look like https://HOST:PORT; see --help"),
            (["-x"], "", 2, "unknown argument '-x'; see --help"),
        ):
            with self.subTest(message):
                done = run(CA_BUNDLE, *arguments, stdin=stdin)
                self.assertEqual(
                    (done.returncode, done.stderr), (status, f"ca_bundle.sh: {message}\n")
                )


if __name__ == "__main__":
    unittest.main()
