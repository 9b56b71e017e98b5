"""The command `react-agent hook`, which manages the git hooks and the runs that they start."""

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from react_agent import gone
from react_agent.cli.arguments import Hook
from react_agent.cli.options import HOOK_WORDS, spec_of
from react_agent.cli.terminal.screen import Screen, console
from react_agent.edge import confined, own_settings, surroundings
from react_agent.errors import UsageError
from react_agent.hook.installing import HOOKS, HooksPath, find, install, script, standing, uninstall
from react_agent.hook.queue import Spool, again, lines_of
from react_agent.hook.worker import Failure, Worker, failures, job_of, run_state, work
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.hook_files import Job, Push, read_push
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder
from react_agent.runs.commands import Surroundings
from react_agent.state.state import Stop
from react_agent.tools import clock, disk, variables
from react_agent.tools.shell.this_process import at_most, become, leave_terminal

BLOCKS, QUEUED = 10, 11  # exit codes that the hook's script knows
_MOST_CHECKED = 3  # commits of a push
_LARGEST_LOG = 1_000_000
_GOES_ON = (Stop.MODEL_FAILED, Stop.INTERRUPTED, None)


class _TimeIsOver(BaseException):
    """Raised when time is up. It is a BaseException, so `except Exception` does not catch it."""


def _worked_in_background(spool: Spool, sandbox: str | None) -> int:
    """Process the queue, detached from the hook's terminal. Messages are written to a log."""
    leave_terminal()
    log = spool.root / "worker.log"
    with contextlib.suppress(OSError):
        if log.stat().st_size > _LARGEST_LOG:
            disk.write_bytes(log, b"")
    return int(not work(_worker(spool, lambda text: print(escape(text), flush=True), sandbox)))


def _worker(spool: Spool, say: Callable[[str], None], sandbox: str | None) -> Worker:
    @contextlib.contextmanager
    def context(log: Path) -> Iterator[Surroundings]:
        with disk.appended(log, "backslashreplace") as file:
            screen = Screen(console(file))
            around = confined(surroundings(screen.tell, screen.entry), sandbox, False)
            with contextlib.closing(around):
                model = spec_of(around.settings.model, None, None)
                settings = replace(around.settings, model=model)
                yield replace(around, within=(screen.within,), settings=settings)

    return Worker(spool, own_settings().hook, context, clock.now, clock.monotonic, say)


def _is_anew(job: Job) -> bool:
    """Return whether a job starts over. An interrupted run is resumed instead."""
    state = run_state(job, runs_folder())
    return state is None or state.stop not in _GOES_ON


def checked(spool: Spool, top: Path, given: bytes, sandbox: str | None) -> int:
    """Check a push. Return 0 if it passes, BLOCKS to stop it, or QUEUED to let it continue."""
    screen = Screen()
    around = confined(surroundings(screen.tell), sandbox, False)
    policy, seconds = around.settings.hook, around.settings.hook.check_seconds
    code = 0
    with contextlib.closing(around):
        try:
            with at_most(seconds, _TimeIsOver):
                for push in _pushes(given):
                    screen.say(f"react-agent: checking {push.new[:7]}, {seconds:g} s at most")
                    found = failures(top, push, around, seconds)
                    if found:
                        code = BLOCKS if policy.block else QUEUED
                        _queue(push, found, spool, top, screen)
        except _TimeIsOver:
            screen.say(f"react-agent: the check did not finish in {seconds:g} s")
    if code:
        goes_on = "is stopped" if policy.block else "goes on"
        screen.say(f"react-agent: the push {goes_on}; a branch with a patch may follow")
    return code


def _queue(push: Push, found: tuple[Failure, ...], spool: Spool, top: Path, screen: Screen) -> None:
    for one in found:
        screen.say(f"react-agent: `{one.command}` {one.how} at {push.new[:7]}:")
        for line in one.output.split("\n"):
            screen.say(f"    {line}")
    job = job_of(push, found, top.absolute(), f"{clock.now().isoformat(timespec='seconds')}")
    if not spool.knows(job):
        spool.write("queue", job)


