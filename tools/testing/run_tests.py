"""Run the repository's tests, or a selection of them, and tell what matters of the log."""

import ast
import difflib
import re
from dataclasses import replace

from react_agent.parsers.tests_selection import (
    LogPart,
    OtherCommand,
    Selection,
    read_selection,
)
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool, named
from react_agent.tools.shell import process, shell
from react_agent.tools.shell.command_output import ended
from react_agent.tools.testing.tests_arguments import NoTarget, Started, started
from react_agent.tools.testing.tests_command import Command, NoCommand, find_command, text_of
from react_agent.tools.testing.tests_output import (
    MOST,
    RESULTS,
    keep_log,
    read_output,
    show_log,
)
from react_agent.tools.testing.tests_verdict import Ran, verdict

_NOT_FOUND = re.compile(r"ERROR: not found: (?:\S*/)?(?P<path>[^\s:]+\.py)::(?P<names>\S+)")
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
    if isinstance(start, NoTarget):
        return failed(start.reason)
    observation = _ran(command, start, context)
    said = [f"options left out: {' '.join(selection.left_out)}"] if selection.left_out else []
    lines = [f"[{one[:_SHOWN]}]" for one in said]
    return replace(observation, text="\n".join((observation.text, *lines)))


def _ran(command: Command, start: Started, context: Context) -> Observation:
    try:
        done = shell.run_sandboxed(
            start.argv, context, timeout_s=context.limits.command_seconds, keep_bytes=MOST
        )
    except process.CannotStart as error:
        return failed(f"the tests can't be run: {error}")
    has_file = any(RESULTS in word for word in start.argv)
    log, report = read_output(done, command.runner, context, has_file=has_file)
    is_kept = keep_log(log, context)
    how = ended(done.code, done.hit, context.resource_limits)
    told = verdict(Ran(done, how, log, start.shown, report, is_kept), context.limits)
    near = _near_tests(log, context)
    return replace(told, text=f"{told.text}\n{near}") if near else told


def _not_a_selection(command: str, context: Context) -> str:
    shown = command.split("\n")[0][:_SHOWN]
    other = f"; for other commands there is {named('run')}" if "run" in context.offered else ""
    return (
        f"{shown!r} is not a selection of tests: write paths or test ids, one a line, or nothing "
        f"to run all{other}"
    )


def _near_tests(log: str, context: Context) -> str:
    """For an id that pytest does not find: tests of that file that are spelled alike."""
    found = _NOT_FOUND.search(log)
    if not found:
        return ""
    path = found[0].removeprefix("ERROR: not found: ").partition("::")[0]
    known = _tests_in(text_of(context, path))
    wanted = found["names"].partition("[")[0]
    near = difflib.get_close_matches(wanted, known, n=5, cutoff=0.4) or known[:5]
    return f"tests of {path}: {', '.join(near)}" + (" ..." if len(known) > len(near) else "")


def _tests_in(text: str) -> list[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node.name for node in tree.body if isinstance(node, functions)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            inner = (one.name for one in node.body if isinstance(one, functions))
            found += [f"{node.name}::{name}" for name in inner]
    return [name for name in found if "test" in name.casefold()]


RUN_TESTS = Tool(
    "run_tests",
    "run the repository's tests and show what failed; input: nothing for all, or paths, test ids "
    "(path::Class::name) or -k expression, one a line; or log 1-100 for lines of the last log",
    Kind.TEST,
    _run_tests,
    needs_input=False,
)
