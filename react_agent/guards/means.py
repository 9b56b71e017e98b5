"""What a guard may ask: the model, tools that only look, memory, the gate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.errors import ModelError, TimeUp
from react_agent.models.contract import CUT_SHORT, Completion, Model, View, Why
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.profiles.profile import Budget, Profile
from react_agent.state.findings import Point
from react_agent.state.state import ANSWER, ASKED, CONDENSING, State
from react_agent.state.steps import RECALL
from react_agent.state.transcript import Transcript
from react_agent.tools.observation import Observation


class Answered(NamedTuple):
    text: str
    problem: str = ""  # why there is none


Ask = Callable[[View, int, str], Answered]  # with room for so many tokens; for what


@dataclass(frozen=True, slots=True)
class Means:
    profile: Profile
    prompt_tokens: int  # of the next prompt, estimated
    system_tokens: int = 0  # of its instructions
    offered: frozenset[str] = frozenset()  # tools that the model is told of
    ask: Ask | None = None  # the model, for something else than a step
    look: Callable[[str, str], Observation] | None = None  # a tool that only looks, with an input
    gate: Callable[[State], Sequence[Point]] | None = None  # what is open, if the run ended here
    remind: Callable[[str, int], list[str]] | None = None  # of a Thought, what memory holds

    @property
    def budget(self) -> Budget:
        return self.profile.budget

    @property
    def can_recall(self) -> bool:
        """The model is offered a tool that shows a step again."""
        return RECALL in self.offered


ERROR = "error"  # no completion came
_NO_TOKENS = "no tokens are left for it"
_PROBLEMS = {
    Why.CONTEXT: "what was asked is too long for the model",
    Why.REFUSAL: "the model refuses to answer",
}


@dataclass(frozen=True, slots=True)
class Asking:
    model: Model
    transcript: Transcript
    budget: Budget
    clock: Callable[[], float]
    is_over: bool = False  # the run is: where no time is left, nothing else has to end

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
            self._write(purpose, {"why": ERROR, "said": str(error)}, started)
            return Answered("", str(error))
        notes = (Event("note", note) for note in completion.notes)
        problem = _PROBLEMS.get(completion.why, "")
        text = "" if problem else self.transcript.redact(_whole(completion))
        facts = usage_facts(completion) | ({"why": completion.why.value} if problem else {})
        if purpose != CONDENSING:  # whose answer stands in what is made of it
            facts |= {ANSWER: text}
        self._write(purpose, facts, started, *notes)
        return Answered(text, problem)

    def _write(self, purpose: str, facts: dict[str, str], started: float, *notes: Event) -> None:
        seconds = f"{self.clock() - started:.3f}"
        written = write_facts({"for": purpose, **facts, "seconds": seconds})
        self.transcript.append(*notes, Event(ASKED, written))


def _redacted(view: View, redact: Callable[[str], str]) -> View:
    """It may hold what is in no transcript: the change itself."""
    turns = tuple(map(redact, view.turns))
    return View(redact(view.system), redact(view.task), turns, redact(view.tail))


def _whole(completion: Completion) -> str:
    """Without the line that was cut off, which may say the contrary of what it would have."""
    text = completion.text
    return text.rpartition("\n")[0] if completion.why in CUT_SHORT else text


def usage_facts(completion: Completion) -> dict[str, str]:
    usage = completion.usage
    if usage is None:
        return {}
    facts = {"in": str(usage.prompt), "out": str(usage.reply)}
    facts |= {"cached": str(usage.cached)} if usage.cached else {}
    facts |= {"written": str(usage.written)} if usage.written else {}
    facts |= {"estimated": "yes"} if usage.is_estimate else {}
    facts |= {"window": str(completion.window)} if completion.window else {}
    return facts if usage.cost is None else facts | {"cost": f"{usage.cost:.6f}"}
