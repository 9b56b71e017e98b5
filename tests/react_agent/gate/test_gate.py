"""What the gate says of files and lines: where it speaks, and beside it where it does not."""

from pathlib import Path

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


@table_of(
    ("after", "expected"),
    {
        "nothing": ({}, ["nothing was changed"]),
        "a change": ({"lib.py": FIXED}, []),
        "a deletion": ({"README.md": None}, []),
    },
)
def test_empty(tmp_path: Path, after: Files, expected: list[str]) -> None:
    assert said("empty", known_of(tmp_path, after)) == expected


@table_of(
    ("steps", "is_tried"),
    {
        "nothing": ([], False),
        "in vain": ([did("read", status="failed")], False),
        "a look": ([did("read")], True),
        "an edit": ([edit()], True),
    },
)
def test_untried(tmp_path: Path, steps: list[tuple[Entry, ...]], is_tried: bool) -> None:
    assert bool(said("untried", known_of(tmp_path, {}, *steps))) is not is_tried


_TWO = (Event("thread", "n=1 key=7 path=lib.py line=2"), Event("thread", "n=2 key=8"))


@table_of(
    ("conclusion", "expected"),
    {
        "both": ("Thread 1: done\nThread 2: not done, it is used", []),
        "one of two": ("Thread 2: done", ["no answer to thread 1"]),
        "neither": ("All done.", ["no answer to thread 1, thread 2"]),
    },
)
def test_threads(tmp_path: Path, conclusion: str, expected: list[str]) -> None:
    known = known_of(tmp_path, {}, (*_TWO, Said(Turn(Kind.CONCLUSION, conclusion=conclusion))))
    assert said("threads", known) == expected
    assert said("empty", known) == []


@table_of(
    ("paths", "expected"),
    {
        "a file": (("src/new.py",), ["only commands made src/new.py, so the change is without it"]),
        "many": (
            ("a.py", "b.py", "c.py", "d.py"),
            ["only commands made a.py, b.py, c.py and 1 more, so the change is without them"],
        ),
        "scratch: it is gone anyway": (("scratch.txt", "out.log"), []),
    },
)
def test_left_out(tmp_path: Path, paths: tuple[str, ...], expected: list[str]) -> None:
    assert said("left_out", known_of(tmp_path, {}, left_out=paths)) == expected


WITHOUT = ", so the change will not include it"
MADE = "looks like output that a tool left behind"


@table_of(
    ("before", "after", "expected"),
    {
        "tmp": ({}, {"tmp_fix.py": "x = 1\n"}, ["tmp_fix.py"]),
        "log": ({}, {"out.log": "x\n"}, ["out.log"]),
        "it is imported": ({}, {"debug.py": "X = 1\n", "lib.py": "import debug\n" + LIB}, []),
        "a test reads it": ({}, {"a.log": "x\n", "tests/test_lib.py": TEST + "# a.log\n"}, []),
        "was there before": ({"tmp.py": "x = 1\n"}, {"tmp.py": "x = 2\n"}, []),
    },
)
def test_scratch(tmp_path: Path, before: Files, after: Files, expected: list[str]) -> None:
    told = [f"{path} is new and looks like a scratch file{WITHOUT}" for path in expected]
    assert said("scratch", known_of(tmp_path, after, before={**REPO, **before})) == told


@table_of(
    ("before", "after", "expected"),
    {
        "a build": ({}, {"build/x.py": "x\n"}, f"build/x.py is new and {MADE}"),
        "a cache": ({}, {"a/x.pyc": "x\n"}, f"a/x.pyc is new and {MADE}"),
        "there are others": ({"out/a.py": "x\n"}, {"out/b.py": "x\n"}, ""),
    },
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
