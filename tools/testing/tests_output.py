"""What a run of tests said: its log, which is kept in the home folder of the commands, and results.

Where a runner has machine output that is used: `go test -json`, TAP, and the file of results that
pytest writes at its end. A file that is missing, damaged or contradicts the exit code is not.
"""

import contextlib
from pathlib import Path

from react_agent.parsers.testing.compiled_log import read_go_json
from react_agent.parsers.testing.log import Runner, read_log
from react_agent.parsers.testing.pytest_log import read_junit
from react_agent.parsers.testing.report import Report
from react_agent.parsers.testing.selection import LogPart
from react_agent.tools import disk
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_view import number_lines
from react_agent.tools.files.paths import Place, Refused, open_inside
from react_agent.tools.observation import Observation, failed
from react_agent.tools.shell.process import CommandResult
from react_agent.tools.shell.shell import readable

LOG = "last-tests.log"
RESULTS = "last-tests.xml"
MOST = 4_000_000  # bytes
_MOST_RESULTS = 16_000_000


def read_output(
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
    data = _read(RESULTS, _MOST_RESULTS, context) or b""
    xml = readable(data.replace(b"\r", b""), b"", 0, context)
    results = read_junit(xml.encode(errors="replace"))
    return text, results.beside(report) if results and _is_of(results, done.code) else report


def _is_of(report: Report, code: int) -> bool:
    """Whether pytest, with these results, ends with this exit code."""
    has_tests = report.ran or report.skipped or report.notes
    return code == int(bool(report.failed or report.errors)) and bool(has_tests)


def results_path(context: Context) -> Path | None:
    """Where pytest is to write its results: an earlier run's are gone. None in a folder's place."""
    path = _path(RESULTS, context)
    if path is None:
        return None
    with contextlib.suppress(OSError):
        disk.unlink(path, missing_ok=True)
        return path
    return None


def keep_log(text: str, context: Context) -> bool:
    """Whether it could be kept. A link that a command left there is not followed."""
    path = _path(LOG, context)
    if path is None:
        return False
    with contextlib.suppress(OSError):  # none, or a folder
        disk.unlink(path)
    try:
        disk.write_new(path, text.encode(errors="replace"))
    except OSError:
        return False
    return True


def show_log(part: LogPart, context: Context) -> Observation:
    """Some lines of it, numbered."""
    data = _read(LOG, MOST, context)
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
