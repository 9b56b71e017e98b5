"""What the gate says of files and lines: where it speaks, and beside it where it does not."""

from pathlib import Path

import pytest
from changed import FIXED, LIB, MORE, REPO, TEST, Files, did, edit, known_of, said, suite
from check_rows import table_of

from react_agent.guards.gate import ROWS, is_named_in, open_points
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import GATE_CHECKS as CHECKS
from react_agent.profiles.profile_file import shipped


def test_the_table_and_the_names_are_the_same() -> None:
    assert tuple(ROWS) == CHECKS
    assert ("untried", *shipped("issue").checks) == CHECKS
    assert set(shipped("small").checks) < set(CHECKS)


def test_a_good_change_has_nothing_open(tmp_path: Path) -> None:
    after = {"lib.py": FIXED, "tests/test_lib.py": MORE}
    known = known_of(tmp_path, after, edit(), edit("tests/test_lib.py"), suite())
    assert open_points(CHECKS, known) == []


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param({}, ["nothing was changed"], id="nothing"),
        pytest.param({"lib.py": FIXED}, [], id="a change"),
        pytest.param({"README.md": None}, [], id="a deletion"),
    ],
)
def test_empty(tmp_path: Path, after: Files, expected: list[str]) -> None:
    assert said("empty", known_of(tmp_path, after)) == expected


@pytest.mark.parametrize(
    ("steps", "is_tried"),
    [
        pytest.param([], False, id="nothing"),
        pytest.param([did("read", status="failed")], False, id="in vain"),
        pytest.param([did("read")], True, id="a look"),
        pytest.param([edit()], True, id="an edit"),
    ],
)
def test_untried(tmp_path: Path, steps: list[tuple[Entry, ...]], is_tried: bool) -> None:
    assert bool(said("untried", known_of(tmp_path, {}, *steps))) is not is_tried


_TWO = (Event("thread", "n=1 key=7 path=lib.py line=2"), Event("thread", "n=2 key=8"))


@pytest.mark.parametrize(
    ("conclusion", "expected"),
    [
        pytest.param("Thread 1: done\nThread 2: not done, it is used", [], id="both"),
        pytest.param("Thread 2: done", ["no answer to thread 1"], id="one of two"),
        pytest.param("All done.", ["no answer to thread 1, thread 2"], id="neither"),
    ],
)
def test_threads(tmp_path: Path, conclusion: str, expected: list[str]) -> None:
    known = known_of(tmp_path, {}, (*_TWO, Said(Turn(Kind.CONCLUSION, conclusion=conclusion))))
    assert said("threads", known) == expected
    assert said("empty", known) == []


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(
            ("src/new.py",),
            ["only commands made src/new.py, so the change is without it"],
            id="a file",
        ),
        pytest.param(
            ("a.py", "b.py", "c.py", "d.py"),
            ["only commands made a.py, b.py, c.py and 1 more, so the change is without them"],
            id="many",
        ),
        pytest.param(("scratch.txt", "out.log"), [], id="scratch: it is gone anyway"),
    ],
)
def test_left_out(tmp_path: Path, paths: tuple[str, ...], expected: list[str]) -> None:
    assert said("left_out", known_of(tmp_path, {}, left_out=paths)) == expected


WITHOUT = ", so the change will not include it"
MADE = "looks like output that a tool left behind"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"tmp_fix.py": "x = 1\n"}, ["tmp_fix.py"], id="tmp"),
        pytest.param({}, {"out.log": "x\n"}, ["out.log"], id="log"),
        pytest.param(
            {}, {"debug.py": "X = 1\n", "lib.py": "import debug\n" + LIB}, [], id="it is imported"
        ),
        pytest.param(
            {}, {"a.log": "x\n", "tests/test_lib.py": TEST + "# a.log\n"}, [], id="a test reads it"
        ),
        pytest.param({"tmp.py": "x = 1\n"}, {"tmp.py": "x = 2\n"}, [], id="was there before"),
    ],
)
def test_scratch(tmp_path: Path, before: Files, after: Files, expected: list[str]) -> None:
    told = [f"{path} is new and looks like a scratch file{WITHOUT}" for path in expected]
    assert said("scratch", known_of(tmp_path, after, before={**REPO, **before})) == told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"build/x.py": "x\n"}, f"build/x.py is new and {MADE}", id="a build"),
        pytest.param({}, {"a/x.pyc": "x\n"}, f"a/x.pyc is new and {MADE}", id="a cache"),
        pytest.param({"out/a.py": "x\n"}, {"out/b.py": "x\n"}, "", id="there are others"),
    ],
)
def test_what_tools_leave(tmp_path: Path, before: Files, after: Files, expected: str) -> None:
    told = [f"{expected}{WITHOUT}"] if expected else []
    assert said("scratch", known_of(tmp_path, after, before={**REPO, **before})) == told
    [path] = after
    known = known_of(tmp_path, after, edit(path), before={**REPO, **before})
    assert said("scratch", known) == []  # an edit tool wrote it: it is meant


def test_each_check_can_be_left_out(tmp_path: Path) -> None:
    known = known_of(tmp_path, {"lib.py": FIXED, "tmp.py": "x = 1\n"}, edit())
    found = [point.check for point in open_points(CHECKS, known)]
    assert found == ["not_run", "no_test", "scratch"]
    for name in dict.fromkeys(found):
        fewer = [one for one in CHECKS if one != name]
        left = [one for one in found if one != name]
        assert [point.check for point in open_points(fewer, known)] == left
    assert open_points((), known) == []


@table_of(
    ("path", "title", "is_named"),
    [
        (".env", "Add a .env for the demo", True),
        (".env", "Ship `.env`", True),
        ("config/.env", "Commit config/.env.", True),
        ("out.log", "out.log: keep it", True),
        ("a file.txt", "Write a file.txt", True),
        (".env", "process.env.PORT is ignored", False),
        (".env", "process.env is read twice", False),
        (".env", "Read .env.example", False),
        ("out.log", "stdout.log is empty", False),
        ("notes.txt", "PORT is ignored", False),
        ("a.py", "data.py fails", False),
    ],
)
def test_a_file_that_the_title_names_is_meant(path: str, title: str, is_named: bool) -> None:
    assert is_named_in(path, title) is is_named
