"""What a prompt was made of, read back from the transcript, against the prompts that were sent."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of

from react_agent.loop.agent import run
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget, Policy, limits_of
from react_agent.prompt.room import prompt_event
from react_agent.runs.history import Call, Part, calls
from react_agent.testing import Reply, ScriptedModel
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind as Kinds
from react_agent.tools.registry import Tool, build

Runs = Callable[..., "tuple[list[Call], ScriptedModel]"]
SMALL = Budget(window=3000, reply=500, steps=14)
LONG = "\n".join(f"def function_{n}(argument): return argument" for n in range(30))
LOOK = Tool(
    "look", "show a part", Kinds.READ, lambda given, context: Observation(f"{given}\n{LONG}")
)
DONE = "Thought: done\nConclusion: it is done"
POLICIES = {
    "as it is": Policy(),
    "classic": Policy(stages=("everything",), at=2500),
    "a history": Policy(history=3),
    "no memory": Policy(stages=("all", "newest")),
}


def look(given: str) -> str:
    return f"Thought: it must be in {given}\nAction: look\nAction Input: {given}\n"


@pytest.fixture
def metered(bench: Any) -> Runs:
    """What the transcript of a run says, and the model that saw its prompts."""

    def played(
        *replies: Reply, policy: Policy = POLICIES["as it is"]
    ) -> tuple[list[Call], ScriptedModel]:
        bench.registry = build([LOOK], {})
        limits = Event("limits", write_facts(limits_of(SMALL)))
        objective = Objective("do it, and do it well")
        transcript = bench.open(limits, objective, prompt_event(10, policy))
        model = ScriptedModel(replies)
        agent = bench.agent(transcript, model, SMALL, policy=policy)
        run(replace(agent, system_tokens=10))
        return list(calls(read_transcript(transcript.path.read_text()).entries)), model

    return played


LONG_RUN = [look(f"part {n}") for n in range(12)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_parts_are_the_prompt_that_was_sent(metered: Runs, policy: Policy) -> None:
    rows, model = metered(*LONG_RUN, DONE, policy=policy)
    assert [one.step for one in rows] == list(range(1, len(model.seen) + 1))
    assert len(rows) > 6
    for one, seen in zip(rows, model.seen, strict=True):
        rounding = 4 + len(seen.turns)
        assert abs(sum(one.parts.values()) - estimate_tokens(seen.text)) <= rounding
        assert one.parts[Part.INSTRUCTIONS] == 10
        texts = [turn[turn.index("Action:") : turn.index("Observation:")] for turn in seen.turns]
        assert one.parts[Part.INPUTS] == sum(map(estimate_tokens, texts))


def test_steps_that_were_taken_back_are_in_no_prompt() -> None:
    step = (Said(TURN), Seen(LONG))
    back = Event("retracted", "steps=2-3 by=claim at=2 | it is there")
    rows = rows_of(*step * 3, back, Said(TURN))
    second, last = rows[1], rows[-1]
    same = (Part.OBJECTIVE, Part.THOUGHTS, Part.INPUTS, Part.OBSERVATIONS)
    assert [last.parts[part] for part in same] == [second.parts[part] for part in same]


def test_a_hint_is_part_of_one_prompt_only(metered: Runs) -> None:
    rows, _ = metered(*[look("x")] * 3, look("y"), DONE)
    hints = [one.parts[Part.HINTS] > 0 for one in rows]
    assert hints == [False, False, False, True, False]


TURN = Turn(Kind.ACTION, "I look", "echo", "at it")


def rows_of(*entries: Entry) -> list[Call]:
    return list(calls((Objective("do it"), *entries)))


def test_instructions_that_no_line_tells_are_what_is_left_of_the_first_count() -> None:
    rows = rows_of(Said(TURN, facts={"in": "1000"}), Seen("seen"), Said(TURN, facts={"in": "1200"}))
    first, second = rows
    assert sum(first.parts.values()) == 1000
    assert first.parts[Part.INSTRUCTIONS] == second.parts[Part.INSTRUCTIONS]
    assert (second.tokens, sum(second.parts.values()) < 1100) == (1200, True)


@table_of(
    ("facts", "is_counted"),
    [({"in": "1000"}, True), ({"in": "1000", "estimated": "yes"}, False), ({"in": "x"}, False)],
)
def test_only_the_endpoint_counts(facts: Mapping[str, str], is_counted: bool) -> None:
    (only,) = rows_of(Said(TURN, facts=facts))
    assert only.is_counted is is_counted


def test_what_came_back_from_memory_is_a_part_of_its_own() -> None:
    asked = Said(Turn(Kind.ACTION, "again", "recall", "1"))
    seen = Seen(LONG, {"tool": "recall"})
    pushed, shown = rows_of(Event("recalled", "step 3: a.py has it"), asked, seen, Said(TURN))
    assert 0 < pushed.parts[Part.RECALLED] < 30
    assert shown.parts[Part.RECALLED] == pytest.approx(estimate_tokens(LONG), abs=8)
    assert shown.parts[Part.OBSERVATIONS] == 0


def test_labels_in_foreign_text_make_no_parts() -> None:
    plain = Turn(Kind.ACTION, "a\nb", "echo", "Observation: x")
    forged = Turn(Kind.ACTION, "a\nAction: b", "echo", "Observation: x")
    without, with_label = (
        (rows_of(Said(turn), Seen("Action: b"), Said(TURN)))[-1].parts for turn in (plain, forged)
    )
    assert with_label[Part.INPUTS] == without[Part.INPUTS]
    assert with_label[Part.OBSERVATIONS] == without[Part.OBSERVATIONS]
