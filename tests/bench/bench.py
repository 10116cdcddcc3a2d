"""make bench: what a review costs, beside nginx, our own constant reply and a controller-runtime webhook.

Every comparison is made in one run, in turns; every requirement is checked, with its figure. Prints
tables, writes a JSON file, and with --update-docs writes docs/performance.md anew.

Usage: bench.py BUILD_FOLDER [--seconds S] [--rounds N] [--output FILE] [--update-docs] [--only NAME,...]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Callable

import yaml

import report
import servers
from servers import Server, Webhook

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
LOOPS = 2
CONNECTIONS = 16
SMALL, LARGE = 11_800, 334_000
POINTS = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000]


@dataclass
class Check:
    """A requirement and what was measured."""

    name: str
    value: float
    limit: float
    at_least: bool = False
    unit: str = ""

    @property
    def passed(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass
class Bench:
    build: Path
    folder: Path
    seconds: float
    rounds: int
    results: dict = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.certificates = self.folder / "certificates"
        self.certificates.mkdir()
        servers.make_pair(self.certificates)
        sizes = sorted({SMALL, LARGE, *POINTS})
        subprocess.run([self.build / "bench_make_reviews", self.folder, *map(str, sizes)], check=True)
        self.go_program = self.build / "bench_controller_runtime"
        self.sample = self.folder / "sample.json"
        self.sample.write_text(json.dumps(review_of(sample_job(self.build, self.go_program))))
        self.reply = self.folder / "reply.json"
        self.reply.write_bytes(subprocess.run(
            [self.build / "tfjob-webhook", "review", self.review(SMALL)], check=True, capture_output=True).stdout)
        self.reply.write_text(json.dumps(json.loads(self.reply.read_text()), separators=(",", ":")))

    def review(self, size: int) -> Path:
        return self.folder / f"{size}.json"

    def webhook(self, *flags: str, log: Path | None = None) -> Webhook:
        return Webhook(self.build / "tfjob-webhook", self.certificates, LOOPS, *flags, log=log)

    def nginx(self) -> Server:
        return servers.nginx(self.folder, self.certificates, LOOPS, self.reply)

    def load(self, server: Server, body: Path, path: str = "/mutate", mode: str = "load",
             connections: int = CONNECTIONS, seconds: float | None = None) -> dict:
        """Runs the load generator against `server`; CPU is that of the server, in microseconds a request."""
        before = server.cpu()
        done = subprocess.run(
            [self.build / "bench_load", mode, "--port", str(server.port), "--path", path, "--body", body,
             "--connections", str(connections), "--seconds", str(seconds or self.seconds),
             "--tls", "on" if server.tls else "off"],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{server.name}, {body.name}: {done.stderr}")
        result = json.loads(done.stdout)
        result["cpu_us"] = (server.cpu() - before) / max(result["requests"], 1) * 1e6
        result["per_second"] = result["requests"] / result["seconds"]
        result["rss"] = server.memory()
        return result

    def hold(self, mode: str, server: Server, connections: int) -> subprocess.Popen:
        """Idle or slow connections, until its standard input is closed."""
        holder = subprocess.Popen(
            [self.build / "bench_load", mode, "--port", str(server.port), "--path", "/mutate", "--body",
             self.review(SMALL), "--connections", str(connections)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert holder.stdout is not None
        if holder.stdout.readline() != "ready\n":
            raise RuntimeError(f"{server.name}: {connections} {mode} connections cannot be had")
        return holder

    def check(self, name: str, value: float, limit: float, at_least: bool = False, unit: str = "") -> None:
        self.checks.append(Check(name, value, limit, at_least, unit))

    def median(self, samples: list[dict]) -> dict:
        return {key: statistics.median(sample[key] for sample in samples) for key in samples[0]}

    def in_turns(self, compared: list[Server], run: Callable[[Server], dict]) -> dict[str, dict]:
        """The medians of `rounds` runs against each server, in turns."""
        for server in compared:
            run(server)  # warms up
        samples: dict[str, list[dict]] = {server.name: [] for server in compared}
        for _ in range(self.rounds):
            for server in compared:
                samples[server.name].append(run(server))
        return {name: self.median(each) for name, each in samples.items()}


def sample_job(build: Path, go_program: Path) -> dict:
    """A real job: the operator's own distributed MNIST example. Builds the webhook to compare with, too."""
    module = HERE / "controller-runtime"
    if shutil.which("go") is None:
        sys.exit("bench: Go 1.23 or later is needed for the webhook that is compared with: install it "
                 "(https://go.dev/dl) and put it into the PATH")
    subprocess.run(["go", "build", "-o", go_program, "."], cwd=module, check=True)
    folder = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", "github.com/kubeflow/training-operator"],
                            cwd=module, check=True, capture_output=True, text=True).stdout.strip()
    return yaml.safe_load((Path(folder) / "examples/tensorflow/dist-mnist/tf_job_mnist.yaml").read_text())


