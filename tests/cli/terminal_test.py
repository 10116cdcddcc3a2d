"""`lint` on a terminal: colours, and a progress line that goes away.

PROGRAM names the program.
"""

import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

BAD = """apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: a}
spec:
  tfReplicaSpecs:
    Worker:
      restartPolicy: Sometimes
      template: {spec: {containers: [{name: tensorflow}]}}
"""


def run_on_terminal(arguments: list[str], environment: dict[str, str], both: bool = True) -> str:
    """What the program writes to a terminal; only standard error of it unless `both`."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [os.environ["PROGRAM"], *arguments],
        stdin=subprocess.DEVNULL,
        stdout=side if both else subprocess.DEVNULL,
        stderr=side,
        env={"PATH": os.environ["PATH"], **environment},
    )
    os.close(side)
    written = bytearray()
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        written += part
    process.wait(60)
    os.close(main)
    return written.decode()


class Terminal(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def test_findings_are_coloured_on_a_terminal(self) -> None:
        file = self.write("a.yaml", BAD)
        written = run_on_terminal(["lint", file], {"TERM": "xterm"})
        self.assertIn("\x1b[1;31merror:\x1b[0m", written)
        self.assertIn("\x1b[1;32m^~~~~~~~~\x1b[0m", written)

    def test_colours_can_be_switched_off(self) -> None:
        file = self.write("a.yaml", BAD)
        for environment in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", run_on_terminal(["lint", file], environment))
        self.assertIn("\x1b[1;31m", run_on_terminal(["lint", file], {"TERM": "xterm", "NO_COLOR": ""}))

    def test_json_is_never_coloured(self) -> None:
        file = self.write("a.yaml", BAD)
        written = run_on_terminal(["lint", "--output", "json", file], {"TERM": "xterm"})
        self.assertNotIn("\x1b", written)

    def test_a_long_run_tells_how_far_it_is(self) -> None:
        filler = "".join(f"# {number} {'x' * 70}\n" for number in range(20000))
        for number in range(40):
            self.write(f"{number}.yaml", f"a{number}: &a [" + "x, " * 100000 + "x]\n" + filler)
        written = run_on_terminal(["lint", str(self.folder)], {"TERM": "xterm"}, both=False)
        self.assertRegex(written, r"\r\d+ of 40 files\x1b\[K")
        self.assertTrue(written.endswith("\r\x1b[Knothing found in 0 jobs of 40 files\r\n"), written[-200:])

    def test_a_short_run_tells_nothing(self) -> None:
        written = run_on_terminal(["lint", self.write("a.yaml", "a: b\n")], {"TERM": "xterm"})
        self.assertEqual(written, "nothing found in 0 jobs of 1 file\r\n")


if __name__ == "__main__":
    unittest.main()
