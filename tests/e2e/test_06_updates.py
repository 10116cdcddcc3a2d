"""Scenario 6: the table through every way in which people and tools write a job again."""

from __future__ import annotations

import json
from time import sleep

import pytest

import jobs
from kubectl import Kubectl, Object

_BOTH = {"job": jobs.KUBEFLOW, "Worker": jobs.KUBEFLOW}
_EDITED = jobs.table([1], [2])
_UNDONE = (
    "metadata.annotations[exit-codes.kubeflow.org/table]: "
    "the edit is undone: set profile, retryable or permanent instead"
)


@pytest.fixture
def stored(kubectl: Kubectl) -> Object:
    """A job that was created without inputs, in a second that is over."""
    kubectl.create(jobs.tfjob("mnist")).ok()
    # The API server sorts managedFields by second, then by manager. Of a change in the second of the
    # creation the next identical one would alter the order, and with it the resourceVersion.
    sleep(1)
    return kubectl.get("tfjob", "mnist")


def _version(kubectl: Kubectl) -> str:
    version: str = kubectl.get("tfjob", "mnist")["metadata"]["resourceVersion"]
    return version


def _tables(kubectl: Kubectl) -> dict[str, str | None]:
    return jobs.tables(kubectl.get("tfjob", "mnist"))


def test_apply_twice(kubectl: Kubectl) -> None:
    job = jobs.tfjob("mnist")
    assert kubectl.apply(job).ok().out == "tfjob.kubeflow.org/mnist created\n"
    version = _version(kubectl)
    again = kubectl.apply(job).ok()
    assert (again.out, again.err) == ("tfjob.kubeflow.org/mnist unchanged\n", "")
    assert kubectl("diff", "-f", "-", stdin=job).ok().out == ""
    assert _version(kubectl) == version
    assert _tables(kubectl) == _BOTH


def test_server_side_apply_by_two_managers(kubectl: Kubectl) -> None:
    job = jobs.tfjob("mnist", annotations={jobs.PREFIX + "permanent": "42"})
    tables = {"job": jobs.WITH_42_PERMANENT, "Worker": jobs.WITH_42_PERMANENT}

    def apply(manager: str) -> None:
        result = kubectl.apply(job, "--server-side", f"--field-manager={manager}").ok()
        assert (result.out, result.err) == ("tfjob.kubeflow.org/mnist serverside-applied\n", "")
        assert _tables(kubectl) == tables

    apply("argocd")
    apply("flux")
    version = _version(kubectl)
    apply("argocd")
    apply("flux")
    assert _version(kubectl) == version
    # Nobody owns the tables, so that nobody sees them drift.
    owned = json.dumps(kubectl.get("tfjob", "mnist")["metadata"]["managedFields"])
    assert jobs.PREFIX + "permanent" in owned
    assert jobs.TABLE not in owned
    diff = kubectl("diff", "--server-side", "--field-manager=argocd", "-f", "-", stdin=job).ok()
    assert diff.out == ""


def test_replace_with_a_manifest_that_lacks_the_table(kubectl: Kubectl, stored: Object) -> None:
    def replace() -> str:
        result = kubectl("replace", "-f", "-", stdin=jobs.tfjob("mnist")).ok()
        assert (result.out, result.err) == ("tfjob.kubeflow.org/mnist replaced\n", "")
        assert _tables(kubectl) == _BOTH
        return _version(kubectl)

    assert replace() == replace()


def test_annotate_that_edits_the_table_is_undone(kubectl: Kubectl, stored: Object) -> None:
    def annotate() -> str:
        result = kubectl("annotate", "--overwrite", "tfjob/mnist", f"{jobs.TABLE}={_EDITED}").ok()
        assert result.warnings == [_UNDONE]
        assert _tables(kubectl) == _BOTH
        return _version(kubectl)

    assert annotate() == annotate()


def test_annotate_that_removes_the_table_is_undone(kubectl: Kubectl, stored: Object) -> None:
    version = _version(kubectl)
    # Without a warning: Kueue restores templates from its own copy.
    assert kubectl("annotate", "tfjob/mnist", f"{jobs.TABLE}-").ok().warnings == []
    assert _tables(kubectl) == _BOTH
    assert _version(kubectl) == version


def test_patch_that_edits_a_templates_table_is_undone(kubectl: Kubectl, stored: Object) -> None:
    annotations = {"metadata": {"annotations": {jobs.TABLE: _EDITED}}}
    change = {"spec": {"tfReplicaSpecs": {"Worker": {"template": annotations}}}}

    def patch() -> str:
        result = kubectl("patch", "tfjob/mnist", "--type=merge", "-p", json.dumps(change)).ok()
        assert len(result.warnings) == 1
        assert result.warnings[0].endswith(
            ": the edit is undone: set profile, retryable or permanent instead"
        )
        assert _tables(kubectl) == _BOTH
        return _version(kubectl)

    assert patch() == patch()


def test_annotate_that_changes_an_input(kubectl: Kubectl, stored: Object) -> None:
    def annotate() -> str:
        result = kubectl("annotate", "--overwrite", "tfjob/mnist", jobs.PREFIX + "permanent=42")
        assert result.ok().err == ""
        assert set(_tables(kubectl).values()) == {jobs.WITH_42_PERMANENT}
        return _version(kubectl)

    assert annotate() == annotate()
    kubectl("annotate", "tfjob/mnist", jobs.PREFIX + "permanent-").ok()
    assert _tables(kubectl) == _BOTH


def test_edit_that_changes_a_policy(kubectl: Kubectl, stored: Object) -> None:
    def edit(old: str, new: str) -> str:
        editor = f"sed -i s/restartPolicy:.{old}$/restartPolicy:\\ {new}/"
        result = kubectl("edit", "tfjob/mnist", editor=editor).ok()
        assert result.warnings == []
        return result.out

    assert edit("ExitCode", "Never") == "tfjob.kubeflow.org/mnist edited\n"
    assert _tables(kubectl) == {"job": jobs.KUBEFLOW, "Worker": None}
    version = _version(kubectl)
    edit("ExitCode", "Never")
    assert _version(kubectl) == version

    assert edit("Never", "ExitCode") == "tfjob.kubeflow.org/mnist edited\n"
    assert _tables(kubectl) == _BOTH
