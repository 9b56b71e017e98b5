"""Ways of keeping a prompt short, ours and those of others, and what each of them comes to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from looking import system_text
from recorded import Made, Need, Recorded

from react_agent.guards.means import Means
from react_agent.loop.guards import GUARDS, Guard
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event, Objective, Said
from react_agent.parsers.transcript.writer import objective_text
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget, Policy, Profile
from react_agent.profiles.profile_file import shipped
from react_agent.prompt.view import next_prompt, prompt_limit
from react_agent.state.state import State
from react_agent.state.steps import RECALL, SHELVED, Shown, Step, compressed_event, whole
from react_agent.tools.registry import named

REPLY = 4000
SYSTEM_TOKENS = estimate_tokens(system_text())
_TAIL = 3  # tokens

Block = tuple[str, int]  # a part of a prompt that is the same or is not, and its tokens


@dataclass(frozen=True, slots=True)
class Way:
    guard: Guard | None
    policy: Policy = field(default_factory=Policy)
    can_recall: bool = False


def _drop_half(state: State, means: Means) -> list[Event]:
    if means.prompt_tokens <= prompt_limit(state, means.budget, means.profile.policy):
        return []
    shown = [step.number for step in state.steps if step.shown is not Shown.SHELVED]
    oldest = shown[: len(shown) // 2]
    return [compressed_event(SHELVED, oldest, recall="yes")] if oldest else []


_CLASSIC = shipped("classic").policy
OURS, CLASSIC, NONE = "ours", "strip all at 8,000", "no compression"
WAYS = {
    NONE: Way(None),
    CLASSIC: Way(GUARDS["compress"], _CLASSIC),
    "half, with recall": Way(_drop_half, can_recall=True),
    OURS: Way(GUARDS["compress"], can_recall=True),
}


@dataclass(slots=True)
class Cost:
    """Of runs."""

    runs: int = 0
    fit: int = 0  # runs of which every prompt fits
    sent: int = 0  # tokens
    uncached: int = 0  # that a cache which finds the same beginning does not have
    times: int = 0  # that something was taken out
    again: int = 0  # steps that only look again at what was taken out
    facts: int = 0
    held: int = 0  # facts that the last prompt shows
    back: int = 0  # and those that it says how to get

    def add(self, other: "Cost") -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def cost(runs: Sequence[Recorded], way: Way, window: int) -> Cost:
    total = Cost()
    for run in runs:
        total.add(Playing(run, way, window).to_the_end())
    return total


class Playing:
    """A recorded run under a way: what each of its calls would have been."""

    def __init__(self, run: Recorded, way: Way, window: int) -> None:
        self.run, self.way = run, way
        self.budget = Budget(steps=10**6, prompt_tokens=10**12, window=window, reply=REPLY)
        self.state = State()
        self.state.take(Objective(run.objective))
        self.numbers: list[int] = []  # of the recorded steps, as they are here
        self.before: list[Block] = []
        self.cost = Cost(runs=1, fit=1)
        profile = Profile(budget=self.budget, policy=way.policy)
        offered = frozenset({"recall"} if way.can_recall else ())
        self.means = Means(profile, 0, SYSTEM_TOKENS, offered)

    def to_the_end(self) -> Cost:
        """Where a step needs a line that is not there, another one looks at it again first."""
        for made in self.run.made:
            self._call()
            if made.need and not self._shows(made.need):
                self.cost.again += 1
                self._look_again(self.run.made[made.need.step - 1])
                self._call()
            self._append(made.step)
            self.numbers.append(len(self.state.steps))
        self._count_facts()
        return self.cost

    def _call(self) -> None:
        self._guarded()
        blocks = list(self._blocks())
        total = sum(tokens for _, tokens in blocks) + _TAIL
        same = _same(self.before, blocks)
        room = prompt_limit(self.state, self.budget, replace(self.way.policy, at=0))
        if next_prompt(self.state, SYSTEM_TOKENS) > room:
            self.cost.fit = 0
        self.cost.sent += total
        self.cost.uncached += total - same
        self.before = blocks

    def _guarded(self) -> None:
        prompt = -1
        while self.way.guard and prompt != self.state.prompt_tokens:
            prompt = self.state.prompt_tokens
            means = replace(self.means, prompt_tokens=next_prompt(self.state, SYSTEM_TOKENS))
            events = self.way.guard(self.state, means)
            for event in events:
                self.state.take(event)
            self.cost.times += bool(events)

    def _blocks(self) -> Iterator[Block]:
        """In the order in which the model reads them."""
        state = self.state
        task = objective_text(state.objective or "") + state.before
        yield "system", SYSTEM_TOKENS
        yield task, estimate_tokens(task)
        for step in state.steps:
            if step.text:
                yield step.text, step.tokens

    def _shows(self, need: Need) -> bool:
        first = self.state.steps[self.numbers[need.step - 1] - 1]
        return need.line in first.text or any(need.line in step.text for step in self.state.steps)

    def _look_again(self, made: Made) -> None:
        said = made.step.said.turn
        action, given = said.action, said.input
        if self.way.can_recall:
            action, given = RECALL, str(self.numbers[made.step.number - 1])
        turn = Turn(Kind.ACTION, thought="I need to see it again.", action=action, input=given)
        self._append(whole(0, Said(turn), made.step.seen))

    def _append(self, step: Step) -> None:
        """As the fold does; counted once."""
        self.state.steps.append(replace(step, number=len(self.state.steps) + 1))
        self.state.prompt_tokens += step.tokens

    def _count_facts(self) -> None:
        text = "\n".join(step.text for step in self.state.steps)
        for fact in self.run.facts:
            step = self.state.steps[self.numbers[fact.step - 1] - 1]
            held = fact.line in text
            told = self.state.before if step.shown is Shown.SHELVED else step.text
            self.cost.facts += 1
            self.cost.held += held
            self.cost.back += held or named(RECALL) in told


def _same(before: Sequence[Block], blocks: Sequence[Block]) -> int:
    """Tokens of what both begin with."""
    same = 0
    for (old, _), (text, tokens) in zip(before, blocks, strict=False):
        if old is not text and old != text:
            break
        same += tokens
    return same