def review_of(job: dict) -> dict:
    kind = {"group": "kubeflow.org", "version": "v1", "kind": job["kind"]}
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "kind": kind, "requestKind": kind,
        "resource": {"group": "kubeflow.org", "version": "v1", "resource": "tfjobs"},
        "name": job["metadata"]["name"], "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": "ada"}, "object": job, "oldObject": None, "dryRun": False}}


def compare_reviews(bench: Bench) -> None:
    """Small, median and large reviews against every server, both endpoints."""
    webhook, nginx = bench.webhook(), bench.nginx()
    ours, plain = (servers.constant(bench.build / "bench_constant_server", certificates, LOOPS, bench.reply)
                   for certificates in (bench.certificates, None))
    runtime = servers.controller_runtime(bench.go_program, bench.certificates, LOOPS)
    everyone = [webhook, ours, plain, nginx, runtime]
    try:
        tables = bench.results["reviews"] = {}
        for name, body in (("small", bench.review(SMALL)), ("median", bench.sample), ("large", bench.review(LARGE))):
            # What TLS costs is told for the small one.
            compared = [server for server in everyone if server.tls or name == "small"]
            tables[name] = {"bytes": body.stat().st_size,
                            "mutate": bench.in_turns(compared, lambda server: bench.load(server, body)),
                            "validate": bench.in_turns(
                                [webhook, runtime], lambda server: bench.load(server, body, "/validate"))}
        tables["handshake"] = {"bytes": SMALL, "mutate": bench.in_turns(
            [webhook, ours, nginx, runtime],
            lambda server: bench.load(server, bench.review(SMALL), mode="handshake", connections=4))}
    finally:
        for server in everyone:
            server.stop()
    cost = {name: {server: row["cpu_us"] for server, row in table["mutate"].items()} for name, table in tables.items()}
    us, them, go = "tfjob-webhook", "nginx, constant reply", "controller-runtime"
    bench.check("small review, CPU against nginx's constant reply", cost["small"][us] / cost["small"][them], 1.9, unit="times")
    bench.check("large review, CPU against nginx's constant reply", cost["large"][us] / cost["large"][them], 1.4, unit="times")
    bench.check("handshake and one review, CPU against nginx's", cost["handshake"][us] / cost["handshake"][them], 1.5, unit="times")
    bench.check("controller-runtime's CPU against ours, small", cost["small"][go] / cost["small"][us], 25, True, "times")
    bench.check("controller-runtime's CPU against ours, large", cost["large"][go] / cost["large"][us], 60, True, "times")
    small = tables["small"]["mutate"]
    bench.check("controller-runtime's p99 against ours, 16 connections", small[go]["p99_us"] / small[us]["p99_us"], 10, True, "times")


