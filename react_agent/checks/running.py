"""One check on its files, in a checkout."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.checks.planned import Command, Forbidden, Not, Own, Planned
from react_agent.parsers.settings.file_checks import File
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip
from react_agent.tools.context import Context, Limits
from react_agent.tools.git.checkout import CheckedFiles
from react_agent.tools.shell import shell
from react_agent.tools.shell.shell import ended, readable

LARGEST = 5 * 1024 * 1024  # bytes of a file that a check of ours looks at
_ARGUMENTS = 60_000  # bytes of file names in one command
_SHOWN = 1_500  # characters of what a command printed
_LINE = 200
_NO_PROGRAM = (126, 127)
_LOOK = 'command -v "$0" >/dev/null || exit 127; exec "$0" "$@"'
# What a checkout without an environment, or commands without a network, are told.
_LACKS = re.compile(
    r"command not found|: not found$|could not determine executable|No such command|husky\.sh"
    r"|Could not resolve|name resolution|Network is unreachable|ENOTFOUND|EAI_AGAIN"
    r"|Failed to establish a new connection",
    re.MULTILINE,
)
_MODULE = re.compile(r"No module named|ModuleNotFoundError|Cannot find (?:module|package)")


@dataclass(frozen=True, slots=True)
class Ran:
    """How it ended, and what it did to files that are there without it, too."""

    worked: bool
    said: str = ""
    lacks: str = ""  # what it could not run without
    may_lack: str = ""  # the same, unless it runs without on other files
    changed: frozenset[str] = frozenset()  # of the files that it may change
    others: tuple[str, ...] = ()  # that it has changed and may not; they are as before
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Room:
    """Where checks run, and what they may change."""

    context: Context
    files: CheckedFiles
    ours: frozenset[str]
    new: frozenset[str]  # of these, not there at the base


def ran(check: Planned, paths: Sequence[str], room: Room) -> Ran:
    match check.how:
        case Not(why):
            return Ran(False, lacks=why)
        case Forbidden(text):
            return Ran(False, said=_short("\n".join((text.strip(), *paths))))
        case Own() as how:
            return _own(how, paths, room)
        case Command(argv):
            done = _commands(argv, paths if check.takes_names else (), room.context)
            return _with_changes(done, room)


def _own(how: Own, paths: Sequence[str], room: Room) -> Ran:
    wrong, changed = list[str](), list[str]()
    for path in paths:
        data = room.files.read(path)
        if len(data) > LARGEST:
            continue
        found = how.check.look(File(path, data, path in room.new), how.args)
        wrong += [found.wrong] if found.wrong else []
        if found.fixed is not None:
            room.files.write(path, found.fixed)
            changed.append(path)
    said = "\n".join(wrong)
    return Ran(not wrong and not changed, said=_short(said), changed=frozenset(changed))


def _with_changes(done: Ran, room: Room) -> Ran:
    """A check that changes files has failed, as pre-commit has it."""
    changes = room.files.changes()
    paths = [change.path for change in changes]
    others = tuple(one.path for one in changes if not one.is_edit or one.path not in room.ours)
    if others:
        room.files.put_back(paths)
        return replace(done, worked=False, others=others)
    if paths:
        room.files.keep(paths)
        return replace(done, worked=False, changed=frozenset(paths))
    return done


def _commands(argv: Sequence[str], paths: Sequence[str], context: Context) -> Ran:
    total = Ran(True)
    for some in _shares(paths):
        one = _command((*argv, *some), context)
        said = "\n".join(filter(None, (total.said, one.said)))
        seconds = total.seconds + one.seconds
        total = replace(one, worked=total.worked and one.worked, said=said, seconds=seconds)
        if one.lacks:
            break
    return replace(total, said=_short(total.said))


def _shares(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """As many at once as a command takes."""
    some, room = list[str](), _ARGUMENTS
    for path in paths:
        room -= len(os.fsencode(path)) + 1
        if room < 0 and some:
            yield tuple(some)
            some, room = [], _ARGUMENTS
        some.append(path)
    yield tuple(some)


def _command(argv: Sequence[str], context: Context) -> Ran:
    looked_for = ("sh", "-c", _LOOK, *argv)
    limit = context.limits.command_seconds
    done = shell.run_sandboxed(looked_for, context, timeout_s=limit)
    head, tail = done.output[: done.cut_at], done.output[done.cut_at :]
    said = readable(head, tail, done.left_out, context)
    found = Ran(done.code == 0 and not done.timed_out and not done.hit, said, seconds=done.seconds)
    if found.worked:
        return found
    if done.timed_out:
        return replace(found, lacks=f"it took more than {limit:.0f} s")
    if done.hit:
        return replace(found, lacks=ended(done.code, done.hit, context.resource_limits))
    if done.code in _NO_PROGRAM or _LACKS.search(said):
        return replace(found, lacks=_why(_LACKS, said) or f"{argv[0]} is not here")
    return replace(found, may_lack=_why(_MODULE, said))


def _why(pattern: re.Pattern[str], said: str) -> str:
    """The line that says so."""
    found = pattern.search(said)
    if found is None:
        return ""
    start, end = said.rfind("\n", 0, found.start()) + 1, said.find("\n", found.end())
    return said[start : end if end >= 0 else len(said)].strip()[:_LINE]


def _short(said: str) -> str:
    shown = clip(said, Limits(output_chars=_SHOWN, line_chars=_LINE), "run it to see them")
    return escape(shown)
