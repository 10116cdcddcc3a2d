"""The manifests agree with the design, with each other and with what users submit.

Reads the files themselves, because kubectl is not on every machine; tests/e2e tries them
on a real API server. Needs python3-yaml.
"""

import pathlib
import re
import unittest

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BASE = PROJECT / "manifests/base"
OVERLAYS = PROJECT / "manifests/overlays"

# Kinds and versions as the design lists them, by the resource's name.
RESOURCES = {
    "tfjobs": {"v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1"},
    "pytorchjobs": {"v1"},
    "paddlejobs": {"v1"},
    "xgboostjobs": {"v1"},
    "jaxjobs": {"v1"},
    "mxjobs": {"v1"},
    "mpijobs": {"v1", "v2beta1"},
}
FAILURE_POLICIES = {"CREATE": "Fail", "UPDATE": "Ignore"}
SERVICE_NAMES = {
    "tfjob-webhook",
    "tfjob-webhook.tfjob-webhook",
    "tfjob-webhook.tfjob-webhook.svc",
    "tfjob-webhook.tfjob-webhook.svc.cluster.local",
}


def documents(*paths):
    return [d for path in paths for d in yaml.safe_load_all(path.read_text()) if d]


def base_resources():
    kustomization = documents(BASE / "kustomization.yaml")[0]
    return documents(*(BASE / name for name in kustomization["resources"]))


def resource(kind):
    found = [r for r in base_resources() if r["kind"] == kind]
    assert len(found) == 1, f"{len(found)} of {kind} in the base"
    return found[0]


def webhooks():
    """Pairs of configuration and webhook."""
    return [
        (configuration, webhook)
        for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
        for configuration in [resource(kind)]
        for webhook in configuration["webhooks"]
    ]


def pod():
    return resource("Deployment")["spec"]["template"]["spec"]


def arguments():
    """The container's flags, by name; the subcommand is not among them."""
    args = pod()["containers"][0]["args"]
    assert args[0] == "serve", args
    return dict(a.removeprefix("--").split("=", 1) for a in args[1:])


def container_port(name):
    return {p["name"]: p["containerPort"] for p in pod()["containers"][0]["ports"]}[name]


class Registration(unittest.TestCase):
    def test_every_kind_and_version_is_registered_and_no_other(self):
        for _, webhook in webhooks():
            with self.subTest(webhook["name"]):
                registered = {}
                for rule in webhook["rules"]:
                    self.assertEqual(rule["apiGroups"], ["kubeflow.org"])
                    for name in rule["resources"]:
                        registered.setdefault(name, set()).update(rule["apiVersions"])
                self.assertEqual(registered, RESOURCES)

    def test_every_kind_of_the_test_manifests_is_registered(self):
        seen = set()
        for path in (PROJECT / "tests/testdata/manifests").rglob("*.yaml"):
            for job in documents(path):
                version = job["apiVersion"].removeprefix("kubeflow.org/")
                name = job["kind"].lower() + "s"
                self.assertIn(version, RESOURCES.get(name, ()), path)
                seen.add((name, version))
        self.assertEqual(seen, {(n, v) for n, versions in RESOURCES.items() for v in versions})

    def test_creation_fails_closed_and_an_update_fails_open(self):
        for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
            policies = {}
            for webhook in resource(kind)["webhooks"]:
                operations = {o for rule in webhook["rules"] for o in rule["operations"]}
                self.assertEqual(len(operations), 1, webhook["name"])
                policies[operations.pop()] = webhook["failurePolicy"]
            # Nothing else is registered: no DELETE, no CONNECT, no "*".
            self.assertEqual(policies, FAILURE_POLICIES, kind)

    def test_subresources_are_not_registered(self):
        for _, webhook in webhooks():
            for rule in webhook["rules"]:
                for name in rule["resources"]:
                    self.assertNotRegex(name, r"[/*]")

    def test_the_settings_of_each_webhook_are_those_of_the_design(self):
        for configuration, webhook in webhooks():
            with self.subTest(webhook["name"]):
                self.assertEqual(webhook["admissionReviewVersions"], ["v1", "v1beta1"])
                self.assertEqual(webhook["sideEffects"], "None")
                self.assertEqual(webhook["matchPolicy"], "Equivalent")
                self.assertEqual(webhook["timeoutSeconds"], 5)
                mutating = configuration["kind"].startswith("Mutating")
                self.assertEqual(
                    webhook.get("reinvocationPolicy"), "IfNeeded" if mutating else None
                )

    def test_own_namespace_and_kube_system_are_exempt(self):
        own = resource("Namespace")["metadata"]["name"]
        for _, webhook in webhooks():
            self.assertEqual(
                webhook["namespaceSelector"],
                {
                    "matchExpressions": [
                        {
                            "key": "kubernetes.io/metadata.name",
                            "operator": "NotIn",
                            "values": ["kube-system", own],
                        }
                    ]
                },
            )

    def test_names_are_unique_because_they_prefix_audit_annotations(self):
        names = [webhook["name"] for _, webhook in webhooks()]
        self.assertEqual(len(names), 4)
        self.assertEqual(len(set(names)), 4)


