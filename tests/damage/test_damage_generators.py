"""The generators themselves: a true diff is valid, and damage is what its row says."""

import functools
from itertools import islice
from random import Random

import pytest
from appliers import GIT, PATCH, by_command
from cases import DEFECTS, Case, case
from check_rows import table_of
from row import Defect, Kind
from true_edits import true_draft

SEEDS = range(14)


@pytest.mark.parametrize("command", [GIT, PATCH], ids=["git", "patch"])
def test_a_true_diff_applies_and_says_the_true_edit(command: tuple[str, ...]) -> None:
    draft = [true_draft(Random(n)) for n in SEEDS]
    apply = by_command(*command)
    if command is PATCH:  # it keeps what is emptied
        draft = [one for one in draft if all(file.is_plain for file in one.files)]
    assert [n for n, one in enumerate(draft) if apply(one.text(), one.before) != one.after] == []


@table_of("defect", [pytest.param(one, id=one.name) for one in DEFECTS])
def test_a_defect_is_what_its_row_says(defect: Defect) -> None:
    every = ((case(f"one {n}", [defect], 0), _plain(n)) for n in SEEDS)
    made = list(islice((both for both in every if both[0].defects), 5))
    told = [one.is_told for one, _ in made]
    assert made
    assert all((one.patch, one.before) != (true.patch, true.before) for one, true in made)
    assert all(one.after == true.after for one, true in made)
    if defect.kind is Kind.LOSING:
        assert not any(told)
    if defect.kind is Kind.PRESERVING:
        assert any(told)


@functools.cache
def _plain(n: int) -> Case:
    return case(f"one {n}", [], 0)
