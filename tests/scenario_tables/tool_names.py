"""Find the names of tools in a text of ours, where they are written as `registry.named` does."""

import re


def names_in(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"`([a-z][a-z_]*)`", text))
