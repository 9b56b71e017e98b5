"""Create the agent of a run, and the agent of a nested run that one step of a run starts."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from react_agent.errors import ModelError
from react_agent.loop.agent import Agent, Files, run
from react_agent.loop.guards import GUARDS, REMIND
from react_agent.memory.embeddings import Embeddings
from react_agent.memory.index import Memory
from react_agent.memory.recall import recalled, reminded
from react_agent.models.contract import Model
from react_agent.models.endpoint import is_replay
from react_agent.models.replay import within_step
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.values.recall import RecallRequest
from react_agent.profiles.profile import Budget, Profile, limits_of
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.run_tools import RECALL, UPDATE_FILE
from react_agent.profiles.toolbox import registry_for
from react_agent.prompt.room import prompt_event
from react_agent.prompt.view import instructions
from react_agent.runs.commands import Surroundings
from react_agent.state.state import STARTED_FROM, State
from react_agent.state.stop import Stop
from react_agent.state.transcript import Listener, Transcript, next_sub, opened
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Registry

_LINES = 3  # of what it may say
_LINE = 200  # characters


@dataclass(frozen=True, slots=True)
class Work:
    """The transcript, model, tool context and files that an agent uses."""

    transcript: Transcript
    model: Model
    context: Context
    files: Files


def agent_for(
    profile: Profile,
    registry: Registry,
    work: Work,
    around: Surroundings,
    about: Sequence[str] = (),
) -> Agent:
    """Return the agent of a run. `about` is the part of the prompt about the repository."""
    context = replace(work.context, redact=work.transcript.redact, recall=None, last_edit=None)
    system = instructions(profile, registry, context.limits, about)
    agent = Agent(
        profile=profile,
        transcript=work.transcript,
        model=work.model,
        registry=registry,
        context=context,
        guards=tuple(GUARDS[name] for name in profile.guards),
        system=system,
        system_tokens=estimate_tokens(system),
        files=work.files,
        clock=around.clock,
        show=around.show,
    )
    context = replace(context, delegate=partial(_delegated, agent, around))
    agent = replace(agent, context=context)
    if registry.tool(RECALL.name) or REMIND in profile.guards:
        agent = _with_memory(agent, around)
    return agent


def _with_memory(agent: Agent, around: Surroundings) -> Agent:
    transcript, embeddings = agent.transcript, None
    memory = Memory(lambda: transcript.state.steps)
    name = around.settings.embeddings
    if name and around.open_embedder and not is_replay(transcript.state.header["model"]):
        embeddings = Embeddings(around.open_embedder(name), around.clock, around.tell)

    def recall(request: RecallRequest, context: Context) -> Observation:
        return recalled(memory, embeddings, transcript.state, request, context)

    def remind(thought: str, most: int) -> list[str]:
        return reminded(memory, transcript.state, thought, most)

    return replace(agent, context=replace(agent.context, recall=recall), remind=remind)


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a nested run that has ended."""

    name: str  # of its folder, in that of the run
    stop: Stop
    state: State


@dataclass(frozen=True, slots=True)
class Inner:
    """The settings in which a nested run differs from its parent run."""

    profile: Profile
    objective: str
    model: str = ""  # its own, if it has one
    header: tuple[Event, ...] = ()
    about: Sequence[str] = ()
    listeners: tuple[Listener, ...] = ()


def inner_run(
    parent: Agent, inner: Inner, context: Context, files: Files, around: Surroundings
) -> Ended:
    """Execute a nested run until it stops, or resume one that was interrupted."""
    state, profile = parent.transcript.state, inner.profile
    name = next_sub(state)
    spec = within_step(state.header["model"], inner.model, len(state.steps) + 1)
    start = state.tree or parent.context.base
    begun = (Event("run", name), *inner.header, Event(STARTED_FROM, start), Event("model", spec))
    place = parent.transcript.path.parent / name
    redact = parent.transcript.redact
    transcript = opened(place, begun, inner.objective, redact, inner.listeners)
    with contextlib.closing(transcript):
        profile = replace(profile, budget=_left(parent, inner))
        work = Work(transcript, around.open_model(spec), context, files)
        agent = agent_for(profile, registry_for(profile), work, around, inner.about)
        transcript.append(  # these may differ when it is resumed
            Event("model", spec),
            Event("limits", write_facts(limits_of(profile.budget))),
            prompt_event(agent.system_tokens, profile.policy),
        )
        if transcript.state.tree:  # it was cut off and is resumed
            files.bring_back(transcript.state)
        return Ended(name, run(agent), transcript.state)


def _left(parent: Agent, inner: Inner) -> Budget:
    """Return the nested run's budget, limited to the remaining budget of its parent run."""
    budget, spent = parent.budget, parent.transcript.state.spent
    own = inner.profile.budget
    of_model = own if inner.model else budget
    return replace(
        own,
        prompt_tokens=min(own.prompt_tokens, budget.prompt_tokens - spent.prompt_tokens),
        seconds=min(own.seconds, max(budget.seconds - spent.seconds, 1.0)),
        money=None if budget.money is None else budget.money - (spent.money or 0.0),
        window=of_model.window,
        reply=of_model.reply,
    )


def _delegated(
    parent: Agent, around: Surroundings, path: str, words: str, context: Context
) -> Observation:
    """Let a sub-agent change the file, and return the result of the tool `update_file`."""
    shown = READ_FILE.call(path, context).text
    objective = f"Change {path}, and no other file: {words}\n\nThe file as it is now:\n{shown}"
    try:
        inner = Inner(shipped(UPDATE_FILE.name), objective)
        ended = inner_run(parent, inner, context, parent.files, around)
    except ModelError as error:
        return failed(f"could not ask the model: {error}")
    if ended.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    state = ended.state
    cost = state.spent.facts | {"sub": ended.name}
    lines = state.conclusion.strip().split("\n")[: _LINES - 1]
    said = "\n".join(clip_line(line, _LINE) for line in lines)
    steps = counted(len(state.steps), "step")
    others = ", ".join(sorted(state.wrote - {path}))
    also = f"; it changed {others}, too" if others else ""
    if ended.stop is Stop.CONCLUDED and path in state.wrote:
        paths = tuple(sorted(state.wrote))
        return Observation(f"{path} was changed, in {steps}{also}: {said}", paths=paths, facts=cost)
    parent.files.bring_back(parent.transcript.state)
    why = said or f"it ended as {ended.stop} after {steps}"
    return replace(failed(f"{path} is as it was: {why}"), facts=cost)
