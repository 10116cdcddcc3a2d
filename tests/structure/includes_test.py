"""Holds the #include lines of src/ and include/ against the links of the CMake targets.

Usage: includes_test.py MODULE_LINKS, the file that the build writes: a line "module: links" each.
A module may include its own headers, and those of the modules that it links, transitively as far
as the links of those are stated. Dependencies must not form a cycle.
"""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#include\s+"([a-z_]+)/')


def read_links(path):
    """The modules that each module links, as {name: set of names}."""
    links = {}
    for line in pathlib.Path(path).read_text().splitlines():
        name, _, targets = line.partition(":")
        links[name] = set(targets.split())
    return {name: targets & set(links) for name, targets in links.items()}


def reachable(links, name):
    """What `name` links, directly or not; raises ValueError on a cycle."""
    found, path = set(), []

    def visit(module):
        if module in path:
            raise ValueError("cycle: " + " -> ".join(path + [module]))
        path.append(module)
        for linked in sorted(links[module]):
            found.add(linked)
            visit(linked)
        path.pop()

    visit(name)
    return found


def violations(root, links):
    """Lines "FILE: includes MODULE, which MODULE does not link"."""
    found = []
    for folder in ("src", "include"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            module = file.relative_to(root / folder).parts[0]
            if module not in links:
                continue  # main.cpp, which links everything
            allowed = reachable(links, module) | {module}
            for line in file.read_text().splitlines():
                match = INCLUDE.match(line)
                if match and match[1] in links and match[1] not in allowed:
                    found.append(f"{file.relative_to(root)}: includes {match[1]}, which {module} does not link")
    return found


class Includes(unittest.TestCase):
    links = {}

    def test_modules_include_only_what_they_link(self):
        self.assertGreaterEqual(len(self.links), 8)
        self.assertEqual(violations(ROOT, self.links), [])

    def test_every_folder_of_src_is_a_module(self):
        folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(self.links))

    def test_a_forbidden_include_is_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch) / "src" / "jobs" / "a.cpp"
            source.parent.mkdir(parents=True)
            source.write_text('#include "jobs/job.h"\n#include "admission/review.h"\n')
            self.assertEqual(
                violations(pathlib.Path(scratch), self.links),
                ["src/jobs/a.cpp: includes admission, which jobs does not link"],
            )

    def test_a_cycle_is_found(self):
        with self.assertRaisesRegex(ValueError, "cycle: a -> b -> a"):
            reachable({"a": {"b"}, "b": {"a"}}, "a")


if __name__ == "__main__":
    Includes.links = read_links(sys.argv.pop(1))
    unittest.main()
