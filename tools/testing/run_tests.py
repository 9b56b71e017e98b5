"""Run the repository's tests, or a selection of them, and tell what matters of the log."""

import difflib
import re
from dataclasses import replace

from react_agent.parsers.testing.selection import LogPart, OtherCommand, Selection, read_selection
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool, named
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.shell import ended
from react_agent.tools.testing.tests_command import NoCommand, find_command, started, text_of
from react_agent.tools.testing.tests_output import MOST, RESULTS, keep_log, read_output, show_log
from react_agent.tools.testing.tests_verdict import Ran, verdict

_NOT_FOUND = re.compile(r"ERROR: not found: (?P<path>[^\s:]+\.py)::(?P<names>[^\s\[]+)")
_DEFINED = re.compile(
    r"^(?:class (?P<class>\w+)|(?P<indent> *)(?:async )?def (?P<name>\w*test\w*))", re.MULTILINE
)
_SHOWN = 100


def _run_tests(text: str, context: Context) -> Observation:
    if not can_be_passed(text):
        return failed("the selection holds a character that can't be passed on: write it anew")
    match read_selection(text):
        case Unreadable(reason):
            return failed(reason)
        case LogPart() as part:
            return show_log(part, context)
        case OtherCommand(command):
            return failed(_not_a_selection(command, context))
        case Selection() as selection:
            return _selected(selection, context)


def _selected(selection: Selection, context: Context) -> Observation:
    command = find_command(context)
    if isinstance(command, NoCommand):
        return failed(f"the tests can't be run: {command.reason}")
    start = started(command, selection, context)
    if isinstance(start, Unreadable):
        return failed(start.reason)
    seconds = context.limits.command_seconds
    try:
        done = shell.run_sandboxed(start.argv, context, timeout_s=seconds, keep_bytes=MOST)
    except process.CannotStart as error:
        return failed(f"the tests can't be run: {error}")
    has_results = any(RESULTS in word for word in start.argv)
    log, report = read_output(done, command.runner, context, has_results=has_results)
    how = ended(done.code, done.hit, context.resource_limits)
    ran = Ran(done, how, log, start.shown, report, keep_log(log, context))
    observation = verdict(ran, context.limits)
    left_out = f"[options left out: {' '.join(selection.left_out)}"[:_SHOWN] + "]"
    notes = (_near_tests(log, context), left_out if selection.left_out else "")
    return replace(observation, text="\n".join((observation.text, *filter(None, notes))))


def _not_a_selection(command: str, context: Context) -> str:
    shown = command.split("\n")[0][:_SHOWN]
    other = f"; for other commands there is {named('run')}" if "run" in context.offered else ""
    return (
        f"{shown!r} is not a selection of tests: write paths or test ids, one a line, or nothing "
        f"to run all{other}"
    )


def _near_tests(log: str, context: Context) -> str:
    """For an id that pytest does not find: tests of that file that are spelled alike."""
    missing = _NOT_FOUND.search(log)
    if not missing:
        return ""
    known, inside = list[str](), ""
    for line in _DEFINED.finditer(text_of(context, missing["path"])):
        if line["class"]:
            inside = f"{line['class']}::"
        else:
            known.append(f"{inside if line['indent'] else ''}{line['name']}")
    near = difflib.get_close_matches(missing["names"], known, n=5, cutoff=0.4) or known[:5]
    more = " ..." if len(known) > len(near) else ""
    return f"tests of {missing['path']}: {', '.join(near)}{more}"


RUN_TESTS = Tool(
    "run_tests",
    "run the repository's tests and show what failed; input: nothing for all, or paths, test ids "
    "(path::Class::name) or -k expression, one a line; or log 1-100 for lines of the last log",
    Kind.TEST,
    _run_tests,
    needs_input=False,
)
