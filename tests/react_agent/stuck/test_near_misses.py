"""What looks like going round and is not: no event, in whole runs."""

from collections.abc import Callable

import pytest
from check_rows import table_of
from rows import Played, Row, failed

PATCH = "--- a/{0}\n+++ b/{0}\n@@ -{1} +{1} @@\n-old_{1} = 1\n+new = 2\n"
THREE = ("1", "2", "3")


def edit(tree: str, given: str = "") -> Row:
    return Row("edit", given or f"to {tree}", f"wrote {tree}", tree=tree)


def ran(way: str, *ids: str) -> Row:
    return failed("test", "t.py", f"{way} failed", failing=",".join(ids), way=way)


def tried(ways: str) -> list[Row]:
    return [row for n, way in enumerate(ways) for row in (edit(f"t{n}"), ran(way, "t.py::a"))]


AGAIN = {
    "only twice": [Row("look"), Row("look")],
    "another file between": [Row("look"), Row("look", "y", "other"), Row("look"), Row("look")],
    "other parts of one file": [Row("look", f"a.py:{n}-{n}9", f"{n}| line") for n in THREE],
    "the file has changed": [Row("look", "a.py", f"1| x = {n}") for n in THREE],
    "a retry that succeeds": [failed("run", "get"), failed("run", "get"), Row("run", "get", "ok")],
}
NOISE = {
    "a log that grows": [
        Row("run", "cat log", "".join(f"12:00:0{n} GET\n" for n in range(most)))
        for most in (1, 2, 3)
    ],
    "something runs, and its time goes on": [
        Row("run", "cat log", f"12:00:0{n} up", facts={"running": "1: serve"}) for n in THREE
    ],
    "other commits": [Row("run", "git log -1", f"{n}a1b2c3 it") for n in THREE],
}
REWORDED = {
    "three files that are not there": [failed("look", f"src/{name}.py") for name in "abc"],
    "another way of writing it works": [
        failed("run", "mk 'it'"),
        failed("run", "mk it"),
        Row("run", 'mk "it"', "made"),
    ],
    "three places of one file": [failed("edit", PATCH.format("a.py", n)) for n in THREE],
    "something was done between": [
        failed("run", "mk 'it'"),
        failed("run", "mk it"),
        Row("run", "install it", "installed", tree="t1"),
        failed("run", 'mk "it"'),
    ],
    "something was learned between": [
        failed("edit", PATCH.format("a.py", 1)),
        Row("look", "a.py:1-9", "1| x"),
        failed("edit", PATCH.format("a.py", 1) + "\n"),
        Row("look", "a.py:10-19", "10| y"),
        failed("edit", PATCH.format("a.py", 1) + " \n"),
    ],
    "other things that nobody can do here": [Row(f"wish{n}") for n in THREE],
}
CYCLE = {
    "two rounds": [Row("look", name, name.upper()) for name in "abab"],
    "one round of three": [Row("look", name, name.upper()) for name in "abcab"],
    "an edit, and tests that go otherwise": tried("123"),
    "another file each time": [
        row for n in THREE for row in (Row("run", "ls", "a b c"), Row("look", n, n))
    ],
}
FAILING = {
    "two edits": tried("aaa"),
    "fewer failures": tried("4321"),
    "it passes in between": [
        *tried("aa"),
        edit("t8"),
        Row("test", "t.py", "3 passed"),
        edit("t9"),
        ran("a", "t.py::a"),
    ],
    "one edit in four parts": [ran("a"), *(edit(n) for n in "1234"), ran("a")],
    "no tests but a command that fails": [
        row for n in "12345" for row in (edit(n), failed("run", "python a.py", f"error {n}"))
    ],
}
THOUGHTS = {
    "two": [Row("think", "a"), Row("think", "b"), Row("look")],
    "a look between": [Row("think", "a"), Row("think", "b"), Row("look"), Row("think", "c")],
    "one that can't be read": [Row(""), Row("look"), Row(""), Row("look", "y")],
}
ALL = {
    "again": AGAIN,
    "noise of again": NOISE,
    "reworded": REWORDED,
    "cycle": CYCLE,
    "failing": FAILING,
    "thoughts": THOUGHTS,
}


@table_of(
    "rows",
    [
        pytest.param(rows, id=f"{pattern}: {name}")
        for pattern, misses in ALL.items()
        for name, rows in misses.items()
    ],
)
def test_it_is_no_trouble(goes: Callable[..., Played], rows: list[Row]) -> None:
    played = goes(*rows)
    assert (played.stuck, played.events("hint"), played.events("demote")) == ([], [], [])
    assert len(played.state.steps) == len(rows)
