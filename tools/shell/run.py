"""Run shell commands in the folder where the last one ended, or in the background.

Output of background commands is shown with later observations.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from react_agent.parsers.shell.line import commands
from react_agent.parsers.values.arguments import Named, Unreadable
from react_agent.parsers.values.commands import ALL, COMMANDS, background_numbers, named_text
from react_agent.tools.clip import clip, clip_line
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import Kind, Tool, named
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.background import News
from react_agent.tools.shell.process import Printed
from react_agent.tools.shell.shell import ended, exit_facts, readable

_LOOKED_AT = 10_000  # characters of a command
_STAYS = "the command ended outside the repository"
_NONE_HERE = "commands can't be run in the background here"
_NEWS_CHARS = 2_000  # of one command's
_COMMAND_CHARS = 60


def news(context: Context) -> str:
    """Return the new output of the background commands, and report which of them have ended."""
    found = context.background.news() if context.background else []
    return "\n\n".join(_told(piece, context) for piece in found)


def running(context: Context) -> tuple[str, ...]:
    """Return the running background commands, such as `1: python -m http.server`."""
    found = context.background.running() if context.background else []
    return tuple(f"{number}: {_short(command)}" for number, command in found)


def listing(context: Context) -> str:
    how = f"\n{named('kill')} with a number ends one." if "kill" in context.offered else ""
    lines = "\n".join(running(context))
    return f"These commands are running in the background:\n{lines}{how}" if lines else ""


def _read(text: str, run: Callable[[str, Context], Observation], context: Context) -> Observation:
    match named_text(text, COMMANDS):
        case Named() as request:
            command, said = request.text, request.said
        case Unreadable(reason):
            return failed(reason)
        case _:
            command, said = text, ""
    problem = shell.problem(command)
    try:
        return read_as(said, failed(problem) if problem else run(command, context))
    except ReactAgentError as error:
        return read_as(said, failed(told(error)))


def _run(command: str, context: Context) -> Observation:
    start, gone = shell.start(context)
    done, reported = shell.run_traced(command, start, context)
    output = readable(done.printed, context)
    end = shell.named_end(context.root, reported)
    notes = [gone, _note(command, done.code, context)]
    if reported and not end:
        notes.append(f"{_STAYS}: the next one starts in {_place(start.name)}")
    end = end or start.name
    facts = {} if end == context.cwd else {"cwd": end}
    noted = exit_facts(done.code, done.hit, timed_out=done.timed_out)
    how = ended(done.code, done.hit, context.resource_limits)
    if done.timed_out and not done.hit:
        limit = f"{context.limits.command_seconds:g} s"
        how = f"ended by the time limit of {limit}, with everything it had started"
    title = how + _where(start.name, end)
    text = _with_output(title, output, done.printed, context, notes)
    status = Status.OK if output else Status.EMPTY
    if done.code or done.timed_out or done.hit not in ("", "left"):
        status = Status.FAILED
    return Observation(text, status, facts=facts, noted=noted)


def _note(command: str, code: int, context: Context) -> str:
    """Return a hint about how commands are run, or about a tool that does the same better."""
    seen = commands(command) if len(command) <= _LOOKED_AT else ()
    if code and "apply_patch" in context.offered and any(_is_patch(one.words) for one in seen):
        return f"{named('apply_patch')} takes a patch and repairs its line numbers and counts"
    waits = any(one.words[0] == "wait" for one in seen)
    are_killed = not waits and any(one.then == "&" for one in seen)
    return "processes started with & were killed when the command ended" if are_killed else ""


def _is_patch(words: Sequence[str]) -> bool:
    return words[0] == "patch" or " ".join(words[:2]) == "git apply"


def _with_output(
    title: str,
    output: str,
    printed: Printed,
    context: Context,
    notes: Sequence[str] = (),
    none: str = ", no output",
) -> str:
    said = "".join(f"\n[{note}]" for note in notes if note)
    if not output:
        return f"{title}{none}{said}"
    return clip(f"{title}{said}\n{output}", context.limits, shell.ADVICE, printed.left_out)


def _where(start: str, end: str) -> str:
    if start != end:
        return f" (now in {_place(end)})"
    return "" if end == shell.ROOT else f" (in {end})"


def _place(name: str) -> str:
    return "the repository's root" if name == shell.ROOT else name


def _run_background(command: str, context: Context) -> Observation:
    background = context.background
    if background is None:
        instead = f": use {named('run')}" if "run" in context.offered else ""
        return failed(_NONE_HERE + instead)
    if len(background.running()) >= background.most:
        return failed(f"{background.most} commands run already; end one first. {listing(context)}")
    start, gone = shell.start(context)
    background.prepare()
    first = background.start(
        command.strip(),
        context.sandbox(shell.words(command), start.full),
        cwd=start.full,
        env=context.environment,
        limits=context.resource_limits,
    )
    where = _where(start.name, start.name)
    output = readable(first.printed, context)
    if first.ending is None:
        title = f"runs in the background as number {first.number}{where}; its output is shown later"
        none = f", no output in the first {background.patience_s:g} s"
        text = _with_output(title, output, first.printed, context, [gone], none)
        return Observation(text, facts={"background": str(first.number)})
    title = f"it has already ended{where}: {_how(first.ending, context)}"
    text = _with_output(title, output, first.printed, context, [gone])
    status = Status.FAILED if first.ending.code else Status.OK
    return Observation(text, status, noted=exit_facts(first.ending.code, first.ending.hit))


def _told(piece: News, context: Context) -> str:
    title = f"background command {piece.number} ({_short(piece.command)})"
    title += f" has ended: {_how(piece.ending, context)}" if piece.ending else " printed:"
    most = min(_NEWS_CHARS, context.limits.output_chars)
    narrow = replace(context, limits=replace(context.limits, output_chars=most))
    return _with_output(title, readable(piece.printed, context), piece.printed, narrow, none="")


def _how(ending: process.Ending, context: Context) -> str:
    return ended(ending.code, ending.hit, context.resource_limits).removeprefix("ended: ")


def _short(command: str) -> str:
    return clip_line(" ".join(command.split()), _COMMAND_CHARS)


def _kill(text: str, context: Context) -> Observation:
    if context.background is None:
        return failed(_NONE_HERE)
    alive = [number for number, _ in context.background.running()]
    wanted = background_numbers(text)
    numbers = alive if wanted == ALL else [int(number) for number in wanted]
    if not numbers:
        return failed(f"write the number of the command. {_running(context)}")
    answers = [_killed(number, number in alive, context) for number in numbers]
    status = Status.OK if any(number in alive for number in numbers) else Status.FAILED
    return Observation("\n\n".join(answers), status)


def _killed(number: int, ran: bool, context: Context) -> str:
    last = context.background.kill(number) if context.background else None
    if last is None:
        return f"there is no background command {number}. {_running(context)}"
    how = "was ended" if ran else "had already ended"
    if last.ending and not ran:
        how += f": {_how(last.ending, context)}"
    title = f"background command {number} ({_short(last.command)}) {how}"
    return _with_output(title, readable(last.printed, context), last.printed, context, none="")


def _running(context: Context) -> str:
    found = running(context)
    return f"Running: {'; '.join(found)}." if found else "None is running."


RUN = Tool(
    "run",
    "run a shell command; starts in the repository's root, later where the last one ended (cd "
    "lasts); has no keyboard input; processes it leaves behind are killed when it ends; "
    "input: the command, on one line or several",
    Kind.RUN,
    lambda text, context: _read(text, _run, context),
)
RUN_BACKGROUND = Tool(
    "run_background",
    "start a shell command that keeps running while you do other things, such as a server; answers "
    "with its number and first output, later output is shown as it comes; input: the command",
    Kind.RUN,
    lambda text, context: _read(text, _run_background, context),
)
KILL = Tool(
    "kill",
    "end a background command and everything it started; input: its number, or all",
    Kind.RUN,
    _kill,
)
