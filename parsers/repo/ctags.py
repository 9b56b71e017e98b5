"""What Universal Ctags prints with --output-format=json: one object a line."""

import json
from collections.abc import Iterator, Mapping

from react_agent.parsers.repo.outline import Defined, Outline

_LEFT_OUT = frozenset({"variable", "local", "parameter", "package", "import", "label", "key"})
_BETWEEN = ("::", ".", '""')  # of a scope's parts


def ctags_outline(text: str) -> Outline:
    """What can't be read of it is left out."""
    found = sorted(_tags(text), key=lambda one: (one.first, -one.last))
    return Outline(tuple(found))


def _tags(text: str) -> Iterator[Defined]:
    for line in text.split("\n"):
        try:
            tag = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(tag, dict) and tag.get("_type") == "tag":
            yield from _defined(tag)


def _defined(tag: Mapping[str, object]) -> Iterator[Defined]:
    name, kind, first = tag.get("name"), tag.get("kind", ""), tag.get("line")
    last, scope = tag.get("end", first), tag.get("scope", "")
    if not isinstance(name, str) or not isinstance(first, int) or kind in _LEFT_OUT:
        return
    signature = tag.get("signature", "")
    title = f"{kind} {name}{signature if isinstance(signature, str) else ''}"
    end = last if isinstance(last, int) else first
    yield Defined(title, first, end, _depth(scope) if isinstance(scope, str) else 0)


def _depth(scope: str) -> int:
    if not scope:
        return 0
    return 1 + max(scope.count(between) for between in _BETWEEN)
