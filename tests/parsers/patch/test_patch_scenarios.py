"""Patches of models and what is to become of them: tests/scenarios/patches, a table a group."""

import pytest
import unidiff
from check_rows import EachRow
from patch_rows import (
    Applied,
    Scenario,
    Tree,
    after,
    apply_with_git,
    expected_trees,
    read_groups,
    read_named_files,
    said,
)

from react_agent.parsers.patch import Refused, Repaired, repair

GROUPS = read_groups()
SCENARIOS = [scenario for group in GROUPS.values() for scenario in group]


@pytest.mark.parametrize("group", GROUPS)
def test_each_patch_becomes_what_its_row_says(group: str, each_row: EachRow) -> None:
    rows = [(scenario.name, scenario) for scenario in GROUPS[group]]
    expected = expected_trees(GROUPS[group])
    repaired: dict[str, tuple[Tree, str]] = {}

    def check(scenario: Scenario) -> None:
        done = repair(scenario.patch, scenario.before)
        if scenario.refusal:
            assert isinstance(done, Refused), done.patch
            assert said(done) == scenario.refusal
        else:
            patch = _check_repaired(scenario, done, expected[scenario.name])
            repaired[scenario.name] = scenario.before, patch

    def check_with_git(scenario: Scenario) -> None:
        assert applied.get(scenario.name) == expected.get(scenario.name)

    each_row(rows, check)
    applied = apply_with_git(repaired)
    each_row(rows, check_with_git)


def _check_repaired(scenario: Scenario, done: Repaired | Refused, expected: Applied) -> str:
    """The patch, which unidiff reads and in which nothing is left to repair."""
    assert isinstance(done, Repaired), "\n".join(done.reasons)
    assert expected.is_applied, "git does not apply `after`"
    assert after(done, scenario.before) == expected.tree
    assert said(done) == scenario.repairs
    changes = unidiff.PatchSet(done.patch)
    hunks = sum(line.startswith("@@ ") for line in done.patch.split("\n"))
    assert (len(changes), sum(map(len, changes))) == (len(done.results), hunks)
    again = repair(done.patch, scenario.before)
    assert isinstance(again, Repaired), "\n".join(again.reasons)
    assert (again.patch, again.repairs) == (done.patch, ())
    return done.patch


def test_there_are_enough_scenarios() -> None:
    assert len(SCENARIOS) >= 460


def test_every_group_has_both_sides() -> None:
    kinds = {group: {bool(one.refusal) for one in GROUPS[group]} for group in GROUPS}
    assert {group for group in kinds if len(kinds[group]) != 2} == set()


def test_every_scenario_is_well_written() -> None:
    assert [scenario.name for scenario in SCENARIOS if not _is_well_written(scenario)] == []
    wrong = [
        one.name for group in GROUPS for one in GROUPS[group] if one.name.split("-")[0] != group
    ]
    assert wrong == []


def _is_well_written(scenario: Scenario) -> bool:
    if not scenario.patch or not scenario.why:
        return False
    if scenario.refusal:
        return not scenario.after and not scenario.repairs
    return bool(scenario.after)


def test_all_named_files_are_used() -> None:
    trees = [scenario.before.items() for scenario in SCENARIOS]
    named = read_named_files()
    unused = [name for name in named if not any(named[name].items() <= tree for tree in trees)]
    assert unused == []
