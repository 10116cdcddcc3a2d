"""What `cmake --install` puts into a PATH is a kubectl plugin, with completion in kubectl's protocol.

Usage: plugin_test.py BUILD_FOLDER
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)


class Plugin(unittest.TestCase):
    folder: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        prefix = pathlib.Path(scratch.name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", str(prefix)], check=True, capture_output=True)
        cls.folder = prefix / "bin"

    def run_installed(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    def test_it_knows_the_name_that_it_is_called_by(self) -> None:
        done = self.run_installed("kubectl-tfjob_policy", "lnit")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no command lnit: did you mean lint?", done.stderr)
        self.assertIn("'kubectl tfjob-policy --help' tells how it is used.", done.stderr)
        self.assertIn("Usage: kubectl tfjob-policy", self.run_installed("kubectl-tfjob_policy", "--help").stdout)

    def test_it_does_its_work(self) -> None:
        done = self.run_installed("kubectl-tfjob_policy", "classify", "139")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "permanent"))

    def test_kubectl_can_complete_it(self) -> None:
        done = self.run_installed("kubectl_complete-tfjob_policy", "cl")
        self.assertEqual(done.returncode, 0)
        words = [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(words[0], "classify")
        self.assertRegex(words[-1], r"^:\d+$")


if __name__ == "__main__":
    unittest.main()
