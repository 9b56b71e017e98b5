"""The environment we were started with, keys and all: nobody else reads it."""

import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


def all_of_them() -> dict[str, str]:
    return dict(os.environ)


def value(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def suggest(name: str, default: str) -> None:
    """For a program that we start with what we were started with."""
    os.environ.setdefault(name, default)


def extend(name: str, more: str) -> None:
    os.environ[name] = value(name) + more


@contextmanager
def instead(prefix: str, of_ours: Mapping[str, str]) -> Iterator[None]:
    """These in the place of all whose names begin so, for a library that reads them by itself."""
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


def user() -> str:
    """The name of who runs us; in a container that may be a number alone."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
