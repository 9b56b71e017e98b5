"""Which attempt is taken."""

from typing import Any

import pytest
from check_rows import table_of

from react_agent.runs.attempts import Candidate, choose, drawn
from react_agent.runs.verification import Verdict
from react_agent.state.state import Stop

NO_RUN: Any = None


def _one(number: int, line: str = "", **options: Any) -> Candidate:
    given = {"stop": Stop.CONCLUDED, "patch": f"{line or number} a patch", **options}
    lines = frozenset({("a.py", "+", line or str(number))})
    return Candidate(
        number, NO_RUN, tree="t", lines=lines, tests=given.pop("tests", Verdict.PASSED), **given
    )


@table_of(
    ("candidates", "winner"),
    [
        pytest.param(
            [_one(1, open_points=("no test",)), _one(2, tests=Verdict.FAILED)],
            2, id="gate",
        ),
        pytest.param(
            [_one(1, tests=Verdict.FAILED), _one(2), _one(3, tests=Verdict.UNKNOWN)],
            2, id="tests",
        ),
        pytest.param(
            [_one(1), _one(2, "same"), _one(3, "same", patch="longer a patch")],
            2, id="the same twice",
        ),
        pytest.param(
            [_one(1, patch="a longer patch"), _one(2, patch="short")],
            2, id="smallest",
        ),
        pytest.param([_one(1), _one(2)], 1, id="first"),
        pytest.param(
            [_one(1, "same"), _one(2, "same")], 1, id="all the same"
        ),
    ],
)  # fmt: skip
def test_what_was_measured_decides(candidates: list[Candidate], winner: int) -> None:
    assert choose(candidates).winner is candidates[winner - 1]


def test_each_is_told_in_a_line() -> None:
    found = [_one(1, "same"), _one(2, "same", open_points=("a", "b"))]
    assert choose(found).standings == {
        1: "tests pass, the same change as attempt 2",
        2: "2 points open, tests pass, the same change as attempt 1",
    }


@table_of(
    ("number", "spec", "expected"),
    [
        pytest.param(1, "openai/g", "openai/g", id="the first is the plain run"),
        pytest.param(2, "openai/g", "openai/g temperature=0.4 seed=2", id="second"),
        pytest.param(2, "replay/a.txt", "replay/a.txt", id="a replay"),
        pytest.param(
            2, "openai/g@http://h/v1 key=K", "openai/g@http://h/v1 key=K temperature=0.4 seed=2",
            id="behind address and key",
        ),
        pytest.param(2, "g temperature=0.1", "g temperature=0.1", id="one that is set stays"),
    ],
)  # fmt: skip
def test_how_an_attempt_differs(number: int, spec: str, expected: str) -> None:
    assert drawn(number, spec) == expected
