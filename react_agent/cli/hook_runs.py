"""What the hook has done by us: the queue worked through, a push checked."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from react_agent.cli.options import spec_of
from react_agent.cli.screen import Screen, console
from react_agent.edge import confined, own_settings, surroundings
from react_agent.errors import UsageError
from react_agent.hook.queue import Spool, again, has_room
from react_agent.hook.requests import Failure, failures, job_of
from react_agent.hook.worker import Playing, Worker, run_state, work
from react_agent.issue_to_pr.delivery import forge_for
from react_agent.issue_to_pr.issue import Issue, read_issue
from react_agent.loop.stop import Stop
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.hook_request import Push, read_push
from react_agent.parsers.transcript.job_file import Job
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder
from react_agent.runs.surroundings import Surroundings
from react_agent.tools import clock, disk
from react_agent.tools.shell.this_process import at_most, leave_terminal

BLOCKS, QUEUED = 10, 11  # exit codes that the hook's script knows
_MOST_CHECKED = 3  # commits of a push
_LARGEST_LOG = 1_000_000
_GOES_ON = (Stop.MODEL_FAILED, Stop.INTERRUPTED, None)


class _TimeIsOver(BaseException):
    """Not an Exception: nothing on the way may take it for a failure of its own."""


def worked(spool: Spool, sandbox: str | None) -> int:
    screen = Screen()
    if not work(_worker(spool, screen.say, sandbox)):
        screen.say("another process is working on the queue")
    return 0


def worked_in_background(spool: Spool, sandbox: str | None) -> int:
    """Away from the terminal that the hook was called on; what is said goes into a log."""
    leave_terminal()
    log = spool.root / "worker.log"
    with contextlib.suppress(OSError):
        if log.stat().st_size > _LARGEST_LOG:
            disk.write_bytes(log, b"")
    return int(not work(_worker(spool, _line, sandbox)))


def _line(text: str) -> None:
    print(escape(text), flush=True)


def _worker(spool: Spool, say: Callable[[str], None], sandbox: str | None) -> Worker:
    @contextlib.contextmanager
    def playing(log: Path) -> Iterator[Playing]:
        with disk.appended(log, "backslashreplace") as file:
            screen = Screen(console(file))
            around = confined(surroundings(screen.tell, screen.entry), sandbox, False)
            around = replace(around, within=(screen.within,))
            with contextlib.closing(around):
                model = spec_of(around.settings.model, None, None)
                yield Playing(spool.root.parent, around, partial(_read, around), model)

    return Worker(spool, own_settings().hook, playing, clock.now, clock.monotonic, say)


def _read(around: Surroundings, named: str, given: bytes, repository: Path) -> Issue:
    forge = forge_for(repository, "", around)
    return read_issue(named, lambda most: given[:most], forge, around.settings.speak)


def put_back(spool: Spool, start: str) -> Job:
    """A run that the model failed goes on; one that came to an end of its own is made anew."""

    def is_anew(job: Job) -> bool:
        state = run_state(job, runs_folder())
        return state is None or state.stop not in _GOES_ON

    return again(spool, start, is_anew)


def checked(spool: Spool, top: Path, given: bytes, sandbox: str | None) -> int:
    """The exit code: whether the push is to be stopped, or a run is queued that offers a patch."""
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
            screen.say(f"react-agent: not all was checked in {seconds:g} s")
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
    if not spool.knows(job) and has_room(spool):
        spool.put(job)


def _pushes(given: bytes) -> list[Push]:
    lines = [line for line in os.fsdecode(given).split("\n") if line]
    try:
        pushes = [read_push(line, number) for number, line in enumerate(lines, 1)]
    except ParseError as error:
        raise UsageError(f"what is to be checked can't be read: {error}") from None
    return list({push.new: push for push in pushes}.values())[:_MOST_CHECKED]
