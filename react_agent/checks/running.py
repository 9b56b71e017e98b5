"""The checks, one after the other, in one checkout."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.checks import pre_commit
from react_agent.checks.plan import Planned
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.checkout import checkout_with_git
from react_agent.runs.run_setup import Run
from react_agent.tools import disk
from react_agent.tools.clip import clip
from react_agent.tools.context import Context, Limits
from react_agent.tools.git.checkout import CheckedFiles, regular_files
from react_agent.tools.git.objects import Entry
from react_agent.tools.git.repository import file_at
from react_agent.tools.sandbox.sandbox import BUBBLEWRAP, LANDLOCK, NONE
from react_agent.tools.shell import shell
from react_agent.tools.shell.shell import ended, readable

_IN_A_HOOK = {"PRE_COMMIT": "1"}  # what checks can tell by that they are run as such
_NO_TIME = "the time for all checks is over"
_SHORTEST = 1.0  # seconds for a check
_ARGUMENTS = 60_000  # bytes of file names in one command
_SHOWN = 1_500  # characters of what a command printed
_LINE = 200
_NO_PROGRAM = (126, 127)
_LOOK = 'command -v "$0" >/dev/null || exit 127; exec "$0" "$@"'
# What a checkout without an environment, or commands without a network, are told.
_LACKS = re.compile(
    r"command not found|: not found$|could not determine executable|No such command|husky\.sh"
    r"|Could not resolve|name resolution|Network is unreachable|ENOTFOUND|EAI_AGAIN"
    r"|Failed to establish a new connection|^Executable `.*` not found$",
    re.MULTILINE,
)
_MODULE = re.compile(r"No module named|ModuleNotFoundError|Cannot find (?:module|package)")


@dataclass(slots=True)
class Clock:
    """What is left of the time that all checks have together."""

    left: float


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
    has_files: bool = True  # some of the files are of the kind that it looks at


@dataclass(frozen=True, slots=True)
class Round:
    ran: Mapping[str, Ran]  # by the checks' keys; one without files is not there
    entries: Mapping[str, Entry] = field(default_factory=dict)  # of the files that were changed


@dataclass(frozen=True, slots=True)
class _Room:
    """Where checks run, and what they may change."""

    context: Context
    hooks: Context  # of pre-commit, which finds its store
    store: pre_commit.Store
    configuration: Path
    files: CheckedFiles
    paths: tuple[str, ...]


def played(
    run: Run, tree: str, plan: Mapping[str, Planned], ours: Sequence[str], clock: Clock
) -> Round:
    """All of them on the files of a tree."""
    paths = tuple(regular_files(run.workspace, tree, ours))
    shown = _store(run) if any(check.hook for check in plan.values()) else None
    with checkout_with_git(run, tree) as (context, files):
        context = replace(context, environment={**context.environment, **_IN_A_HOOK})
        room = _room(run, context, files, paths, shown)
        found = {key: _timed(check, room, clock) for key, check in plan.items() if paths}
        changed = {path for one in found.values() for path in one.changed}
        kept = {key: one for key, one in found.items() if one.has_files}
        return Round(kept, files.entries(sorted(changed)) if changed else {})


def _store(run: Run) -> Path | None:
    """Bubblewrap can show it read-only; elsewhere a person has to say that it may be seen."""
    outer, name = run.commands.outer, run.commands.chosen.name
    is_shown = name == BUBBLEWRAP or (outer.settings.pre_commit_store and name in (LANDLOCK, NONE))
    return pre_commit.store_folder(outer.environment) if is_shown else None


def _room(
    run: Run, context: Context, files: CheckedFiles, paths: tuple[str, ...], shown: Path | None
) -> _Room:
    home, text = context.root / ".git/pre-commit", file_at(run.project.base, pre_commit.CONFIG)
    store = pre_commit.prepared_store(shown, home)
    blocks = pre_commit.hook_blocks(text or "")
    lacking = [block for block in blocks if pre_commit.missing(block, store)]
    configuration = home / "config.yaml"
    disk.write_text(configuration, pre_commit.configuration(text or "", lacking))
    hooks = run.commands.in_checkout(context.root, (shown,) if shown else ())
    environment = {**context.environment, "PRE_COMMIT_HOME": str(home)}
    hooks = replace(hooks, environment=environment)
    return _Room(context, hooks, store, configuration, files, paths)


def _timed(check: Planned, room: _Room, clock: Clock) -> Ran:
    why_not = check.why_not or (pre_commit.missing(check.hook, room.store) if check.hook else "")
    if why_not or clock.left < _SHORTEST:
        return Ran(False, lacks=why_not or _NO_TIME)
    context = room.hooks if check.hook else room.context
    limits = context.limits
    shorter = replace(limits, command_seconds=min(limits.command_seconds, clock.left))
    one = _with_changes(_ran(check, room, replace(context, limits=shorter)), room)
    clock.left -= one.seconds
    return one


def _ran(check: Planned, room: _Room, context: Context) -> Ran:
    command = pre_commit.command(check.name, room.configuration) if check.hook else check.command
    total = Ran(True, has_files=False)
    for some in _shares(room.paths if check.takes_names else ()):
        one = _command((*command, *some), context, is_hook=check.hook is not None)
        said = "\n".join(filter(None, (total.said, one.said)))
        seconds = total.seconds + one.seconds
        total = replace(
            one,
            worked=total.worked and one.worked,
            said=said,
            seconds=seconds,
            has_files=total.has_files or one.has_files,
        )
        if one.lacks:
            break
    return replace(total, said=_short(total.said))


def _with_changes(done: Ran, room: _Room) -> Ran:
    """A check that changes files has failed, as pre-commit has it."""
    changes = room.files.changes()
    others = tuple(
        path for path, is_edit in changes.items() if not is_edit or path not in room.paths
    )
    if others:
        room.files.put_back(changes)
        return replace(done, worked=False, others=others)
    if changes:
        room.files.keep(changes)
        return replace(done, worked=False, changed=frozenset(changes))
    return done


def _shares(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """As many at once as a command takes."""
    some, left = list[str](), _ARGUMENTS
    for path in paths:
        left -= len(os.fsencode(path)) + 1
        if left < 0 and some:
            yield tuple(some)
            some, left = [], _ARGUMENTS
        some.append(path)
    yield tuple(some)


def _command(argv: Sequence[str], context: Context, *, is_hook: bool) -> Ran:
    looked_for = ("sh", "-c", _LOOK, *argv)
    limit = context.limits.command_seconds
    done = shell.run_sandboxed(looked_for, context, timeout_s=limit)
    head, tail = done.output[: done.cut_at], done.output[done.cut_at :]
    said = readable(head, tail, done.left_out, context)
    found = Ran(done.code == 0 and not done.timed_out and not done.hit, said, seconds=done.seconds)
    if done.timed_out:
        return replace(found, lacks=f"it took more than {limit:.0f} s")
    if done.hit:
        return replace(found, lacks=ended(done.code, done.hit, context.resource_limits))
    if done.code in _NO_PROGRAM:
        return replace(found, lacks=_why(_LACKS, said) or f"{argv[0]} is not here")
    if is_hook:
        hook = pre_commit.read_run(done.code or 0, said)
        found = replace(found, said=hook.said, lacks=hook.lacks, has_files=hook.has_files)
    if found.worked or found.lacks:
        return found
    lacks = _why(_LACKS, found.said)
    return replace(found, lacks=lacks, may_lack=_why(_MODULE, found.said))


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
