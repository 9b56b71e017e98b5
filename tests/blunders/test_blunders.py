"""The set itself, and a few of its runs; ./dev bench blunders plays them all."""

from collections import Counter
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from blunder_files import ALARMS, FRESH, PROVABLE, Case, blunders, sound_runs
from check_rows import table_of
from playing import Arm, Played, play
from scripted_way import thought_of
from tables import bars, table

BLUNDERS = blunders()
SOUND_RUNS = sound_runs()
FRESH_BLUNDERS = blunders(FRESH)
FRESH_RUNS = sound_runs(FRESH)
EVERY = [*BLUNDERS, *SOUND_RUNS, *FRESH_BLUNDERS, *FRESH_RUNS, *sound_runs(ALARMS)]
IDS = {"ids": lambda case: case.name}


def named(cases: list[Case]) -> list[ParameterSet]:
    return [pytest.param(case, id=case.name) for case in cases]


def test_there_are_as_many_as_are_claimed() -> None:
    provable = [case for case in BLUNDERS if case.is_provable]
    others = [case for case in BLUNDERS if not case.is_provable]
    assert len(provable) >= 28
    assert len({case.kind for case in others}) == len(others) >= 12
    assert len(SOUND_RUNS) >= 100
    for cases in (BLUNDERS, SOUND_RUNS):
        assert max(Counter(case.name for case in cases).values()) == 1


def test_the_fresh_set_has_some_of_each_kind() -> None:
    kinds = Counter(case.kind for case in FRESH_BLUNDERS)
    assert set(kinds) == set(PROVABLE)
    assert min(kinds.values()) >= 3
    assert len(FRESH_BLUNDERS) >= 24
    assert len(FRESH_RUNS) >= 60
    assert {case.part for case in (*FRESH_BLUNDERS, *FRESH_RUNS)} == {"fresh"}
    assert max(Counter(case.name for case in EVERY).values()) == 1


@table_of("case", named([*BLUNDERS, *FRESH_BLUNDERS]))
def test_the_fact_is_in_nothing_that_the_wrong_way_says(case: Case) -> None:
    """Else the script would tell itself."""
    texts = [case.task.issue, *map(thought_of if case.in_a_thought else str, case.wrong)]
    assert case.facts
    assert [fact for fact in case.facts if any(fact in text for text in texts)] == []


@table_of("case", named(EVERY))
def test_every_way_ends(case: Case) -> None:
    for script in filter(None, (case.wrong, case.right)):
        concluding = [at for at, reply in enumerate(script, 1) if "\nConclusion: " in reply]
        is_endless = case.goes_round and script is case.wrong
        assert concluding == ([] if is_endless else [len(script)])
        assert all(reply.startswith("Thought: ") for reply in script)


@pytest.mark.parametrize("case", [*BLUNDERS[::12], *FRESH_BLUNDERS[::9]], **IDS)
def test_a_blunder_goes_wrong_by_itself(case: Case, tmp_path: Path) -> None:
    played = play(case, Arm.NEITHER, tmp_path)
    assert (played.is_right, played.told_at) == (False, 0), played.transcript


@pytest.mark.parametrize("case", SOUND_RUNS[4::27], **IDS)
def test_a_sound_run_is_let_alone(case: Case, tmp_path: Path) -> None:
    played = play(case, Arm.AS_BUILT, tmp_path)
    assert (played.is_right, played.reasons) == (True, ()), played.transcript


def test_the_tables_say_what_is_missed(tmp_path: Path) -> None:
    case = BLUNDERS[0]
    wrong = play(case, Arm.NEITHER, tmp_path)
    back = Counter(retracted=1), ("steps=2-3",)
    right = Played(case, Arm.AS_BUILT, True, wrong.stop, 3, *back)
    alarm = Played(SOUND_RUNS[0], Arm.AS_BUILT, True, wrong.stop, 1, Counter(), ("steps=1-1 | it",))
    enough = bars([*[right] * 24, wrong, alarm], [right] * 11, [])
    assert all(holds for _, holds in enough)
    too_few = bars([*[right] * 23, wrong, alarm], [right] * 10, [alarm])
    assert [holds for _, holds in too_few] == [False, False, True, False, True]
    lines = list(table("The set", [right, wrong, alarm]))
    assert max(map(len, lines)) <= 80
    assert f"  {'all':24}{'1 of 1':>12}{'0 of 1':>12}   1" in lines
    assert lines[-3:] == [
        "  sound runs: 1 of 1 finish right, 1 false alarms",
        f"  taken back: {alarm.case.name}",
        "    steps=1-1 | it",
    ]
