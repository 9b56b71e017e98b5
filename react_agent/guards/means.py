"""The resources that a guard may use: the model, read-only tools, memory and the gate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from react_agent.errors import ModelError, TimeUp
from react_agent.models.contract import CUT_SHORT, Completion, Model, Usage, View, Why
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.profile import Budget, Profile
from react_agent.state.findings import Point
from react_agent.state.state import ANSWER, ASKED, CONDENSING, LOST, State
from react_agent.state.steps import RECALL, Spent
from react_agent.state.transcript import Transcript
from react_agent.tools.observation import Observation

_TASK = 600  # characters of the objective, and of the messages


class Answered(NamedTuple):
    text: str
    problem: str = ""  # why there is no text


Ask = Callable[[View, int, str], Answered]  # the view, the most tokens of the answer, the purpose


@dataclass(frozen=True, slots=True)
class Means:
    profile: Profile
    prompt_tokens: int  # estimate for the next prompt
    system_tokens: int = 0  # tokens of its instructions
    offered: frozenset[str] = frozenset()  # tools that the model is told of
    ask: Ask | None = None  # calls the model, not for a step
    look: Callable[[str, str], Observation] | None = None  # a read-only tool, its input
    gate: Callable[[State], Sequence[Point]] | None = None  # the open points if the run ended
    remind: Callable[[str, int], list[str]] | None = None  # what memory holds of a thought
    files: Mapping[str, str] = field(default_factory=dict)  # of the work tree, read when asked for

    @property
    def budget(self) -> Budget:
        return self.profile.budget

    @property
    def can_recall(self) -> bool:
        """Whether the model is offered the tool `recall`, which shows earlier steps again."""
        return RECALL in self.offered


ERROR = "error"  # the model call failed
_NO_TOKENS = "no tokens are left"
_PROBLEMS = {
    Why.CONTEXT: "the prompt is too long for the model",
    Why.REFUSAL: "the model refuses to answer",
}


@dataclass(frozen=True, slots=True)
class Asking:
    model: Model
    transcript: Transcript
    budget: Budget
    clock: Callable[[], float]
    is_over: bool = False  # the run has ended, so running out of time stops nothing

    def __call__(self, view: View, room: int, purpose: str) -> Answered:
        view = _redacted(view, self.transcript.redact)
        spent, started = self.transcript.state.spent, self.clock()
        if spent.prompt_tokens + estimate_tokens(view.text) > self.budget.prompt_tokens:
            self._write(purpose, {"why": ERROR, "said": _NO_TOKENS}, started)
            return Answered("", _NO_TOKENS)
        try:
            completion = self.model.complete(
                view,
                stop=(),
                max_output=min(self.budget.reply, room),
                deadline=started + self.budget.seconds - spent.seconds,
                show=lambda text: None,
            )
        except (ModelError, TimeUp) as error:
            if isinstance(error, TimeUp) and not self.is_over:
                raise
            facts = {"why": ERROR, "said": str(error)}
            self._write(purpose, facts, started, *map(lost_event, error.repeated))
            return Answered("", str(error))
        problem = _PROBLEMS.get(completion.why, "")
        text = "" if problem else self.transcript.redact(_whole(completion))
        facts = usage_facts(completion) | ({"why": completion.why.value} if problem else {})
        if purpose != CONDENSING:  # the condensed steps already hold that answer
            facts |= {ANSWER: text}
        self._write(purpose, facts, started, *notes_of(completion))
        return Answered(text, problem)

    def _write(self, purpose: str, facts: dict[str, str], started: float, *notes: Event) -> None:
        seconds = f"{self.clock() - started:.3f}"
        written = write_facts({"for": purpose, **facts, "seconds": seconds})
        self.transcript.append(*notes, Event(ASKED, written))


def _redacted(view: View, redact: Callable[[str], str]) -> View:
    """Redact the prompt, since it may contain text that is not in the redacted transcript."""
    turns = tuple(map(redact, view.turns))
    return View(redact(view.system), redact(view.task), turns, redact(view.tail))


def _whole(completion: Completion) -> str:
    """Return the reply without a truncated last line, since that could be misleading."""
    text = completion.text
    return text.rpartition("\n")[0] if completion.why in CUT_SHORT else text


def in_a_line(text: str, most: int) -> str:
    """Return a text as one escaped line of at most this many characters."""
    return escape(headline(one_line(text), most))


def task_of(state: State) -> str:
    """Return what the user asked and said since, for a prompt about the steps of a run."""
    task = f"The agent was asked: {in_a_line(state.objective or '', _TASK)}"
    if told := state.all_told:
        task += f"\nand told since: {in_a_line(told[-_TASK:], _TASK)}"
    return task


def notes_of(completion: Completion) -> Sequence[Event]:
    """Return the events of a model call besides its answer."""
    notes = [Event("note", note) for note in completion.notes]
    return [*notes, *(lost_event(usage) for usage in completion.repeated)]


def lost_event(usage: Usage | None, seconds: float = 0.0) -> Event:
    """Return an event that records the cost of a request or a call without a result."""
    return Event(LOST, write_facts({**_counts(usage), "seconds": f"{seconds:.3f}"}))


def usage_facts(completion: Completion) -> dict[str, str]:
    """Return the tokens and the cost. A prompt that was refused as too long costs nothing."""
    if completion.why is Why.CONTEXT and not completion.raw_reason:
        return {}
    window = {"window": str(completion.window)} if completion.window and completion.usage else {}
    return _counts(completion.usage) | window


def _counts(usage: Usage | None) -> dict[str, str]:
    if usage is None:
        return {}
    spent = Spent(usage.prompt, usage.reply, 0.0, usage.cost, usage.cached, usage.written)
    return spent.facts | ({"estimated": "yes"} if usage.is_estimate else {})
