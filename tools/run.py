"""Run a shell command in the work tree."""

import os
import re
import shutil
import signal
from pathlib import Path

from react_agent.parsers.named_text import COMMANDS, NamedText, named_text
from react_agent.parsers.terminal import plain
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools import process
from react_agent.tools.argument import can_be_passed
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import Kind, Tool

_LONGEST_COMMAND = 100_000  # bytes; the kernel refuses one argument of 128 kB
_ADVICE = "send it to a file and read parts, or filter it"
_SHELL_ADDS = 128  # to a signal's number, for the exit code


def _run(text: str, context: Context) -> Observation:
    match named_text(text, COMMANDS):
        case NamedText() as named:
            return read_as(named.said, _ran(named.text, context))
        case Unreadable(reason):
            return failed(reason)
        case _:
            return _ran(text, context)


def _ran(command: str, context: Context) -> Observation:
    if problem := _problem(command):
        return failed(problem)
    try:
        done = process.run(
            [shutil.which("bash") or "/bin/sh", "-c", command],
            cwd=context.root,
            env=context.environment,
            timeout_s=context.limits.command_seconds,
        )
    except ReactAgentError as error:
        return failed(str(error))
    return _observation(done, context)


def _problem(command: str) -> str:
    if not command.strip():
        return "there is no command: write a shell command line"
    if not can_be_passed(command):
        return "the command holds a character that can't be passed on: write it anew"
    if len(os.fsencode(command)) > _LONGEST_COMMAND:
        return f"the command is too long (more than {_LONGEST_COMMAND:,} bytes)"
    return ""


def _observation(done: process.Done, context: Context) -> Observation:
    output = _readable(done, context)
    worked = done.code == 0 and not done.timed_out
    if not output:
        status = Status.EMPTY if worked else Status.FAILED
        return Observation(f"{_ending(done, context)}, no output", status)
    text = _clipped(f"{_ending(done, context)}\n{output}", done, context)
    return Observation(text, Status.OK if worked else Status.FAILED)


def _clipped(text: str, done: process.Done, context: Context) -> str:
    """With one number for all that is not shown: what was lost is of what is left out."""
    shown = clip(text, context.limits, _ADVICE, done.left_out)
    return shown if _gap(done) not in shown else clip(text, context.limits, _ADVICE)


def _ending(done: process.Done, context: Context) -> str:
    if done.timed_out:
        limit = f"{context.limits.command_seconds:g} s"
        return f"ended by the time limit of {limit}, with its process group"
    number = -done.code if done.code < 0 else done.code - _SHELL_ADDS
    if done.code < 0 or number in set(signal.Signals):
        return f"exit code {done.code} (ended by {_signal_name(number)})"
    return f"exit code {done.code}"


def _gap(done: process.Done) -> str:
    return f"[... {counted(done.left_out, 'byte')} lost here, {_ADVICE} ...]"


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _readable(done: process.Done, context: Context) -> str:
    parts = (done.output[: done.cut_at], done.output[done.cut_at :])
    head, tail = (plain(part.decode(errors="replace")) for part in parts)
    gap = f"\n{_gap(done)}\n" if done.left_out else ""
    inside = _placed(head.text + gap + tail.text, context.root, ".")
    home = Path(context.environment.get("HOME", "/"))
    text = _placed(inside, home, "~").strip("\n").rstrip()
    overwritten = head.overwritten + tail.overwritten
    if not overwritten:
        return text
    return f"{text}\n[{counted(overwritten, 'overwritten progress line')} left out]"


def _placed(text: str, folder: Path, name: str) -> str:
    """These absolute paths say nothing to a model and differ from run to run."""
    if not folder.is_absolute() or folder == folder.parent:
        return text
    starts = sorted({str(folder), str(folder.resolve())}, key=len, reverse=True)
    place = rf"(?<![\w/.-])(?:{'|'.join(re.escape(start) for start in starts)})"
    below = re.sub(rf"{place}/(?=[\w.@+-])", "" if name == "." else f"{name}/", text)
    return re.sub(rf"{place}(?![\w.-])", name, below)


RUN = Tool(
    "run",
    "run a shell command; starts in the repository's root each time, sees no keyboard; "
    "input: the command, on one line or several",
    Kind.RUN,
    _run,
)
