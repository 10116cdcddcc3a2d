"""The API server over plain HTTPS, for what kubectl is too slow for or does not show."""

from __future__ import annotations

import http.client
import json
import ssl
from dataclasses import dataclass
from typing import Any


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

    def get(self, path: str) -> Answer:
        return self.send("GET", path)

    def send(
        self, method: str, path: str, body: object = None, content_type: str = "application/json"
    ) -> Answer:
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, {"Content-Type": content_type})
        response = self._connection.getresponse()
        return Answer(response.status, response.read())

    def close(self) -> None:
        self._connection.close()


def jobs_path(namespace: str, name: str = "", version: str = "v1", plural: str = "tfjobs") -> str:
    path = f"/apis/kubeflow.org/{version}/namespaces/{namespace}/{plural}"
    return f"{path}/{name}" if name else path
