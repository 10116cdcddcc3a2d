"""Seeds for the fuzz targets, made from the tests' own data: OUTPUT/TARGET/*.

Usage: seeds.py OUTPUT
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TABLE = '{"version":1,"profile":"kubeflow","permanent":[1,2],"retryable":[130],"undefined":"permanent",' \
        '"reasons":{"OOMKilled":"permanent"},"disruption":"retryable","noExitCode":"retryable","maxRetries":3}'


def strings(file: Path) -> list[str]:
    """The raw and plain string literals of a C++ test."""
    text = file.read_text()
    found = re.findall(r'R"\((.*?)\)"', text, re.S)
    for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text):
        try:
            found.append(json.loads(f'"{literal}"'))
        except ValueError:
            continue
    return found


def main() -> None:
    output = Path(sys.argv[1])
    seeds: dict[str, list[str]] = {"review": [], "annotation": [TABLE]}
    for golden in (TESTS / "testdata/reviews").rglob("*.json"):
        review = json.loads(golden.read_text())["review"]
        seeds["review"].append(json.dumps(review))
        for table in re.findall(r'exit-codes.kubeflow.org/table": ("(?:[^"\\]|\\.)*")', json.dumps(review)):
            seeds["annotation"].append(json.loads(table))
    seeds["annotation"] += strings(TESTS / "exit_codes/annotation_test.cpp")
    seeds["code_list"] = strings(TESTS / "exit_codes/code_list_test.cpp")
    seeds["head"] = strings(TESTS / "http/head_test.cpp") + [
        "POST /mutate?timeout=5s HTTP/1.1\r\nHost: a:443\r\nUser-Agent: kube-apiserver-admission\r\n"
        "Content-Length: 11800\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n"
        "Accept-Encoding: gzip\r\nExpect: 100-continue\r\n\r\n"]
    seeds["configuration"] = [(TESTS.parent / "docs/examples/configuration.yaml").read_text()]
    for name in ("parse", "profiles", "namespaces", "robustness"):
        seeds["configuration"] += strings(TESTS / f"config/{name}_test.cpp")
    for target, texts in seeds.items():
        folder = output / target
        folder.mkdir(parents=True, exist_ok=True)
        for index, text in enumerate(dict.fromkeys(texts)):
            (folder / f"seed-{index}").write_bytes(text.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
