"""The state as a fold."""

from check_rows import table_of

from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import Stop, fold
from react_agent.state.steps import Spent, since_told
from react_agent.tools.observation import Status

LOOK = Said(Turn(Kind.ACTION, "look", "grep", "x"), facts={"in": "10", "out": "2", "seconds": "1"})
START: tuple[Entry, ...] = (
    Event(HEADER, "1"),
    Event("base", "f" * 40),
    Event("limits", "steps=3"),
    Objective("do it"),
)


def test_the_header_is_what_stands_before_the_objective() -> None:
    state = fold((*START, Event("base", "later"), Event("limits", "steps=9")))
    assert state.header == {"base": "f" * 40, "limits": "steps=9"}


def test_what_people_write_into_the_facts_is_no_number() -> None:
    for word in ("soon", "-", "nan", "inf", "-inf", "1e999"):
        odd = Said(LOOK.turn, facts={"in": "9" * 5000, "out": "²", "seconds": word, "cost": word})
        assert fold((*START, odd)).spent == Spent(0, 0, 0.0, None)


@table_of(
    ("facts", "status"),
    [({}, Status.OK), ({"status": "empty"}, Status.EMPTY), ({"status": "fine"}, Status.FAILED)],
)
def test_a_step_that_a_person_wrote_has_a_status(facts: dict[str, str], status: Status) -> None:
    assert fold((*START, LOOK, Seen("x", facts))).steps[0].status is status


def test_remembers_the_checkpoint_and_the_files_of_edits_that_worked() -> None:
    wrote = {"kind": "write", "status": "ok", "paths": "a.py,b%2Cc.py", "tree": "1"}
    missed = {"kind": "write", "status": "failed", "paths": "d.py"}
    ran = {"kind": "run", "status": "ok", "paths": "e.py", "tree": "2"}
    steps = [entry for facts in (wrote, missed, ran) for entry in (LOOK, Seen("x", facts))]
    state = fold((*START, *steps))
    assert (state.tree, state.wrote) == ("2", {"a.py", "b,c.py"})


def test_what_a_repeated_step_is_marked_with_is_no_message_of_a_person() -> None:
    state = fold((*START, LOOK, Seen("x", {"tree": "1"}), Event("redone", "n=1 tree=2")))
    assert "(repeated later" in state.steps[0].text
    assert (since_told(state.steps), state.all_told) == (state.steps, "")


def test_a_resume_takes_the_stop_back() -> None:
    state = fold((*START, Event("stop", "out_of_steps after 3 steps")))
    assert (state.stop, state.stop_reason) == (Stop.OUT_OF_STEPS, "after 3 steps")
    state.take(Event("tests", "not known"))
    state.take(Event("resumed", "now"))
    assert (state.stop, state.stop_reason, state.result) == (None, "", {})


@table_of(
    ("entries", "unknown"),
    {
        "killed, and the model may have been asked": ((), 1),
        "killed in a tool": ((LOOK,), 0),
        "killed at the Conclusion": ((Said(Turn(Kind.CONCLUSION, conclusion="done")),), 0),
        "in a tool": ((LOOK, Event("stop", "interrupted by a signal")), 0),
        "interrupted": ((Event("stop", "interrupted by a signal"),), 1),
        "ended": ((Event("stop", "out_of_steps"),), 0),
    },
)  # fmt: skip
def test_counts_calls_that_may_have_been_cut_off(entries: tuple[Entry, ...], unknown: int) -> None:
    state = fold((Objective("do it"), *entries, Event("resumed", "now")))
    assert state.spent.unknown == unknown
    told = ", and at most 1 call cut off" if unknown else ""
    assert state.spent.not_known == told
