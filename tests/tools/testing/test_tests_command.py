"""Which command a repository's tests are run by, and how a selection is handed to it."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import program
from check_rows import table_of

from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.selection import Selection, read_selection
from react_agent.parsers.values.arguments import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.testing.tests_command import Command, NoCommand, find_command, started

BIN = Path(sys.executable).parent
UNIT = "from unittest import TestCase\nclass A(TestCase): pass\n"
PLAIN = "def test_a(): pass\n"
NPM = '{"scripts": {"test": "jest"}}'


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


@table_of(
    ("files", "programs", "expected"),
    {
        "settings": (
            {"setup.cfg": "[tool:pytest]\n", "package.json": NPM},
            ("pytest", "npm"),
            ("pytest", "[tool:pytest] in setup.cfg"),
        ),
        "settings in TOML": (
            {"pyproject.toml": "[tool.pytest.ini_options]\n"},
            ("pytest",),
            ("pytest", "[tool.pytest] in pyproject.toml"),
        ),
        "functions": (
            {"tests/test_a.py": PLAIN},
            ("pytest",),
            ("pytest", "there are test files, and pytest is installed"),
        ),
        "unittest": (
            {"tests/test_a.py": UNIT},
            ("python3",),
            ("python -m unittest", "there are unittest test cases, and pytest is not installed"),
        ),
        "no pytest": (
            {"tests/test_a.py": PLAIN},
            ("python3",),
            "the tests need pytest (test files), which is not installed",
        ),
        "no python3": (
            {"tests/test_a.py": PLAIN},
            (),
            "there are Python tests, but no python3 on PATH",
        ),
        "tox if no direct one works": (
            {"tests/test_a.py": PLAIN, "tox.ini": "[tox]\n"},
            ("python3", "tox"),
            ("tox --", "there is tox.ini"),
        ),
        "npm": (
            {"package.json": NPM, "python": ""},
            ("npm",),
            ("npm test --", "package.json has the test script jest"),
        ),
        "npm, behind a byte order mark": (
            {"package.json": f"\ufeff{NPM}"},
            ("npm",),
            ("npm test --", "package.json has the test script jest"),
        ),
        "npm's own words": (
            {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\""}}'},
            ("npm",),
            "no test command was found (no configured command, no pytest, unittest, tox, nox, npm, "
            "cargo, go or make tests)",
        ),
        "cargo before a stray file": (
            {"Cargo.toml": "", "scripts/test_a.py": UNIT},
            ("cargo", "python3"),
            ("cargo test", "there is Cargo.toml"),
        ),
        "make": (
            {"Makefile": "A := 1\nall: x\ncheck test: x\n"},
            ("make",),
            ("make test", "Makefile has the target test"),
        ),
    },
)
def test_finds_the_command(
    place: Callable[..., Context],
    files: dict[str, str],
    programs: tuple[str, ...],
    expected: tuple[str, str] | str,
) -> None:
    context = place(files, *(name for name in programs if name != "pytest"))
    if "pytest" in programs:
        path = f"{context.environment['PATH']}:{BIN}"
        context = Context(context.root, environment={"PATH": path})
    found = find_command(context)
    seen = found.reason if isinstance(found, NoCommand) else (found.shown, found.found)
    assert seen == expected


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
def here(place: Callable[..., Context]) -> Context:
    return place(FILES)


@table_of(
    ("runner", "given", "expected"),
    [
        (Runner.PYTEST, "tests/test_a.py:12", "X tests/test_a.py"),
        (Runner.PYTEST, "-k 'test_a or so'", "X -k 'test_a or so'"),
        (Runner.PYTEST, "TestA::test_b[1]", "X -k 'TestA and test_b'"),
        (Runner.PYTEST, "-k x test_y", "X -k '(x) or (test_y)'"),
        (Runner.PYTEST, "tests/unit -m slow -x", "X tests/unit -m slow -x"),
        (Runner.UNITTEST, "", "X discover -s tests"),
        (Runner.UNITTEST, "tests", "X tests.test_a tests.unit.test_b"),
        (Runner.UNITTEST, "tests/test_a.py::A::b -x", "X tests.test_a.A.b -f"),
        (Runner.UNITTEST, "test_a -k b", "X discover -s tests -k test_a -k b"),
        (Runner.GO, "", "X ./..."),
        (Runner.GO, "list/list_test.go::TestA", "X ./list -run '^TestA$'"),
        (Runner.GO, "list/list_test.go::TestA/big", "X ./list -run '^TestA$/^big$'"),
        (Runner.GO, "list", "X ./list/..."),
        (Runner.OTHER, "src/a/b.rs::good", "X src/a/b.rs::good"),
        (Runner.MAKE, "", "X"),
        (
            Runner.MAKE,
            "tests/test_a.py",
            "X takes no selection: leave the input empty to run all tests",
        ),
    ],
)
def test_a_selection_is_handed_on_as_the_runner_takes_it(
    here: Context, runner: Runner, given: str, expected: str
) -> None:
    selection = read_selection(given)
    assert isinstance(selection, Selection)
    made = started(Command(runner, ("x",), "X", ""), selection, here)
    assert (made.reason if isinstance(made, Unreadable) else made.shown) == expected


@table_of(
    ("line", "found", "expected"),
    [
        ("cargo test", "there is Cargo.toml", "cargo test -- parse b::c"),
        ("npm test --", "package.json has the test script jest", "npm test -- -t 'parse|b c'"),
        ("npx mocha", "configured", "npx mocha -g 'parse|b c'"),
        ("tox --", "there is tox.ini", "tox -- -k '(parse) or (b and c)'"),
    ],
)
def test_names_are_handed_on_as_the_runner_takes_them(
    here: Context, line: str, found: str, expected: str
) -> None:
    command = Command(Runner.OTHER, tuple(line.split()), line, found)
    made = started(command, Selection(keyword="(parse) or (b and c)"), here)
    assert isinstance(made, Command)
    assert made.shown == expected


def test_a_path_may_be_relative_to_where_commands_run(here: Context) -> None:
    context = Context(here.root, cwd="tests")
    command = Command(Runner.OTHER, ("tox", "--"), "tox --", "")
    made = started(command, Selection(("unit/test_b.py",)), context)
    assert made == Command(
        Runner.OTHER, ("tox", "--", "tests/unit/test_b.py"), "tox -- tests/unit/test_b.py"
    )


@table_of(
    ("line", "expected"),
    [
        ("npm test", "npm test a.test.js"),
        ("npm test -- --ci", "npm test -- --ci a.test.js"),
        ("npm test -- {selection} --ci", "npm test -- a.test.js --ci"),
        ("npx jest", "npx jest a.test.js"),
        ("npx jest test", "npx jest a.test.js"),  # all of them would run as well
        (
            "pytest -q -c setup.cfg --rootdir . tests",
            "pytest -q -c setup.cfg --rootdir . a.test.js",
        ),
        ("./run test", "./run test a.test.js"),  # whose words are not known
        ("X='a b' ./run", "X='a b' ./run a.test.js"),
        ("pytest -m test tests", "pytest -m test a.test.js"),
        ("pytest --cov test", "pytest --cov test a.test.js"),
    ],
)
def test_a_configured_command_hands_the_selection_on(
    here: Context, line: str, expected: str
) -> None:
    command = Command(Runner.OTHER, (line,), line, "configured", is_shell=True)
    made = started(command, Selection(("a.test.js",)), here)
    assert isinstance(made, Command)
    assert made.shown == expected
