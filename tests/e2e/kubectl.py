"""kubectl, as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Object = dict[str, Any]
"""A Kubernetes object, as JSON."""


@dataclass(frozen=True)
class Result:
    """What a person sees of one call."""

    command: str
    status: int
    out: str
    err: str

    def ok(self) -> Result:
        assert self.status == 0, f"{self.command} ended with {self.status}:\n{self.out}{self.err}"
        return self

    def refused(self) -> Result:
        assert self.status == 1, f"{self.command} ended with {self.status}:\n{self.out}{self.err}"
        return self

    @property
    def json(self) -> Any:
        return json.loads(self.ok().out)

    @property
    def warnings(self) -> list[str]:
        mark = "Warning: "
        return [line.removeprefix(mark) for line in self.err.splitlines() if line.startswith(mark)]


@dataclass(frozen=True)
class Kubectl:
    """Runs kubectl against one cluster, in one namespace."""

    program: Path
    kubeconfig: Path
    namespace: str = ""
    """Empty: what the manifest says, else `default`."""

    def inside(self, namespace: str) -> Kubectl:
        return replace(self, namespace=namespace)

    @property
    def environment(self) -> dict[str, str]:
        """For programs that run kubectl themselves."""
        return {
            "KUBECONFIG": str(self.kubeconfig),
            # Discovery is cached in HOME, which tests must not touch.
            "KUBECACHEDIR": str(self.kubeconfig.parent / "kubectl-cache"),
            "PATH": f"{self.program.parent}:{os.environ['PATH']}",
        }

    def __call__(
        self, *arguments: str | Path, stdin: str | Object | None = None, editor: str | None = None
    ) -> Result:
        """Runs one command; `stdin` is for `-f -`, `editor` the command that `edit` starts."""
        text = json.dumps(stdin) if isinstance(stdin, dict) else stdin
        words = [str(a) for a in arguments]
        environment = {**os.environ, **self.environment}
        if editor:
            environment["KUBE_EDITOR"] = editor
        scope = [f"--namespace={self.namespace}"] if self.namespace else []
        done = subprocess.run(
            [str(self.program), *scope, *words],
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            env=environment,
        )
        return Result(f"kubectl {' '.join(words)}", done.returncode, done.stdout, done.stderr)

    def create(self, manifest: str | Object, *flags: str) -> Result:
        return self("create", *flags, "-f", "-", stdin=manifest)

    def apply(self, manifest: str | Object, *flags: str) -> Result:
        return self("apply", *flags, "-f", "-", stdin=manifest)

    def get(self, kind: str, name: str) -> Object:
        """The stored object."""
        found: Object = self("get", kind, name, "--output=json", "--show-managed-fields").json
        return found

    def names(self, kind: str) -> list[str]:
        """All objects of a kind, as `kubectl get` names them."""
        return self("get", kind, "--output=name").ok().out.split()

    def discard(self, kind: str, name: str) -> None:
        """Deletes an object although it may have finalizers, which nobody here would remove."""
        no_finalizers = '{"metadata":{"finalizers":null}}'
        self("patch", kind, name, "--type=merge", f"--patch={no_finalizers}").ok()
        self("delete", kind, name).ok()
