"""Prometheus' text format, as far as the tests read it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"^([a-z_:]+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Sample:
    name: str
    labels: dict[str, str]
    value: float


@dataclass(frozen=True)
class Metrics:
    samples: list[Sample]

    def select(self, name: str, /, **labels: str) -> list[Sample]:
        """Samples of a name; each label that is given is a regular expression for the whole."""
        return [
            sample
            for sample in self.samples
            if sample.name == name
            and all(re.fullmatch(v, sample.labels.get(k, "")) for k, v in labels.items())
        ]

    def total(self, name: str, /, **labels: str) -> float:
        return sum(sample.value for sample in self.select(name, **labels))

    def buckets(self, name: str, /, **labels: str) -> dict[float, float]:
        """A histogram's cumulative counts by upper bound, added up over its series."""
        found: dict[float, float] = {}
        for sample in self.select(f"{name}_bucket", **labels):
            bound = float(sample.labels["le"])
            found[bound] = found.get(bound, 0) + sample.value
        return dict(sorted(found.items()))


def parse(text: str) -> Metrics:
    return Metrics(
        [
            Sample(name, dict(_LABEL.findall(labels)), float(value))
            for name, labels, value in _LINE.findall(text)
        ]
    )


def quantile_bound(buckets: dict[float, float], quantile: float) -> float:
    """The upper bound of the bucket in which a quantile lies."""
    wanted = quantile * max(buckets.values())
    return next(bound for bound, count in buckets.items() if count >= wanted)


def failed_calls(metrics: Metrics) -> dict[str, float]:
    """What the API server could not ask our webhooks, by kind of failure."""
    ours = r".*\.exit-codes\.kubeflow\.org"
    prefix = "apiserver_admission_webhook_"
    return {
        "fail open": metrics.total(f"{prefix}fail_open_count", name=ours),
        "failed calls": metrics.total(
            f"{prefix}rejection_count", name=ours, error_type="(?!no_error).*"
        ),
        "not answered with 200": metrics.total(
            f"{prefix}request_total", name=ours, code="(?!200)...", rejected="false"
        ),
    }
