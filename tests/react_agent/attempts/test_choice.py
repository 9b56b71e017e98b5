"""Which attempt is taken."""

from typing import Any

from check_rows import table_of

from react_agent.runs.attempts import Candidate, choose, drawn, standing
from react_agent.runs.verification import Verdict
from react_agent.state.state import Stop

NO_RUN: Any = None
SAME = frozenset({("a.py", "+", "same")})


def _one(number: int, **options: Any) -> Candidate:
    given = {"stop": Stop.CONCLUDED, "patch": "a patch", "tests": Verdict.PASSED}
    given |= {"lines": frozenset({("a.py", "+", str(number))}), **options}
    return Candidate(number, NO_RUN, **given)


@table_of(
    ("candidates", "winner"),
    {
        "gate": ([_one(1, open_points=1), _one(2, tests=Verdict.FAILED)], 2),
        "tests": ([_one(1, tests=Verdict.FAILED), _one(2), _one(3, tests=Verdict.UNKNOWN)], 2),
        "the same twice": ([_one(1), _one(2, lines=SAME), _one(3, lines=SAME)], 2),
        "a patch that can't win is not counted": (
            [_one(1), _one(2, lines=SAME), _one(3, lines=SAME, stop=Stop.GAVE_UP)],
            1,
        ),
        "tests alone are not the same": (
            [_one(1), *(_one(number, lines=frozenset()) for number in (2, 3))],
            1,
        ),
        "smallest": ([_one(1, patch="a longer patch"), _one(2, patch="short")], 2),
        "first": ([_one(1), _one(2)], 1),
    },
)
def test_what_was_measured_decides(candidates: list[Candidate], winner: int) -> None:
    assert choose(candidates) is candidates[winner - 1]


def test_each_is_told_in_a_line() -> None:
    found = [_one(1), _one(2, lines=SAME, open_points=2), _one(3, lines=SAME)]
    found += [_one(number, lines=frozenset()) for number in (4, 5)]
    assert [standing(one, found) for one in found] == [
        "tests pass",
        "2 points open, tests pass, the same change as 1 other attempt",
        "tests pass, the same change as 1 other attempt",
        *["tests pass"] * 2,
    ]


@table_of(
    ("number", "spec", "expected"),
    {
        "the first is the plain run": (1, "openai/g", "openai/g"),
        "second": (2, "openai/g", "openai/g temperature=0.4 seed=2"),
        "a replay": (2, "replay/a.txt", "replay/a.txt"),
        "behind address and key": (
            2,
            "openai/g@http://h/v1 key=K",
            "openai/g@http://h/v1 key=K temperature=0.4 seed=2",
        ),
        "one that is set stays": (2, "g temperature=0.1", "g temperature=0.1"),
    },
)
def test_how_an_attempt_differs(number: int, spec: str, expected: str) -> None:
    assert drawn(number, spec) == expected
