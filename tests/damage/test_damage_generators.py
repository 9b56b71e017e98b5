"""The generators themselves: a true diff is valid, and damage is what its row says."""

import functools
from itertools import islice
from random import Random

import pytest
from appliers import GIT, PATCH, by_command, unfenced
from cases import DEFECTS, Case, as_recorded, case, cases, drawn, smallest
from check_rows import table_of
from row import PATCHES, Defect, Kind
from true_edits import true_draft

SEEDS = range(14)


@pytest.mark.parametrize("command", [GIT, PATCH], ids=["git", "patch"])
def test_a_true_diff_applies_and_says_the_true_edit(command: tuple[str, ...]) -> None:
    draft = [true_draft(Random(n)) for n in SEEDS]
    apply = by_command(*command)
    if command is PATCH:  # it keeps what is emptied
        draft = [one for one in draft if all(file.is_plain for file in one.files)]
    assert [n for n, one in enumerate(draft) if apply(one.text(), one.before) != one.after] == []


def test_a_tool_that_refuses_leaves_nothing() -> None:
    assert by_command(*GIT)("no patch", {"a": "b\n"}) is None


def test_every_edit_changes_something() -> None:
    drafts = [true_draft(Random(n)) for n in SEEDS]
    assert all(draft.before != draft.after for draft in drafts)


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


def test_a_seed_is_a_case() -> None:
    assert list(cases("same", 5)) == list(cases("same", 5))
    assert [one.patch for one, _ in cases("a", 9)] != [one.patch for one, _ in cases("b", 9)]


def test_draws_one_defect_of_a_group_and_four_at_most() -> None:
    for n in range(60):
        for defects in (drawn(str(n)), as_recorded(str(n))):
            groups = [one.group for one in defects if one.group]
            assert len(groups) == len(set(groups))
        assert 1 <= len(drawn(str(n))) <= 4


def test_draws_as_often_as_recorded() -> None:
    found = [one.name for n in range(2000) for one in as_recorded(str(n))]
    for one in DEFECTS:
        assert found.count(one.name) / 2000 == pytest.approx(one.share / PATCHES, abs=0.04)


def test_leaves_out_defects_that_a_failure_does_not_need() -> None:
    guilty = next(one for one in DEFECTS if one.name == "bare `@@`")
    others = [one for one in DEFECTS if one.name in ("fence", "no newline at its end")]
    found = smallest("x", [*others, guilty], lambda one: "\n@@\n" in one.patch)
    assert found.defects == ("bare `@@`",)


@table_of(
    ("text", "expected"),
    [
        pytest.param("--- a\n", "--- a\n", id="bare"),
        pytest.param("See:\n```diff\n--- a\n```\n", "--- a\n", id="fence"),
        pytest.param("```\nold\n```\nNo.\n```\nnew\n```\n", "new\n", id="the last of two"),
        pytest.param("```diff\n--- a\n", "--- a\n", id="never closed"),
    ],
)
def test_takes_the_fence_off(text: str, expected: str) -> None:
    assert unfenced(text) == expected
