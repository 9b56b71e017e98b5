"""A profile without some of what it has: the text of a file that is based on it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.task import PLAIN, Arm
from react_agent.loop.state import PLAN_CHANGES
from react_agent.profiles.profile import OFF, Profile
from react_agent.profiles.profile_file import (
    BASED_ON,
    COMPRESS,
    HEAD,
    STUCK,
    Wanted,
    Written,
    profile_of,
    written_for,
)
from react_agent.profiles.toolbox import tool_named

_SEVERAL = "+"  # a+b: one arm without both


def arms(arm: Arm, without: Sequence[str], profiles: Path) -> list[Arm]:
    """`without`: lists like `hidden,repair`. Raises UsageError, ConfigError: there is no such part.

    `profiles` is the folder of a person's own.
    """
    named = list(dict.fromkeys(_names(without)))
    if not named:
        raise UsageError("nothing to go without: say --without hidden,repair,TOOL,...")
    for parts in named:
        profile_without(arm.profile, parts, profiles)
    plain = replace(arm, name=PLAIN, without=())
    others = (replace(arm, name=f"no-{_SEVERAL.join(parts)}", without=parts) for parts in named)
    return [plain, *others]


def _names(without: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The order in which parts are taken away makes no difference."""
    for one in ",".join(without).split(","):
        if parts := tuple(sorted({part for name in one.split(_SEVERAL) if (part := name.strip())})):
            yield parts


Change = Callable[[Profile], Profile]
_NOWHERE = Path("/nonexistent")
_HINT = "hint"  # of the answers to a run that is stuck


def profile_without(profile: str, without: Sequence[str], own: Path = _NOWHERE) -> str:
    """`own` is the folder of a person's profiles. Raises UsageError, ConfigError."""
    written = written_for(Wanted(profile), own)
    before = after = profile_of(written)
    for part in without:
        after, had = _change(part)(after), after
        if after == had:
            raise UsageError(f"profile {before.name} has no {part}, so none can be taken from it")
    head = (HEAD, BASED_ON, _base(written)), (HEAD, "summary", f"without {' '.join(without)}")
    changed = (
        (section, name, text(after))
        for (section, name), text in _WRITTEN.items()
        if text(after) != text(before)
    )
    return "\n".join(_lines((*head, *changed)))


def _lines(said: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    for section, settings in groupby(said, key=lambda one: one[0]):
        yield f"[{section}]"
        yield from (f"{name} = {text}".rstrip() for _, name, text in settings)
    yield ""


def _base(written: Written) -> str:
    """A file of a person's own is called by its place."""
    layer = written.layers[-1]
    return layer.source if layer.folder else written.name


def _change(part: str) -> Change:
    if part in PARTS:
        return PARTS[part]
    if tool_named(part) is None:
        raise UsageError(f"nothing is called {part!r}: there are {', '.join(PARTS)}, and the tools")
    return lambda profile: _without_tools(profile, (part,))


def _without_tools(profile: Profile, gone: Collection[str]) -> Profile:
    kept, unoffered = (
        tuple(name for name in names if name not in gone)
        for names in (profile.tools, profile.unoffered)
    )
    return replace(profile, tools=kept, unoffered=unoffered)


def _without_guards(*gone: str) -> Change:
    return lambda profile: replace(
        profile, guards=tuple(name for name in profile.guards if name not in gone)
    )


def _without_hints(profile: Profile) -> Profile:
    ladder = tuple(answer for answer in profile.patience.ladder if answer != _HINT)
    return replace(profile, hints=(), patience=replace(profile.patience, ladder=ladder))


def _without_plan(profile: Profile) -> Profile:
    return _without_guards("plan")(_without_tools(profile, PLAN_CHANGES))


PARTS: Mapping[str, Change] = {
    "hidden": lambda profile: replace(profile, off=OFF),
    "repair": lambda profile: replace(profile, repair=False),
    "backtrack": _without_guards("backtrack"),
    "compressor": _without_guards(COMPRESS, "history"),
    "hints": _without_hints,
    "gate": lambda profile: replace(profile, gate=False),
    "stuck": _without_guards("stuck"),
    "plan": _without_plan,
    "remind": _without_guards("remind"),
    "about": lambda profile: replace(profile, about=()),
}
_SWITCH = {True: "yes", False: "no"}
_WRITTEN: Mapping[tuple[str, str], Callable[[Profile], str]] = {
    (HEAD, "tools"): lambda profile: " ".join(profile.tools),
    (HEAD, "unoffered"): lambda profile: " ".join(profile.unoffered),
    (HEAD, "guards"): lambda profile: " ".join(profile.guards),
    (HEAD, "about"): lambda profile: " ".join(profile.about),
    (HEAD, "off"): lambda profile: " ".join(profile.off),
    (HEAD, "hints"): lambda profile: " ".join(profile.hints),
    (HEAD, "repair"): lambda profile: _SWITCH[profile.repair],
    (HEAD, "gate"): lambda profile: _SWITCH[profile.gate],
    (STUCK, "ladder"): lambda profile: " ".join(profile.patience.ladder),
}
