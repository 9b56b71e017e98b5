"""Our own environment variables, which include keys. No other module reads them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


def all_of_them() -> dict[str, str]:
    return dict(os.environ)


def count() -> int:
    return len(os.environ)


def value(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def suggest(name: str, default: str) -> None:
    """Set an environment variable unless it is already set. Child processes inherit it."""
    os.environ.setdefault(name, default)


@contextmanager
def instead(prefix: str, of_ours: Mapping[str, str]) -> Iterator[None]:
    """Replace all variables that start with the prefix, for a library that reads them itself."""
    theirs = {name: text for name, text in os.environ.items() if name.startswith(prefix)}
    for name in theirs:
        del os.environ[name]
    os.environ.update(of_ours)
    try:
        yield
    finally:
        for name in of_ours:
            del os.environ[name]
        os.environ.update(theirs)
