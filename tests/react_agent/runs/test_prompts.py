"""The prompts that are made again of a transcript, against those that a model was sent."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.loop.agent import run
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.parsers.transcript.facts import write_facts
from react_agent.profiles.profile import Budget, Policy, limits_of
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.toolbox import registry_for
from react_agent.prompt.view import instructions, prompt_event
from react_agent.runs.history import Call, Part, Prompts, calls, prompts
from react_agent.state import transcript as transcripts
from react_agent.testing import Reply, ScriptedModel

Made = Callable[..., "tuple[Prompts, list[Call], ScriptedModel]"]
SMALL = Budget(window=3000, reply=500, steps=14)
INSTRUCTIONS = 10  # tokens of them, as a run says
LONG = "".join(f"def function_{n}(argument): return argument\n" for n in range(60))
DONE = "Thought: done\nConclusion: it is done"
POLICIES = {
    "as it is": Policy(),
    "classic": Policy(stages=("everything",), at=2500),
    "a history": Policy(history=3),
    "no memory": Policy(stages=("all", "newest")),
}


def look(line: int) -> str:
    given = f"long.py:{line}-{line + 30}"
    return f"Thought: it must be in {given}\nAction: read_file\nAction Input: {given}\n"


@pytest.fixture
def made(bench: Any) -> Made:
    """Of a run in which much is left out: the prompts made again, their parts, and its model."""

    def played(*replies: Reply, policy: Policy, profile: str = "issue") -> Any:
        budget = replace(SMALL, window=100_000 if policy.history else SMALL.window)
        given = shipped(profile)
        given = replace(given, budget=budget)
        bench.registry = registry_for(given)
        system = instructions(given, bench.registry, given.limits, ["it is small"])
        transcript = bench.open(
            Event("run", "one"),
            Event("profile", profile),
            Event("limits", write_facts(limits_of(budget))),
            Objective("do it, and do it well"),
            Event("about", "it is small"),
            prompt_event(INSTRUCTIONS, policy),
        )
        model = ScriptedModel(replies)
        agent = bench.agent(transcript, model, budget, policy=policy)
        (agent.context.root / "long.py").write_text(LONG)
        run(replace(agent, system=system, system_tokens=INSTRUCTIONS))
        reading = transcripts.read(transcript.path)
        return prompts(transcript.path.parent, reading), list(calls(reading.entries)), model

    return played


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_each_is_what_the_model_saw(made: Made, policy: Policy) -> None:
    found, rows, model = made(*(look(n) for n in range(12)), DONE, policy=policy)
    asked = [seen for seen in model.seen if seen.tail.endswith("Thought:")]  # not to condense
    assert len(asked) > 11
    assert [found.view(number).text for number in found.numbers] == [seen.text for seen in asked]
    assert {found.is_exact(number) for number in found.numbers} == {True}
    held = sum(len(piece.text) for piece in (*found.systems, *found.tasks, *found.pieces))
    assert len(found.systems) == 1
    assert held < sum(len(seen.text) for seen in model.seen) / 3
    assert [row.step for row in rows] == list(found.numbers)
    for row, seen in zip(rows, asked, strict=True):
        shown = INSTRUCTIONS + estimate_tokens(seen.text.removeprefix(seen.system))
        assert abs(sum(row.parts.values()) - shown) <= 4 + len(seen.turns)  # they are rounded
        assert row.parts[Part.INSTRUCTIONS] == INSTRUCTIONS
        texts = [turn[turn.index("Action:") : turn.index("Observation:")] for turn in seen.turns]
        assert row.parts[Part.INPUTS] == sum(map(estimate_tokens, texts))


def test_a_hint_is_part_of_one_prompt_only(made: Made) -> None:
    _, rows, _ = made(*[look(1)] * 3, look(2), DONE, policy=POLICIES["as it is"])
    hints = [row.parts[Part.HINTS] > 0 for row in rows]
    assert hints == [False, False, False, True, False]


def test_instructions_that_cannot_be_made_again_are_said_to_be_missing(
    bench: Any, tmp_path: Path
) -> None:
    transcript = bench.open(Event("profile", "gone"), Objective("do it"))
    run(bench.agent(transcript, ScriptedModel([DONE])))
    found = prompts(tmp_path, transcripts.read(transcript.path))
    assert found.problem == "there is no profile 'gone'"
    assert found.is_exact(1) is False
