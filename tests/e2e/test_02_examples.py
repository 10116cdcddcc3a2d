"""Scenario 2: real manifests are created and annotated, and nothing else of them changes."""

from __future__ import annotations

from collections.abc import Callable

import binaries
import samples
from comparison import check_annotated_and_else_unchanged
from kubectl import Kubectl


def _check_all(
    found: list[samples.Sample],
    new_namespace: Callable[[str], Kubectl],
    kubectl: Kubectl,
) -> set[str]:
    """Checks those whose definition the cluster has; their kinds."""
    listed = kubectl("api-resources", "--api-group=kubeflow.org", "--no-headers").ok().out
    served = {line.split()[-1] for line in listed.splitlines()}
    kinds = set()
    for sample in found:
        if sample.job["kind"] not in served or sample.job["apiVersion"] != "kubeflow.org/v1":
            continue
        try:
            check_annotated_and_else_unchanged(new_namespace("sample"), sample)
        except AssertionError as error:
            raise AssertionError(f"{sample.label}: {error}") from error
        kinds.add(sample.job["kind"])
    return kinds


_ALL = {"TFJob", "PyTorchJob", "PaddleJob", "XGBoostJob", "JAXJob", "MPIJob"}


def test_the_operators_examples(
    kubectl: Kubectl, programs: binaries.Binaries, new_namespace: Callable[[str], Kubectl]
) -> None:
    found = samples.operator_examples(programs.operator_module)
    assert _check_all(found, new_namespace, kubectl) == _ALL


def test_our_own_manifests(kubectl: Kubectl, new_namespace: Callable[[str], Kubectl]) -> None:
    assert _check_all(samples.our_own(), new_namespace, kubectl) == _ALL
