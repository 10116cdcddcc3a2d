"""manifests/components/enforcer: what stands there fits the webhook's and the program."""

import os
import re
import subprocess
import unittest
from pathlib import Path

import yaml

PROJECT = Path(__file__).resolve().parents[2]
COMPONENT = PROJECT / "manifests/components/enforcer"
BASE = PROJECT / "manifests/base"
KINDS = ["tfjobs", "pytorchjobs", "paddlejobs", "xgboostjobs", "jaxjobs", "mxjobs"]


def document(path):
    return yaml.safe_load(path.read_text())


def kustomization():
    return document(COMPONENT / "kustomization.yaml")


def deployment():
    return document(COMPONENT / "deployment.yaml")


def pod():
    return deployment()["spec"]["template"]["spec"]


class Component(unittest.TestCase):
    def test_every_file_is_used(self):
        used = {*kustomization()["resources"], "kustomization.yaml"}
        self.assertEqual(used, {p.name for p in COMPONENT.iterdir()})

    def test_the_image_is_the_webhooks(self):
        self.assertEqual(kustomization()["images"], document(BASE / "kustomization.yaml")["images"])

    def test_no_service_or_budget_of_the_webhook_selects_it(self):
        labels = deployment()["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(deployment()["spec"]["selector"]["matchLabels"], labels)
        budget = document(COMPONENT / "pod_disruption_budget.yaml")
        self.assertEqual(budget["spec"]["selector"]["matchLabels"], labels)
        service = document(BASE / "service.yaml")
        self.assertNotEqual(service["spec"]["selector"], labels)

    def test_it_reads_the_webhooks_configuration(self):
        webhook = document(BASE / "deployment.yaml")["spec"]["template"]["spec"]
        for key in ("volumes", "volumeMounts"):
            holder, other = (
                (pod(), webhook) if key == "volumes" else (pod()["containers"][0], webhook["containers"][0])
            )
            (own,) = holder[key]
            self.assertIn(own, other[key])

    def test_two_replicas_of_which_one_always_stays(self):
        spec = deployment()["spec"]
        self.assertEqual(spec["replicas"], 2)
        self.assertEqual(spec["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0})

    def test_the_pod_meets_the_restricted_standard(self):
        context = pod()["securityContext"]
        self.assertIs(context["runAsNonRoot"], True)
        self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
        self.assertEqual(
            pod()["containers"][0]["securityContext"],
            {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
        )

    def test_the_program_takes_the_flags(self):
        """It gets as far as the credentials, which are not here."""
        args = pod()["containers"][0]["args"]
        config = re.compile(r"--config=.*")
        args = [config.sub(f"--config={BASE / 'config.yaml'}", a) for a in args]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("KUBE")}
        done = subprocess.run(
            [os.environ["PROGRAM"], *args],
            capture_output=True,
            text=True,
            env={**environment, "HOME": "/nowhere"},
        )
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(
            done.stderr,
            "tfjob-webhook: no credentials: not in a pod, and there is no ~/.kube/config; name a "
            "file with --kubeconfig\n",
        )


class Rights(unittest.TestCase):
    def test_the_roles_are_bound_to_its_account(self):
        account = document(COMPONENT / "service_account.yaml")
        subject = {"kind": "ServiceAccount", "name": "tfjob-enforcer", "namespace": "tfjob-webhook"}
        self.assertEqual(account["metadata"]["name"], subject["name"])
        self.assertEqual(account["metadata"]["namespace"], subject["namespace"])
        self.assertEqual(pod()["serviceAccountName"], subject["name"])
        for name in ("role", "cluster_role"):
            role = document(COMPONENT / f"{name}.yaml")
            binding = document(COMPONENT / f"{name}_binding.yaml")
            self.assertEqual(binding["subjects"], [subject])
            self.assertEqual(binding["roleRef"]["kind"], role["kind"])
            self.assertEqual(binding["roleRef"]["name"], role["metadata"]["name"])

    def test_the_rights_are_these_and_no_others(self):
        rules = document(COMPONENT / "cluster_role.yaml")["rules"]
        self.assertEqual(
            [(r["apiGroups"], r["resources"], r["verbs"]) for r in rules],
            [
                ([""], ["pods"], ["get", "list", "watch", "patch", "delete"]),
                (["kubeflow.org"], KINDS, ["get", "list", "patch"]),
                (["kubeflow.org"], [f"{kind}/status" for kind in KINDS], ["patch"]),
                ([""], ["events"], ["create"]),
            ],
        )
        leases = document(COMPONENT / "role.yaml")["rules"]
        self.assertEqual([r["verbs"] for r in leases], [["create"], ["get", "update"]])
        self.assertEqual(leases[1]["resourceNames"], ["tfjob-enforcer"])


if __name__ == "__main__":
    unittest.main()
