"""What the gate says of files and lines: where it speaks, and beside it where it does not."""

from pathlib import Path

import pytest
from changed import FIXED, LIB, MORE, REPO, TEST, Files, edit, known_of, said, suite

from react_agent.guards.gate import ROWS, open_points
from react_agent.guards.points import CHECKS
from react_agent.parsers.transcript.entries import Event, Said
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile_file import shipped


def test_the_table_and_the_names_are_the_same() -> None:
    assert tuple(ROWS) == CHECKS
    assert shipped("issue").checks == CHECKS


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
        pytest.param((), [], id="none"),
        pytest.param((".pytest_cache/x", "a/__pycache__/b.pyc", ".coverage"), [], id="caches"),
        pytest.param(("scratch.txt", "out.log"), [], id="scratch: it is gone anyway"),
    ],
)
def test_left_out(tmp_path: Path, paths: tuple[str, ...], expected: list[str]) -> None:
    assert said("left_out", known_of(tmp_path, {}, left_out=paths)) == expected


WITHOUT = ", so the change will be without it"
MADE = "looks like what a tool leaves behind"
MARKED = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param({"README.md": f"# lib\n{MARKED}"}, ["README.md:2, 6"], id="a page"),
        pytest.param({"lib.py": LIB + MARKED}, ["lib.py:3, 7"], id="code"),
        pytest.param({"lib.py": f'{LIB}X = """\n{MARKED}"""\n'}, [], id="in a text"),
        pytest.param({"README.md": "# lib\n\nMore\n=======\n"}, [], id="a heading"),
        pytest.param({"README.md": "<<<<<<<<<\n<<<<<<<x\n"}, [], id="other marks"),
    ],
)
def test_conflicts(tmp_path: Path, after: Files, expected: list[str]) -> None:
    told = [f"{place} holds a conflict marker" for place in expected]
    assert said("conflicts", known_of(tmp_path, after)) == told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"lib.py": "def f(:\n"}, ["lib.py:1 does not parse, "], id="broken"),
        pytest.param({}, {"a.json": '{"a": 1,}\n'}, ["a.json:1 does not parse, "], id="new json"),
        pytest.param({}, {"lib.py": FIXED}, [], id="sound"),
        pytest.param({"lib.py": "print 1\n"}, {"lib.py": "print 2\n"}, [], id="was so before"),
        pytest.param({}, {"tests/data/bad.py": "def f(:\n"}, [], id="data of tests"),
        pytest.param({"x.py": "def f(:\n"}, {"x.py": None}, [], id="deleted"),
        pytest.param({}, {"a.txt": "def f(:\n"}, [], id="not code"),
    ],
)
def test_syntax(tmp_path: Path, before: Files, after: Files, expected: list[str]) -> None:
    found = said("syntax", known_of(tmp_path, after, before={**REPO, **before}))
    assert len(found) == len(expected)
    assert all(one.startswith(start) for one, start in zip(found, expected, strict=True))


