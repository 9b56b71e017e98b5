"""Apply a canonical patch in memory, to the letter: what it does is what was said."""

from collections.abc import Mapping


def applied(patch: str, files: Mapping[str, str]) -> dict[str, str | None]:
    """The files that it changes, none where one is deleted; ValueError where it does not fit."""
    raise NotImplementedError
