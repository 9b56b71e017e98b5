"""How a person goes on with a run that has ended."""

from react_agent.loop.stop import Stop
from react_agent.runs.outcome import Outcome

_MORE = {
    Stop.OUT_OF_STEPS: " --steps N",
    Stop.OUT_OF_TIME: " --seconds N",
    Stop.OUT_OF_TOKENS: " --tokens N",
    Stop.OUT_OF_MONEY: " --money N",
}


def resuming(outcome: Outcome) -> str:
    """Empty where the model itself has ended it."""
    if outcome.stop.is_final:
        return ""
    return f"react-agent resume {outcome.folder.path.name}{_MORE.get(outcome.stop, '')}"


def forking(outcome: Outcome) -> str:
    """From its last step, with a word of the person's; empty where there is none to go on from."""
    steps = outcome.state.standing
    if not steps or outcome.turns:
        return ""
    return f'react-agent fork {outcome.folder.path.name} --at {steps[-1].number} --say "..."'
