"""Run external programs in the sandbox and environment of the run, under supervision.

The programs are the model's commands, the repository's own, and our probes. A shell command has an
argv, a start folder and an end folder. Its output is shown as in a terminal.
"""

import functools
import os
import re
import shlex
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.parsers.text.printed import plain
from react_agent.tools import disk, variables
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.paths import Place, can_be_passed, settled
from react_agent.tools.observation import EXIT, LIMIT
from react_agent.tools.shell import process
from react_agent.tools.shell.process import Printed, ResourceLimits

LONGEST_COMMAND = 100_000  # bytes; the kernel refuses one argument of 128 kB
_LONGEST_PATH = 4_096
_KEPT_BYTES = 200_000
_WHO = 'id -un; sudo -n true 2>/dev/null && echo "with sudo, which asks for no password"'
_WHO_S = 10.0
_LINE = 200
ADVICE = "send it to a file and read parts, or filter it"
_SHELL_ADDS = 128  # to a signal's number, for the exit code
# Words that change a shell's folder, and characters that can expand to such a word.
_MAY_MOVE = re.compile(r"[$`{*?\[]|(?<![\w-])(?:cd|pushd|popd|source|eval|\.)(?![\w./-])")
_QUOTES = re.compile(r"\\\n|[\\'\"]")
ROOT = "."


def run_sandboxed(
    argv: Sequence[str],
    context: Context,
    *,
    timeout_s: float,
    cwd: Path | None = None,
    keep_bytes: int = _KEPT_BYTES,
) -> process.CommandResult:
    """Run a program in the sandbox, by default in the root folder. Raises CannotStart."""
    place = cwd or context.root
    return process.run(
        context.sandbox(argv, place),
        cwd=place,
        env=context.environment,
        timeout_s=timeout_s,
        keep_bytes=keep_bytes,
        limits=context.resource_limits,
    )


def user_line(context: Context) -> str:
    """Return a sentence on which user runs commands, and where, or an empty string if unknown."""
    try:
        done = run_sandboxed(["/bin/sh", "-c", _WHO], context, timeout_s=_WHO_S)
    except (ReactAgentError, OSError):
        return ""
    name, _, sudo = done.output.decode(errors="replace").strip().partition("\n")
    if not name:
        return ""
    sudo = sudo or "without sudo"
    return clip_line(f"Commands run as {name}, {sudo}, and begin in the repository's root.", _LINE)


def problem(command: str) -> str:
    """Return the reason why a command can't be run, or an empty string if it can."""
    if not command.strip():
        return "there is no command: write a shell command line"
    if not can_be_passed(command):
        return "the command contains a character that can't be passed on: write it again"
    if len(os.fsencode(command)) > LONGEST_COMMAND:
        return f"the command is too long (more than {LONGEST_COMMAND:,} bytes)"
    return ""


def words(command: str) -> list[str]:
    """Return a shell command as an argv. The shell has no path: it may differ in a container."""
    return [_shell(variables.value("PATH", os.defpath)), "-c", command]


@functools.lru_cache(8)
def _shell(path: str) -> str:
    return "bash" if process.find_program("bash", path) else "sh"


def start(context: Context) -> tuple[Place, str]:
    """Return the folder where the last command ended, or the root and a note if it is gone."""
    root = Place(context.root, ROOT)
    if context.cwd == ROOT:
        return root, ""
    place = settled(Place(context.root, context.cwd))
    if isinstance(place, Place) and place.full.is_dir():
        return place, ""
    return root, f"the folder {context.cwd} is gone: this ran in the repository's root"


def named_end(root: Path, folder: str) -> str:
    """Return the folder's name in the root, or an empty string if no command can start there."""
    if not folder.isprintable() or not folder.startswith("/"):
        return ""
    place = settled(Place(root, os.path.relpath(folder, os.path.realpath(root))))
    return place.name if isinstance(place, Place) and place.full.is_dir() else ""


