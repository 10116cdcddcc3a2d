"""table.schema.json agrees with the vectors, as far as a schema can; so do the examples of the contract."""

from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

PROJECT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((PROJECT / "conformance/table.schema.json").read_text())
VECTORS = json.loads((PROJECT / "conformance/vectors.json").read_text())


def accepts(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return Draft202012Validator(SCHEMA).is_valid(value)


class Schema(unittest.TestCase):
    def test_is_one(self) -> None:
        Draft202012Validator.check_schema(SCHEMA)

    def test_agrees_with_the_vectors(self) -> None:
        for vector in VECTORS["tables"]:
            with self.subTest(vector["name"]):
                self.assertEqual(accepts(vector["value"]), vector["valid"] or vector.get("schema") == "valid")

    def test_accepts_every_table_that_inputs_make(self) -> None:
        for vector in VECTORS["inputs"]:
            for key, table in vector["expect"].items():
                if key != "invalid":
                    self.assertTrue(accepts(table), vector["name"])

    def test_accepts_the_examples_of_the_contract(self) -> None:
        text = (PROJECT / "docs/annotation-contract.md").read_text()
        examples = re.findall(r"```json\n(.*?)```", text, re.S)
        self.assertTrue(examples)
        for example in examples:
            self.assertTrue(accepts(example), example)


if __name__ == "__main__":
    sys.exit(unittest.main())
