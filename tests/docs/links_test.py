"""Links between the pages, and into the tree, lead somewhere; anchors too; docs/README.md names every page."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from blocks import pages

PROJECT = Path(__file__).resolve().parent.parent.parent
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(text: str) -> str:
    """Without fenced blocks and code, in which nothing is a link."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults(page: Path) -> list[str]:
    found = []
    for link in _LINK.findall(prose(page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            found.append(f"{link}: there is no such file")
        elif anchor and anchor not in anchors(target):
            found.append(f"{link}: the page has no such heading")
    return found


def main() -> int:
    failed = 0
    every = pages(PROJECT)
    for page in every:
        for fault in faults(page):
            failed += 1
            print(f"{page.relative_to(PROJECT)}: {fault}")
    index = (PROJECT / "docs/README.md").read_text()
    for page in every:
        if page.parent.name == "docs" and page.name != "README.md" and f"]({page.name})" not in index:
            failed += 1
            print(f"docs/README.md does not name {page.name}")
    print(f"{len(every)} pages, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
