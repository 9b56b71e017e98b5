"""Names that a settings file or a profile may still hold for one release, and what is there now."""

from collections.abc import Collection, Iterator

_GIT = "the command of git is run instead"
TOOLS = {"git_log": _GIT, "git_show": _GIT, "blame": _GIT}


def without_gone(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in TOOLS)


def told_of_gone(names: Collection[str]) -> Iterator[str]:
    """A line for each."""
    return (f"the tool {name!r} is gone: {TOOLS[name]}" for name in names if name in TOOLS)
