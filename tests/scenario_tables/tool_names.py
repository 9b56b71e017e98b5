"""Find the names of tools in a text of ours, where they are written as `registry.named` does."""

import re

_NAMED = re.compile(r"`([a-z][a-z_]*)`")


def names_in(text: str) -> frozenset[str]:
    return frozenset(_NAMED.findall(text))
