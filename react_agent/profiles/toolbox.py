"""The tools of a run, which are built in or provided by installed packages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from react_agent.errors import ConfigError
from react_agent.gone import TOOLS, without_gone
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.turn.tool_name import folded
from react_agent.profiles.profile import Profile, with_limits
from react_agent.profiles.profile_file import (
    HEAD,
    HIDDEN,
    NAMES,
    PROMPT,
    Wanted,
    Written,
    profile_of,
    variants,
    written_for,
)
from react_agent.profiles.run_tools import ADD_TASK, MODIFY_TASK, RECALL, UPDATE_FILE
from react_agent.profiles.settings import Settings
from react_agent.tools import package_data
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE, WRITE_FILE
from react_agent.tools.edits.undo import UNDO
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.registry import Registry, Tool, build, in_a_line
from react_agent.tools.shell.run import KILL, RUN, RUN_BACKGROUND
from react_agent.tools.testing.run_tests import RUN_TESTS
from react_agent.tools.textbook import CALCULATOR, LOOKUP
from react_agent.tools.web import BROWSE

_OURS = (
    *(LIST_FILES, GREP, OUTLINE, READ_FILE),
    *(APPLY_PATCH, REPLACE, WRITE_FILE, UNDO, UPDATE_FILE),
    *(CALCULATOR, LOOKUP),
    *(RUN, RUN_TESTS, RUN_BACKGROUND, KILL, BROWSE),
    *(RECALL, ADD_TASK, MODIFY_TASK),
)
OURS = {tool.name: tool for tool in _OURS}
UNOFFERED = "unoffered"
GROUP = "react_agent.tools"  # of entry points, each of which is a Tool
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_EMPTY = Hidden(HiddenKind.REDIRECT)  # an empty value removes a name
_FILLED = ("tools", "command_seconds")


def tool_named(name: str) -> Tool | None:
    """Look up a tool by name. Packages are only imported when needed. Raises ConfigError."""
    if name in OURS:
        return OURS[name]
    for point in package_data.added(GROUP, name):
        try:
            tool = point.load()
        except (Exception, SystemExit) as error:  # whatever a package does when it is imported
            raise ConfigError(
                f"the tool {name!r} of {point.value} is broken: {in_a_line(error)}"
            ) from error
        if not isinstance(tool, Tool) or tool.name != name:
            raise ConfigError(f"{point.value} does not define a tool named {name!r}")
        return tool
    return None


def with_more(
    registry: Registry, tools: Sequence[Tool], not_offered: Sequence[Tool] = ()
) -> Registry:
    """Add tools to a registry, replacing tools with the same names. Raises ConfigError."""
    if not tools and not not_offered:
        return registry
    names = {folded(tool.name) for tool in (*tools, *not_offered)}
    kept, unoffered = (
        [tool for tool in there.values() if folded(tool.name) not in names]
        for there in (registry.visible, registry.unoffered)
    )
    hidden = {name: entry for name, entry in registry.hidden.items() if folded(name) not in names}
    try:
        return build([*kept, *tools], hidden, [*unoffered, *not_offered])
    except ValueError as error:
        raise ConfigError(str(error)) from error


def with_settings(profile: Profile, settings: Settings) -> Profile:
    """Return the profile after the user's settings have added and removed tools."""
    unoffered = () if UNOFFERED in profile.off else without_gone(profile.unoffered)
    offer, withhold = without_gone(settings.offer), without_gone(settings.withhold)
    for setting, names in (("offer", offer), ("withhold", withhold)):
        for name in names:
            if tool_named(name) is None and not (setting == "withhold" and name in profile.tools):
                raise ConfigError(f"your settings {setting} {name!r}, but there is no such tool")
    offered = dict.fromkeys((*without_gone(profile.tools), *offer))
    gone = {*profile.unoffered} - {*offered, *unoffered} | {*withhold, *TOOLS}
    offline = {} if settings.network else profile.hidden_offline
    closed = set[str]() if settings.web else {BROWSE.name} - {*settings.offer}
    entries = {**profile.hidden, **offline, **settings.hidden}
    return replace(
        profile,
        tools=tuple(name for name in offered if name not in gone | closed),
        unoffered=tuple(
            name for name in (*unoffered, *offered) if name not in gone | {*offered} - closed
        ),
        hidden={
            name: entry
            for name, entry in entries.items()
            if entry != _EMPTY and entry.kind not in profile.off and entry.target not in gone
        },
    )


def registry_for(profile: Profile) -> Registry:
    """Return the profile's registry. Raises ConfigError if the profile lists an unknown tool."""
    _check_placeholders(profile)
    offered, unoffered = (
        [_tool(name, profile.at(HEAD, key)) for name in without_gone(names)]
        for key, names in (("tools", profile.tools), (UNOFFERED, profile.unoffered))
    )
    if not offered:
        raise ConfigError(f"profile {profile.name}: no tool is offered")
    try:
        return build(offered, profile.hidden, unoffered)
    except ValueError as error:
        at = next(_faulty(offered, unoffered, profile))
        raise ConfigError(f"{at}: {error}") from error


def profile_for(wanted: Wanted, settings: Settings) -> Profile:
    """Return a profile with the user's settings, checked for all models. Raises ConfigError."""
    written = written_for(wanted, settings.profiles)
    check_all(written)
    profile = with_settings(profile_of(written, wanted.model), settings)
    return replace(profile, budget=with_limits(profile.budget, settings.budget))


def check_all(written: Written) -> None:
    """Check that all tools exist in the amendments for all models. Raises ConfigError."""
    for profile in variants(written):
        registry_for(profile)


def _faulty(offered: list[Tool], unoffered: list[Tool], profile: Profile) -> Iterator[str]:
    for name, entry in profile.hidden.items():
        try:
            build(offered, {name: entry}, unoffered)
        except ValueError:
            its_own = (section for section in HIDDEN if (section, name) in profile.places)
            section = next(its_own, "")
            yield profile.at(section, name) if section else "your settings"


def _check_placeholders(profile: Profile) -> None:
    for part in NAMES[PROMPT]:
        for name in _PLACEHOLDER.findall(getattr(profile, part)):
            if name not in _FILLED and tool_named(name) is None:
                raise ConfigError(f"{profile.at(PROMPT, part)}: there is no tool {name!r}")


def _tool(name: str, at: str) -> Tool:
    tool = tool_named(name)
    if tool is None:
        raise ConfigError(f"{at}: there is no tool {name!r}")
    return tool
