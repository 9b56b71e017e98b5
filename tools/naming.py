"""How our own texts name a tool, so that one check can find every such name."""

import re

_NAMED = re.compile(r"`([a-z][a-z_]*)`")


def named(tool_name: str) -> str:
    return f"`{tool_name}`"


def names_in(text: str) -> frozenset[str]:
    """Every tool that a text of ours offers."""
    return frozenset(_NAMED.findall(text))
