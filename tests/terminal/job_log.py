"""A runner of GitHub Actions that reads what a job prints."""

import re
from collections.abc import Iterator

ORDER = re.compile(r"\s*::(?P<name>[\w-]+)(?: [^:]*)?::(?P<value>.*)")
MARKER = re.compile(r"##\[(?P<name>[\w-]+)[^\]]*\](?P<value>.*)")


def orders_followed(printed: str) -> Iterator[tuple[str, str]]:
    """Those that it follows; while they are stopped, it waits for the word."""
    word = ""
    for line in printed.split("\n"):
        found = ORDER.match(line) or MARKER.search(line)
        if not found or (word and found["name"] != word):
            continue
        if found["name"] == word:
            word = ""
        elif found["name"] == "stop-commands":
            word = found["value"]
        else:
            yield found["name"], found["value"]
