"""Write a profile that is based on another one but lacks some of its parts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.task import PLAIN, Arm
from react_agent.profiles.profile import OFF, Profile
from react_agent.profiles.profile_file import (
    BASED_ON,
    COMPRESS,
    HEAD,
    NO_FOLDER,
    STUCK,
    Wanted,
    profile_of,
    written_for,
)
from react_agent.profiles.toolbox import tool_named
from react_agent.state.state import PLAN_CHANGES

_HINT = "hint"  # a step of the ladder for stuck runs
_WRITTEN = ("tools", "unoffered", "guards", "about", "off", "hints", "repair", "gate")

Change = Callable[[Profile], Profile]


def arms(arm: Arm, without: Sequence[str], profiles: Path) -> list[Arm]:
    """Return the plain arm, and one arm for each part in `without`, lists like `hidden,repair`.

    `profiles` is the user's folder. Raises UsageError or ConfigError if there is no such part.
    """
    parts = list(dict.fromkeys(filter(None, map(str.strip, ",".join(without).split(",")))))
    if not parts:
        raise UsageError("nothing to leave out: use --without hidden,repair,TOOL,...")
    for part in parts:
        profile_without(arm.profile, (part,), profiles)
    plain = replace(arm, name=PLAIN, without=())
    return [plain, *(replace(arm, name=f"no-{part}", without=(part,)) for part in parts)]


def profile_without(profile: str, without: Sequence[str], own: Path = NO_FOLDER) -> str:
    """Return the profile's text. `own` is the user's folder. Raises UsageError or ConfigError."""
    written = written_for(Wanted(profile), own)
    before = after = profile_of(written)
    for part in without:
        after, had = _change(part)(after), after
        if after == had:
            raise UsageError(f"profile {before.name} has no {part}, so none can be taken from it")
    layer = written.layers[-1]
    base = layer.source if layer.folder else written.name  # a user's own file is named by its path
    changed = {
        name: _text(after, name) for name in _WRITTEN if _text(after, name) != _text(before, name)
    }
    head = {BASED_ON: base, "summary": f"without {' '.join(without)}"}
    sections = {HEAD: head | changed}
    if after.patience != before.patience:
        sections[STUCK] = {"ladder": " ".join(after.patience.ladder)}
    lines = (
        "\n".join((f"[{section}]", *(f"{name} = {text}".rstrip() for name, text in given.items())))
        for section, given in sections.items()
    )
    return "\n".join((*lines, ""))


def _text(profile: Profile, name: str) -> str:
    """Return a setting in the format of a profile file."""
    value = getattr(profile, name)
    return " ".join(value) if isinstance(value, tuple) else "yes" if value else "no"


def _change(part: str) -> Change:
    if part in PARTS:
        return PARTS[part]
    if tool_named(part) is None:
        raise UsageError(f"nothing is called {part!r}: there are {', '.join(PARTS)}, and the tools")
    return lambda profile: _without_tools(profile, (part,))


def _without_tools(profile: Profile, gone: Collection[str]) -> Profile:
    return replace(
        profile,
        tools=tuple(name for name in profile.tools if name not in gone),
        unoffered=tuple(name for name in profile.unoffered if name not in gone),
    )


def _without_guards(*gone: str) -> Change:
    return lambda profile: replace(
        profile, guards=tuple(name for name in profile.guards if name not in gone)
    )


def _without_hints(profile: Profile) -> Profile:
    ladder = tuple(answer for answer in profile.patience.ladder if answer != _HINT)
    return replace(profile, hints=(), patience=replace(profile.patience, ladder=ladder))


PARTS: Mapping[str, Change] = {
    "hidden": lambda profile: replace(profile, off=OFF),
    "repair": lambda profile: replace(profile, repair=False),
    "backtrack": _without_guards("backtrack"),
    "compressor": _without_guards(COMPRESS, "history"),
    "hints": _without_hints,
    "gate": lambda profile: replace(profile, gate=False),
    "stuck": _without_guards("stuck"),
    "plan": lambda profile: _without_guards("plan")(_without_tools(profile, PLAN_CHANGES)),
    "remind": _without_guards("remind"),
    "about": lambda profile: replace(profile, about=()),
}
