"""The tools a model is offered, and those that only answer.

A call always comes back as an Answer: a visible tool runs; a hidden one is an alias of a visible
one, a redirect or a part of the protocol; a demoted one rests; any other name is a wish.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from react_agent.parsers.hidden import Alias, Hidden, Protocol, Redirect
from react_agent.parsers.tool_name import folded
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.naming import named
from react_agent.tools.observation import Observation, failed


class Kind(StrEnum):
    READ = "read"
    SEARCH = "search"
    WRITE = "write"
    RUN = "run"
    TEST = "test"
    THINK = "think"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    usage: str  # one line, shown to the model behind the name
    kind: Kind
    call: Callable[[str, Context], Observation]
    needs_input: bool = True


class How(StrEnum):
    VISIBLE = "visible"
    ALIAS = "alias"
    REDIRECT = "redirect"
    PROTOCOL = "protocol"
    DEMOTED = "demoted"
    WISH = "wish"


@dataclass(frozen=True, slots=True)
class Answer:
    observation: Observation
    how: How
    kind: Kind
    tool: str = ""  # the visible tool that ran


@dataclass(frozen=True, slots=True)
class Registry:
    visible: Mapping[str, Tool]
    hidden: Mapping[str, Hidden]

    @property
    def names(self) -> frozenset[str]:
        """Every name that answers."""
        return frozenset(self.visible) | frozenset(self.hidden)

    @property
    def names_without_input(self) -> frozenset[str]:
        """Those that mean something without any."""
        return frozenset(name for name in self.names if not self._needs_input(name))

    def _needs_input(self, name: str) -> bool:
        entry = self.hidden.get(name)
        if isinstance(entry, Alias):
            return self.visible[entry.target].needs_input
        return entry is None and self.visible[name].needs_input

    def call(
        self, name: str, given: str, context: Context, resting: Mapping[str, int] | None = None
    ) -> Answer:
        """`resting` says for how many steps a demoted tool rests."""
        tool = self.visible.get(name)
        if tool:
            return self._run(tool, given, context, How.VISIBLE, resting or {})
        match self.hidden.get(name):
            case Alias(target):
                return self._run(self.visible[target], given, context, How.ALIAS, resting or {})
            case Redirect(text):
                return Answer(failed(_filled(text, given)), How.REDIRECT, Kind.NONE)
            case Protocol(text):
                return Answer(Observation(_filled(text, given)), How.PROTOCOL, Kind.THINK)
            case None:
                return Answer(failed(self._wish(name)), How.WISH, Kind.NONE)

    def _run(
        self, tool: Tool, given: str, context: Context, how: How, resting: Mapping[str, int]
    ) -> Answer:
        if tool.name in resting:
            return Answer(failed(_rests(tool.name, resting[tool.name])), How.DEMOTED, Kind.NONE)
        observation = _capped(_called(tool, given, context), context)
        return Answer(observation, how, tool.kind, tool.name)

    def _wish(self, name: str) -> str:
        offered = ", ".join(named(tool) for tool in self.visible)
        near = difflib.get_close_matches(name.casefold(), self.visible, n=1)
        nearest = f" The nearest to it is {named(near[0])}." if near else ""
        return f"There is no tool of that name.{nearest} The tools are: {offered}."


def build(tools: Sequence[Tool], hidden: Mapping[str, Hidden]) -> Registry:
    """Raises ValueError where a hidden entry names what is not offered, or is read as what is."""
    visible = {tool.name: tool for tool in tools}
    offered = {folded(name): name for name in visible}
    for name, entry in hidden.items():
        if known := offered.get(folded(name)):
            raise ValueError(f"{name} can't be hidden: it is read as {known}, which is offered")
        if isinstance(entry, Alias) and entry.target not in visible:
            raise ValueError(f"{name} is an alias of {entry.target}, which is not offered")
    return Registry(visible, {name: _with_names(entry, visible) for name, entry in hidden.items()})


def _with_names(entry: Hidden, visible: Mapping[str, Tool]) -> Hidden:
    """Tool names in a text are set here, so that only offered ones can be named."""
    if isinstance(entry, Alias):
        return entry
    text = entry.text
    for name in visible:
        text = text.replace(f"{{{name}}}", named(name))
    return type(entry)(text)


def _called(tool: Tool, given: str, context: Context) -> Observation:
    try:
        return tool.call(given, context)
    except ReactAgentError as error:
        return failed(str(error))
    except OSError as error:
        return failed(f"{named(tool.name)} could not be run: {error.strerror}")


def _capped(observation: Observation, context: Context) -> Observation:
    return replace(observation, text=clip(observation.text, context.limits))


def _filled(text: str, given: str) -> str:
    return text.replace("{input}", given.strip().split("\n")[0][:80])


def _rests(name: str, steps: int) -> str:
    return (
        f"This very call has returned the same again and again: its result stands above. It is not "
        f"made for the next {counted(steps, 'step')}; {named(name)} with another input works."
    )
