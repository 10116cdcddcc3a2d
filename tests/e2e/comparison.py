"""A stored job against the same job stored without the webhook."""

from __future__ import annotations

import jobs
from kubectl import Kubectl, Object
from samples import Sample

_EXEMPT = "kube-system"
_OWN_TO_EACH = ("uid", "resourceVersion", "creationTimestamp", "namespace", "name")


def check_annotated_and_else_unchanged(kubectl: Kubectl, sample: Sample) -> None:
    """Creates the sample here and in a namespace without the webhook; compares what is stored."""
    # Some examples have fields that the definition lacks, and kubectl insists on by default.
    created = kubectl.create(sample.job, "--validate=ignore").ok()
    assert created.out.endswith(" created\n")
    resource, name = created.out.removesuffix(" created\n").split("/")
    version = sample.job["apiVersion"].split("/")[1]
    # In the version that it was written in, not in the one that the server prefers.
    kind, _, group = resource.partition(".")
    stored = kubectl.get(f"{kind}.{version}.{group}", name)

    exempt = kubectl.inside(_EXEMPT)
    flags = ("--validate=ignore", "--output=json", "--show-managed-fields")
    control = exempt.create(sample.job, *flags).json
    exempt.discard(resource, control["metadata"]["name"])

    _check_tables(stored, sample)
    assert jobs.tables(control) == dict.fromkeys(jobs.tables(control)), "the control was annotated"
    assert _comparable(stored) == _comparable(control)
    kubectl.discard(resource, name)


def _check_tables(stored: Object, sample: Sample) -> None:
    """A table on the job always, and on a template exactly if codes are consulted there."""
    assert jobs.job_table(stored) is not None, "the job carries no table"
    for key, (spec, template) in jobs.replica_templates(stored).items():
        every_template = sample.api == ("kubeflow.org/v1alpha1", "TFJob")
        wanted = bool(template) and (every_template or spec.get("restartPolicy") == "ExitCode")
        assert (jobs.template_tables(stored)[key] is not None) == wanted, key
    takes_default = jobs.PREFIX not in str(sample.job)
    if takes_default:
        assert set(jobs.tables(stored).values()) <= {jobs.KUBEFLOW, None}


def _comparable(job: Object) -> Object:
    copy = jobs.without_tables(job)
    for field in _OWN_TO_EACH:
        copy["metadata"].pop(field, None)
    for entry in copy["metadata"]["managedFields"]:
        del entry["time"]
    return copy
