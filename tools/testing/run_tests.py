"""Run the repository's tests, or a selection of them, and tell what matters of the log.

Where a runner has machine output that is used: `go test -json`, TAP, and the file of results that
pytest writes at its end. A file that is missing, damaged or contradicts the exit code is not. The
log is kept in the home folder of the commands.
"""

import contextlib
from dataclasses import replace
from pathlib import Path

from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.go_log import read_go_json
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.pytest_log import read_junit
from react_agent.parsers.testing.report import Report
from react_agent.parsers.testing.selection import LogPart, OtherCommand, Selection, read_selection
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools import disk
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.files.paths import Place, Refused, can_be_passed, open_inside
from react_agent.tools.files.read_file import number_lines
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool, named
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.process import CommandResult
from react_agent.tools.shell.shell import ended, readable
from react_agent.tools.testing.tests_command import NoCommand, find_command, started
from react_agent.tools.testing.tests_verdict import Ran, verdict

_SHOWN = 100
_LOG = "last-tests.log"
_RESULTS = "last-tests.xml"
_MOST = 4_000_000  # bytes
_MOST_RESULTS = 16_000_000


def _run_tests(text: str, context: Context) -> Observation:
    if not can_be_passed(text):
        return failed("the selection holds a character that can't be passed on: write it anew")
    match read_selection(text):
        case Unreadable(reason):
            return failed(reason)
        case LogPart() as part:
            return _show_log(part, context)
        case OtherCommand(command):
            return failed(_not_a_selection(command, context))
        case Selection() as selection:
            return _selected(selection, context)


def _selected(selection: Selection, context: Context) -> Observation:
    command = find_command(context)
    if isinstance(command, NoCommand):
        return failed(f"the tests can't be run: {command.reason}")
    results = _results_path(context)
    start = started(command, selection, context, results)
    if isinstance(start, Unreadable):
        return failed(start.reason)
    seconds = context.limits.command_seconds
    try:
        done = shell.run_sandboxed(start.argv, context, timeout_s=seconds, keep_bytes=_MOST)
    except process.CannotStart as error:
        return failed(f"the tests can't be run: {error}")
    has_results = any(_RESULTS in word for word in start.argv)
    log, report = _read_output(done, command.runner, context, has_results=has_results)
    how = ended(done.code, done.hit, context.resource_limits)
    ran = Ran(done, how, log, start.shown, report, _keep_log(log, context))
    observation = verdict(ran, context.limits)
    left_out = f"[options left out: {' '.join(selection.left_out)}"[:_SHOWN] + "]"
    return (
        replace(observation, text=f"{observation.text}\n{left_out}")
        if selection.left_out
        else observation
    )


def _not_a_selection(command: str, context: Context) -> str:
    shown = command.split("\n")[0][:_SHOWN]
    other = f"; for other commands there is {named('run')}" if "run" in context.offered else ""
    return (
        f"{shown!r} is not a selection of tests: write paths or test ids, one a line, or nothing "
        f"to run all{other}"
    )


# --- what they print and write


def _read_output(
    done: CommandResult, runner: Runner, context: Context, *, has_results: bool
) -> tuple[str, Report | None]:
    """The log as people read it, with paths as the model knows them, and the results."""
    head, tail = (
        part.replace(b"file:///", b"/")
        for part in (done.output[: done.cut_at], done.output[done.cut_at :])
    )
    text = readable(head, tail, done.left_out, context)
    if runner is Runner.GO:
        return read_go_json(text)
    report = read_log(text, runner)
    if not has_results or done.timed_out:
        return text, report
    data = _read(_RESULTS, _MOST_RESULTS, context) or b""
    xml = readable(data.replace(b"\r", b""), b"", 0, context)
    results = read_junit(xml.encode(errors="replace"))
    return text, results.beside(report) if results and _is_of(results, done.code) else report


def _is_of(report: Report, code: int) -> bool:
    """Whether pytest, with these results, ends with this exit code."""
    has_tests = report.ran or report.skipped or report.notes
    return code == int(bool(report.failed or report.errors)) and bool(has_tests)


def _results_path(context: Context) -> Path | None:
    """Where pytest is to write its results: an earlier run's are gone. None in a folder's place."""
    path = _path(_RESULTS, context)
    if path is None:
        return None
    with contextlib.suppress(OSError):
        disk.unlink(path, missing_ok=True)
        return path
    return None


def _keep_log(text: str, context: Context) -> bool:
    """Whether it could be kept. A link that a command left there is not followed."""
    path = _path(_LOG, context)
    if path is None:
        return False
    with contextlib.suppress(OSError):  # none, or a folder
        disk.unlink(path)
    try:
        disk.write_new(path, text.encode(errors="replace"))
    except OSError:
        return False
    return True


def _show_log(part: LogPart, context: Context) -> Observation:
    """Some lines of it, numbered."""
    data = _read(_LOG, _MOST, context)
    if data is None:
        return failed("there is no log yet: run tests first")
    limits, lines = context.limits, data.decode(errors="replace").split("\n")
    first = min(part.first, len(lines))
    last = min(max(part.last or first + limits.window_lines - 1, first), len(lines))
    left = len(lines) - last
    text = (
        f"lines {first}-{last} of {len(lines):,} of the last log of tests",
        *number_lines(lines[first - 1 : last], first, limits.line_chars),
        *([f"[{counted(left, 'line')} below: log {last + 1}]"] if left else []),
    )
    return Observation(clip("\n".join(text), limits, "ask for fewer lines of the log"))


def _read(name: str, most: int, context: Context) -> bytes | None:
    """Commands write there: only a regular file is opened."""
    path = _path(name, context)
    opened = open_inside(Place(path.parent, name)) if path else None
    if opened is None or isinstance(opened, Refused):
        return None
    with opened as file:
        return file.read(most)


def _path(name: str, context: Context) -> Path | None:
    home = context.environment.get("HOME", "")
    is_place = Path(home).is_absolute() and Path(home) != Path("/") and Path(home).is_dir()
    return Path(home, name) if is_place else None


RUN_TESTS = Tool(
    "run_tests",
    "run the repository's tests and show what failed; input: nothing for all, or paths, test ids "
    "(path::Class::name) or -k expression, one a line; or log 1-100 for lines of the last log",
    Kind.TEST,
    _run_tests,
    needs_input=False,
)
