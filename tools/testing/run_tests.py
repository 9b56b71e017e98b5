"""The `run_tests` tool: run the repository's tests, or a selection, and show the failures.

Machine-readable output is used where it is available: TAP, and the results file that pytest writes
when it ends. A results file that is missing, damaged or contradicts the exit code is ignored. The
log is stored in the home folder of the commands.
"""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.pytest_log import read_junit
from react_agent.parsers.testing.report import Failure, Report, failing
from react_agent.parsers.testing.selection import Selection, read_selection
from react_agent.parsers.values.arguments import Span, Unreadable
from react_agent.tools import disk
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.file_list import listed
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.files.read_file import number_lines
from react_agent.tools.observation import COMMAND, Observation, Status, failed
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.process import CommandResult, Printed
from react_agent.tools.shell.shell import ended, exit_facts, readable
from react_agent.tools.testing.tests_command import Command, NoCommand, find_command, started

_SHOWN = 100
_LOG = "last-tests.log"
_RESULTS = "last-tests.xml"
_MOST = 4_000_000  # bytes
_MOST_RESULTS = 16_000_000
_TAIL = 40  # lines of a log that nobody can read
_LITTLE_TAIL = 12
_SHORT_LOG = 5  # lines: they say no more than the verdict
_ROOMS = (16, 10, 6, 3, 1)  # lines of one failure, as many as let all be shown
_LISTED = 300  # characters
_RESERVE = 600  # characters for the verdict and the last line
# These accept test files as arguments, which end like this.
TAKES_FILES = {Runner.PYTEST: ".py", Runner.UNITTEST: ".py", Runner.GO: ".go"}
_MOST_WITHOUT_S = 60.0  # for new tests on the source of the base commit
_NO_TESTS = 5  # pytest's exit code where nothing was selected
_FRAME = re.compile(r"[^\s:]+:\d+: ")
_FEWER = "[select fewer: paths, test ids or -k expression]"


def _run_tests(text: str, context: Context) -> Observation:
    if not can_be_passed(text):
        return failed("the selection contains a character that can't be passed on: write it again")
    match selection := read_selection(text):
        case Unreadable(reason):
            return failed(reason)
        case Span():
            return _show_log(selection, context)
    command = find_command(context)
    if isinstance(command, NoCommand):
        return failed(f"the tests can't be run: {command.reason}")
    ran = run_selection(command, selection, context)
    if isinstance(ran, Unreadable):
        return failed(ran.reason)
    left_out = f"[options left out: {' '.join(selection.left_out)}"[:_SHOWN] + "]"
    try:
        proof = _without_change(command, selection, ran, context)
    except ReactAgentError as error:  # what was asked for has been run
        proof = f"the new tests could not be run without the change: {told(error)}"
    more = (left_out if selection.left_out else "", f"[{proof}]" if proof else "")
    return observed(ran, context, tuple(filter(None, more)))


def _without_change(command: Command, selection: Selection, ran: "Ran", context: Context) -> str:
    """Return a note on whether the new tests that passed fail on the source of the base commit."""
    ending = TAKES_FILES.get(command.runner)
    if not (context.baseline and ran.worked and ran.report and ending):
        return ""
    tests, checkout = context.baseline(context.tree)
    names = {
        path: names
        for path, names in tests.names.items()
        if path.endswith(ending) and _covers(selection, path)
    }
    if not names:
        return ""
    seconds = min(context.limits.command_seconds, _MOST_WITHOUT_S)
    with checkout() as there:
        limited = replace(there, limits=replace(there.limits, command_seconds=seconds))
        before = run_selection(command, Selection(targets=tuple(names)), limited)
    _keep_log(ran.log, context)  # the other run has written its own
    if isinstance(before, Unreadable) or before.done.timed_out or not before.report:
        return ""
    if not before.worked and not before.report.failures:
        return ""
    return replace(tests, names=names).told(before.report, ran.report.skipped > 0)


def _covers(selection: Selection, path: str) -> bool:
    """Return whether a selection includes all tests of a file."""
    if selection.is_all:
        return True
    whole = (target.rstrip("/") for target in selection.targets)
    return not (selection.keyword or selection.marker) and any(
        path == one or path.startswith(f"{one}/") for one in whole
    )


