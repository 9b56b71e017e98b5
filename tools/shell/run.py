"""Run a shell command in the work tree, in the folder that the one before it ended in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.shell_line import read_line
from react_agent.parsers.shell_prompt import without_prompt
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.shell import confined, process, shell
from react_agent.tools.shell.command_output import ended, exit_facts, readable, shown

_CD = re.compile(r"\s*cd\s+(?P<folder>/[\w./-]+)")
_LOOKED_AT = 10_000  # characters of a command
_STAYS = "the command ended outside the repository"


def _run(text: str, context: Context) -> Observation:
    match named_text(text, COMMANDS):
        case NamedText() as named:
            return read_as(named.said, _ran(named.text, context))
        case Unreadable(reason):
            return failed(reason)
        case _:
            command = without_prompt(text)
            said = "read without the prompt" if command != text else ""
            return read_as(said, _ran(command, context))


def _ran(command: str, context: Context) -> Observation:
    if problem := shell.problem(command):
        return failed(problem)
    start = shell.start(context)
    try:
        with shell.trace(context) as trace:
            done = confined.run(
                shell.words(trace.following(command)),
                context,
                timeout_s=context.limits.command_seconds,
                cwd=start.folder,
            )
            reported = "" if done.timed_out or done.code < 0 else trace.read()
            parts = done.output[: done.cut_at], done.output[done.cut_at :]
            head, tail = map(trace.without, parts)
    except ReactAgentError as error:
        return failed(told(error))
    output = readable(head, tail, done.left_out, context)
    return _observation(done, output, start, reported, _Said(command, context))


@dataclass(frozen=True, slots=True)
class _Said:
    command: str
    context: Context

    def notes(self, done: process.Done, output: str) -> Iterator[str]:
        """What a model may not know of how commands are run."""
        found = _CD.match(self.command)
        if found and done.code and f"{found['folder']}: No such file" in output:
            yield f"commands start in the repository already: leave out cd {found['folder']}"
        line = read_line(self.command) if len(self.command) <= _LOOKED_AT else None
        if line and any(pipeline.then == "&" for pipeline in line.pipelines):
            yield "what was still running behind & ended with the command"


def _observation(
    done: process.Done, output: str, start: shell.Start, reported: str, asked: _Said
) -> Observation:
    context = asked.context
    end = shell.named_end(context.root, reported) or start.name
    notes = [*([start.said] if start.said else []), *asked.notes(done, output)]
    if reported and not shell.named_end(context.root, reported):
        notes.append(f"{_STAYS}: the next one starts in {_place(start.name)}")
    said = "".join(f"\n[{note}]" for note in notes)
    facts = {} if end == context.cwd else {"cwd": end}
    noted = exit_facts(done.code, done.hit, timed_out=done.timed_out)
    title = f"{_ending(done, context)}{_where(start.name, end)}"
    worked = done.code == 0 and not done.timed_out and done.hit in ("", "left")
    if not output:
        status = Status.EMPTY if worked else Status.FAILED
        return Observation(f"{title}, no output{said}", status, facts=facts, noted=noted)
    text = shown(title + said, output, done.left_out, context)
    return Observation(text, Status.OK if worked else Status.FAILED, facts=facts, noted=noted)


def _ending(done: process.Done, context: Context) -> str:
    if done.timed_out and not done.hit:
        limit = f"{context.limits.command_seconds:g} s"
        return f"ended by the time limit of {limit}, with all that it had started"
    return ended(done.code, done.hit, context.allowance)


def _where(start: str, end: str) -> str:
    if start != end:
        return f" (now in {_place(end)})"
    return "" if end == shell.ROOT else f" (in {end})"


def _place(name: str) -> str:
    return "the repository's root" if name == shell.ROOT else name


RUN = Tool(
    "run",
    "run a shell command; starts in the repository's root, later where the last one ended (cd "
    "lasts); sees no keyboard; what it leaves running is ended with it; "
    "input: the command, on one line or several",
    Kind.RUN,
    _run,
)
