"""The registry of tools that a model is offered, and of hidden names that it can also call.

Every call returns an Answer. A tool runs even if it is not offered. A hidden name is an alias of a
tool, is translated to a tool call, is a redirect, or belongs to the protocol. A demoted tool is
blocked for a while. Any other name is recorded as a wish. Redirects also apply to shell commands.
"""

import difflib
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from react_agent.parsers.secrets.redaction import marks_in
from react_agent.parsers.settings.hidden import TRANSLATED, Hidden, HiddenKind, filled, with_tools
from react_agent.parsers.shell.line import first_barred
from react_agent.parsers.shell.lookups import Call
from react_agent.parsers.shell.tool_aliases import Meant, meant
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.turn.tool_name import folded
from react_agent.parsers.values.arguments import Named, Unreadable
from react_agent.parsers.values.commands import COMMANDS, checked_edit, named_text
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import SIZES, Context, Limits
from react_agent.tools.errors import OF_THE_MACHINE, ReactAgentError, told
from react_agent.tools.observation import Observation, Status, failed, read_as

_LOOKED_AT = 10_000  # characters of a line: a here-document may have many more
_SHOWN = 80  # characters of a command
_SHOWN_ERROR = 160
_NOTHING_RUN = "No part of the line was run"
_NOT_HERE = "That can't be done here."  # where no sentence of an entry is left
_HIDDEN = (
    "Nothing was run: the input contains `{mark}`, a placeholder for a secret. Remove it, or let "
    "the program read the secret itself."
)
_RESTS = (
    "This call returned the same result several times; see above. It is blocked for the next "
    "{steps}; {name} with another input works."
)


def named(tool_name: str) -> str:
    """Return a tool's name as it is written in all our messages, so that a check can find it."""
    return f"`{tool_name}`"


class Kind(StrEnum):
    READ = "read"
    SEARCH = "search"
    WRITE = "write"
    RUN = "run"
    TEST = "test"
    THINK = "think"
    PLAN = "plan"
    NONE = "none"


_STARTS = (Kind.RUN, Kind.TEST)
RUN, TESTS = "run", "run_tests"  # what an edit may run behind it
CHECKED = "\n\n[then: "  # between the text of an edit and its check
THEN, THEN_STATUS = "then", "then_status"  # facts: the kind of what ran, and how it ended
CHANGES_FILES = (Kind.WRITE, Kind.RUN, Kind.TEST)  # it may, at least


def in_a_line(error: BaseException) -> str:
    return clip_line(one_line(f"{type(error).__name__}: {error}"), _SHOWN_ERROR)


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    usage: str  # one line, shown to the model behind the name
    kind: Kind
    call: Callable[[str, Context], Observation]
    needs_input: bool = True
    takes_check: bool = False  # the last line of its input may be `then: COMMAND`

    def usage_at(self, limits: Limits) -> str:
        """Return the usage text, with placeholders such as `{window_lines}` replaced by sizes."""
        usage = self.usage
        for name in SIZES:
            usage = usage.replace(f"{{{name}}}", f"{getattr(limits, name):,}")
        return usage


class How(StrEnum):
    VISIBLE = "visible"
    UNOFFERED = "unoffered"
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
    tool: str = ""  # the one that ran
    entry: str = ""  # the redirect that answered


