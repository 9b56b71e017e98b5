"""What the loop makes of how a completion ended, and of what the endpoint counted."""

from dataclasses import replace
from typing import Any

from check_rows import table_of

from react_agent.errors import TimeUp
from react_agent.guards.means import usage_facts
from react_agent.loop.agent import run
from react_agent.models.contract import Completion, Usage, View, Why
from react_agent.models.replay import Replay
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import next_prompt
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop, fold
from react_agent.testing import ScriptedModel

STEP = " I look.\nAction: echo\nAction Input: x"


def _lines(bench: Any, *completions: Completion) -> list[str]:
    transcript = bench.open()
    run(bench.agent(transcript, ScriptedModel(completions)))
    text = transcript.path.read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line.startswith("%%")][2:]


@table_of(
    ("completion", "expected"),
    {
        "too long, with numbers": (
            Completion("", Why.CONTEXT, usage=Usage(9000, 0), window=8192),
            [
                "%% overflow: prompt=9000 window=8192 seconds=1.000",
                "%% stop: prompt_exhausted 9000 tokens do not fit the 6144 that a prompt may have",
            ],
        ),
        "too long, without": (
            Completion("", Why.CONTEXT, usage=Usage(9000, 0, is_estimate=True)),
            [
                "%% overflow: prompt=9 estimated=yes seconds=1.000",
                "%% stop: prompt_exhausted 9 tokens do not fit the 7 that a prompt may have",
            ],
        ),
        "too long on the way": (
            Completion(" I", Why.CONTEXT, Usage(9000, 3, cost=0.5), "window full", 8192),
            [
                "%% lost: in=9000 out=3 cost=0.500000 seconds=0.000",
                "%% overflow: prompt=9000 window=8192 seconds=1.000",
                "%% stop: prompt_exhausted 9000 tokens do not fit the 6144 that a prompt may have",
            ],
        ),
        "refused": (
            Completion(
                *("", Why.REFUSAL, Usage(9000, 1, cost=0.5), "refusal (bio)"),
                repeated=(Usage(8000, 2),),
            ),
            [
                "%% lost: in=8000 out=2 seconds=0.000",
                "%% lost: in=9000 out=1 cost=0.500000 seconds=1.000",
                "%% stop: model_failed the model refuses to answer: refusal (bio)",
            ],
        ),
    },
)
def test_some_completions_end_the_run(
    bench: Any, completion: Completion, expected: list[str]
) -> None:
    assert _lines(bench, completion) == expected


@table_of(
    ("usage", "facts"),
    {
        "cached": (Usage(10, 5, cached=8), "in=10 out=5 cached=8"),
        "estimated": (Usage(10, 5, is_estimate=True), "in=10 out=5 estimated=yes"),
    },
)
def test_writes_down_what_was_counted(bench: Any, usage: Usage, facts: str) -> None:
    told = Completion(STEP, Why.STOP, usage=usage, notes=("a part was left out",))
    note, turn, *_ = _lines(bench, told, Completion("", Why.REFUSAL))
    assert note == "%% note: a part was left out"
    assert turn.startswith("%% turn: n=1 ")
    assert f" {facts} seconds=" in turn


def test_a_prompt_that_was_refused_costs_nothing() -> None:
    refused = Completion("", Why.CONTEXT, usage=Usage(9000, 0), window=8192)
    assert usage_facts(refused) == {}
    full = replace(refused, raw_reason="window full")
    assert usage_facts(full) == {"in": "9000", "window": "8192"}


def test_a_reply_that_the_model_ended_is_replayed_so(bench: Any) -> None:
    """A fence that is open at its own end is too much; one before a stop may go on."""
    ended = Completion(f"{STEP}\n```", Why.END)
    first, second, told = bench.open(), bench.open(), list[str]()
    run(bench.agent(first, ScriptedModel([ended, "Conclusion: done"])))
    run(bench.agent(second, Replay(transcripts.read(first.path).entries, told.append)))
    assert told == []
    assert [step.seen.text for step in second.state.steps] == [
        "(Your reply was mended: a closing fence that nothing opened was removed.)\nx"
    ]


def test_a_window_that_was_learned_limits_the_next_prompt(bench: Any) -> None:
    model = ScriptedModel([Completion(STEP, Why.STOP, usage=Usage(3500, 5), window=4096)])
    assert run(bench.agent(bench.open(), model)) is Stop.PROMPT_EXHAUSTED
    assert len(model.seen) == 1


def _entries(**facts: str) -> list[Event | Objective | Said | Seen]:
    turn = Turn(Kind.ACTION, "I look.", "echo", "x")
    return [Event("react-agent transcript", "2"), Objective("do it"), Said(turn, None, facts)]


@table_of(
    ("facts", "expected"),
    {
        "not counted": ({}, lambda state: 100 + state.prompt_tokens),
        "an estimate is no anchor": (
            {"in": "500", "estimated": "yes"},
            lambda state: 100 + state.prompt_tokens,
        ),
        "counted, and what came": ({"in": "102"}, lambda state: 102 + state.steps[0].tokens),
        "what came weighs more where the endpoint counts more": (
            {"in": "500"},
            lambda state: 500 + 2 * state.steps[0].tokens,
        ),
    },
)
def test_the_next_prompt_leans_on_what_was_counted(facts: dict[str, str], expected: Any) -> None:
    state = fold([*_entries(**facts), Seen("y" * 400)])
    assert next_prompt(state, 100) == expected(state)


@table_of("event", ["model", "resumed", "forked"])
def test_another_model_counts_anew(event: str) -> None:
    """A replay has no event `model` where the run was resumed, with whatever model."""
    known = {"in": "500", "window": "4096"}
    state = fold([*_entries(**known), Seen("y"), Event(event, "another")])
    assert (state.window, next_prompt(state, 100)) == (None, 100 + state.prompt_tokens)


def test_a_model_that_is_too_late_ends_the_run_in_time(bench: Any) -> None:
    def late(view: View) -> str:
        error = TimeUp("it: the time limit passed before an answer came")
        error.repeated = (Usage(8000, 2),)  # of a request before it
        raise error

    transcript = bench.open()
    assert run(bench.agent(transcript, ScriptedModel([late]))) is Stop.OUT_OF_TIME
    assert transcript.state.stop_reason == "it: the time limit passed before an answer came"
    spent = transcript.state.spent
    assert (spent.seconds, spent.prompt_tokens, spent.reply_tokens) == (2, 8000, 2)
