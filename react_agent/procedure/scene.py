"""Where a procedure stands, and what it may ask a model there."""

from dataclasses import dataclass

from react_agent.loop.asking import Asking
from react_agent.loop.state import State
from react_agent.loop.stop import Stop
from react_agent.models.contract import Model, View
from react_agent.models.replay import Replay
from react_agent.parsers.settings.procedure import Procedure
from react_agent.procedure.course import Course
from react_agent.procedure.turn import Stage


class Over(Exception):
    """There is nothing left to go on with."""

    def __init__(self, stop: Stop, reason: str) -> None:
        super().__init__(reason)
        self.stop = stop


@dataclass(frozen=True, slots=True)
class Scene:
    stage: Stage
    course: Course

    @property
    def state(self) -> State:
        return self.stage.state

    @property
    def procedure(self) -> Procedure:
        return self.stage.procedure

    @property
    def objective(self) -> str:
        return self.state.objective or ""

    def asked(self, purpose: str, view: View) -> str:
        """What the model says, once; nothing, where it could not answer. Raises Over."""
        if (answer := self.course.answers.get(purpose)) is not None:
            return answer
        self.check_budget()
        agent, transcript = self.stage.run.agent, self.stage.run.transcript
        model = _going_on(agent.model, self.course.asked)
        ask = Asking(model, transcript, agent.budget, agent.clock)
        return ask(view, agent.budget.reply, purpose).text

    def check_budget(self) -> None:
        """Raises Over."""
        limit, spent = self.stage.run.agent.budget, self.state.spent
        if self.course.steps >= limit.steps and not self.course.to_judge:
            raise Over(Stop.OUT_OF_STEPS, f"after {self.course.steps} steps")
        if spent.prompt_tokens >= limit.prompt_tokens:
            raise Over(Stop.OUT_OF_TOKENS, f"after {spent.prompt_tokens} prompt tokens")
        if spent.seconds >= limit.seconds:
            raise Over(Stop.OUT_OF_TIME, f"after {spent.seconds:.0f} seconds")
        if limit.money is not None and (spent.money or 0.0) >= limit.money:
            raise Over(Stop.OUT_OF_MONEY, f"after {spent.money:.4f}")


def _going_on(model: Model, asked: int) -> Model:
    """A replay of a run that was broken off answers what is asked next."""
    if isinstance(model, Replay):
        model.asked = asked
    return model
