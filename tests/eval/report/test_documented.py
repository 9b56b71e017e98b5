"""The tables in docs/evaluation.md are such as are printed."""

import re
from pathlib import Path

import pytest
from planted_records import BARE, experiment, printed

from react_agent.eval.report.comparison import comparison
from react_agent.eval.report.experiment import Compared, Side
from react_agent.eval.report.report import report
from react_agent.eval.task import PLAIN

PAGE = Path(__file__).parents[3] / "docs" / "evaluation.md"


@pytest.mark.checkout
def test_every_table_is_printed() -> None:
    trial = experiment()
    sides = (Side(f"trial:{arm}", trial.arms[arm], trial.ways[arm]) for arm in (PLAIN, BARE))
    told = printed([*report(trial, 80), *comparison(Compared(*sides), 80, 5)])
    text = PAGE.read_text(encoding="utf-8")
    blocks = [
        re.sub("^    ", "", block, flags=re.MULTILINE).rstrip("\n")
        for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    ]
    tables = [block for block in blocks if not block.startswith("react-agent")]
    assert len(tables) == 4
    assert [table for table in tables if table not in told] == []
