"""Start a command that goes on in the background, end it, and tell what it prints meanwhile."""

from dataclasses import replace

from react_agent.parsers.background_number import ALL, background_numbers
from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import Kind, Tool, named
from react_agent.tools.shell import shell
from react_agent.tools.shell.background import Background, News
from react_agent.tools.shell.command_output import ended, exit_facts, readable, shown
from react_agent.tools.shell.process import Ending

_NONE_HERE = "commands can't be run in the background here"
_NEWS_CHARS = 2_000  # of one command's
_COMMAND_CHARS = 60


def news(context: Context) -> str:
    """What the background commands have printed since the last time, and which have ended."""
    found = context.background.news() if context.background else []
    return "\n\n".join(_told(piece, context) for piece in found)


def running(context: Context) -> tuple[str, ...]:
    """What runs in the background: `1: python -m http.server`."""
    found = context.background.running() if context.background else []
    return tuple(f"{number}: {_short(command)}" for number, command in found)


def listing(context: Context) -> str:
    """The same, in a text."""
    lines = running(context)
    if not lines:
        return ""
    how = f"\n{named('kill')} with a number ends one." if "kill" in context.offered else ""
    return "These commands are running in the background:\n" + "\n".join(lines) + how


def _run_background(text: str, context: Context) -> Observation:
    match named_text(text, COMMANDS):
        case NamedText() as request:
            return read_as(request.said, _started(request.text, context))
        case Unreadable(reason):
            return failed(reason)
        case _:
            return _started(text, context)


def _started(command: str, context: Context) -> Observation:
    background = context.background
    if problem := shell.problem(command):
        return failed(problem)
    if background is None:
        return failed(f"{_NONE_HERE}{_instead(context)}")
    if len(background.running()) >= background.most:
        return failed(f"{background.most} commands run already; end one first. {listing(context)}")
    start = shell.start(context)
    try:
        background.prepare()
        first = background.start(
            command.strip(),
            context.sandbox(shell.words(command), start.folder),
            cwd=start.folder,
            env=context.environment,
            limits=context.allowance,
        )
    except ReactAgentError as error:
        return failed(told(error))
    return _first(first, start, background.patience_s, context)


def _instead(context: Context) -> str:
    return f": use {named('run')}" if "run" in context.offered else ""


def _first(first: News, start: shell.Start, patience_s: float, context: Context) -> Observation:
    where = "" if start.name == shell.ROOT else f" (in {start.name})"
    said = f"\n[{start.said}]" if start.said else ""
    if first.ending:
        title = f"it has already ended{where}: {_how(first.ending, context)}"
        worked = first.ending.code == 0
    else:
        title = f"runs in the background as number {first.number}{where}; what it prints is told"
        worked = True
    output = readable(first.head, first.tail, first.left_out, context)
    if not output:
        silent = "no output" if first.ending else f"no output in the first {patience_s:g} s"
        text = f"{title}, {silent}{said}"
    else:
        text = shown(title + said, output, first.left_out, context)
    facts = {} if first.ending else {"background": str(first.number)}
    noted = exit_facts(first.ending.code, first.ending.hit) if first.ending else {}
    return Observation(text, Status.OK if worked else Status.FAILED, facts=facts, noted=noted)


def _told(piece: News, context: Context) -> str:
    subject = f"background command {piece.number} ({_short(piece.command)})"
    output = readable(piece.head, piece.tail, piece.left_out, context)
    if piece.ending:
        title = f"{subject} has ended: {_how(piece.ending, context)}"
    else:
        title = f"{subject} printed:"
    if not output:
        return title
    most = min(_NEWS_CHARS, context.limits.output_chars)
    narrow = replace(context, limits=replace(context.limits, output_chars=most))
    return shown(title, output, piece.left_out, narrow)


def _how(ending: Ending, context: Context) -> str:
    return ended(ending.code, ending.hit, context.allowance).removeprefix("ended: ")


def _short(command: str) -> str:
    return clip_line(" ".join(command.split()), _COMMAND_CHARS)


def _kill(text: str, context: Context) -> Observation:
    background = context.background
    if background is None:
        return failed(_NONE_HERE)
    alive = [number for number, _ in background.running()]
    wanted = background_numbers(text)
    numbers = alive if wanted == ALL else [int(number) for number in wanted]
    if not numbers:
        return failed(f"say which, by its number. {_running(context)}")
    answers = [_killed(number, background, number in alive, context) for number in numbers]
    status = Status.OK if any(number in alive for number in numbers) else Status.FAILED
    return Observation("\n\n".join(answers), status)


def _killed(number: int, background: Background, ran: bool, context: Context) -> str:
    last = background.kill(number)
    if last is None:
        return f"there is no background command {number}. {_running(context)}"
    if not ran:
        return f"background command {number} had ended before"
    title = f"background command {number} ({_short(last.command)}) was ended"
    output = readable(last.head, last.tail, last.left_out, context)
    return shown(title, output, last.left_out, context) if output else title


def _running(context: Context) -> str:
    found = running(context)
    return f"Running: {'; '.join(found)}." if found else "None is running."


RUN_BACKGROUND = Tool(
    "run_background",
    "start a shell command that goes on while you do other things, such as a server; answers with "
    "its number and first output, later output is told as it comes; input: the command",
    Kind.RUN,
    _run_background,
)
KILL = Tool(
    "kill",
    "end a background command and all that it started; input: its number, or all",
    Kind.RUN,
    _kill,
)
