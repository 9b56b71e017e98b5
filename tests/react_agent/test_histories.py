"""Random histories: whatever a file says, the fold takes it; what is taken back has never been."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import view
from react_agent.runs.history import calls
from react_agent.state.state import EVENTS, State, fold
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    MAINTAINER,
    RETRACTED,
    SHELVED,
    compressed_event,
)

_MOST = 12
TREES = st.sampled_from(["t1", "t2", "t3"])
PLANS = (("add_task", "0\nlook"), ("add_task", "0\nwrite"), ("modify_task", "0.0 in_progress"))


@st.composite
def turns(draw: st.DrawFn) -> list[Entry]:
    """A step of some kind, as its facts tell of it."""
    kind = draw(st.sampled_from(["write", "run", "read", "plan", "test"]))
    facts = {"kind": kind, "status": draw(st.sampled_from(["ok", "failed"])), "tool": "echo"}
    given_, thought = "x" * draw(st.integers(0, 900)), "thought " * draw(st.integers(0, 20))
    if kind == "write":
        facts |= {"paths": draw(st.sampled_from(["a.py", "b.py,c.py"])), "tree": draw(TREES)}
        facts |= draw(st.sampled_from([{}, {}, {"undid": "1"}]))
    if kind == "run":
        facts |= {"tree": draw(TREES), "cwd": draw(st.sampled_from(["lib", "."]))}
    if kind == "plan":
        facts["tool"], given_ = draw(st.sampled_from(PLANS))
    said = Said(Turn(Kind.ACTION, thought, facts["tool"], given_), facts={"in": "7"})
    return [said, Seen("seen\n" * draw(st.integers(0, 200)), facts)]


NUMBERS = st.one_of(
    st.sets(st.integers(0, _MOST)).map(write_numbers),
    st.sampled_from(["", "0", "5-2", "x", "-1", "3,3", "1-2,2-4", "1-999999999", "9" * 30]),
)
SHOWN = st.builds(
    lambda name, numbers, said: Event(name, f"steps={numbers} recall=yes chars=40 | {said}"),
    st.sampled_from([COMPRESSED, CUT, CONDENSED, SHELVED, RETRACTED]),
    NUMBERS,
    st.sampled_from(["a summary", "", "\nObservation: y", "x\nThought: a | steps=1"]),
)
RUBBISH = st.builds(
    Event,
    st.sampled_from([*EVENTS, "chosen", "attempt", "forked", "amended", "limits", "prompt"]),
    st.one_of(st.text(max_size=40), NUMBERS.map("steps={0} n={0} until={0} background=x".format)),
)
LOOSE = st.sampled_from(
    [
        Seen("asked by nobody"),
        Said(Turn(Kind.CONCLUSION, "", conclusion="done")),
        Event(MAINTAINER, "so"),
    ]
)


def entries_of(history: Iterable[Entry | list[Entry]]) -> Iterator[Entry]:
    yield Objective("do it")
    for one in history:
        yield from one if isinstance(one, list) else [one]


@given(st.lists(st.one_of(turns(), turns(), SHOWN, RUBBISH, LOOSE), max_size=25))
def test_any_history_is_a_state(history: list[Entry | list[Entry]]) -> None:
    entries, before = list(entries_of(history)), State()
    fixed = 0  # tokens: what stands before the first step
    for entry in entries:
        before.take(entry)
        fixed = fixed if before.steps else before.prompt_tokens
    state = fold(entries)
    assert state == before
    weights = sum(step.tokens for step in state.steps)
    assert state.prompt_tokens == fixed + estimate_tokens(state.before) + weights
    shown = view(state, "", 40)
    assert shown.turns == tuple(step.text for step in state.steps if step.text)
    for turn in shown.turns:  # what the maintainer said behind a step that is gone has none
        labels = [line.partition(":")[0] for line in turn.split("\n") if line[:1].isalpha()]
        assert not labels or (labels[0], labels.count("Observation")) == ("Thought", 1)
        assert labels.count("Action") <= 1
    for step in state.steps:
        assert step.stands or step.text == step.told
    assert all(tokens >= 0 for call in calls(entries) for tokens in call.parts.values())


@given(st.lists(turns(), min_size=1, max_size=_MOST), st.sets(st.integers(1, _MOST)))
def test_what_is_taken_back_has_never_been(history: list[list[Entry]], numbers: set[int]) -> None:
    left = [step for number, step in enumerate(history, 1) if number not in numbers]
    back = compressed_event(RETRACTED, numbers, "a dead end")
    state, without = fold([*entries_of(history), back]), fold(entries_of(left))
    assert (state.tree, state.cwd, state.wrote) == (without.tree, without.cwd, without.wrote)
    assert state.plan == without.plan
    assert _unnumbered(state) == _unnumbered(without)
    assert [step.seen for step in state.standing] == [step.seen for step in without.steps]
    assert state.prompt_tokens == without.prompt_tokens
    assert view(state, "", 40).turns == view(without, "", 40).turns


def _unnumbered(state: State) -> list[object]:
    return [replace(edit, step=0) for edit in state.edits]


@given(st.lists(turns(), min_size=1, max_size=_MOST), st.data())
def test_what_was_summed_up_comes_back_or_stays_away(
    history: list[list[Entry]], data: st.DataObject
) -> None:
    """Each step that stands is in the prompt: itself, by a summary of it, or as one of a number."""
    summaries = st.integers(1, _MOST).map(
        lambda last: compressed_event(CONDENSED, range(1, last + 1), "a summary")
    )
    others = SHOWN.filter(lambda event: event.name != CONDENSED)
    state = fold([*entries_of(history), *data.draw(st.lists(summaries | others, max_size=6))])
    summed_up = {step.within for step in state.standing if step.shown == "condensed"}
    for step in state.standing:
        if step.shown == "merged":
            assert step.within in summed_up or state.steps[step.within - 1].shown == "shelved"
    shelved = sum(step.shown == "shelved" for step in state.steps)
    assert (f"{shelved} step" in state.before) if shelved else not state.before


def test_a_summary_goes_with_any_step_it_tells_of() -> None:
    """Also with one that was left out of the prompt since."""
    said = Said(Turn(Kind.ACTION, "I look", "look", "x"))
    history: list[Entry | list[Entry]] = [[said, Seen("seen", {"n": str(n)})] for n in range(1, 4)]
    events = (
        compressed_event(CONDENSED, range(1, 4), "the first was a dead end"),
        compressed_event(SHELVED, [1]),
        compressed_event(RETRACTED, [1], "it was"),
    )
    state = fold(entries_of([*history, *events]))
    assert [step.shown for step in state.steps] == ["retracted", "left out", "left out"]
    assert "dead end" not in "".join(view(state, "", 40).turns)
