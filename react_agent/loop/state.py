"""What a run has come to: a fold over the entries of its transcript."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from react_agent.guards.points import Point
from react_agent.loop.events import EVENTS, Rest, take_done
from react_agent.loop.spent import Spent, whole_number
from react_agent.loop.steps import (
    Shown,
    Step,
    whole,
)
from react_agent.loop.stop import Stop
from react_agent.loop.troubles import Trouble
from react_agent.parsers.plan.plan import Plan
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import read_facts, read_list
from react_agent.parsers.turn.turn import Kind
from react_agent.prompt.plan_steps import plan_for
from react_agent.prompt.tail import MANY, told
from react_agent.tools.context import LastEdit

STARTED_FROM = "tree"  # of a sub-agent: the checkpoint that it began with
_CHANGEABLE = ("limits", "model", "amended", "prompt", "repository", "sandbox")  # by a resume
_HEAVIEST, _LIGHTEST = 2.0, 0.5  # an estimate is no further off
NOT_SEEN = "(what this returned was not recorded)"


@dataclass(slots=True)
class State:
    header: dict[str, str] = field(default_factory=dict)  # the events before the objective
    objective: str | None = None
    profile: list[Event] = field(default_factory=list)  # its text, unless it is shipped
    about: list[str] = field(default_factory=list)  # what the prompt tells of the repository
    told: str = ""  # by a person, before the first step
    threads: list[str] = field(default_factory=list)  # of a review, that want an answer
    procedure: list[str] = field(default_factory=list)  # the lines of it, if it is one
    steps: list[Step] = field(default_factory=list)
    pending: Said | None = None  # said, but what came of it has not been seen
    spent: Spent = field(default_factory=Spent)
    prompt_tokens: int = 0  # of objective and steps, estimated
    counted: int = 0  # of the last prompt, by the endpoint
    counted_at: int = 0  # what was estimated of the same one
    window: int | None = None  # of the endpoint, where it is known
    too_long: int = 0  # a prompt of so many tokens did not fit
    compressed: set[int] = field(default_factory=set)  # before these steps, the prompt was
    taken: int = 0  # tokens, out of it
    before: str = ""  # a line about steps that are not shown
    asked_in_vain: int = 0  # times in a row, to condense
    taken_up: int = 0  # steps that there were when it was, last
    asked: dict[str, int] = field(default_factory=dict)  # for what, and steps that there were then
    asked_at: int = 0  # steps that there were then
    hint: str = ""  # for the next prompt only
    recalled: list[str] = field(default_factory=list)  # of memory, for the next prompt only
    demoted: dict[str, Rest] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)  # and how each was answered
    cwd: str = "."  # of commands
    running: tuple[str, ...] = ()  # in the background, after the last step
    tree: str = ""  # the last checkpoint of the work tree
    edits: list[LastEdit] = field(default_factory=list)  # that can be taken back
    wrote: set[str] = field(default_factory=set)  # files that edit tools have written
    plan: Plan | None = None  # the root of it is the objective
    dead_ends: list[str] = field(default_factory=list)  # why steps were taken back
    open: list[Point] = field(default_factory=list)  # when its Conclusion was accepted
    stop: Stop | None = None
    stop_reason: str = ""
    result: dict[str, str] = field(default_factory=dict)  # what was made of the run at its end

    @property
    def conclusion(self) -> str:
        return self.pending.turn.conclusion if self.pending else ""

    @property
    def last_edit(self) -> LastEdit | None:
        return self.edits[-1] if self.edits else None

    @property
    def in_view(self) -> frozenset[int]:
        """The steps whose Observation the prompt holds whole."""
        return frozenset(step.number for step in self.steps if step.shown is Shown.WHOLE)

    @property
    def standing(self) -> list[Step]:
        """The steps that were not taken back."""
        return [step for step in self.steps if step.stands]

    @property
    def shown(self) -> dict[str, str]:
        """What the transcript tells of its prompts."""
        return read_facts(self.header.get("prompt", ""))

    def next_prompt(self, system_tokens: int, steps: int = MANY) -> int:
        """What the endpoint counted last, and an estimate of what has come or gone since."""
        volatile = estimate_tokens(told(self, steps - len(self.steps)))
        return self.expected(self.prompt_tokens, system_tokens) + volatile

    def expected(self, prompt_tokens: int, system_tokens: int) -> int:
        """Where the endpoint counts otherwise than we, what came weighs more, what went less."""
        if not self.counted:
            return system_tokens + prompt_tokens
        weight = self.counted / max(system_tokens + self.counted_at, 1)
        since = prompt_tokens - self.counted_at
        weight = min(max(weight, 1.0), _HEAVIEST) if since > 0 else max(min(weight, 1.0), _LIGHTEST)
        return self.counted + round(since * weight)

    def take(self, entry: Entry) -> None:
        match entry:
            case Event(name, text):
                self._take_event(name, text)
            case Objective(text):
                self.objective, self.plan = text, plan_for(text)
                self.prompt_tokens += estimate_tokens(text)
            case Said():
                self._finish_pending()
                self.pending = entry
                self.hint = ""
                self.recalled.clear()
                self.spent.add(entry.facts)
                self._take_counts(entry.facts)
            case Seen(_, facts):
                self._take_seen(entry)
                self.spent.add(facts)

    def _take_counts(self, facts: Mapping[str, str]) -> None:
        self.window = whole_number(facts.get("window")) or self.window
        if "estimated" not in facts and (counted := whole_number(facts.get("in"))):
            self.counted, self.counted_at = counted, self.prompt_tokens

    def _take_seen(self, seen: Seen) -> None:
        if self.pending is None:
            return
        number = len(self.steps) + 1
        self.steps.append(whole(number, self.pending, seen))
        self.prompt_tokens += self.steps[-1].tokens
        self.pending = None
        self.running = read_list(seen.facts.get("running", ""))
        take_done(self, self.steps[-1])

    def _finish_pending(self) -> None:
        """A turn that another one follows, in a file that somebody edited."""
        if self.pending and self.pending.turn.kind is not Kind.CONCLUSION:
            self._take_seen(Seen(NOT_SEEN))

    def _take_event(self, name: str, text: str) -> None:
        if (self.objective is None and name != HEADER) or name in _CHANGEABLE:
            self.header[name] = text
        if taken := EVENTS.get(name):
            taken(self, Event(name, text))


def fold(entries: Iterable[Entry]) -> State:
    state = State()
    for entry in entries:
        state.take(entry)
    return state


def trees_of(state: State) -> set[str]:
    """The checkpoints that it names."""
    named = {state.header.get(STARTED_FROM, ""), *(step.tree for step in state.steps)}
    named.update(step.seen.facts.get("on", "") for step in state.steps)
    return named - {"", state.header.get("base", "")}