def run_selection(command: Command, selection: Selection, context: Context) -> "Ran | Unreadable":
    results = _new_path(_RESULTS, context)
    start = started(command, selection, context, results)
    if isinstance(start, Unreadable):
        return start
    seconds = context.limits.command_seconds
    try:
        done = shell.run_sandboxed(start.argv, context, timeout_s=seconds, keep_bytes=_MOST)
    except process.CannotStart as error:
        return Unreadable(f"the tests can't be run: {error}")
    log, report = _read_output(done, command.runner, context, start.argv)
    how = ended(done.code, done.hit, context.resource_limits)
    return Ran(done, how, log, start.shown, report, _keep_log(log, context), seconds)


def _read_output(
    done: CommandResult, runner: Runner, context: Context, argv: Sequence[str]
) -> tuple[str, Report | None]:
    """Return the log in readable form, with paths as the model knows them, and the results."""
    text = readable(done.printed.replaced(b"file:///", b"/"), context)
    report = read_log(text, runner)
    if done.timed_out or not any(_RESULTS in word for word in argv):
        return text, report
    data = _read(_RESULTS, _MOST_RESULTS, context) or b""
    xml = readable(Printed(data.replace(b"\r", b"")), context)
    results = read_junit(xml.encode(errors="replace"))
    if results is None or not (results.ran or results.skipped or results.notes):
        return text, report
    fits = done.code == int(bool(results.failed or results.errors))  # as pytest ends with them
    return text, results.beside(report) if fits else report


def _new_path(name: str, context: Context) -> Path | None:
    """Remove an old file of ours and return its path, or None if that is a folder."""
    if path := _path(name, context):
        with contextlib.suppress(OSError):
            disk.unlink(path, missing_ok=True)
            return path
    return None


def _keep_log(text: str, context: Context) -> bool:
    """Write the log and return whether that succeeded. A link at its path is not followed."""
    if path := _new_path(_LOG, context):
        with contextlib.suppress(OSError):
            disk.write_new(path, text.encode(errors="replace"))
            return True
    return False


def _show_log(part: Span, context: Context) -> Observation:
    """Show some lines of the log, with line numbers."""
    data = _read(_LOG, _MOST, context)
    if data is None:
        return failed("there is no log yet: run tests first")
    limits, lines = context.limits, data.decode(errors="replace").split("\n")
    first = min(part.start, len(lines))
    last = min(max(part.end or first + limits.window_lines - 1, first), len(lines))
    left = len(lines) - last
    text = (
        f"lines {first}-{last} of {len(lines):,} of the last log of tests",
        *number_lines(lines[first - 1 : last], first, limits.line_chars),
        *([f"[{counted(left, 'line')} below: log {last + 1}]"] if left else []),
    )
    return Observation(clip("\n".join(text), limits, "ask for fewer lines of the log"))


def _read(name: str, most: int, context: Context) -> bytes | None:
    """Return the bytes of a file. Only regular files are opened, because commands write there."""
    if path := _path(name, context):
        with contextlib.suppress(OSError):
            return disk.start_of_regular(path, most)
    return None


def _path(name: str, context: Context) -> Path | None:
    home = context.environment.get("HOME", "")
    is_place = Path(home).is_absolute() and Path(home) != Path("/") and Path(home).is_dir()
    return Path(home, name) if is_place else None


@dataclass(frozen=True, slots=True)
class Ran:
    """A test run that has ended."""

    done: CommandResult
    how: str  # it ended, in words
    log: str
    shown: str  # the command
    report: Report | None
    is_kept: bool  # the log can be read
    most_s: float  # the time limit

    @property
    def worked(self) -> bool:
        return self.done.code == 0 and not self.done.timed_out

    @property
    def is_empty(self) -> bool:
        nothing = self.report is not None and self.report.is_whole and not self.report.ran
        fine = self.done.code in (0, _NO_TESTS) and not self.done.timed_out
        return nothing and fine and not (self.report and self.report.failures)


def observed(ran: Ran, context: Context, more: Sequence[str] = ()) -> Observation:
    limits, done = context.limits, ran.done
    head = _head(ran)  # several lines where the command has
    has_failures = bool(ran.report and ran.report.failures)
    lines = [head, *_body(ran, limits)]
    lines += [_FEWER] if done.timed_out and not has_failures else []
    size = ran.log.count("\n") + 1 if ran.log else 0
    if ran.is_kept and size > _SHORT_LOG and not (ran.worked and ran.report):
        lines.append(f"[the log has {size:,} lines; the input log 1-{min(size, 100)} shows them]")
    facts = {"tests": head.partition("\n")[0][:200]}
    if not ran.worked and (found := failing(ran.report)):
        facts |= found.facts
    noted = exit_facts(done.code, done.hit, timed_out=done.timed_out) | {COMMAND: ran.shown}
    status = Status.EMPTY if ran.is_empty else Status.OK if ran.worked else Status.FAILED
    return Observation("\n".join((*lines, *more)), status, facts=facts, noted=noted)


