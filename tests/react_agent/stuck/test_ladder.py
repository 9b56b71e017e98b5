"""The answers, one after the other; what ends a stretch of trouble; settings."""

from collections.abc import Callable
from typing import Any

from check_rows import table_of
from rows import Played, Row

from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Patience
from react_agent.state.state import Stop

Goes = Callable[..., Played]
HINT, DEMOTE, BACK, STOP = "hint", "demote", "back", "stop"


def answers(played: Played) -> list[str]:
    return [one.rpartition("=")[2] for one in played.stuck]


def test_the_whole_ladder(goes: Goes) -> None:
    played = goes(*[Row("run", "make", "it broke", "failed")] * 9)
    assert played.stuck == [
        "pattern=again steps=1-3 answer=hint",
        "pattern=again steps=1-4 answer=demote",
        "pattern=again steps=1-5 answer=back",
        "pattern=again steps=1-6 answer=stop",
    ]
    assert [step.seen.facts.get("how") for step in played.state.steps[3:]] == [
        None,
        "demoted",
        "demoted",
    ]
    assert played.events("demote") == ["tool=run until=7"]
    reason = "the same call with the same result: 6 times, steps 1-6"
    assert (played.state.stop, played.state.stop_reason) == (Stop.STUCK, reason)


def test_where_no_call_can_rest_the_next_answer_comes(goes: Goes) -> None:
    played = goes(*[Row("think", str(n)) for n in range(9)])
    assert answers(played) == [HINT, BACK, STOP]
    assert len(played.state.steps) == 5


def test_tests_that_fail_as_before_get_as_many_edits_again(goes: Goes) -> None:
    ran = Row("test", "t.py", "failed", "failed", facts={"failing": "a", "way": "f00d"})
    rows = [row for n in range(20) for row in (Row("edit", str(n), "ok", tree=f"t{n}"), ran)]
    assert goes(*rows).stuck == [
        "pattern=failing steps=2,4,6,8 answer=hint",
        "pattern=failing steps=2,4,6,8,10,12,14 answer=back",
        "pattern=failing steps=2,4,6,8,10,12,14,16,18,20 answer=stop",
    ]


MOVES = {
    "a region not seen before": Row("look", "b.py", "1| new"),
    "files as they never were": Row("edit", "b.py", "done", tree="t1"),
    "a result of tests": Row("test", "", "1 failed", "failed", facts={"way": "1"}),
}


@table_of("row", MOVES)
def test_what_gets_the_run_ahead_begins_a_new_stretch(goes: Goes, row: Row) -> None:
    again = [Row("look", "a.py", "1| old")] * 4
    assert answers(goes(*again, row, *again)) == [HINT, DEMOTE, HINT, DEMOTE]


@table_of(
    "row",
    {
        "a region that was shown": Row("look", "a.py:1", "1| old"),
        "other times": Row("run", "ls", "took 2.5 s"),
        "files as they were": Row("edit", "b.py", "done", tree="t0"),
    },
)
def test_what_does_not_goes_on_with_the_ladder(goes: Goes, row: Row) -> None:
    before = [Row("run", "ls", "took 1.5 s", tree="t0"), Row("edit", "x", "1| old", tree="t1")]
    again = [Row("look", "a.py", "1| old")] * 3
    assert answers(goes(*before, *again, row, *again)) == [HINT, DEMOTE]


def test_another_way_of_being_stuck_goes_on_with_the_same_ladder(goes: Goes) -> None:
    played = goes(*[Row("look")] * 3, *[Row("think", str(n)) for n in range(3)])
    assert played.stuck == [
        "pattern=again steps=1-3 answer=hint",
        "pattern=thoughts steps=4-6 answer=back",
    ]


def test_a_run_that_is_taken_up_begins_a_new_stretch(goes: Goes) -> None:
    played = goes(*[Row("look")] * 9)
    assert played.state.stop is Stop.STUCK
    played.state.take(Event("resumed"))
    assert played.state.troubles == []


def test_a_call_rests_no_longer_once_the_files_are_others(goes: Goes) -> None:
    again = [Row("run", "check", "it broke", "failed", tree="t0")] * 4
    edited = Row("edit", "a", "done", tree="t1")
    played = goes(*again, edited, Row("run", "check", "all is well", tree="t1"))
    assert (answers(played), played.state.steps[-1].seen.text) == ([HINT, DEMOTE], "all is well")


def test_waiting_for_what_runs_does_not_end_a_run(goes: Goes) -> None:
    played = goes(*[Row("run", "cat log", "nothing yet", facts={"running": "1: serve"})] * 12)
    assert (answers(played), len(played.state.steps)) == ([HINT, DEMOTE], 12)


@table_of(
    ("ladder", "expected"),
    {
        "without an end it goes round": ((HINT,), [HINT, HINT, HINT]),
        "as in classic": ((DEMOTE,), [DEMOTE, DEMOTE]),
        "none": ((), []),
    },
)
def test_the_ladder_is_the_profiles(goes: Goes, ladder: Any, expected: list[str]) -> None:
    assert answers(goes(*[Row("look")] * 9, patience=Patience(ladder=ladder))) == expected


@table_of(
    ("rows", "patience"),
    [
        ([Row("think", str(n)) for n in range(9)], Patience(thoughts=0)),
        ([Row("look", name, name) for name in "abababab"], Patience(cycle=0)),
        ([Row("look", name, name) for name in "abababab"], Patience(cycle=5)),
        ([Row("look")] * 9, Patience(patterns=("thoughts", "failing"))),
    ],
)
def test_numbers_and_names_switch_it_off(goes: Goes, rows: Any, patience: Patience) -> None:
    assert goes(*rows, patience=patience).stuck == []


def test_how_often_the_same_may_come_is_in_the_budget(goes: Goes) -> None:
    assert goes(*[Row("look")] * 4, overuse=5).stuck == []
    assert goes(*[Row("look")] * 5, overuse=5).stuck == ["pattern=again steps=1-5 answer=hint"]


WARNING = (
    "(one more reply that can't be read ends this run: write one line Action: with the name of a "
    "tool, and one line Action Input:)\nThought:"
)


def test_the_last_reply_that_may_be_unreadable_is_announced(goes: Goes) -> None:
    played = goes(Row(""), Row(""), Row("look"))
    assert played.tails == ["Thought:", "Thought:", WARNING, "Thought:"]
    assert (played.stuck, played.state.stop) == ([], Stop.CONCLUDED)


def test_replies_that_nobody_can_read_end_a_run_as_the_budget_says(goes: Goes) -> None:
    played = goes(*[Row("")] * 9, malformed=7)
    assert played.stuck == ["pattern=thoughts steps=1-3 answer=hint"]
    assert played.tails[6] == WARNING
    assert played.state.stop_reason == "7 replies in a row could not be read"
