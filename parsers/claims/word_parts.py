"""The words of a name: `parseDate`, `parse_date` and `parse-date` have the same two."""

import re

_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])|[^\W_A-Za-z0-9]+")


def word_parts(name: str) -> tuple[str, ...]:
    """In small letters."""
    return tuple(part.casefold() for part in _PART.findall(name))
