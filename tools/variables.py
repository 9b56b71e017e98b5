"""The environment we were started with, keys and all: nobody else reads it."""

import os


def all_of_them() -> dict[str, str]:
    return dict(os.environ)


def value(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def suggest(name: str, default: str) -> None:
    """For a program that we start with what we were started with."""
    os.environ.setdefault(name, default)


def extend(name: str, more: str) -> None:
    os.environ[name] = value(name) + more
