"""Names that a settings file or a profile may still hold for one release, and what is there now."""

from collections.abc import Collection, Iterator

_GIT = "the command of git is run instead"
TOOLS = {"git_log": _GIT, "git_show": _GIT, "blame": _GIT}
SETTINGS = {"remember": "runs keep no notes for later ones"}


def without_gone(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in TOOLS)


def told_of_gone(tools: Collection[str], settings: Collection[str]) -> Iterator[str]:
    """A line for each."""
    yield from (f"the tool {name!r} is gone: {TOOLS[name]}" for name in tools if name in TOOLS)
    yield from (f"the setting {name!r} is gone: {SETTINGS[name]}" for name in settings)
