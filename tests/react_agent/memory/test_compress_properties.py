"""Whatever a run is made of, its prompt fits, keeps its form, and is read again from its file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from react_agent.guards.means import Means
from react_agent.loop.guards import exhausted
from react_agent.memory.compressor import compress, history
from react_agent.models.wire import ASSISTANT, USER, messages
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.parsers.transcript.labels import Label, strict
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import observation_text, turn_text, write_entry
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import KNOWN_STAGES, Budget, Policy, Profile
from react_agent.prompt.view import next_prompt, prompt_limit, reply_room, view
from react_agent.state.state import State, Stop, fold
from react_agent.state.steps import CONDENSED, RECALL, SHELVED, Shown, Step, cut

SYSTEM = "You are told what to do, and with which tools.\n\n" * 12
SYSTEM_TOKENS = estimate_tokens(SYSTEM)
GUARDS = (history, compress, exhausted)
MOST_ROUNDS = 4
SLIGHT = 120  # tokens of a whole Observation that is not worth a line in its place
LABELS = (Label.THOUGHT, Label.ACTION, Label.INPUT, Label.OBSERVATION)
UNREAD = (Label.THOUGHT, Label.OBSERVATION)
CODE = "    {n:4}| def read_{n}(text, unit={n}): return make_part(text.units[{n}])\n"
FLAVOURS = (
    CODE,
    "line {n} of what a command of the project printed: module_{n}.py passed, and went on\n",
    "Observation: x{n}\nThought: y\nAction: z\nAction Input: %%\n%% compressed: steps=1\n",
    "漢字{n}かな交じり文、",
    "{n}" * 40,
    "\n",
    "a/long_path/of_{n}/files.py\x1b[31m\u2028",
)
SIZES = (0, 1, 90, 400, 1500, 4000, 8000, 20_000)
SHORT = (0, 30, 120, 300)
FILES = ("a.py", "src/part_1.py", "src/part 2.py")


@dataclass(frozen=True)
class Made:
    """A run that a seed stands for, so that a failing one is made small quickly."""

    seed: int
    steps: int

    def __iter__(self) -> Iterator[tuple[Said, Seen, str]]:
        chance = Random(self.seed)
        for _ in range(self.steps):
            overflow = chance.choice(("told", "untold", "window")) if chance.random() < 0.1 else ""
            yield _said(chance), _seen(chance), overflow


def _said(chance: Random) -> Said:
    thought, given = (_text(chance, SIZES if chance.random() < 0.2 else SHORT) for _ in range(2))
    if chance.random() < 0.1:
        return Said(Turn(Kind.MALFORMED, thought, problem="unread"))
    return Said(Turn(Kind.ACTION, thought, "look", given))


def _seen(chance: Random) -> Seen:
    found = chance.sample(FILES, chance.randrange(3))
    kind, status = (
        chance.choice(("read", "search", "write", "run")),
        chance.choice(("ok", "failed", "empty")),
    )
    facts = {"kind": kind, "status": status, "tool": "look", "paths": write_list(found)}
    return Seen(_text(chance, SIZES), {name: value for name, value in facts.items() if value})


def _text(chance: Random, sizes: tuple[int, ...]) -> str:
    flavour, size = chance.choice(FLAVOURS), chance.choice(sizes)
    pieces, length = list[str](), 0
    while length < size:
        pieces.append(flavour.replace("{n}", str(len(pieces))))
        length += len(pieces[-1])
    return "".join(pieces)[:size]


seeds = st.integers(0, 2**32)
ratios = st.none() | st.floats(0.5, 2.0)
windows = st.integers(1500, 12_000) | st.integers(1500, 60_000)


@dataclass
class Drive:
    """A run without a loop: what an endpoint counts is `ratio` of the estimate."""

    budget: Budget
    ratio: float | None
    recall: bool = False
    policy: Policy = field(default_factory=Policy)
    state: State = field(default_factory=State)
    text: str = ""

    def append(self, *entries: Entry) -> None:
        for entry in entries:
            self.text += write_entry(entry)
            self.state.take(entry)

    def means(self) -> Means:
        tokens = next_prompt(self.state, SYSTEM_TOKENS)
        profile = Profile(budget=self.budget, policy=self.policy)
        return Means(profile, tokens, SYSTEM_TOKENS, frozenset({"recall"} if self.recall else ()))

    @property
    def counted(self) -> int:
        return round(estimate_tokens(self.view.text) * (self.ratio or 1.0))

    @property
    def view(self) -> Any:
        return view(self.state, SYSTEM, 1000)

    @property
    def limit(self) -> int:
        return prompt_limit(self.state, self.budget, self.policy)

    def guarded(self) -> list[Event]:
        """All that the guards say until they are quiet, or the run is over."""
        told = list[Event]()
        for _ in range(MOST_ROUNDS):
            said = (guard(self.state, self.means()) for guard in GUARDS)
            events = next(filter(None, said), list[Event]())
            self.append(*events)
            told += events
            if not events or self.state.stop:
                return told
        raise AssertionError(f"not quiet after {MOST_ROUNDS} rounds: {told}")

    def overflow(self, how: str) -> None:
        facts = {"prompt": str(self.counted), "window": str(max(self.counted, 2000))}
        estimated = {"prompt": str(next_prompt(self.state, SYSTEM_TOKENS)), "estimated": "yes"}
        given = {"told": facts, "untold": estimated, "window": estimated | {"window": "9000"}}[how]
        self.append(Event("overflow", write_facts(given)))

    def step(self, said: Said, seen: Seen) -> None:
        counted = {} if self.ratio is None else {"in": str(self.counted), "out": "9"}
        number = str(len(self.state.steps) + 1)
        self.append(Said(said.turn, said.raw, {"n": number, **counted}), seen)


def drive(run: Made, one: Drive) -> Iterator[list[Event]]:
    """What the guards say, each time."""
    one.append(Event(HEADER, VERSION), Objective("Find out\nwhat is wrong."))
    for said, seen, overflow in run:
        if overflow:
            one.overflow(overflow)
        yield one.guarded()
        if one.state.stop:
            return
        one.step(said, seen)


def _check_fits(one: Drive) -> None:
    counted = one.counted if one.state.counted else estimate_tokens(one.view.text)
    slack = 10 + len(one.state.steps)  # of roundings
    prompt = next_prompt(one.state, SYSTEM_TOKENS)
    assert counted <= one.limit + slack
    assert prompt + reply_room(one.state, one.budget, prompt) <= max(
        min(one.budget.window, one.state.window or one.budget.window), 0
    )


def _check_exhausted(state: State) -> None:
    assert state.stop is Stop.PROMPT_EXHAUSTED
    assert all(step.shown is Shown.SHELVED for step in state.steps[:-1])
    for step in state.steps[-1:]:
        assert cut(step, {"chars": "400", RECALL: "yes"}).tokens >= step.tokens - SLIGHT


def _check_thoughts(state: State, told: list[Event]) -> None:
    """None is given up while the prompt holds what can be read again."""
    if any(event.name in (CONDENSED, SHELVED) for event in told):
        whole = [step for step in state.steps[:-1] if step.shown in (Shown.WHOLE, Shown.CUT)]
        assert all(step.tokens - step.head_tokens < SLIGHT for step in whole)
    gone = {step.number for step in state.steps if step.shown is Shown.SHELVED}
    for step in state.steps:
        thought = turn_text(Turn(Kind.MALFORMED, step.said.turn.thought))
        assert step.number in gone or step.text.startswith(thought)


def _check_form(one: Drive) -> None:
    turns = [step for step in one.state.steps if step.text]
    assert one.view.turns == tuple(step.text for step in turns)
    for step in turns:
        found = [found.label for line in step.text.split("\n") if (found := strict(line))]
        expected = UNREAD if step.said.turn.kind is Kind.MALFORMED else LABELS
        assert tuple(found) == expected
        assert step.tokens == pytest.approx(estimate_tokens(step.text), abs=2)
    roles = [message.role for message in messages(one.view)]
    assert roles == [USER, *([ASSISTANT, USER] * len(turns))]


def _check_newest(step: Step) -> None:
    whole = turn_text(step.said.turn) + observation_text(step.seen.text)
    if step.shown is Shown.WHOLE:
        assert step.text == whole
    else:
        assert step.shown is Shown.CUT
        assert (
            "left out here" in step.text or "characters)" in step.text or "left out]" in step.text
        )


def _check(run: Made, one: Drive) -> None:
    for told in drive(run, one):
        _check_thoughts(one.state, told)
        if one.state.stop:
            _check_exhausted(one.state)
        else:
            _check_fits(one)
        if one.state.steps:
            _check_newest(one.state.steps[-1])
        _check_form(one)
        _check_file(one)


def _check_file(one: Drive) -> None:
    again = fold(read_transcript(one.text).entries)
    assert again == one.state
    assert view(again, SYSTEM, 1000) == one.view
    assert one.state.stop or not compress(one.state, one.means())


made = st.builds(Made, seeds, st.integers(1, 14))
long_made = st.builds(Made, seeds, st.integers(1, 60))


budgets = st.builds(Budget, window=windows, reply=st.just(4000))
drives = st.builds(Drive, budgets, ratios, st.booleans())
stages = st.lists(st.sampled_from(KNOWN_STAGES), unique=True).map(tuple)
histories = st.sampled_from((0, 1, 4))
policies = st.builds(Policy, stages, at=st.sampled_from((0, 3000)), history=histories)
odd_drives = st.builds(Drive, budgets, ratios, st.booleans(), policies)


@settings(max_examples=20)
@given(made, drives)
def test_a_prompt_fits_and_keeps_its_form(run: Made, one: Drive) -> None:
    _check(run, one)


@settings(max_examples=10)
@given(made, odd_drives)
def test_whatever_stages_a_profile_names_the_prompt_fits_or_the_run_ends(
    run: Made, one: Drive
) -> None:
    for _ in drive(run, one):
        assert one.state.stop or one.means().prompt_tokens <= one.limit
        _check_form(one)
        _check_file(one)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_prompt_fits_and_keeps_its_form_in_depth(share: Callable[[int], int]) -> None:
    @settings(max_examples=share(1500))
    @given(long_made, drives)
    @example(Made(2, 3), Drive(Budget(window=4546, reply=4000), 2.0, False))
    def check(run: Made, one: Drive) -> None:
        _check(run, one)

    check()
