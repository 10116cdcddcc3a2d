"""Scenario 9: the webhook is down, and back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import jobs
from kubectl import Kubectl
from webhook import Webhook

pytestmark = pytest.mark.outage


@pytest.fixture
def before(kubectl: Kubectl) -> None:
    """Two jobs that were created while the webhook was up."""
    for name in ("kept", "gone"):
        kubectl.create(jobs.tfjob(name)).ok()


@pytest.fixture
def down(before: None, webhook: Webhook) -> Iterator[Webhook]:
    assert webhook.stop() == 0
    try:
        yield webhook
    finally:
        webhook.stop()
        webhook.start()


def test_creation_is_refused_and_the_rest_goes_on(kubectl: Kubectl, down: Webhook) -> None:
    refused = kubectl.create(jobs.tfjob("new")).refused()
    assert 'failed calling webhook "mutate-create.exit-codes.kubeflow.org"' in refused.err
    assert f'Post "{down.url}/mutate?timeout=5s": dial tcp 127.0.0.1:{down.port}' in refused.err
    assert "connection refused" in refused.err

    changed = kubectl("annotate", "tfjob", "kept", jobs.PREFIX + "permanent=42").ok()
    assert changed.err == ""
    deleted = kubectl("delete", "tfjob", "gone").ok()
    assert deleted.err == ""
    assert kubectl.names("tfjobs") == ["tfjob.kubeflow.org/kept"]
    # Nobody was there to write the table that belongs to the new input.
    assert set(jobs.tables(kubectl.get("tfjob", "kept")).values()) == {jobs.KUBEFLOW}

    down.start()
    # At the first try.
    assert kubectl.create(jobs.tfjob("new")).ok().err == ""
    assert set(jobs.tables(kubectl.get("tfjob", "new")).values()) == {jobs.KUBEFLOW}
    # The next update finds that the table contradicts the job's inputs.
    assert kubectl("label", "tfjob", "kept", "team=vision").ok().err == ""
    assert set(jobs.tables(kubectl.get("tfjob", "kept")).values()) == {jobs.WITH_42_PERMANENT}