def _pushes(given: bytes) -> list[Push]:
    lines = [line for line in os.fsdecode(given).split("\n") if line]
    try:
        pushes = [read_push(line, number) for number, line in enumerate(lines, 1)]
    except ParseError as error:
        raise UsageError(f"can't read what to check: {error}") from None
    return list({push.new: push for push in pushes}.values())[:_MOST_CHECKED]


_PUSHED = ("LOCAL_BRANCH", "TO_REF", "REMOTE_BRANCH", "FROM_REF")  # pre-commit's names


def command(given: Hook) -> int:
    if given.do not in _ACTIONS:
        raise UsageError(f"hook has no command {given.do!r}; choose from {', '.join(HOOK_WORDS)}")
    if given.again is not None and (given.do != "run" or given.hooks):
        raise UsageError("--again is for `react-agent hook run` without a HOOK")
    if given.hooks and given.do == "status":
        raise UsageError("hook status takes no HOOK: it tells of all")
    if given.do == "run" and len(given.hooks or ()) > 1:
        raise UsageError("one hook at a time: name one HOOK")
    for name in given.hooks or ():
        if name in gone.HOOKS and given.do != "uninstall":
            raise UsageError(f"the hook {name} is gone: {gone.HOOKS[name]}")
        if name not in (*HOOKS, *gone.HOOKS):
            raise UsageError(f"react-agent has no hook {name!r}; choose from {', '.join(HOOKS)}")
    return _ACTIONS[given.do](given)


def _path(given: Hook) -> HooksPath:
    return find(given.repo, variables.all_of_them())


def _install(given: Hook) -> int:
    path = _path(given)
    names = given.hooks or ["post-commit"]
    own_settings()  # report an error in the settings now
    _print(install(names, path, sys.executable))
    return 0


def _uninstall(given: Hook) -> int:
    path = _path(given)
    said = uninstall(given.hooks or (*HOOKS, *gone.HOOKS), path)
    _print(said or ["no react-agent hook is installed here"])
    if path.state.is_dir():
        _print([f"the jobs and their results stay in {path.state}"])
    return 0


def _status(given: Hook) -> int:
    path = _path(given)
    _print(f"{name}: {standing(name, path) or 'not installed'}" for name in HOOKS)
    _print(lines_of(Spool(path.state), own_settings().hook))
    return 0


def _run(given: Hook) -> int:
    if given.background and given.state:
        return _worked_in_background(Spool(given.state.resolve()), given.sandbox)
    path = _path(given)
    spool = Spool(path.state)
    spool.make()
    if given.hooks:
        _as_hook(given.hooks[0], path)
    if given.again is not None:
        _print([f"queued again: {again(spool, given.again, _is_anew).title}"])
    screen = Screen()
    if not work(_worker(spool, screen.say, given.sandbox)):
        screen.say("another process is working on the queue")
    return 0


def _as_hook(name: str, path: HooksPath) -> NoReturn:
    """Replace this process with the hook's script. pre-commit describes the push in variables."""
    text = script(name, sys.executable, shlex.quote(str(path.state)), "''")
    given = None
    if "PRE_COMMIT_TO_REF" in variables.all_of_them() and name == "pre-push":
        words = (variables.value(f"PRE_COMMIT_{word}") for word in _PUSHED)
        given = f"{' '.join(words)}\n".encode(errors="surrogateescape")
    become(["/bin/sh", "-c", text, f"./{name}"], given)


def _check(given: Hook) -> int:
    spool = Spool((given.state or _path(given).state).resolve())
    spool.make()
    pushed = sys.stdin.buffer.read() if sys.stdin else b""
    return checked(spool, given.top or Path(), pushed, given.sandbox)


def _print(lines: Iterable[str]) -> None:
    screen = console()
    for line in lines:
        screen.print(escape(line))


_ACTIONS: Mapping[str, Callable[[Hook], int]] = {
    "install": _install,
    "status": _status,
    "run": _run,
    "check": _check,
    "uninstall": _uninstall,
}