class Wiring(unittest.TestCase):
    def test_webhooks_call_the_service_that_leads_to_the_bind_address(self):
        service = resource("Service")
        port = service["spec"]["ports"][0]
        for configuration, webhook in webhooks():
            verb = "mutate" if configuration["kind"].startswith("Mutating") else "validate"
            self.assertEqual(
                webhook["clientConfig"],
                {
                    "service": {
                        "name": service["metadata"]["name"],
                        "namespace": service["metadata"]["namespace"],
                        "path": f"/{verb}",
                        "port": port["port"],
                    }
                },
            )
        self.assertEqual(port["port"], 443)
        self.assertEqual(arguments()["bind-address"], f":{container_port(port['targetPort'])}")
        self.assertEqual(container_port(port["targetPort"]), 8443)

    def test_probes_ask_the_metrics_address(self):
        container = pod()["containers"][0]
        for probe, path in (("livenessProbe", "/livez"), ("readinessProbe", "/readyz")):
            get = container[probe]["httpGet"]
            self.assertEqual(get["path"], path)
            self.assertNotIn("scheme", get)
            self.assertEqual(
                arguments()["metrics-bind-address"], f":{container_port(get['port'])}"
            )

    def test_selectors_match_the_pods(self):
        labels = resource("Deployment")["spec"]["template"]["metadata"]["labels"]
        selectors = [
            resource("Deployment")["spec"]["selector"]["matchLabels"],
            resource("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
            resource("Service")["spec"]["selector"],
        ] + [c["labelSelector"]["matchLabels"] for c in pod()["topologySpreadConstraints"]]
        for selector in selectors:
            self.assertTrue(selector.items() <= labels.items(), selector)
            self.assertTrue(selector)

    def test_paths_of_the_flags_are_mounted(self):
        mounts = {m["mountPath"]: m["name"] for m in pod()["containers"][0]["volumeMounts"]}
        volumes = {v["name"]: v for v in pod()["volumes"]}
        flags = arguments()

        secret = volumes[mounts[flags["cert-dir"]]]["secret"]
        self.assertEqual(secret["secretName"], "tfjob-webhook-cert")
        self.assertEqual({i["path"] for i in secret["items"]}, {"tls.crt", "tls.key"})

        folder, _, name = flags["config"].rpartition("/")
        generated = documents(BASE / "kustomization.yaml")[0]["configMapGenerator"][0]
        self.assertEqual(volumes[mounts[folder]]["configMap"]["name"], generated["name"])
        self.assertEqual(generated["files"], [name])
        self.assertEqual(generated["namespace"], resource("Deployment")["metadata"]["namespace"])

    def test_the_grace_period_outlives_the_shutdown_delay_and_a_request(self):
        delay = int(arguments()["shutdown-delay"].removesuffix("s"))
        self.assertGreater(delay, 0)
        self.assertGreaterEqual(pod()["terminationGracePeriodSeconds"], delay + 10)

    def test_everything_stands_in_the_namespace(self):
        for r in base_resources():
            if r["kind"] in ("Namespace",) or r["kind"].endswith("WebhookConfiguration"):
                self.assertNotIn("namespace", r["metadata"])
            else:
                self.assertEqual(r["metadata"]["namespace"], "tfjob-webhook", r["kind"])

    def test_every_file_of_the_base_is_used(self):
        kustomization = documents(BASE / "kustomization.yaml")[0]
        used = set(kustomization["resources"]) | {"kustomization.yaml"}
        for generator in kustomization["configMapGenerator"]:
            used |= set(generator["files"])
        self.assertEqual(used, {p.name for p in BASE.iterdir()})


class RestrictedPods(unittest.TestCase):
    def test_the_namespace_enforces_the_restricted_standard(self):
        labels = resource("Namespace")["metadata"]["labels"]
        for mode in ("enforce", "audit", "warn"):
            self.assertEqual(labels[f"pod-security.kubernetes.io/{mode}"], "restricted")

    def test_the_pod_meets_the_restricted_standard(self):
        context = pod()["securityContext"]
        self.assertIs(context["runAsNonRoot"], True)
        self.assertEqual((context["runAsUser"], context["runAsGroup"]), (65532, 65532))
        self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
        self.assertTrue({"hostNetwork", "hostPID", "hostIPC"}.isdisjoint(pod()))
        for volume in pod()["volumes"]:
            self.assertTrue({"secret", "configMap"} & set(volume), volume)

    def test_each_container_meets_the_restricted_standard(self):
        self.assertNotIn("initContainers", pod())
        for container in pod()["containers"]:
            self.assertEqual(
                container["securityContext"],
                {
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]},
                },
            )

    def test_the_image_runs_as_the_same_user(self):
        user = re.search(r"^USER (\d+):(\d+)$", (PROJECT / "Dockerfile").read_text(), re.M)
        context = pod()["securityContext"]
        self.assertEqual(
            tuple(map(int, user.groups())), (context["runAsUser"], context["runAsGroup"])
        )
        # What the pod does not need root for, the key: readable through the group alone.
        self.assertEqual(context["fsGroup"], context["runAsGroup"])
        secret = next(v["secret"] for v in pod()["volumes"] if "secret" in v)
        self.assertEqual(secret["defaultMode"], 0o440)

    def test_no_token_is_mounted(self):
        self.assertIs(resource("ServiceAccount")["automountServiceAccountToken"], False)
        self.assertIs(pod()["automountServiceAccountToken"], False)
        self.assertEqual(pod()["serviceAccountName"], resource("ServiceAccount")["metadata"]["name"])

    def test_resources_are_bounded(self):
        resources = pod()["containers"][0]["resources"]
        for side in ("requests", "limits"):
            self.assertEqual(set(resources[side]), {"cpu", "memory"})


