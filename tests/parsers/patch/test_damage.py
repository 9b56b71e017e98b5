"""Metamorphic: damage the diff of a true edit, and what comes out is that edit or a refusal."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from appliers import GIT, by_command, files_behind, ours, unfenced
from cases import DEFECTS, Case, case, cases, smallest
from check_rows import table_of
from row import Defect, Kind

from react_agent.parsers.patch import Refused, Repaired, repair

CASES = 20_000
QUICK = 20
LOSING = 400  # of each generator
OTHER_EDITS = 1000  # one in so many is another edit at most, where the true one cannot be told

Done = Repaired | Refused
Answer = tuple[Done, Mapping[str, str] | None]


def _answer(one: Case) -> Answer:
    done = repair(one.patch, one.before)
    return done, (files_behind(done.results, one.before) if isinstance(done, Repaired) else None)


def _is_another_edit(one: Case) -> bool:
    return _differs(one, _answer(one)[1])


def _differs(one: Case, after: Mapping[str, str] | None) -> bool:
    return one.is_told and after is not None and after != one.after


def _is_mended_again(one: Case) -> bool:
    return _has_more_to_mend(one, _answer(one)[0])


def _has_more_to_mend(one: Case, done: Done) -> bool:
    if isinstance(done, Refused):
        return False
    again = repair(done.patch, one.before)
    return isinstance(again, Refused) or again.patch != done.patch or bool(again.repairs)


def _check(one: Case, defects: Sequence[Defect], of_library: float) -> None:
    """Fail where what comes out is wrong, with as few defects as can be."""
    done, after = _answer(one)
    if _differs(one, after):
        pytest.fail(_complaint(one, defects, _is_another_edit, of_library))
    if _has_more_to_mend(one, done):
        pytest.fail(_complaint(one, defects, _is_mended_again, of_library))


def _complaint(
    one: Case, defects: Sequence[Defect], fails: Callable[[Case], bool], of_library: float
) -> str:
    least = smallest(one.seed, defects, fails, of_library)
    done, after = _answer(least)
    said = done.reasons if isinstance(done, Refused) else done.repairs
    return f"{fails.__name__}\n{least.shown(after)}\n{said}"


@table_of("defect", [pytest.param(one, id=one.name) for one in DEFECTS])
def test_each_defect_leaves_the_true_edit_or_a_refusal(defect: Defect) -> None:
    _check(case("alone", [defect], 0), [defect], 0)


def test_some_compositions_leave_the_true_edit_or_a_refusal() -> None:
    for one, defects in cases("quick", QUICK, 0.05):
        _check(one, defects, 0.05)


@pytest.mark.long
def test_compositions_leave_the_true_edit_or_a_refusal(
    share: Callable[[int], int], long_seed: int
) -> None:
    for one, defects in cases(f"long {long_seed}", share(CASES), 0.3):
        _check(one, defects, 0.3)


@pytest.mark.long
def test_what_cannot_be_told_is_hardly_ever_guessed(
    share: Callable[[int], int], long_seed: int
) -> None:
    """Each that is not preserving, alone."""
    untold, examples = 0, list[str]()
    for defect in (one for one in DEFECTS if one.kind is not Kind.PRESERVING):
        for n in range(share(LOSING)):
            one = case(f"losing {defect.name} {long_seed}-{n}", [defect])
            if one.defects and not one.is_told:
                untold += 1
                after = ours(one.patch, one.before)
                if after not in (None, one.after) and after != _by_git(one):
                    examples.append(one.shown(after))
    # One says nothing of a rate: a tenth of the cases has fewer than 1,000 that cannot be told.
    assert len(examples) <= max(1, untold / OTHER_EDITS), "\n\n".join(examples[:5])


def _by_git(one: Case) -> Mapping[str, str] | None:
    """What damage made a valid diff of another edit is that one, for git, too."""
    return by_command(*GIT, "--recount")(unfenced(one.patch), one.before)


@table_of("n", range(12))
def test_a_valid_patch_has_nothing_to_mend(n: int) -> None:
    _check_valid(case(f"valid {n}", [], 0.05))


@pytest.mark.long
def test_no_valid_patch_has_anything_to_mend(share: Callable[[int], int], long_seed: int) -> None:
    for n in range(share(CASES // 10)):
        _check_valid(case(f"valid {long_seed}-{n}", [], 0.5))


def _check_valid(one: Case) -> None:
    done, after = _answer(one)
    assert isinstance(done, Repaired), f"{one.shown(after)}\n{done}"
    assert after == one.after, one.shown(after)
    assert done.repairs == (), one.shown(after)
    assert repair(done.patch, one.before)[:2] == done[:2]
