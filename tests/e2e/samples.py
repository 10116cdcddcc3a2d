"""Job manifests as users write them: the operator's examples, and our own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from kubectl import Object
from webhook import PROJECT

_KINDS = {"TFJob", "PyTorchJob", "PaddleJob", "XGBoostJob", "JAXJob", "MPIJob", "MXJob"}


@dataclass(frozen=True)
class Sample:
    """One job of one file, without the namespace that it asks for."""

    label: str
    job: Object

    @property
    def api(self) -> tuple[str, str]:
        """`apiVersion` and kind."""
        return self.job["apiVersion"], self.job["kind"]


def operator_examples(module: Path) -> list[Sample]:
    return _all_of(module / "examples", "operator")


def our_own() -> list[Sample]:
    """Those of the repository that are no faults, and those of SAMPLES_DIR where it is set."""
    manifests = PROJECT / "tests" / "testdata" / "manifests"
    found = _all_of(manifests / "valid", "valid") + _all_of(manifests / "warned", "warned")
    folder = os.environ.get("SAMPLES_DIR")
    return found + (_all_of(Path(folder), "samples") if folder else [])


def _all_of(folder: Path, label: str) -> list[Sample]:
    found = list(_read_all(folder, label))
    assert found, f"no job in {folder}"
    return found


def _read_all(folder: Path, label: str) -> Iterator[Sample]:
    for path in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
        documents = yaml.safe_load_all(path.read_text())
        found = [d for d in documents if isinstance(d, dict) and d.get("kind") in _KINDS]
        for number, job in enumerate(found):
            (job.get("metadata") or {}).pop("namespace", None)
            name = str(path.relative_to(folder).with_suffix(""))
            yield Sample(f"{label}/{name}" + (f"#{number}" if number else ""), job)
