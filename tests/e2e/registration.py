"""The webhook's entry in a cluster, made from the project's own manifests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import jobs
from api_client import ApiClient, jobs_path
from control_plane import ControlPlane
from kubectl import Kubectl
from process import wait_until
from webhook import PROJECT, Webhook

CONFIGURATIONS = ("mutatingwebhookconfiguration", "validatingwebhookconfiguration")
OVERLAY = PROJECT / "manifests" / "overlays" / "self-signed"


class Registration:
    """Whether the API server of `plane` asks `webhook`."""

    def __init__(self, plane: ControlPlane, webhook: Webhook) -> None:
        self._kubectl: Kubectl = plane.kubectl
        self._client: ApiClient = plane.client()
        self._webhook = webhook

    def install(self) -> None:
        """Applies the manifests. Only `clientConfig` is not as a cluster would have it."""
        manifests = self._kubectl("kustomize", OVERLAY).ok().out
        ca = self._webhook.certificates / "ca.crt"
        done = subprocess.run(
            [PROJECT / "certs" / "ca_bundle.sh", "--ca", ca, "--url", self._webhook.url],
            input=manifests,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        # Afresh: a `service` that was applied before would stay beside the URL.
        self._delete()
        self._kubectl.apply(done.stdout).ok()
        wait_until("both endpoints are asked", lambda: self._asked() == {True})

    def remove(self) -> None:
        self._delete()
        wait_until("neither endpoint is asked", lambda: self._asked() == {False})

    def _delete(self) -> None:
        names = (f"{kind}/tfjob-webhook" for kind in CONFIGURATIONS)
        self._kubectl("delete", "--ignore-not-found", *names).ok()

    @contextmanager
    def removed(self) -> Iterator[None]:
        """A time in which the cluster has no webhook."""
        self.remove()
        try:
            yield
        finally:
            self.install()

    def _asked(self) -> set[bool]:
        """Whether a creation reaches each endpoint. The API server learns of changes late."""
        endpoints = ("mutate", "validate")
        before = [self._webhook.reviews(endpoint) for endpoint in endpoints]
        path = jobs_path("default") + "?dryRun=All"
        answer = self._client.send("POST", path, jobs.tfjob("probe"))
        # While the two disagree about the URL or the CA, creations fail.
        if answer.status >= 500:
            return set()
        after = [self._webhook.reviews(endpoint) for endpoint in endpoints]
        return {count > then for count, then in zip(after, before, strict=True)}