def _head(ran: Ran) -> str:
    counts = counts_of(ran.report) if ran.report else ""
    if ran.done.timed_out:
        so_far = f"so far {counts}" if counts else "no result so far"
        return f"ended by the time limit of {ran.most_s:.4g} s, {so_far} ({ran.shown})"
    took = f"in {ran.done.seconds:.1f} s ({ran.shown})"
    if ran.is_empty:
        return (
            f"no tests ran{f': {counts}' if counts else ''} {took}; this says nothing about the "
            "code: select others, or leave the input empty to run all"
        )
    return f"{_ended(ran, counts)} {took}"


def _ended(ran: Ran, counts: str) -> str:
    report, code = ran.report, ran.how
    if report is None:
        return f"{code}; how many tests ran can't be read from the output;"
    broken = report.failed + report.errors
    if not report.is_whole and not report.failures:
        return f"{code}, broken off: {counts or 'no result'}"
    if ran.worked and broken:
        return f"passed by its {code}, although the output reports {counts}"
    if ran.worked or broken:
        return counts
    if not report.ran and (report.is_whole or not counts):
        return f"no tests ran, {code}"
    return f"{code} although no test failed{f': {counts}' if counts else ''}"


def counts_of(report: Report) -> str:
    counts = (
        (report.failed, "failed"),
        (report.errors, "error" if report.errors == 1 else "errors"),
        (report.passed, "passed"),
        (report.skipped, "skipped"),
    )
    return ", ".join((*(f"{number} {word}" for number, word in counts if number), *report.notes))


def _body(ran: Ran, limits: Limits) -> list[str]:
    if ran.report and ran.report.failures:
        return _failures(sorted(ran.report.failures, key=lambda one: one.is_error), limits)
    if ran.report and (ran.worked or ran.is_empty):
        return []
    most = _LITTLE_TAIL if ran.report or ran.worked else _TAIL
    lines = [line for line in ran.log.split("\n") if line.strip()]
    if not lines:
        return ["there was no output"]
    said = f"the last {most} lines of the log:" if len(lines) > most else "the log:"
    return [said, *(f"    {clip_line(line, limits.line_chars)}" for line in lines[-most:])]


def _failures(failures: Sequence[Failure], limits: Limits) -> list[str]:
    """Return the failures, with as many lines as fit. Those with equal errors are shown once."""
    alike = dict[object, list[Failure]]()
    for one in failures:
        says = tuple(line for line in one.lines if not _FRAME.match(line))
        alike.setdefault((one.is_error, one.place if says else one.id, says), []).append(one)
    groups, room = list(alike.values()), max(limits.output_chars - _RESERVE, _RESERVE)
    blocks = list[str]()
    for most in _ROOMS:
        blocks = ["\n".join(_block(group, most, limits)) for group in groups]
        if len("\n".join(blocks)) < room:
            return blocks
    sizes = accumulate(len(block) + 1 for block in blocks)
    kept = max(sum(size <= room for size in sizes), 1)
    left = [one.id for group in groups[kept:] for one in group]
    more = f"[{counted(len(left), 'more failure')}: {clip_line(listed(left), _LISTED)}]"
    return [*blocks[:kept], more]


def _block(group: Sequence[Failure], most: int, limits: Limits) -> list[str]:
    failure = group[0]
    word = "ERROR" if failure.is_error else "FAILED"
    place = f"  ({failure.place})" if failure.place else ""
    shown = [clip_line(line, limits.line_chars) for line in failure.lines]
    left = len(shown) - most
    if left > 1:
        ends = most // 3
        where = f": log {failure.first}-{failure.last}" if failure.first else ""
        note = f"[... {counted(left, 'line')} left out{where}]"
        shown = [*shown[: most - ends], note, *shown[len(shown) - ends :]]
    same = [one.id for one in group[1:]]
    note = f"    [the same in {len(same)} more: {clip_line(listed(same), _LISTED)}]"
    more = [note] if same else []
    head = clip_line(f"{word} {failure.id}{place}", limits.line_chars)
    return [head, *(f"    {line}".rstrip() for line in shown), *more]


RUN_TESTS = Tool(
    "run_tests",
    "run the repository's tests and show what failed; input: nothing for all, or paths, test ids "
    "(path::Class::name) or -k expression, one a line; or log 1-100 for lines of the last log",
    Kind.TEST,
    _run_tests,
    needs_input=False,
)