class Availability(unittest.TestCase):
    def test_two_replicas_of_which_one_always_stays(self):
        spec = resource("Deployment")["spec"]
        self.assertEqual(spec["replicas"], 2)
        self.assertEqual(spec["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0})
        self.assertEqual(resource("PodDisruptionBudget")["spec"]["minAvailable"], 1)

    def test_replicas_are_spread_over_nodes_and_zones(self):
        keys = [c["topologyKey"] for c in pod()["topologySpreadConstraints"]]
        self.assertEqual(keys, ["kubernetes.io/hostname", "topology.kubernetes.io/zone"])


class Overlays(unittest.TestCase):
    def test_both_build_on_the_base(self):
        self.assertEqual(
            {p.name for p in OVERLAYS.iterdir()}, {"self-signed", "cert-manager"}
        )
        for overlay in OVERLAYS.iterdir():
            kustomization = documents(overlay / "kustomization.yaml")[0]
            self.assertIn("../../base", kustomization["resources"])

    def test_cert_manager_issues_what_the_deployment_mounts(self):
        certificates = [
            d
            for d in documents(*(OVERLAYS / "cert-manager").glob("*.yaml"))
            if d["kind"] == "Certificate" and not d["spec"].get("isCA")
        ]
        self.assertEqual(len(certificates), 1)
        spec = certificates[0]["spec"]
        self.assertEqual(set(spec["dnsNames"]), SERVICE_NAMES)
        secret = next(v["secret"] for v in pod()["volumes"] if "secret" in v)
        self.assertEqual(spec["secretName"], secret["secretName"])
        self.assertEqual((spec["privateKey"]["algorithm"], spec["privateKey"]["size"]), ("ECDSA", 256))

    def test_cert_manager_chains_from_a_self_signed_ca(self):
        found = documents(*(OVERLAYS / "cert-manager").glob("*.yaml"))
        issuers = {d["metadata"]["name"]: d["spec"] for d in found if d["kind"] == "Issuer"}
        certificates = {d["metadata"]["name"]: d["spec"] for d in found if d["kind"] == "Certificate"}
        issuer = issuers[certificates["tfjob-webhook"]["issuerRef"]["name"]]
        ca = certificates["tfjob-webhook-ca"]
        self.assertEqual(issuer["ca"]["secretName"], ca["secretName"])
        self.assertIn("selfSigned", issuers[ca["issuerRef"]["name"]])

    def test_cert_manager_injects_the_ca_into_both_configurations(self):
        kustomization = documents(OVERLAYS / "cert-manager/kustomization.yaml")[0]
        (patch,) = kustomization["patches"]
        annotations = yaml.safe_load(patch["patch"])["metadata"]["annotations"]
        self.assertEqual(
            annotations, {"cert-manager.io/inject-ca-from": "tfjob-webhook/tfjob-webhook"}
        )
        kinds = re.compile(patch["target"]["kind"])
        for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
            self.assertTrue(kinds.fullmatch(kind))
            self.assertEqual(resource(kind)["metadata"]["name"], patch["target"]["name"])


class Image(unittest.TestCase):
    def test_the_tag_is_the_version_of_the_project(self):
        cmake = (PROJECT / "CMakeLists.txt").read_text()
        version = re.search(r"project\(tfjob-webhook VERSION ([0-9.]+)", cmake).group(1)
        image = documents(BASE / "kustomization.yaml")[0]["images"][0]
        self.assertEqual(image["newTag"], version)
        self.assertEqual(pod()["containers"][0]["image"], image["name"])
        dockerfile = (PROJECT / "Dockerfile").read_text()
        self.assertIn(f"ARG VERSION={version}\n", dockerfile)

    def test_the_ports_of_the_image_are_those_of_the_pod(self):
        expose = re.search(r"^EXPOSE (.*)$", (PROJECT / "Dockerfile").read_text(), re.M).group(1)
        self.assertEqual(
            sorted(map(int, expose.split())),
            sorted(p["containerPort"] for p in pod()["containers"][0]["ports"]),
        )

    def test_what_the_dockerfile_copies_is_not_ignored(self):
        ignore = (PROJECT / ".dockerignore").read_text().split("\n")
        self.assertIn("*", ignore)
        copied = re.findall(r"^COPY (?!--from)(\S+) ", (PROJECT / "Dockerfile").read_text(), re.M)
        allowed = {line[1:].rstrip("/") for line in ignore if line.startswith("!")}
        self.assertEqual(set(copied), allowed)


class TestManifests(unittest.TestCase):
    """tests/testdata/manifests holds what other tests count on."""

    ROOT = PROJECT / "tests/testdata/manifests"

    def test_each_kind_and_version_has_a_good_one_and_a_faulty_one(self):
        for folder in ("valid", "invalid"):
            seen = set()
            for path in (self.ROOT / folder).glob("*.yaml"):
                for job in documents(path):
                    seen.add((job["kind"].lower() + "s", job["apiVersion"].split("/")[1]))
            self.assertEqual(seen, {(n, v) for n, versions in RESOURCES.items() for v in versions})

    def test_each_begins_with_a_sentence_and_is_named_after_its_kind(self):
        for path in self.ROOT.rglob("*.yaml"):
            with self.subTest(path.name):
                first = path.read_text().split("\n")[0]
                self.assertRegex(first, r"^# [A-Z].*\.$")
                (job,) = documents(path)
                version = job["apiVersion"].split("/")[1]
                self.assertTrue(path.name.startswith(f"{job['kind'].lower()}-{version}-"))

    def test_the_rules_line_stands_where_something_is_found(self):
        for path in self.ROOT.rglob("*.yaml"):
            second = path.read_text().split("\n")[1]
            if path.parent.name == "valid":
                self.assertFalse(second.startswith("# rules:"), path)
            else:
                self.assertRegex(second, r"^# rules: [a-z-]+(, [a-z-]+)*$")


if __name__ == "__main__":
    unittest.main()
