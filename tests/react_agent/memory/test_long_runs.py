"""Runs of very many steps, with real tools, on windows that a few steps fill."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, repeat
from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, write
from fake_endpoint import FakeEndpoint
from fake_reply import TOKEN

from react_agent.loop.agent import Agent, run
from react_agent.memory.compressor import SYSTEM
from react_agent.models.contract import Model
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints
from react_agent.parsers.transcript.entries import Event, Said
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.profiles.profile import Budget
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.view import instructions, limits_now, view
from react_agent.state.state import State, Stop, fold
from react_agent.state.steps import COMPRESSED, CONDENSED, CUT, SHELVED
from react_agent.testing import ScriptedModel
from react_agent.tools.context import Context, Limits

FILES, FUNCTIONS = 12, 60
FUNCTION = '''def part_{file}_{number}(text, unit={number}):
    """Read the part number {number} of a text."""
    if not text.startswith("{number}"):
        raise ValueError(f"part {number} is missing: {{text!r}}")
    return part_{file}_{next}(text[{number}:], unit) + unit * {number}


'''
MOST_TOO_LONG = 3  # of all prompts: then it is known how long one may be
EVENTS = (COMPRESSED, CUT, CONDENSED, SHELVED)
CONDENSE = SYSTEM.partition("\n")[0]
OVERFLOW = "the prompt is too long for the context window of this model"


def _replies(steps: int) -> Iterator[str]:
    """One looks around, reads, tries, changes, and comes back to what it read."""
    for n in range(steps):
        file, number = n * 7 % FILES, n * 5 % FUNCTIONS
        path, line = f"parts/reader_{file}.py", 1 + number * 7
        calls = (
            ("read_file", f"{path}:{line}-{line + 60}"),
            ("grep", f"part_{file}_{number}"),
            ("outline", path),
            ("replace", _edit(path, f"unit={number})", f"unit={number}, step={n})")),
            ("grep", f"part_{n}_of_nothing"),
            ("read_file", f"{path}:1-400"),
            ("replace", _edit(path, "what is not there", "x")),
        )
        tool, given = calls[n % len(calls)]
        thought = (
            f"In step {n} I look at `part_{file}_{number}` of {path}, which perhaps returns too "
            f"much where the text has {n} parts; what calls it comes next."
        )
        yield f" {thought}\nAction: {tool}\nAction Input: {given}"
    yield " All parts are read.\nConclusion: it is done"


def _says(steps: int) -> Callable[[str], str]:
    """To any prompt; asked for a summary, it has none."""
    replies = _replies(steps)
    return lambda prompt: "I can't." if CONDENSE in prompt else next(replies)


def _edit(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"


@dataclass
class Long:
    """How long runs are started here."""

    bench: Any
    root: Path

    def agent(self, model: Model, window: int) -> Agent:
        profile = shipped("issue")
        registry = registry_for(with_settings(profile, Settings()))
        context = Context(self.root)
        system = instructions(profile, registry, context.limits)
        budget = Budget(steps=900, window=window, reply=4000, prompt_tokens=10**8, seconds=10**6)
        agent: Agent = self.bench.agent(self.bench.open(), model, budget)
        return replace(
            agent, registry=registry, context=context, system=system, system_tokens=len(system) // 4
        )

    def play(self, model: Model, window: int, clock: Callable[[], float] | None = None) -> Agent:
        agent = self.agent(model, window)
        run(replace(agent, clock=clock) if clock else agent)
        return agent


@pytest.fixture
def long(bench: Any, tmp_path: Path) -> Long:
    """In a small repository: twelve files of 420 lines."""
    root, numbers = tmp_path / "tree", range(FUNCTIONS)
    plain_git(tmp_path, "init", "--quiet", str(root))
    for file in range(FILES):
        text = "".join(FUNCTION.format(file=file, number=n, next=n + 1) for n in numbers)
        write(root, {f"parts/reader_{file}.py": text})
    return Long(bench, root)


def _text(agent: Agent) -> str:
    return agent.transcript.path.read_text(encoding="utf-8")


def _times(agent: Agent, *names: str) -> int:
    """How often the prompt was changed: events that follow each other are once."""
    entries = read_transcript(_text(agent)).entries
    kinds = [
        isinstance(entry, Event) and entry.name in names
        for entry in entries
        if isinstance(entry, Said) or (isinstance(entry, Event) and entry.name in EVENTS)
    ]
    return sum(1 for is_one, _ in groupby(kinds) if is_one)


def _check(agent: Agent, steps: int) -> State:
    state = agent.transcript.state
    assert (state.stop, state.stop_reason) == (Stop.CONCLUDED, "by the model")
    assert [step.number for step in state.steps] == list(range(1, steps + 1))
    again = fold(read_transcript(_text(agent)).entries)
    assert view(again, agent.system, 900) == view(state, agent.system, 900)
    return state


@pytest.mark.parametrize(
    ("window", "steps", "most"),
    [
        pytest.param(4000, 60, 20, id="4000 short"),
        pytest.param(4000, 200, 64, marks=pytest.mark.long, id="4000"),
    ],
)
def test_a_run_on_a_short_window_goes_on_to_its_end(
    long: Long, window: int, steps: int, most: int
) -> None:
    says = _says(steps)
    agent = long.play(ScriptedModel(repeat(lambda view: says(view.text))), window)
    state = _check(agent, steps)
    longest = max(len(step.seen.text) for step in state.steps)
    assert window // 4 < longest <= limits_now(Limits(), agent.profile, state).output_chars
    assert 0 < _times(agent, *EVENTS) <= most


LIES: dict[str, dict[str, Any]] = {
    "refuses with numbers": {"max_prompt": 4000},
    "refuses without numbers": {"max_prompt": 4000, "overflow": OVERFLOW},
    "truncates": {"truncates": 4000},
}


@pytest.mark.parametrize(
    ("kind", "lie"),
    [
        ("openai", "refuses with numbers"),
        ("anthropic", "refuses without numbers"),
        ("openai", "truncates"),
    ],
)
@pytest.mark.parametrize(
    ("steps", "most"),
    [
        pytest.param(24, 10, id="short"),
        pytest.param(200, 42, marks=[pytest.mark.long, pytest.mark.timeout(600)], id="long"),
    ],
)
def test_an_endpoint_whose_window_is_half_of_what_is_said(
    long: Long, endpoints: Endpoints, kind: str, lie: str, steps: int, most: int
) -> None:
    says = _says(steps)
    with FakeEndpoint(lambda request: says(request.prompt), **LIES[lie]) as server:
        named = {"it": {"spec": f"{kind}/m", "base_url": server.base_url(kind)}}
        agent = long.play(endpoints.model(find_endpoint("it", named, {})), 8000, time.monotonic)
        requests = server.posts
    _check(agent, steps)
    sizes = [len(request.prompt) // TOKEN for request in requests]
    assert sum(size > 4000 for size in sizes) <= MOST_TOO_LONG
    assert _times(agent, *EVENTS) <= most
