"""What the API server can do by itself: the restart policy's enum, and a fixed table, in CEL."""

from __future__ import annotations

import jobs
from kubectl import Object

_API = "admissionregistration.k8s.io/v1"
_NAME = "e2e-exit-codes"
_REPLICAS = "object.spec.tfReplicaSpecs"


def equivalent(namespace: str) -> list[Object]:
    """The policies and their bindings, which hold in one namespace."""
    constraints = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "resourceRules": [
            {
                "apiGroups": ["kubeflow.org"],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": ["tfjobs"],
            }
        ],
    }
    choices = "['Always', 'OnFailure', 'Never', 'ExitCode']"
    validation = {
        "expression": f"{_REPLICAS}.all(t, !has({_REPLICAS}[t].restartPolicy)"
        f" || {_REPLICAS}[t].restartPolicy in {choices})",
        "message": f"restartPolicy must be one of {choices}",
    }
    mutating = {"failurePolicy": "Fail", "matchConstraints": constraints}
    return [
        _object(
            "MutatingAdmissionPolicy",
            {**mutating, "reinvocationPolicy": "IfNeeded", "mutations": [_table_mutation()]},
        ),
        _object("MutatingAdmissionPolicyBinding", {"policyName": _NAME}),
        _object("ValidatingAdmissionPolicy", {**mutating, "validations": [validation]}),
        _object(
            "ValidatingAdmissionPolicyBinding",
            {"policyName": _NAME, "validationActions": ["Deny"]},
        ),
    ]


def _object(kind: str, spec: Object) -> Object:
    return {"apiVersion": _API, "kind": kind, "metadata": {"name": _NAME}, "spec": spec}


def _table_mutation() -> Object:
    """The same table on the job and on each template under ExitCode."""
    key = jobs.TABLE.replace("/", "~1")
    table = jobs.KUBEFLOW.replace("'", "\\'")

    def patch(holder: str, path: str) -> str:
        return (
            f"(has({holder}.metadata) ? [] : [JSONPatch{{op: 'add', path: {path} + '/metadata',"
            " value: {}}]) + "
            f"(has({holder}.metadata) && has({holder}.metadata.annotations) ? [] :"
            f" [JSONPatch{{op: 'add', path: {path} + '/metadata/annotations', value: {{}}}}]) + "
            f"[JSONPatch{{op: 'add', path: {path} + '/metadata/annotations/{key}',"
            f" value: '{table}'}}]"
        )

    template = f"{_REPLICAS}[t].template"
    path = "'/spec/tfReplicaSpecs/' + jsonpatch.escapeKey(t) + '/template'"
    of_replicas = (
        f"{_REPLICAS}.map(t, has({_REPLICAS}[t].restartPolicy)"
        f" && {_REPLICAS}[t].restartPolicy == 'ExitCode', {patch(template, path)})"
    )
    of_job = patch("object", "''")
    return {
        "patchType": "JSONPatch",
        "jsonPatch": {"expression": f"{of_job} + {of_replicas}.flatten()"},
    }
