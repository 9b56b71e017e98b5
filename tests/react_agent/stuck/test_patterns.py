"""Each pattern in a whole run: what it takes to be seen, and what the model is told."""

from collections.abc import Callable

from check_rows import table_of
from rows import Played, Row, failed

from react_agent.profiles.profile import Patience

HUNK = "--- a/a.py\n+++ b/a.py\n@@ -{} +{} @@\n {}\n-old = 1\n+new = {}\n"
LOG = "GET / 200\n{} done in {} s, pid {}, at 0x7f00{}"
WENT = {"failing": "t.py::test_a,t.py::test_b", "way": "f00d"}


def ran(way: str = "f00d", seen: str = "2 failed") -> Row:
    return Row("test", "t.py", seen, "failed", facts={**WENT, "way": way})


FIRES = {
    "the same call with the same result": ([Row("look")] * 3, "again steps=1-3"),
    "a thought between, a blank more": (
        [Row("run", "ls"), Row("think"), Row("run", "ls "), Row("run", "ls\n")],
        "again steps=1,3-4",
    ),
    "other times, process numbers and addresses": (
        [
            Row("run", "make", LOG.format(f"12:00:0{n}", n / 7, 400 + n, f"a{n}"))
            for n in range(1, 4)
        ],
        "again steps=1-3",
    ),
    "a path that is not there": (
        [
            failed("look", given)
            for given in ("src/a.py", "./src/a.py:1-50", '"/work/repo/src/a.py"')
        ],
        "reworded steps=1-3",
    ),
    "a pattern that is not found": (
        [
            Row("find", given, f"nothing like {given}", "empty")
            for given in ("parse_date(", r"parse_date\(", '"Parse_Date"')
        ],
        "reworded steps=1-3",
    ),
    "a command that is written otherwise": (
        [failed("run", given) for given in ("mk -a -b it", "mk  -a -b 'it'", "MK -a -b ./it")],
        "reworded steps=1-3",
    ),
    "a patch of a place, since the last that was learned of it": (
        [
            failed("edit", HUNK.format(1, 1, "x", 2)),
            Row("look", "a.py", "1| y"),
            failed("edit", HUNK.format(9, 9, "y", 3)),
            Row("look", "a.py", "1| y"),
            failed("edit", HUNK.format(20, 2, "z", 4)),
            failed("edit", HUNK.format(3, 2, "z", 4)),
        ],
        "reworded steps=3,5-6",
    ),
    "a tool that is not": ([Row("nosuch", str(n)) for n in range(3)], "reworded steps=1-3"),
    "A-B-A-B-A-B": (
        [Row("look", "a", "A"), Row("run", "b", "B in 1.2 s")] * 2
        + [Row("look", "a", "A"), Row("run", "b", "B in 2.5 s")],
        "cycle steps=1-6",
    ),
    "four": ([Row("look", name, name.upper()) for name in "abcdabcd"], "cycle steps=1-8"),
    "three edits, the same failures": (
        [ran(), *(row for n in "123" for row in (Row("edit", n, tree=n), ran()))],
        "failing steps=1,3,5,7",
    ),
    "by commands": (
        [
            Row(
                "run",
                "pytest -q",
                f"FAILED t.py::test_a - assert 1 == 2\n1 failed in 0.{n}s",
                "failed",
                n,
            )
            if is_test
            else Row("run", f"sed -i {n} a.py", "", "empty", f"t{n}")
            for n in "1234"
            for is_test in (False, True)
        ],
        "failing steps=2,4,6,8",
    ),
    "thoughts": ([Row("think", str(n)) for n in range(3)], "thoughts steps=1-3"),
    "and a reply without action": ([Row("think"), Row(""), Row("think")], "thoughts steps=1-3"),
}


@table_of(("rows", "event"), FIRES)
def test_it_is_seen_at_this_step_and_by_its_line_of_the_profile(
    goes: Callable[..., Played], rows: list[Row], event: str
) -> None:
    played = goes(*rows)
    assert played.stuck == [f"pattern={event} answer=hint"]
    (hint,) = played.events("hint")
    assert played.tails[-1] == f"({hint})\nThought:"
    assert goes(*rows[:-1]).stuck == []
    name = event.partition(" ")[0]
    others = tuple(one for one in Patience().patterns if one != name)
    found = goes(*rows, patience=Patience(patterns=others)).stuck
    assert not any(f"pattern={name} " in one for one in found)


def test_a_hint_says_where_to_look_instead(goes: Callable[..., Played]) -> None:
    rows = [failed("look", given) for given in ("a.py", "./a.py: 1-9", "'a.py'")]
    (hint,) = goes(*rows).events("hint")
    assert "use a path that the answer names" in hint