def run_traced(command: str, begun: Place, context: Context) -> tuple[process.CommandResult, str]:
    """Run a shell command, and return also the folder in which it ended, or "" if that is unknown.

    The shell writes it to a file of ours in TMPDIR, which is visible in every sandbox. A command
    that stays in the root needs no file: bash can then be replaced by the last program.
    """
    seconds = context.limits.command_seconds
    run = functools.partial(run_sandboxed, context=context, timeout_s=seconds, cwd=begun.full)
    if begun.name == ROOT and not _MAY_MOVE.search(_QUOTES.sub("", command)):
        done = run(words(command))
        if done.code < 0 and not (done.hit or done.timed_out):
            done = replace(done, code=_SHELL_ADDS - done.code)  # as bash itself tells it
        return done, ""
    folder = Path(context.environment.get("TMPDIR", ""))
    # a command may have put a link in its place
    is_place = folder.is_absolute() and folder.is_dir() and not folder.is_symlink()
    with disk.shared_file(".cwd-", str(folder) if is_place else None) as (file, path):
        script = f"{{ command pwd -P >|{shlex.quote(str(path))}; }} 2>/dev/null || :"
        report = f"trap {shlex.quote(script)} EXIT; "  # on its first line: lines keep their numbers
        done = run(words(report + command))
        end = os.fsdecode(file.read(_LONGEST_PATH)).removesuffix("\n")
    # a shell prints the line that it can't parse, with our part of it
    done = replace(done, printed=done.printed.replaced(os.fsencode(report), b""))
    return done, "" if done.timed_out or done.code < 0 else end


def readable(printed: Printed, context: Context) -> str:
    """Return the output as a terminal would show it, with paths as they are shown to the model."""
    parts = (printed.head, printed.tail) if printed.left_out else (printed.whole,)
    lost = f"\n[... {counted(printed.left_out, 'byte')} lost here, {ADVICE} ...]\n"
    shown = (plain(part.decode(errors="replace")) for part in parts)
    inside = _placed(lost.join(shown), context.root, ".")
    home = Path(context.environment.get("HOME", "/"))
    return _placed(inside, home, "~").strip("\n").rstrip()


def ended(code: int, hit: str, allowed: ResourceLimits) -> str:
    why = sentence(hit, allowed)
    if why and hit != "left":
        return f"ended: {why}"
    number = -code if code < 0 else code - _SHELL_ADDS
    is_known = number in set(signal.Signals)
    name = signal.Signals(number).name if is_known else f"signal {number}"
    by = f" (ended by {name})" if code < 0 or is_known else ""
    return f"exit code {code}{by}{f', but {why}' if why else ''}"


def sentence(hit: str, allowed: ResourceLimits) -> str:
    """Return a text that describes the limit that a command hit."""
    return {
        "processes": f"more than {allowed.processes:,} processes at once",
        "memory": f"more than {allowed.memory >> 20:,} MB of memory in use at once",
        "cpu": f"more than {allowed.cpu_seconds:,} s of processor time",
        "file": f"a file of more than {allowed.file_bytes >> 20:,} MB",
        "disk": "the disk was nearly full",
        "temporary": f"more than {allowed.temporary >> 20:,} MB of temporary files",
        "supervisor": "it killed its supervisor",
        "left": "some of its processes could not be killed",
    }.get(hit, "")


def exit_facts(code: int, hit: str, *, timed_out: bool = False) -> dict[str, str]:
    """Return how a command ended, as facts for later readers of the transcript."""
    limit = hit or ("time" if timed_out else "")
    return {EXIT: str(code)} | ({LIMIT: limit} if limit else {})


def _placed(text: str, folder: Path, name: str) -> str:
    """Replace absolute paths: they mean nothing to a model, and they differ between runs."""
    if not folder.is_absolute() or folder == folder.parent:
        return text
    starts = _names_of(folder)
    if not any(start in text for start in starts):
        return text
    place = rf"(?<![\w/.-])(?:{'|'.join(re.escape(start) for start in starts)})"
    below = re.sub(rf"{place}/(?=[\w.@+-])", "" if name == "." else f"{name}/", text)
    return re.sub(rf"{place}(?![\w.-])", name, below)


@functools.lru_cache(8)
def _names_of(folder: Path) -> list[str]:
    return sorted({str(folder), str(folder.resolve())}, key=len, reverse=True)