@dataclass(frozen=True)
class Registry:
    visible: Mapping[str, Tool]
    hidden: Mapping[str, Hidden]
    unoffered: Mapping[str, Tool] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """Return all names that can be called."""
        return frozenset(self.visible) | frozenset(self.hidden) | frozenset(self.unoffered)

    @functools.cached_property
    def names_without_input(self) -> frozenset[str]:
        """Return the names that can be called without input."""
        targets = {name: one.target or name for name, one in self.hidden.items()}
        tools = {name: self.tool(targets.get(name, name)) for name in self.names}
        return frozenset(name for name, tool in tools.items() if not (tool and tool.needs_input))

    def tool(self, name: str) -> Tool | None:
        """Return the tool of this name, whether or not it is offered to the model."""
        return self.visible.get(name) or self.unoffered.get(name)

    def call(
        self, name: str, given: str, context: Context, resting: Mapping[str, int] | None = None
    ) -> Answer:
        context = replace(context, offered=frozenset(self.visible), resting=resting or {})
        if tool := self.tool(name):
            how = How.VISIBLE if name in self.visible else How.UNOFFERED
            return self._run(tool, given, how, context)
        match self.hidden.get(name):
            case Hidden(HiddenKind.ALIAS, target) if tool := self.tool(target):
                return self._run(tool, given, How.ALIAS, context)
            case Hidden(HiddenKind.REDIRECT, text):
                return Answer(failed(filled(text, given)), How.REDIRECT, Kind.NONE, entry=name)
            case Hidden(HiddenKind.PROTOCOL, text):
                return Answer(Observation(filled(text, given)), How.PROTOCOL, Kind.THINK)
            case Hidden(kind) if kind in TRANSLATED:
                return self._translated(meant(kind, name, given, context.cwd), context)
            case _:
                return Answer(failed(self.wish(name)), How.WISH, Kind.NONE)

    def _run(self, tool: Tool, given: str, how: How, context: Context) -> Answer:
        if tool.takes_check and (found := checked_edit(given)):
            edit = replace(tool, takes_check=False)
            return self._checked(self._run(edit, found.edit, how, context), found.command, context)
        if tool.kind is Kind.RUN and (barred := self._barred(given)):
            return barred
        if tool.kind in _STARTS and (marks := marks_in(given)):
            return Answer(failed(_HIDDEN.format(mark=marks[0])), how, Kind.NONE)
        if tool.name in context.resting:
            steps = counted(context.resting[tool.name], "step")
            text = _RESTS.format(steps=steps, name=named(tool.name))
            return Answer(failed(text), How.DEMOTED, Kind.NONE)
        limits, is_read = context.limits, tool.kind is Kind.READ
        limits = replace(limits, output_chars=limits.read_chars) if is_read else limits
        try:
            seen = tool.call(given, context)
            seen = replace(seen, text=clip(seen.text, limits))
        except ReactAgentError as error:
            seen = failed(clip(told(error), limits))
        except OSError as error:
            if error.errno in OF_THE_MACHINE:
                raise
            seen = failed(f"{named(tool.name)} could not be run: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - or the run ends, and each resume of it, too
            seen = failed(f"{named(tool.name)} is broken: {in_a_line(error)}")
        return Answer(seen, how, tool.kind, tool.name)

    def _checked(self, edit: Answer, command: str, context: Context) -> Answer:
        """Return the result of an edit and of its check, which is not run if the edit failed."""
        seen = edit.observation
        if seen.status is not Status.OK:
            text = f"{seen.text}\n[not run, because nothing was changed: {command}]"
            return replace(edit, observation=replace(seen, text=text))
        left = context.limits.output_chars - len(seen.text)
        limits = replace(context.limits, output_chars=max(left, context.limits.output_chars // 2))
        name, _, given = command.partition(" ")
        name, given = (name, given) if name == TESTS else (RUN, command)
        ran = self.call(name, given, replace(context, limits=limits, tree=""), context.resting)
        came = ran.observation
        then = {THEN: ran.kind.value, THEN_STATUS: came.status.value}
        both = replace(
            seen,
            text=f"{seen.text}{CHECKED}{command}]\n{came.text}",
            facts={**seen.facts, **came.facts, **then},
            noted={**seen.noted, **came.noted},
            wrote=None if ran.kind in _STARTS else seen.wrote,
        )
        return replace(edit, observation=both)

    def _translated(self, wanted: Meant | Unreadable, context: Context) -> Answer:
        if isinstance(wanted, Unreadable):
            return Answer(failed(wanted.reason), How.ALIAS, Kind.NONE)
        if barred := self._barred(wanted.line):
            return barred
        here = self._called_as(wanted.here, context) if wanted.here else None
        if here and here.observation.status is not Status.FAILED:
            return here
        for call in wanted.calls:
            if answer := self._called_as(call, context):
                return answer
        return Answer(failed(f"No commands can be run here. {self._offer}"), How.WISH, Kind.NONE)

    def _called_as(self, call: Call, context: Context) -> Answer | None:
        tool = self.tool(call.tool)
        if tool is None:
            return None
        answer = self._run(tool, call.input, How.ALIAS, context)
        return replace(answer, observation=read_as(call.said, answer.observation))

    def barred(self, line: str) -> tuple[str, str] | None:
        """Return the first redirect that applies to a command of the line, and that command."""
        found = first_barred(line, self._redirects)
        return (self._redirects[found.pattern], found.text) if found else None

    @functools.cached_property
    def _redirects(self) -> Mapping[tuple[str, ...], str]:
        kind = HiddenKind.REDIRECT
        named = (name for name, entry in self.hidden.items() if entry.kind is kind)
        return {tuple(name.split()): name for name in named}

    def _barred(self, given: str) -> Answer | None:
        """Return the redirect's answer if a command must not run. Then nothing on the line runs."""
        inner = named_text(given, COMMANDS)
        line = inner.text if isinstance(inner, Named) else given
        found = self.barred(line[:_LOOKED_AT])
        if found is None:
            return None
        name, command = found
        pattern = name.split()
        rest = " ".join(word for word in command.split() if word not in pattern)
        text = filled(self.hidden[name].text, rest)
        if command.strip() != line.strip():
            text += f" {_NOTHING_RUN}; leave this out of it: {clip_line(command, _SHOWN)}"
        return Answer(failed(text), How.REDIRECT, Kind.NONE, entry=name)

    def wish(self, name: str) -> str:
        """Return the answer for a name that is neither a tool nor a hidden name."""
        near = difflib.get_close_matches(name.casefold(), self.visible, n=1)
        nearest = f" The nearest name is {named(near[0])}." if near else ""
        return f"There is no tool with that name.{nearest} {self._offer}"

    @property
    def _offer(self) -> str:
        return f"The tools are: {', '.join(map(named, self.visible))}."


def build(
    tools: Sequence[Tool], hidden: Mapping[str, Hidden], unoffered: Sequence[Tool] = ()
) -> Registry:
    """Build a registry. Raises ValueError if a hidden name is also a tool, or lacks its target."""
    visible = {tool.name: tool for tool in tools}
    answering = {tool.name: tool for tool in unoffered if tool.name not in visible}
    known = {folded(name): name for name in (*visible, *answering)}
    for name, entry in hidden.items():
        if taken := known.get(folded(name)):
            raise ValueError(f"{name} can't be hidden: it is read as {taken}, which is a tool")
        if entry.target not in {"", *visible, *answering}:
            raise ValueError(f"{name} is an alias of {entry.target}, which is not a tool here")
    # Tool names in a text are set here, so that only offered ones can be named.
    names = {name: named(name) for name in visible}
    texts = {
        name: replace(entry, text=with_tools(entry.text, names) or _NOT_HERE)
        for name, entry in hidden.items()
        if entry.kind in (HiddenKind.REDIRECT, HiddenKind.PROTOCOL)
    }
    return Registry(visible, {**hidden, **texts}, answering)
