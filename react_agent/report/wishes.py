"""What agents asked for that there is not, and what they did then."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.tools.registry import How

NOTHING = "nothing more"
_NAME = re.compile(r"[^\W\d][\w .-]{0,60}")  # of an entry: no `=`, no `:`
_EXAMPLES = 3


@dataclass(slots=True)
class Wish:
    name: str
    times: int = 0
    runs: set[int] = field(default_factory=set)
    inputs: list[str] = field(default_factory=list)  # some, as they were written
    then: Counter[str] = field(default_factory=Counter)  # the tools that were called instead

    @property
    def entry(self) -> str:
        """A line of settings that would answer it; empty where a name can't stand in one."""
        if not _NAME.fullmatch(self.name):
            return ""
        tool, times = self.then.most_common(1)[0]
        if tool != NOTHING and times * 2 > self.times:
            return f"{self.name} = alias {tool}"
        return f"{self.name} = redirect Write here why not, and the way to go."


def wishes(states: Iterable[State]) -> list[Wish]:
    """The most frequent first."""
    found = dict[str, Wish]()
    for run, state in enumerate(states):
        for at, step in enumerate(state.steps):
            if step.seen.facts.get("how") == How.WISH:
                _count(found, step, state.steps[at + 1 :], run)
    return sorted(found.values(), key=lambda wish: (-wish.times, wish.name))


def _count(found: dict[str, Wish], step: Step, later: Sequence[Step], run: int) -> None:
    turn = step.said.turn
    wish = found.setdefault(turn.action, Wish(turn.action))
    wish.times += 1
    wish.runs.add(run)
    wish.then[next(_tools(later), NOTHING)] += 1
    first = turn.input.strip().split("\n")[0]
    if first and first not in wish.inputs and len(wish.inputs) < _EXAMPLES:
        wish.inputs.append(first)


def _tools(steps: Iterable[Step]) -> Iterator[str]:
    return (step.seen.facts["tool"] for step in steps if step.seen.facts.get("tool"))


def answered(states: Iterable[State]) -> Counter[tuple[str, str]]:
    """The hidden names that were called, and how they were answered."""
    hidden = (How.ALIAS, How.REDIRECT, How.PROTOCOL, How.UNOFFERED)
    return Counter(
        (step.seen.facts.get("entry") or step.said.turn.action, step.seen.facts["how"])
        for state in states
        for step in state.steps
        if step.seen.facts.get("how") in hidden
    )
