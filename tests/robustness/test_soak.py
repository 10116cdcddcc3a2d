"""SOAK_SECONDS of load, good and bad, while certificates and configuration change every 100 ms.

For builds with sanitizers: the program has to end with 0, which it does not where one reported something.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from pathlib import Path

from clients import Client, Ended, GoodClients, request
from test_clients import REFUSED, STAGES
from webhook import Webhook, make_pair, review

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
SMALL = review()

CONFIGURATIONS = [
    "profile: signals\n", "profile: mine\nprofiles:\n  mine: {retryable: '42, SIGUSR2', maxRetries: 3}\n",
    "profile: [broken\n", "enforcement: warn\n", "namespaces:\n- match: [default]\n  profile: cloudml\n",
    "profile: missing\n"]


def write_configuration(folder: Path, text: str) -> None:
    (folder / "new.yaml").write_text(
        "apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n" + text)
    os.replace(folder / "new.yaml", folder / "config.yaml")


def test_soak(tmp_path: Path) -> None:
    write_configuration(tmp_path, "")
    done = threading.Event()
    errors: list[str] = []

    def change() -> None:
        """Three valid pairs in turn, a broken one between them, and every configuration."""
        pairs = []
        for i in range(3):
            folder = tmp_path / f"pair{i}"
            folder.mkdir()
            make_pair(folder)
            pairs.append((folder / "tls.crt").read_bytes() + b"|" + (folder / "tls.key").read_bytes())
        pairs.append(pairs[0].split(b"|")[0] + b"|" + pairs[1].split(b"|")[1])  # of two pairs
        for pair, text in zip(itertools.cycle(pairs), itertools.cycle(CONFIGURATIONS)):
            if done.wait(0.1):
                return
            for name, content in zip(("tls.crt", "tls.key"), pair.split(b"|")):
                (tmp_path / "new").write_bytes(content)
                os.replace(tmp_path / "new", tmp_path / name)
            write_configuration(tmp_path, text)

    def misbehave() -> None:
        kinds = [(data, True) for data, _ in REFUSED.values()]
        kinds += [(data, stage not in ("connected", "in the handshake")) for stage, data in STAGES.items()]
        for index, (data, tls) in enumerate(itertools.cycle(kinds)):
            if done.is_set():
                return
            try:
                client = Client(webhook.port, tls=tls, timeout=5)
                client.send(data)
                client.reset() if index % 3 == 0 else client.close()
            except (OSError, Ended):
                continue
            except Exception as error:  # noqa: BLE001
                errors.append(repr(error))
                return

    with Webhook(tmp_path, "--config", str(tmp_path / "config.yaml"), "--reload-interval", "10ms",
                 "--max-connection-age", "1s", "--request-timeout", "2s") as webhook:
        threads = [threading.Thread(target=target) for target in (change, misbehave, misbehave)]
        for thread in threads:
            thread.start()
        begin = time.monotonic()
        with GoodClients(webhook.port, SMALL, count=6, limit=10), GoodClients(
                webhook.port, review(300_000), count=2, limit=10):
            middle = 0
            while time.monotonic() - begin < SECONDS:
                time.sleep(0.5)
                assert webhook.process.poll() is None, webhook.log.read_text()[-5000:]
                assert not errors
                if not middle and time.monotonic() - begin > SECONDS / 2:
                    middle = webhook.most_resident()
            end = webhook.most_resident()
        done.set()
        for thread in threads:
            thread.join()
        assert webhook.get("/metrics").count("tfjob_webhook_reviews_total{") >= 1
        # The peaks, since ThreadSanitizer returns memory every few seconds, and what is resident in between goes up
        # and down by half. What leaks raises them as well.
        assert end - middle < 30_000_000, f"the most resident memory went from {middle} to {end}"
        log = webhook.log.read_text()
        assert log.count("certificate reloaded") > 10 and log.count("configuration reloaded") > 10
        assert "certificate not reloaded" in log and "configuration not reloaded" in log
