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
import enforcer as enforcer_module
import metrics
import report
import training_operator
from api_client import jobs_path
from control_plane import ControlPlane
from enforced_jobs import FINALIZER, Cluster, make_job
from enforcer import Enforcer
from fake_kubelet import FakeKubelet
from kubectl import Kubectl
from process import Process, wait_until
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
    config.addinivalue_line(
        "markers", "killed_callers: the API server gives up calls whose caller is gone"
    )
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


@pytest.fixture(scope="session")
def operator_of_all_kinds(
    programs: binaries.Binaries,
    plane: ControlPlane,
    registration: Registration,
    scratch: Path,
    logs: dict[str, Path],
) -> Iterator[Process]:
    """As fast as it can be: the tests of the enforcer run many jobs."""
    for kind in training_operator.SCHEMES:
        plane.kubectl("delete", f"{kind}s", "--all", "--all-namespaces", "--wait=false").ok()
    flags = ("--kube-api-qps=200", "--kube-api-burst=400", "--controller-threads=4")
    folder = scratch / "operator-of-all-kinds"
    with training_operator.running(
        programs, plane, folder, training_operator.SCHEMES, flags
    ) as process:
        logs["training-operator"] = process.log
        yield process
    del logs["training-operator"]


@pytest.fixture(scope="session")
def kubelet(plane: ControlPlane) -> Iterator[FakeKubelet]:
    kubelet = FakeKubelet(plane)
    yield kubelet
    kubelet.stop()


@pytest.fixture(scope="session")
def account(plane: ControlPlane, scratch: Path) -> enforcer_module.Account:
    return enforcer_module.Account(plane, scratch / "component")


@pytest.fixture
def cluster(
    plane: ControlPlane,
    kubectl: Kubectl,
    kubelet: FakeKubelet,
    operator_of_all_kinds: Process,
) -> Iterator[Cluster]:
    """A namespace whose jobs are run by the operator, and whose pods end as they say."""
    client = plane.client()
    cluster = Cluster(client, kubectl.namespace, kubelet)
    yield cluster
    cluster.remove_all()
    client.close()


@pytest.fixture
def new_enforcer(
    account: enforcer_module.Account,
    webhook: Webhook,
    scratch: Path,
    logs: dict[str, Path],
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Enforcer]]:
    """Makes enforcers, which end with the test."""
    made: list[Enforcer] = []
    number = next(_numbers)

    def make(*flags: str, kubeconfig: Path | None = None) -> Enforcer:
        log = scratch / f"enforcer-{number}-{len(made)}.log"
        logs["enforcer"] = log
        made.append(
            Enforcer(log, kubeconfig or account.kubeconfig(), webhook.configuration, *flags)
        )
        return made[-1]

    yield make
    for each in made:
        each.stop()
    logs.pop("enforcer", None)


@pytest.fixture
def enforcer(new_enforcer: Callable[..., Enforcer]) -> Enforcer:
    """One that runs, and leads."""
    running = new_enforcer().start()
    wait_until("it leads", running.leads)
    return running


@pytest.fixture(scope="module", params=["none", "finalizer"])
def evidence(
    request: pytest.FixtureRequest, plane: ControlPlane, webhook: Webhook, registration: Registration
) -> Iterator[str]:
    """Of webhook and enforcer, while the tests of a module run."""
    set_evidence(plane, webhook, request.param)
    yield request.param
    set_evidence(plane, webhook, "none")


def set_evidence(plane: ControlPlane, webhook: Webhook, evidence: str) -> None:
    """Configures the webhook, and waits until it holds."""
    webhook.configure(evidence=evidence)
    client = plane.client()

    def in_force() -> bool:
        path = jobs_path("default") + "?dryRun=All"
        made = client.send("POST", path, make_job("probe", {"Worker": []})).text
        return (FINALIZER in made) == (evidence == "finalizer")

    wait_until(f"evidence: {evidence} is in force", in_force, 30)
    client.close()


@pytest.fixture(autouse=True)
def no_call_fails(request: pytest.FixtureRequest, plane: ControlPlane) -> Iterator[None]:
    """The API server counts no call that failed, or was waived, unless the test is an outage."""
    client = plane.client()

    def failures() -> dict[str, float]:
        return metrics.failed_calls(metrics.parse(client.get("/metrics").text))

    before = failures()
    yield
    is_outage = request.node.get_closest_marker("outage") is not None
    # An API server that was restarted counts from zero.
    increased = {kind: n for kind, n in failures().items() if n > before.get(kind, 0)}
    if request.node.get_closest_marker("killed_callers") is None:
        assert bool(increased) == is_outage, increased
    client.close()
