"""One control plane and one webhook for the whole session, a namespace for each test."""

from __future__ import annotations

import re
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

import binaries
import control_plane
import metrics
import report
from control_plane import ControlPlane
from kubectl import Kubectl
from registration import Registration
from webhook import PROGRAM, Webhook

_BINARIES = pytest.StashKey[binaries.Binaries]()
_LOGS = pytest.StashKey[dict[str, Path]]()
_LINES = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-docs",
        action="store_true",
        help="write docs/operator-behaviour.md anew instead of comparing with it",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "outage: calls of the webhook fail on purpose")
    config.stash[_LOGS] = {}
    # Failures inside helpers show both sides, too.
    pytest.register_assert_rewrite("comparison", "failed_pods")


def pytest_sessionstart(session: pytest.Session) -> None:
    # Otherwise SIGTERM would end pytest alone, and leave behind what it started.
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if session.config.option.collectonly:
        return
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    assert terminal is not None
    try:
        session.config.stash[_BINARIES] = binaries.provide(terminal.write_line)
    except binaries.MissingTool as error:
        pytest.exit(str(error), returncode=1)
    if not PROGRAM.exists():
        pytest.exit(f"{PROGRAM} does not exist: run make build", returncode=1)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """A failure shows the logs' last lines."""
    outcome = yield
    result = outcome.get_result()
    if result.failed:
        for name, path in item.config.stash[_LOGS].items():
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            result.sections.append((f"{name}, last lines", "\n".join(lines[-_LINES:])))


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    if report.LINES:
        terminalreporter.section("measured")
        for line in report.LINES:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def programs(request: pytest.FixtureRequest) -> binaries.Binaries:
    return request.config.stash[_BINARIES]


@pytest.fixture(scope="session")
def logs(request: pytest.FixtureRequest) -> dict[str, Path]:
    """By name: what a failure shows the end of."""
    return request.config.stash[_LOGS]


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    """Removed at the end: pytest's own folders stay, and etcd writes hundreds of megabytes."""
    with tempfile.TemporaryDirectory(prefix="tfjob-webhook-e2e-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def plane(
    programs: binaries.Binaries, scratch: Path, logs: dict[str, Path]
) -> Iterator[ControlPlane]:
    folder = scratch / "plane"
    logs["kube-apiserver"] = folder / "kube-apiserver.log"
    plane = control_plane.start(programs, folder)
    try:
        yield plane
    finally:
        plane.stop()


@pytest.fixture(scope="session")
def crds(plane: ControlPlane, programs: binaries.Binaries) -> Path:
    """The operator's own definitions, installed; their folder."""
    folder = programs.operator_module / "manifests" / "base" / "crds"
    control_plane.install_crds(plane.kubectl, folder)
    return folder


@pytest.fixture(scope="session")
def webhook(plane: ControlPlane, scratch: Path, logs: dict[str, Path]) -> Iterator[Webhook]:
    webhook = Webhook(scratch / "webhook")
    logs["webhook"] = webhook.log
    try:
        webhook.start()
        yield webhook
    finally:
        webhook.stop()


@pytest.fixture(scope="session")
def registration(plane: ControlPlane, crds: Path, webhook: Webhook) -> Registration:
    """The webhook is registered."""
    registration = Registration(plane, webhook)
    registration.install()
    # Once by the way that people take: it also stores a pair in the cluster.
    webhook.issue_pair("--apply", environment=plane.kubectl.environment)
    registration.install()
    return registration


_numbers = count(1)


@pytest.fixture
def new_namespace(plane: ControlPlane) -> Callable[[str], Kubectl]:
    """Makes namespaces whose names begin as asked; the kubectl that works inside."""

    def make(prefix: str) -> Kubectl:
        name = f"{prefix}-{next(_numbers)}"
        plane.kubectl("create", "namespace", name).ok()
        return plane.kubectl.inside(name)

    return make


@pytest.fixture
def kubectl(
    new_namespace: Callable[[str], Kubectl],
    registration: Registration,
    request: pytest.FixtureRequest,
) -> Kubectl:
    """For a user in a namespace of the test's own, in a cluster that has the webhook."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")
    return new_namespace(name[:50].strip("-"))


@pytest.fixture(autouse=True)
def no_call_fails(request: pytest.FixtureRequest, plane: ControlPlane) -> Iterator[None]:
    """The API server counts no call that failed, or was waived, unless the test is an outage."""
    client = plane.client()

    def failures() -> dict[str, float]:
        return metrics.failed_calls(metrics.parse(client.get("/metrics").text))

    before = failures()
    yield
    is_outage = request.node.get_closest_marker("outage") is not None
    assert (failures() != before) == is_outage
    client.close()
