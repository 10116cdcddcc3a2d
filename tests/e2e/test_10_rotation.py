"""Scenario 10: certificate and configuration change every second under 200 writers."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from itertools import cycle
from time import monotonic, sleep

import pytest

import jobs
import report
from api_client import jobs_path
from control_plane import ControlPlane
from kubectl import Kubectl
from load import write_in_parallel
from process import wait_until
from webhook import Webhook

_WRITERS = 200
_SECONDS = 20.0
_TABLES = {
    "kubeflow": jobs.KUBEFLOW,
    "all-permanent": (
        '{"version":1,"profile":"all-permanent","permanent":[],"retryable":[],'
        '"undefined":"permanent","reasons":{"OOMKilled":"permanent"},'
        '"disruption":"permanent","noExitCode":"permanent"}'
    ),
}


def _wait_for_profile(kubectl: Kubectl, profile: str) -> None:
    """Until jobs get its table."""

    def in_force() -> bool:
        made = kubectl.create(jobs.tfjob("probe"), "--dry-run=server", "--output=json").json
        return jobs.job_table(made) == _TABLES[profile]

    wait_until(f"profile {profile} is in force", in_force, 30)


@pytest.fixture
def changing(kubectl: Kubectl, webhook: Webhook) -> Iterator[Webhook]:
    """The webhook, whose configuration is as before at the end."""
    yield webhook
    webhook.configure("kubeflow")
    _wait_for_profile(kubectl, "kubeflow")


def _served(webhook: Webhook) -> str:
    return ssl.get_server_certificate(("127.0.0.1", webhook.port))


def test_no_write_fails(kubectl: Kubectl, plane: ControlPlane, changing: Webhook) -> None:
    profiles = cycle(["all-permanent", "kubeflow"])
    rotations = []
    certificates = set()
    next_turn = monotonic()

    def rotate() -> None:
        nonlocal next_turn
        sleep(max(0.0, next_turn - monotonic()))
        next_turn = monotonic() + 1
        certificates.add(_served(changing))
        changing.issue_pair()
        changing.mounted.replace(changing.pair())
        profile = next(profiles)
        changing.configure(profile)
        rotations.append(profile)

    written = write_in_parallel(plane.client, kubectl.namespace, _WRITERS, _SECONDS, rotate)

    assert written.failures == []
    assert len(rotations) >= 10
    client = plane.client()
    listed = client.get(jobs_path(kubectl.namespace)).json["items"]
    client.send("DELETE", jobs_path(kubectl.namespace))
    client.close()
    assert sorted(job["metadata"]["name"] for job in listed) == sorted(written.names)
    assert all(job["metadata"]["labels"] == {"written": "twice"} for job in listed)
    seen = set()
    for job in listed:
        tables = set(jobs.tables(job).values())
        assert len(tables) == 1, f"{job['metadata']['name']}: {jobs.tables(job)}"
        seen |= tables
    # Both configurations were in force, so that it was really read again.
    assert seen == set(_TABLES.values())
    assert len(certificates) > len(rotations) / 2, "hardly any new pair was served"
    newest = (changing.certificates / "tls.crt").read_text()
    wait_until("the newest pair is served", lambda: _served(changing) == newest, 30)
    _wait_for_profile(kubectl, rotations[-1])
    report.say(
        f"{_WRITERS} writers in {_SECONDS:.0f} s: {len(written.names)} jobs created and updated, "
        f"{len(rotations)} pairs and configurations, {len(certificates)} certificates seen"
    )
