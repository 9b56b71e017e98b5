"""react-agent inspect procedures"""

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.screen import console
from react_agent.parsers.settings.procedure import END, Phase, Procedure, Role
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.procedure.roles import find_procedure, shipped

_LEAST = 40  # columns
_INDENT = 2


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="a shipped one or a FILE; none: list them"),
    ] = None,
) -> None:
    """List the procedures; or check one, and show its states and the ways between them.

    What is wrong in a file is said as FILE:LINE: what was expected, what was found.

    \b
    Example:
      react-agent inspect procedures
      react-agent inspect procedures mine.txt
      react-agent solve issue.md --procedure mine.txt
    """
    screen = console()
    if name is None:
        for one in shipped():
            _print(f"{one:<10} {_states(find_procedure(one))}", screen, 11)
        return
    for indent, line in _lines(find_procedure(name)):
        _print(f"{' ' * indent}{line}", screen, indent + _INDENT)


def _print(line: str, screen: Console, indent: int) -> None:
    width, deeper = max(screen.width, _LEAST), " " * indent
    parts = textwrap.wrap(escape(line), width, subsequent_indent=deeper, break_on_hyphens=False)
    for part in parts or [""]:
        screen.print(Text(part), soft_wrap=True)


def _states(procedure: Procedure) -> str:
    return " -> ".join((*(phase.name for phase in procedure.phases), END))


def _lines(procedure: Procedure) -> Iterator[tuple[int, str]]:
    """Each with its indent."""
    yield 0, f"{procedure.name}: {_states(procedure)}"
    yield _INDENT, f"profile: {procedure.profile or 'the one of your settings'}"
    yield _INDENT, f"memory: {procedure.sharing}; {_summary(procedure)}; {_relevant(procedure)}"
    for phase in procedure.phases:
        yield 0, ""
        yield from _phase(phase)


def _summary(procedure: Procedure) -> str:
    if not procedure.summary_every:
        return "no summaries"
    return f"a summary every {counted(procedure.summary_every, 'entry')}"


def _relevant(procedure: Procedure) -> str:
    if not procedure.relevant_history:
        return "relevant history is off"
    return f"the {counted(procedure.relevant_history, 'entry')} most relevant"


def _phase(phase: Phase) -> Iterator[tuple[int, str]]:
    turns = (
        "one turn" if len(phase.next) == 1 else f"at most {counted(phase.maximum_turns, 'turn')}"
    )
    by = f", controller: {phase.controller}" if len(phase.roles) > 1 else ""
    yield 0, f"{phase.name} ({turns}{by})"
    for role in phase.roles:
        yield _INDENT, _role(role)
    if phase.begin_query:
        yield _INDENT, f"begins with {phase.first_role} saying: {one_line(phase.begin_query)}"
    for number, name in enumerate(phase.next):
        yield _INDENT, f"{number} -> {'stays' if name == phase.name else name}{_why(phase, number)}"


def _why(phase: Phase, number: int) -> str:
    if len(phase.next) == 1:
        return ", after its turn"
    if number == len(phase.next) - 1:
        return ", also when its turns are used up"
    return ", also when the judge can't be read" if number == 0 else ""


def _role(role: Role) -> str:
    name = f" ({role.name})" if role.name != role.key else ""
    steps = "" if role.steps is None else f", at most {counted(role.steps, 'step')} a turn"
    tools = f": {' '.join(role.tools)}" if role.tools else ": the tools of the profile"
    model = f", with {role.model}" if role.model else ""
    return f"{role.key}{name}{steps}{model}{tools}"
