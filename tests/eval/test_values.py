"""What functions of eval/ give: tests/scenarios/readers/eval, a table a subject."""

from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import EachRow
from planted_records import printed
from reader_rows import FOLDER, read_rows

from react_agent.eval.report.statistics import (
    Group,
    Pair,
    by_chance,
    difference,
    difference_interval,
    holm,
    independent,
    wilson,
)
from react_agent.eval.report.summary import table
from react_agent.eval.sets.issue_set import read_row
from react_agent.eval.sets.mined import statement
from react_agent.parsers.text.counted import lasting

ROW = {
    "repo": "owner/name",
    "instance_id": "owner__name-12",
    "base_commit": "a" * 40,
    "problem_statement": "The sum of nothing is an error",
}


def _difference(both: int, first: int, second: int, neither: int) -> tuple[float, ...]:
    counts = ((1, 1, both), (1, 0, first), (0, 1, second), (0, 0, neither))
    pairs = [Pair(one, other) for one, other, times in counts for _ in range(times)]
    return tuple(round(one, 4) for one in (difference(pairs), *difference_interval(pairs)))


FUNCTIONS: dict[str, Callable[..., object]] = {
    "by_chance": lambda *pairs: by_chance([Pair(*one) for one in pairs]),
    "difference": _difference,
    "holm": lambda chances: [round(one, 9) for one in holm(chances)],
    "independent": lambda *tries: round(independent([Group(*one) for one in tries]), 9),
    "lasting": lasting,
    "row": lambda more, *place: read_row({**ROW, **more}, 1, *place),
    "statement": statement,
    "table": lambda rows, columns: printed(table(["arm", "of", "all"], rows, columns), columns),
    "wilson": lambda resolved, tried: tuple(round(one, 4) for one in wilson(resolved, tried)),
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("eval/*.txt")), ids=lambda path: path.stem)
def test_gives_the_value_of_each_row(path: Path, each_row: EachRow) -> None:
    each_row(read_rows(path), lambda row: row.check(FUNCTIONS))
