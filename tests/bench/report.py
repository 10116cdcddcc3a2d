"""The results of bench.py for people: tables in Markdown, and docs/performance.md."""

from __future__ import annotations

from pathlib import Path


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def reviews(results: dict) -> str:
    rows = []
    for name, each in results["reviews"].items():
        for endpoint in ("mutate", "validate"):
            for server, row in each.get(endpoint, {}).items():
                what = "handshake and small review" if name == "handshake" else f"{name}, {each['bytes']:,} bytes"
                rows.append([what, "/" + endpoint, server, f"{row['cpu_us']:.1f}", f"{row['per_second']:,.0f}",
                             f"{row['p50_us']:,.0f}", f"{row['p99_us']:,.0f}", f"{row['rss'] / 1e6:.1f}"])
    return table(["review", "endpoint", "server", "CPU, µs", "a second", "p50, µs", "p99, µs", "resident, MB"], rows)


def idle(results: dict) -> str:
    rows = [[server, f"{row['connections']:,}", f"{row['cpu_percent']:.3f}", f"{row['rss'] / 1e6:.1f}",
             f"{row['bytes_each'] / 1024:.1f}"]
            for server, each in results["idle"].items() for row in each]
    return table(["server", "idle connections", "CPU, % of a core", "resident, MB", "KiB each"], rows)


def sizes(results: dict) -> str:
    return table(["bytes", "CPU, µs", "ns a byte", "nginx's constant reply, µs", "ns a byte"],
                 [[f"{point['bytes']:,}", *(text for cost in (point["cpu_us"], point["nginx_us"])
                                            for text in (f"{cost:.0f}", f"{cost / point['bytes'] * 1000:.2f}"))]
                  for point in results["by_size"]])


def slow(results: dict) -> str:
    return table(["server", "p99 alone, µs", "p99 with 2,000 slow clients, µs", "growth"],
                 [[server, f"{each['alone']['p99_us']:,.0f}", f"{each['with_slow']['p99_us']:,.0f}",
                   f"{each['with_slow']['p99_us'] / each['alone']['p99_us']:.2f}"]
                  for server, each in results["slow"].items()])


def parts(results: dict) -> str:
    return table(["part", "CPU, µs"], [[name, f"{cost:.2f}"] for name, cost in results["parts"].items()])


def checks(results: dict) -> str:
    return table(["what", "measured", "required", ""],
                 [[check["name"], f"{check['value']:,.2f} {check['unit']}".strip(),
                   f"{'at least' if check['at_least'] else 'at most'} {check['limit']:,g} {check['unit']}".strip(),
                   "PASS" if check["passed"] else "FAIL"] for check in results["checks"]])


SECTIONS = {"reviews": ("Reviews", reviews), "idle": ("Idle connections", idle), "by_size": ("By size", sizes),
            "slow": ("Under slow clients", slow), "parts": ("Parts", parts)}


def text(results: dict) -> str:
    """All tables of what was measured."""
    blocks = [f"## {title}\n\n{write(results)}" for key, (title, write) in SECTIONS.items() if key in results]
    return "\n\n".join([*blocks, "## Requirements\n\n" + checks(results)])


def layers(results: dict) -> str:
    """What each layer costs a small review, from the differences between the servers and the parts."""
    small = {server: row["cpu_us"] for server, row in results["reviews"]["small"]["mutate"].items()}
    part = results["parts"]
    size = results["reviews"]["small"]["bytes"]
    read, decide = part[f"read_review/{size}"], part[f"decide/{size}"]
    write, whole, rules = part[f"write_response/{size}"], part[f"handle/{size}"], part[f"check_rules/{size}"]
    constant, plain = small["our constant reply"], small["our constant reply, plain HTTP"]
    webhook = small["tfjob-webhook"]
    return table(["layer", "CPU, µs"], [
        ["system calls and HTTP (our constant reply without TLS)", f"{plain:.1f}"],
        ["of which reading the head strictly", f"{part['parse_head']:.1f}"],
        ["TLS (our constant reply with it, less that)", f"{constant - plain:.1f}"],
        ["reading the review (JSON)", f"{read:.1f}"],
        ["rules", f"{rules:.1f}"],
        ["tables and patch", f"{decide - rules:.1f}"],
        ["response", f"{write:.1f}"],
        ["metrics, log, snapshot of the configuration", f"{whole - read - decide - write:.1f}"],
        ["the rest: caches are colder here than in a loop over the parts", f"{webhook - constant - whole:.1f}"],
        ["the whole review, measured over the network", f"{webhook:.1f}"]])


def write_document(results: dict, path: Path) -> None:
    """docs/performance.md: between its two marks everything is written by this."""
    begin, end = "<!-- measured: begin -->", "<!-- measured: end -->"
    machine = results["machine"]
    measured = "\n".join([
        begin, "",
        f"Measured on {machine['date']}: {machine['processor']}, {machine['cores']} cores, Linux "
        f"{machine['kernel']}, {machine['openssl']}; 2 loops, 16 connections, load and server on the same machine.", "",
        "## What a small review is made of", "", layers(results), "", text(results), "", end])
    old = path.read_text()
    before, rest = old.split(begin)
    path.write_text(before + measured + rest.split(end)[1])
