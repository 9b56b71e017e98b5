"""A sub-agent that edits one file: its steps are in a transcript of its own, and cost the parent
a line.

Its edits are kept whole or not at all, its tokens are the parent's, and it has no sub-agent.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from react_agent.errors import ModelError
from react_agent.loop.agent import Agent, run
from react_agent.loop.guards import GUARDS
from react_agent.loop.state import STARTED_FROM
from react_agent.loop.stop import Stop
from react_agent.loop.sub_transcript import next_sub, opened, paid
from react_agent.loop.transcript import Transcript
from react_agent.models.contract import Model
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Budget, Profile
from react_agent.profiles.toolbox import registry_for
from react_agent.prompt.view import instructions
from react_agent.runs.run_folder import RunFolder
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation, failed

PROFILE = "update_file"
_LINES = 3  # of what it may say
_LINE = 200  # characters


@dataclass(frozen=True, slots=True)
class Helper:
    """What a sub-agent works with that its parent does not."""

    folder: RunFolder  # the parent's
    profile: Profile
    open_model: Callable[[int], Model]  # for the step of this number


def delegated(
    parent: Agent, helper: Helper, path: str, words: str, context: Context
) -> Observation:
    number = len(parent.transcript.state.steps) + 1
    name = next_sub(parent.transcript.state)
    try:
        shown = READ_FILE.call(path, context).text
        objective = f"Change {path}, and no other file: {words}\n\nThe file as it is now:\n{shown}"
        header = (Event("run", name), Event(STARTED_FROM, _start(parent)))
        transcript = opened(helper.folder.path / name, header, objective, parent.transcript.redact)
        try:
            stop = _run(parent, helper, transcript, number, context)
            return _told(parent, transcript, stop, name, path)
        finally:
            transcript.close()
    except ModelError as error:
        return failed(f"it could not be asked for: {error}")


def _start(parent: Agent) -> str:
    """The files that it begins with: a checkpoint, or the base commit."""
    return parent.transcript.state.tree or parent.context.base


def _run(
    parent: Agent, helper: Helper, transcript: Transcript, number: int, context: Context
) -> Stop:
    if transcript.state.tree:  # it was cut off, and is taken up again
        parent.files.bring_back(transcript.state)
    registry = registry_for(helper.profile)
    system = instructions(helper.profile, registry, context.limits)
    agent = replace(
        parent,
        transcript=transcript,
        model=helper.open_model(number),
        registry=registry,
        context=replace(context, delegate=None, recall=None, last_edit=None),
        guards=tuple(GUARDS[name] for name in helper.profile.guards),
        budget=_left(parent, helper.profile.budget),
        system=system,
        system_tokens=estimate_tokens(system),
        policy=helper.profile.policy,
        patience=helper.profile.patience,
        back=helper.profile.back,
        remind=None,
        gate=None,
    )
    return run(agent)


def _left(parent: Agent, own: Budget) -> Budget:
    budget, spent = parent.budget, parent.transcript.state.spent
    return replace(
        own,
        prompt_tokens=min(own.prompt_tokens, budget.prompt_tokens - spent.prompt_tokens),
        seconds=min(own.seconds, max(budget.seconds - spent.seconds, 1.0)),
        money=None if budget.money is None else budget.money - (spent.money or 0.0),
        window=budget.window,
        reply=budget.reply,
    )


def _told(parent: Agent, transcript: Transcript, stop: Stop, name: str, path: str) -> Observation:
    state = transcript.state
    if stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    cost = paid(state.spent) | {"sub": name}
    said = "\n".join(
        clip_line(line, _LINE) for line in state.conclusion.strip().split("\n")[: _LINES - 1]
    )
    steps = counted(len(state.steps), "step")
    others = ", ".join(sorted(state.wrote - {path}))
    also = f"; it changed {others}, too" if others else ""
    if stop is Stop.CONCLUDED and path in state.wrote:
        paths = tuple(sorted(state.wrote))
        return Observation(f"{path} was changed, in {steps}{also}: {said}", paths=paths, facts=cost)
    parent.files.bring_back(parent.transcript.state)
    why = said or f"it ended as {stop} after {steps}"
    return replace(failed(f"{path} is as it was: {why}"), facts=cost)
