"""What an issue points to."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.clues import Clues, Kind, Named, clues_of
from react_agent.parsers.issue.places import Frame, PathEnds

PATH, SYMBOL, OPTION = Kind.PATH, Kind.SYMBOL, Kind.OPTION


@table_of(
    "text",
    [
        "It is slow and/or hangs. Please help!",
        "GitHub, VS Code (e.g. 1.5) and 3.5 seconds; see https://a.org/x/y.py and me@a.org, a.com",
        "I ran it 12:30; error(s), i.e. none. Node.js is fine: 10/10, 2026-01-02.",
        "`None`, `True`, `self`, `__init__`, `a`, `print()`, `12`, `x + y`, deadbeef1",
        "github.com/o/r/x.py is a page",
        "`./build`, ~/src",
        f"-- --UPPER {'x_' * 99}",
    ],
)
def test_an_issue_that_names_nothing(text: str) -> None:
    found = clues_of(text)
    assert Clues(tuple(one for one in found.names if one.is_sure)) == Clues()
    assert found.frames == ()


@table_of(
    ("text", "expected"),
    [
        pytest.param("`go parse_it`", Named("parse_it", SYMBOL), id="code in backticks"),
        pytest.param("`parse_date`", Named("parse_date", SYMBOL, True), id="in backticks"),
        pytest.param("`parse()`", Named("parse", SYMBOL, True), id="plain, called"),
        pytest.param("a.b_c.D is", Named("a.b_c.D", SYMBOL), id="dotted"),
        pytest.param("with --dry-run on", Named("--dry-run", OPTION), id="option"),
        pytest.param("```\nuse_it()\n```", Named("use_it", SYMBOL), id="in code"),
    ],
)
def test_a_name(text: str, expected: Named) -> None:
    assert clues_of(text).names == (expected,)


def test_names_are_told_once_and_the_sure_ones_first() -> None:
    text = "```\nin_code(RunFolder)\n```\nplain_one, `sure_one`, sure_one, in_code(x)"
    assert [one.text for one in clues_of(text).names] == [
        "in_code",
        "sure_one",
        "plain_one",
        "RunFolder",
    ]


def test_what_the_issue_defines_is_not_looked_for() -> None:
    text = "`MyThing`, my_function()\n```python\nclass MyThing:\n    def my_function(self):\n```"
    assert clues_of(text).names == ()


def test_a_traceback_names_places_and_no_symbols() -> None:
    text = 'File "/lib/a/b.py", line 7, in go\n    some_call(x)\nFile "c.py", line 1\nValueError'
    assert clues_of(text) == Clues(
        frames=(Frame("/lib/a/b.py", 7, "go", "some_call(x)"), Frame("c.py", 1, "", "ValueError"))
    )


def test_a_frame() -> None:
    assert clues_of("at file:///app/i.mjs:1:2").frames == (Frame("/app/i.mjs", 1),)


def test_no_more_frames_than_anybody_reads() -> None:
    assert len(clues_of("\n".join(f"a.py:{line}" for line in range(3_000))).frames) == 2_000


ENDS = PathEnds(["src/a/x.py", "src/b/x.py", "x.py", "setup.cfg", "lib/a/y.py"])


@table_of(
    ("path", "expected"),
    [
        pytest.param("./x.py", ("x.py",), id="the very path"),
        pytest.param("a/x.py", ("src/a/x.py",), id="an end of one"),
        pytest.param("r/setup.cfg", ("setup.cfg",), id="longer than one"),
        pytest.param("b/y.py", (), id="another folder"),
    ],
)
def test_what_a_path_means(path: str, expected: tuple[str, ...]) -> None:
    assert ENDS.of(path) == expected


def test_what_ends_alike() -> None:
    assert ENDS.alike("/home/me/p/src/a/x.py") == (("src/a/x.py",), 3)
    assert ENDS.named("x.py") == ("src/a/x.py", "src/b/x.py", "x.py")


@given(st.text(alphabet='`$~>/\\.:-_aB1# \n()"', max_size=80))
def test_reads_anything(text: str) -> None:
    assert all(one.text in text.replace("\\", "/") for one in clues_of(text).names)
