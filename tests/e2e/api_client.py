"""The API server over plain HTTPS, for what kubectl is too slow for or does not show."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

# The API server ends a connection that was idle for 90 s, and the next request on it fails.
_IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class ApiClient:
    """One persistent connection; for one thread at a time."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self._connection = http.client.HTTPSConnection(
            "127.0.0.1", port, context=context, timeout=60
        )
        self._used = monotonic()

    def get(self, path: str) -> Answer:
        return self.send("GET", path)

    def send(
        self, method: str, path: str, body: object = None, content_type: str = "application/json"
    ) -> Answer:
        if monotonic() - self._used > _IDLE_SECONDS:
            self._connection.close()  # `request` opens it again
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, {"Content-Type": content_type})
        response = self._connection.getresponse()
        answer = Answer(response.status, response.read())
        self._used = monotonic()
        return answer

    def lines(self, path: str) -> Iterator[bytes]:
        """The answer of a GET line by line, as a watch brings it."""
        self._connection.request("GET", path)
        response = self._connection.getresponse()
        if response.status != 200:
            raise OSError(f"{path}: {response.status} {response.read()!r}")
        while line := response.readline():
            yield line

    def close(self) -> None:
        self._connection.close()


def jobs_path(namespace: str, name: str = "", version: str = "v1", plural: str = "tfjobs") -> str:
    path = f"/apis/kubeflow.org/{version}/namespaces/{namespace}/{plural}"
    return f"{path}/{name}" if name else path
