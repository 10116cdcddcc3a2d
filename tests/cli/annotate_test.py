"""`annotate` on every test manifest and, where SAMPLES_DIR is set, on every sample.

patch(1) applies its diff, git takes it too, the result parses to what the JSON Patch makes of the job, and the
webhook has nothing more to add. PROGRAM names the program.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import yaml

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["PROGRAM"]


def annotate(folder: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "annotate", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def manifests() -> list[pathlib.Path]:
    found = sorted((PROJECT / "tests/testdata/manifests/valid").iterdir())
    found += sorted((PROJECT / "tests/testdata/manifests/warned").iterdir())
    if os.environ.get("SAMPLES_DIR"):
        samples = pathlib.Path(os.environ["SAMPLES_DIR"])
        found += sorted(path for path in samples.iterdir() if path.suffix in (".yaml", ".yml", ".json"))
    return found


def jobs_in(path: pathlib.Path) -> list[object]:
    """All objects of our group, as a YAML reader that is not ours sees them."""
    loader = yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader
    documents = list(yaml.load_all(path.read_text(encoding="utf-8-sig"), loader))
    objects: list[object] = []
    for document in documents:
        if not isinstance(document, dict):
            continue
        objects += document["items"] if str(document.get("kind", "")).endswith("List") else [document]
    ours = [each for each in objects if str(each.get("apiVersion", "")).startswith("kubeflow.org/")]
    # The reader lets aliases share one object.
    return json.loads(json.dumps(ours, default=str))


def patched(job: object, operations: list[dict[str, object]]) -> object:
    """RFC 6902, as far as the webhook uses it."""
    for operation in operations:
        tokens = [token.replace("~1", "/").replace("~0", "~") for token in operation["path"].split("/")[1:]]
        at = job
        for token in tokens[:-1]:
            at = at[int(token)] if isinstance(at, list) else at[token]
        if operation["op"] == "remove":
            del at[tokens[-1]]
        else:
            at[tokens[-1]] = operation["value"]
    return job


class Annotate(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_the_diff_is_what_the_webhook_would_write(self) -> None:
        paths = manifests()
        self.assertGreater(len(paths), 30)
        for path in paths:
            with self.subTest(path.name):
                file = self.folder / path.name
                shutil.copy(path, file)
                diff = annotate(self.folder, path.name)
                self.assertEqual(diff.returncode, 0, diff.stderr)
                self.assertEqual(file.read_bytes(), path.read_bytes(), "a file was edited")
                patches = annotate(self.folder, "--output", "json-patch", path.name)
                expected = jobs_in(file)
                lines = [json.loads(line) for line in patches.stdout.splitlines()]
                self.assertEqual(len(lines), len(expected))
                expected = [patched(job, operations) for job, operations in zip(expected, lines)]
                check = ["git", "apply", "--check", "--unsafe-paths", f"--directory={self.folder}"]
                subprocess.run(check, input=diff.stdout, text=True, cwd=self.folder, check=True, capture_output=True)
                apply = ["patch", "--strip=1", "--silent", "--binary"]
                subprocess.run(apply, input=diff.stdout.encode(), cwd=self.folder, check=True)
                self.assertEqual(jobs_in(file), expected)
                self.assertEqual(annotate(self.folder, path.name).stdout, "")
                nothing = annotate(self.folder, "--output", "json-patch", path.name)
                self.assertEqual(nothing.stdout, "[]\n" * len(expected))

    def test_a_denied_job_is_told_and_the_others_are_done(self) -> None:
        good = PROJECT / "tests/testdata/manifests/valid/jaxjob-v1-workers.yaml"
        bad = PROJECT / "tests/testdata/manifests/invalid/mpijob-v1-wrong-case.yaml"
        done = annotate(PROJECT, str(bad), str(good))
        self.assertEqual(done.returncode, 1)
        self.assertIn('is denied: spec.mpiReplicaSpecs[Launcher].restartPolicy: "never" is no', done.stderr)
        self.assertIn("keep profile, retryable, permanent and max-retries in Git, not tables", done.stderr)
        self.assertIn("+++ b/", done.stdout)

    def test_a_kustomization_patches_the_job_by_its_name(self) -> None:
        good = "tests/testdata/manifests/valid/jaxjob-v1-workers.yaml"
        item = yaml.safe_load(annotate(PROJECT, "--output", "kustomize", good).stdout)["patches"][0]
        job = jobs_in(PROJECT / good)[0]
        self.assertEqual(item["target"]["name"], job["metadata"]["name"])
        self.assertEqual(item["target"]["kind"], "JAXJob")
        line = annotate(PROJECT, "--output", "json-patch", good).stdout
        self.assertEqual(json.loads(item["patch"]), json.loads(line))

    def test_what_is_no_object_of_its_own_is_told(self) -> None:
        (self.folder / "experiment.yaml").write_text(
            "kind: Experiment\nspec:\n  trialSpec:\n    apiVersion: kubeflow.org/v1\n    kind: TFJob\n"
            "    metadata: {name: trial}\n---\napiVersion: kubeflow.org/v9\nkind: TFJob\n"
        )
        done = annotate(self.folder, "experiment.yaml")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(
            done.stderr,
            "tfjob-webhook: experiment.yaml:4: TFJob trial: is part of another object, and gets its table when it "
            "is created itself\n"
            "tfjob-webhook: experiment.yaml:8: TFJob: kubeflow.org/v9 is not checked, and gets no table\n",
        )

    def test_what_cannot_be_read_is_told_and_ends_with_3(self) -> None:
        (self.folder / "broken.yaml").write_text("a: [\n")
        done = annotate(self.folder, "broken.yaml", "missing.yaml")
        self.assertEqual(done.returncode, 3)
        self.assertIn("tfjob-webhook: broken.yaml:", done.stderr)
        self.assertIn("tfjob-webhook: missing.yaml: there is no such file or folder\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