def idle_connections(bench: Bench) -> None:
    """CPU and memory of 0, 100, 1,000 and 5,000 connections that do nothing."""
    rows = bench.results["idle"] = {}
    for make in (bench.webhook, bench.nginx):
        server = make()
        try:
            at_rest = server.memory()
            bench.load(server, bench.review(SMALL), seconds=0.5)
            begin = server.memory()
            row = rows[server.name] = []
            for count in (0, 100, 1000, 5000):
                holder = bench.hold("idle", server, count) if count else None
                time.sleep(1)
                before, start = server.cpu(), time.monotonic()
                time.sleep(5)
                row.append({"connections": count, "cpu_percent": (server.cpu() - before) / (time.monotonic() - start) * 100,
                            "rss": server.memory(), "bytes_each": (server.memory() - begin) / count if count else 0})
                if holder is not None:
                    holder.communicate()
                    time.sleep(1)
        finally:
            server.stop()
        if server.name == "tfjob-webhook":
            bench.results["at_rest"] = at_rest
            bench.check("resident memory at rest", at_rest / 1e6, 20, unit="MB")
            bench.check("1,000 idle connections, of a core", row[2]["cpu_percent"], 0.1, unit="%")
            bench.check("1,000 idle connections, memory of each", row[2]["bytes_each"] / 1024, 16, unit="KiB")


def growth(bench: Bench) -> None:
    """100,000 reviews, 10,000 connections and 1,000 reloads, after a tenth of each to warm up."""
    configuration, log = bench.folder / "config.yaml", bench.folder / "growth.log"

    def write(i: int) -> None:
        text = f"apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n# {i}\n"
        (bench.folder / "new.yaml").write_text(text)
        os.replace(bench.folder / "new.yaml", configuration)

    def reloads() -> int:
        text = log.read_text()
        return text.count('"configuration reloaded"') + text.count('"certificate reloaded"')

    write(0)
    webhook = bench.webhook("--config", str(configuration), "--reload-interval", "10ms", log=log)
    try:
        def work(reviews: int, connections: int, further_reloads: int) -> None:
            done = 0
            while done < reviews:
                done += bench.load(webhook, bench.review(SMALL), seconds=1)["requests"]
            done = 0
            while done < connections:
                done += bench.load(webhook, bench.review(SMALL), mode="handshake", connections=4, seconds=1)["requests"]
            enough = reloads() + further_reloads
            i, deadline = 0, time.monotonic() + 300
            while reloads() < enough:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{reloads()} reloads in five minutes: see --reload-interval")
                i += 1
                write(i)
                if i % 10 == 0:
                    servers.make_pair(bench.certificates)
                else:
                    pair = bench.certificates / "tls.crt"
                    (bench.certificates / "new.crt").write_bytes(pair.read_bytes().rstrip(b"\n") + b"\n" * (1 + i % 2))
                    os.replace(bench.certificates / "new.crt", pair)
                time.sleep(0.03)

        work(10_000, 1_000, 100)
        before = webhook.memory()
        work(100_000, 10_000, 1_000)
        after = webhook.memory()
    finally:
        webhook.stop()
    bench.results["growth"] = {"before": before, "after": after}
    bench.check("growth after 100,000 reviews, 10,000 connections, 1,000 reloads", (after - before) / 1e6, 1, unit="MB")


def distribution(bench: Bench) -> None:
    webhook = bench.webhook()
    try:
        holder = bench.hold("idle", webhook, 25)
        by_loop = [value for name, value in webhook.metrics().items() if name.startswith("tfjob_webhook_connections{")]
        holder.communicate()
    finally:
        webhook.stop()
    bench.results["distribution"] = by_loop
    bench.check("25 connections one after the other, most on one loop", max(by_loop) / sum(by_loop) * 100, 60, unit="%")


def pipelining(bench: Bench) -> None:
    """20,000 pipelined requests to a reader that takes 64 KiB every 10 ms."""
    webhook = bench.webhook()
    try:
        done = subprocess.run(
            [bench.build / "bench_load", "pipeline", "--port", str(webhook.port), "--path", "/mutate", "--body",
             bench.sample, "--requests", "20000"], check=True, capture_output=True, text=True)
        replies, peak = json.loads(done.stdout)["replies"], webhook.memory("VmHWM")
    finally:
        webhook.stop()
    bench.results["pipelining"] = {"replies": replies, "peak": peak}
    bench.check("replies to 20,000 pipelined requests of a slow reader", replies, 20_000, True)
    bench.check("memory at most meanwhile", peak / 1e6, 30, unit="MB")