PRINTS = "def add(a, b):\n    print(a)\n    return a + b\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"lib.py": PRINTS}, ["lib.py:2", "print(a)"], id="a bare name"),
        pytest.param(
            {}, {"lib.py": LIB + "breakpoint()\n"}, ["lib.py:3", "breakpoint()"], id="a stop"
        ),
        pytest.param(
            {"a.js": "f()\n"}, {"a.js": "debugger;\nf()\n"}, ["a.js:1", "debugger;"], id="js"
        ),
        pytest.param({"lib.py": PRINTS}, {"lib.py": PRINTS + "X = 1\n"}, [], id="was there before"),
        pytest.param(
            {"lib.py": LIB + "breakpoint()\n"}, {"lib.py": "breakpoint()\n" + LIB}, [], id="moved"
        ),
        pytest.param(
            {"lib.py": "print('so')\n"}, {"lib.py": "print('so')\nprint(a)\n"}, [], id="it prints"
        ),
        pytest.param(
            {},
            {"lib.py": PRINTS + "if __name__ == '__main__':\n    add(1, 2)\n"},
            [],
            id="a program",
        ),
        pytest.param({}, {"__main__.py": "print(x)\n"}, [], id="the program"),
        pytest.param({}, {"tests/test_lib.py": TEST + "breakpoint()\n"}, [], id="in a test"),
        pytest.param({}, {"README.md": "breakpoint()\n"}, [], id="a page"),
        pytest.param({"lib.py": PRINTS}, {"lib.py": FIXED}, [], id="taken away"),
    ],
)
def test_debugging(tmp_path: Path, before: Files, after: Files, expected: list[str]) -> None:
    told = [f"{expected[0]} is left over from debugging ({expected[1]})"] if expected else []
    assert said("debugging", known_of(tmp_path, after, before={**REPO, **before})) == told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"tmp_fix.py": "x = 1\n"}, ["tmp_fix.py"], id="tmp"),
        pytest.param({}, {"repro.py": "x = 1\n"}, ["repro.py"], id="repro"),
        pytest.param({}, {"lib.py.orig": "x\n"}, ["lib.py.orig"], id="orig"),
        pytest.param({}, {"out.log": "x\n"}, ["out.log"], id="log"),
        pytest.param({}, {"template.py": "x = 1\n"}, [], id="template"),
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
    told = [f"{path} is new and looks like scratch{WITHOUT}" for path in expected]
    assert said("scratch", known_of(tmp_path, after, before={**REPO, **before})) == told


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"build/x.py": "x\n"}, f"build/x.py is new and {MADE}", id="a build"),
        pytest.param({}, {"a/x.pyc": "x\n"}, f"a/x.pyc is new and {MADE}", id="a cache"),
        pytest.param({"out/a.py": "x\n"}, {"out/b.py": "x\n"}, "", id="there are others"),
        pytest.param(
            {"uv.lock": "1\n"},
            {"uv.lock": "2\n"},
            "uv.lock is changed, and nothing that it locks",
            id="a lock alone",
        ),
        pytest.param(
            {"uv.lock": "1\n", "pyproject.toml": "1\n"},
            {"uv.lock": "2\n", "pyproject.toml": "2\n"},
            "",
            id="a lock with what it locks",
        ),
    ],
)
def test_what_tools_leave(tmp_path: Path, before: Files, after: Files, expected: str) -> None:
    told = [f"{expected}{WITHOUT}"] if expected else []
    assert said("scratch", known_of(tmp_path, after, before={**REPO, **before})) == told
    [(path, _)] = [pair for pair in after.items() if pair[0] != "pyproject.toml"]
    known = known_of(tmp_path, after, edit(path), before={**REPO, **before})
    assert said("scratch", known) == []  # an edit tool wrote it: it is meant


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({}, {"spare.py": "x = 1\n"}, ["spare.py"], id="nobody names it"),
        pytest.param({}, {"spare.py": "", "lib.py": "import spare\n" + LIB}, [], id="code does"),
        pytest.param({}, {"spare.py": "", "tests/test_lib.py": TEST + "# spare"}, [], id="a test"),
        pytest.param({}, {"spare.py": "if __name__ == '__main__':\n    1\n"}, [], id="a program"),
        pytest.param({}, {"spare.md": "x\n"}, [], id="a page"),
        pytest.param({}, {"scripts/spare.py": "x = 1\n"}, [], id="a script"),
        pytest.param({}, {"tests/test_spare.py": "x = 1\n"}, [], id="a test itself"),
        pytest.param({}, {"pkg/__init__.py": ""}, [], id="a package"),
        pytest.param(
            {"kinds/one.py": "", "kinds/another.py": ""}, {"kinds/spare.py": ""}, [], id="as others"
        ),
        pytest.param({}, {"spare.go": "package x\n"}, [], id="go: by its package"),
    ],
)
def test_unused(tmp_path: Path, before: Files, after: Files, expected: list[str]) -> None:
    told = [f"{path} is new, and nothing refers to it" for path in expected]
    assert said("unused", known_of(tmp_path, after, before={**REPO, **before})) == told


def test_each_check_can_be_left_out(tmp_path: Path) -> None:
    known = known_of(tmp_path, {"lib.py": PRINTS + "breakpoint()\n", "tmp.py": "x = 1\n"}, edit())
    found = [point.check for point in open_points(CHECKS, known)]
    assert found == ["not_run", "no_test", "debugging", "debugging", "scratch"]
    for name in dict.fromkeys(found):
        fewer = [one for one in CHECKS if one != name]
        left = [one for one in found if one != name]
        assert [point.check for point in open_points(fewer, known)] == left
    assert open_points((), known) == []


@pytest.mark.parametrize("name", ["a b.py", 'q"uote.py', "ünï.py", "tab\t.py", "new\nline.py"])
def test_odd_names_are_read(tmp_path: Path, name: str) -> None:
    known = known_of(tmp_path, {name: "breakpoint()\n"})
    assert [one.new for one in known.changes] == [name]
    assert len(said("debugging", known)) == 1
