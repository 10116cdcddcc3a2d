"""The programs of the control plane and the operator: found, or built from their Go modules.

etcd, kube-apiserver and kubectl are taken from the folder that KUBEBUILDER_ASSETS names, if they
are there. What is missing is built once, into the user's cache folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_TOOLS = Path(__file__).resolve().parent / "tools"
_OPERATOR = "github.com/kubeflow/training-operator"
_GO_NEEDED = (1, 26)
# The API server refuses its own emulation version unless its version was set.
_KUBERNETES_FLAGS = (
    "-X k8s.io/component-base/version.gitVersion={version}"
    " -X k8s.io/component-base/version.gitMajor={major}"
    " -X k8s.io/component-base/version.gitMinor={minor}"
)


class MissingTool(Exception):
    """Something has to be installed first; the message says what."""


@dataclass(frozen=True)
class _Source:
    name: str
    folder: Path  # of the go.mod
    module: str
    package: str
    flags: str = ""


_SOURCES = (
    _Source("etcd", _TOOLS, "go.etcd.io/etcd/server/v3", ""),
    _Source(
        "kube-apiserver", _TOOLS, "k8s.io/kubernetes", "/cmd/kube-apiserver", _KUBERNETES_FLAGS
    ),
    _Source("kubectl", _TOOLS, "k8s.io/kubernetes", "/cmd/kubectl", _KUBERNETES_FLAGS),
    _Source(
        "training-operator", _TOOLS / "training-operator", _OPERATOR, "/cmd/training-operator.v1"
    ),
)


@dataclass(frozen=True)
class Binaries:
    etcd: Path
    api_server: Path
    kubectl: Path
    operator: Path
    operator_module: Path
    """Folder of the operator's own Go module: its CRDs, manifests and examples."""


def require_go() -> None:
    install = (
        "make e2e needs Go {}.{} or newer on PATH, to build a Kubernetes control plane: {}. "
        "Install it from https://go.dev/dl/ (Debian 12's golang package is too old)."
    )
    program = shutil.which("go")
    if program is None:
        raise MissingTool(install.format(*_GO_NEEDED, "there is none"))
    text = subprocess.run(
        [program, "env", "GOVERSION"],
        capture_output=True,
        text=True,
        check=True,
        # Otherwise an older one would download what go.mod asks for.
        env={**os.environ, "GOTOOLCHAIN": "local"},
        cwd="/",
    ).stdout.strip()
    match = re.match(r"go(\d+)\.(\d+)", text)
    # A development version has no number, and is newer.
    if match and (int(match[1]), int(match[2])) < _GO_NEEDED:
        raise MissingTool(install.format(*_GO_NEEDED, f"{program} is {text}"))


def provide(say: Callable[[str], None]) -> Binaries:
    """Finds or builds all of them; `say` is told of what takes long."""
    require_go()
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    paths = {}
    for source in _SOURCES:
        given = Path(assets) / source.name if assets else None
        if given and source.name != "training-operator" and os.access(given, os.X_OK):
            paths[source.name] = given
        else:
            paths[source.name] = _cached(source, say)
    return Binaries(
        paths["etcd"],
        paths["kube-apiserver"],
        paths["kubectl"],
        paths["training-operator"],
        Path(_module(_SOURCES[-1], "{{.Dir}}")),
    )


def _go(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["nice", "-n", "10", "go", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"},
    )
    if done.returncode:
        raise MissingTool(f"go {' '.join(arguments)} (in {folder}) failed:\n{done.stderr}")
    return done.stdout.strip()


def _module(source: _Source, field: str) -> str:
    _go(source.folder, "mod", "download", source.module)
    return _go(source.folder, "list", "-m", "-f", field, source.module)


def _cached(source: _Source, say: Callable[[str], None]) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    version = _go(source.folder, "list", "-m", "-f", "{{.Version}}", source.module)
    folder = cache / "tfjob-webhook" / "kubebuilder" / f"{source.name}-{version}"
    program = folder / source.name
    if not os.access(program, os.X_OK):
        say(f"building {source.name} {version} into {folder} (once; may take minutes)")
        folder.mkdir(parents=True, exist_ok=True)
        major, minor, _ = version.removeprefix("v").split(".", 2)
        flags = source.flags.format(version=version, major=major, minor=minor)
        # Beside its place: an interrupted build leaves nothing that looks finished.
        unfinished = folder / f"{source.name}.{os.getpid()}"
        _go(
            source.folder,
            *("build", "-trimpath", "-ldflags", f"-s -w {flags}".strip()),
            *("-o", str(unfinished), source.module + source.package),
        )
        unfinished.replace(program)
    return program