def slow_clients(bench: Bench) -> None:
    """Good clients' p99 without and with 2,000 slow ones."""
    webhook, nginx = bench.webhook(), bench.nginx()
    rows = bench.results["slow"] = {}
    try:
        good = {}
        for server in (webhook, nginx):
            rows[server.name] = {}
        def run(server: Server) -> dict:
            return bench.load(server, bench.review(SMALL))
        for name, row in bench.in_turns([webhook, nginx], run).items():
            rows[name]["alone"] = row
        # Both at once, so that whatever else the machine does meets both.
        holders = [bench.hold("slow", server, 2000) for server in (webhook, nginx)]
        for name, row in bench.in_turns([webhook, nginx], run).items():
            rows[name]["with_slow"] = row
            good[name] = row["p99_us"] / rows[name]["alone"]["p99_us"]
        for holder in holders:
            holder.communicate()
    finally:
        webhook.stop()
        nginx.stop()
    bench.check("good clients' p99 grows under 2,000 slow ones, against nginx's growth",
                good["tfjob-webhook"] / good["nginx, constant reply"], 2, unit="times")


def linearity(bench: Bench) -> None:
    """CPU by size, 10 KB to 3 MB; nginx's shows what of it is the memory's, behind the caches."""
    webhook, nginx = bench.webhook(), bench.nginx()
    try:
        points = bench.results["by_size"] = []
        for size in POINTS:
            costs = bench.in_turns(
                [webhook, nginx], lambda server: bench.load(server, bench.review(size), connections=4, seconds=1))
            points.append({"bytes": size, "cpu_us": costs[webhook.name]["cpu_us"],
                           "nginx_us": costs[nginx.name]["cpu_us"]})
    finally:
        webhook.stop()
        nginx.stop()
    a_byte = {point["bytes"]: point["cpu_us"] / point["bytes"] for point in points}
    bench.check("a byte of 3 MB, against one of 300 KB", a_byte[3_000_000] / a_byte[300_000], 1.5, unit="times")


def parts(bench: Bench) -> None:
    done = subprocess.run([bench.build / "bench_parts", "--benchmark_format=json"], check=True, capture_output=True, text=True)
    bench.results["parts"] = {each["name"]: each["cpu_time"] / 1000 for each in json.loads(done.stdout)["benchmarks"]}


PARTS: dict[str, Callable[[Bench], None]] = {
    "reviews": compare_reviews, "idle": idle_connections, "distribution": distribution, "pipelining": pipelining,
    "slow": slow_clients, "size": linearity, "growth": growth, "parts": parts}


def machine() -> dict[str, str]:
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    return {"date": date.today().isoformat(), "processor": model, "cores": str(os.cpu_count()),
            "kernel": platform.release(), "openssl": subprocess.run(
                ["openssl", "version"], check=True, capture_output=True, text=True).stdout.split("(")[0].strip()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures tfjob-webhook beside other servers.")
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=float, default=1.5, help="of each run")
    parser.add_argument("--rounds", type=int, default=5, help="of each comparison; medians are told")
    parser.add_argument("--output", type=Path, help="JSON file (default: BUILD/bench.json)")
    parser.add_argument("--only", default=",".join(PARTS), help="parts: " + ", ".join(PARTS))
    parser.add_argument("--update-docs", action="store_true", help="write docs/performance.md anew")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; the parts are {', '.join(PARTS)}")
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory(prefix="tfjob-bench-") as folder:
        bench = Bench(build, Path(folder), arguments.seconds, arguments.rounds)
        for name in chosen:
            print(f"... {name}", file=sys.stderr, flush=True)
            PARTS[name](bench)
    results = {"machine": machine(), **bench.results, "checks": [
        {"name": check.name, "value": check.value, "limit": check.limit, "passed": check.passed,
         "at_least": check.at_least, "unit": check.unit} for check in bench.checks]}
    output = arguments.output or build / "bench.json"
    output.write_text(json.dumps(results, indent=1) + "\n")
    print(report.text(results))
    print(f"written to {output}")
    if arguments.update_docs:
        report.write_document(results, PROJECT / "docs" / "performance.md")
    failed = sum(not check.passed for check in bench.checks)
    print(f"{len(bench.checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
