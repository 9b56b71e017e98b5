"""Which command a repository's tests are run by, and how a selection is handed to it."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import program
from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent.parsers.testing.commands import Runner, runner_of
from react_agent.parsers.testing.selection import Selection, read_selection
from react_agent.parsers.values.arguments import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.testing.tests_command import Command, NoCommand, find_command, started

BIN = Path(sys.executable).parent
TEXTS = {
    "UNIT": "from unittest import TestCase\nclass A(TestCase): pass\n",
    "PLAIN": "def test_a(): pass\n",
    "NPM": '{"scripts": {"test": "jest"}}',
}
FILES = {
    "setup.cfg": "",
    "pkg/__init__.py": "",
    "tests/test_a.py": "",
    "tests/unit/test_b.py": "",
    "src/a/b.rs": "",
    "list/list_test.go": "",
    "a.test.js": "",
    "test/b.js": "",
}


@pytest.fixture
def place(tmp_path: Path, planted: Callable[..., Path]) -> Callable[..., Context]:
    """A repository of these files, where these programs are installed."""

    def make(files: dict[str, str], *programs: str) -> Context:
        root = planted({name: text.encode() for name, text in files.items()})
        folder = tmp_path / "bin"
        shutil.rmtree(folder, ignore_errors=True)  # of another row
        folder.mkdir()
        for name in programs:
            code = 1 if name == "python3" else 0
            program(folder / name, f"#!/bin/sh\nexit {code}\n")
        return Context(root, environment={"PATH": str(folder)})

    return make


def test_finds_the_command_and_hands_the_selection_on(
    place: Callable[..., Context], each_row: EachRow
) -> None:
    def found(files: dict[str, str], *programs: str) -> object:
        given = {name: TEXTS.get(text, text) for name, text in files.items()}
        context = place(given, *(name for name in programs if name != "pytest"))
        if "pytest" in programs:
            path = f"{context.environment['PATH']}:{BIN}"
            context = Context(context.root, environment={"PATH": path})
        command = find_command(context)
        return command.reason if isinstance(command, NoCommand) else (command.shown, command.found)

    def handed(runner: str, given: str) -> str:
        selection = read_selection(given)
        assert isinstance(selection, Selection)
        return _shown(started(Command(Runner(runner), ("x",), "X", ""), selection, place(FILES)))

    def names_handed(line: str, where: str, names: str = "(parse) or (b and c)") -> str:
        command = Command(Runner.OTHER, tuple(line.split()), line, where)
        return _shown(started(command, Selection(keyword=names), place(FILES)))

    def configured(line: str, target: str = "a.test.js") -> str:
        command = Command(runner_of(line), (line,), line, "configured", is_shell=True)
        return _shown(started(command, Selection((target,) if target else ()), place(FILES)))

    functions = {
        "configured": configured,
        "found": found,
        "handed": handed,
        "names_handed": names_handed,
    }
    each_row(read_rows(FOLDER / "own/tests-command.txt"), lambda row: row.check(functions))


def _shown(made: Command | Unreadable) -> str:
    return made.reason if isinstance(made, Unreadable) else made.shown


def test_a_path_may_be_relative_to_where_commands_run(place: Callable[..., Context]) -> None:
    context = Context(place(FILES).root, cwd="tests")
    command = Command(Runner.OTHER, ("tox",), "tox", "")
    made = started(command, Selection(("unit/test_b.py",)), context)
    assert made == Command(
        Runner.OTHER, ("tox", "--", "tests/unit/test_b.py"), "tox -- tests/unit/test_b.py"
    )
