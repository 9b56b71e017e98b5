"""A turn of a role: a run of the same loop, bounded, with a transcript of its own."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from react_agent.loop.agent import Agent
from react_agent.loop.agent import run as run_agent
from react_agent.loop.guards import GUARDS
from react_agent.loop.state import STARTED_FROM, State
from react_agent.loop.stop import Stop
from react_agent.loop.sub_transcript import next_sub, opened, paid
from react_agent.loop.transcript import Transcript
from react_agent.models.endpoint import REPLAY
from react_agent.parsers.answers.speech import process
from react_agent.parsers.settings.procedure import Phase, Procedure, Role
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.procedure.course import BY, Course
from react_agent.profiles.profile import Budget, limits_of
from react_agent.prompt.room import prompt_event
from react_agent.prompt.view import instructions
from react_agent.runs.fitted import fitted, sub_spec
from react_agent.runs.project import Project
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Run
from react_agent.runs.surroundings import Surroundings
from react_agent.runs.work_tree import WorkTree
from react_agent.tools import disk
from react_agent.tools.clip import counted
from react_agent.tools.registry import Kind

_GIST = 400  # characters of a last thought
_AGAIN = " It was not judged to be done yet: do what is missing."


@dataclass(frozen=True, slots=True)
class Stage:
    """What all turns of a run are played on."""

    run: Run
    around: Surroundings
    procedure: Procedure

    @property
    def state(self) -> State:
        return self.run.transcript.state

    @property
    def turn(self) -> int:
        """The number of the next one, or of the one that goes on."""
        return len(self.state.steps) + 1

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.run.folder.path / self.name)

    @property
    def name(self) -> str:
        """Of the folder that the turn has in the run's."""
        return next_sub(self.state)


@dataclass(frozen=True, slots=True)
class Ended:
    """The run that a turn was."""

    stop: Stop
    state: State


def played(stage: Stage, course: Course, phase: Phase, role: Role) -> Ended:
    """To its end; or on from where it was cut off."""
    objective = objective_of(stage, course, phase, role)
    header, redact = _header(stage, phase, role), stage.run.transcript.redact
    transcript = opened(stage.folder.path, header, objective, redact, stage.around.within)
    project = role_project(
        stage.run.project, stage.procedure, (phase, role), stage.around.settings.withhold
    )
    with contextlib.closing(transcript), contextlib.ExitStack() as after:
        agent = _agent(stage, course, transcript, project)
        _told(transcript, agent, _spec(stage, role))
        agent, memory = fitted(agent, stage.folder, project, stage.around)
        if memory:
            after.callback(disk.unlink, stage.folder.memory, missing_ok=True)
            after.callback(memory.close)
        if transcript.state.tree:  # it was cut off, and is taken up again
            agent.files.bring_back(transcript.state)
        return Ended(run_agent(agent), transcript.state)


def objective_of(stage: Stage, course: Course, phase: Phase, role: Role) -> str:
    """The run's own, and what the role sees of what was said."""
    seen = sight(course, stage.procedure, role)
    turn = turn_of(course, phase)
    again = _AGAIN if course.turns and course.speaker == role.key else ""
    place = f"[You are {role.name}. This is {turn} in the state {phase.name}.{again}]"
    return "\n\n".join((stage.state.objective or "", *told(seen, role.name), place))


def turn_of(course: Course, phase: Phase) -> str:
    """Which it is, in words."""
    if len(phase.next) == 1:
        return "the only turn"
    return f"turn {course.turns + 1} of at most {phase.maximum_turns}"


def _header(stage: Stage, phase: Phase, role: Role) -> Iterator[Event]:
    yield Event("run", stage.name)
    yield Event("state", phase.name)
    yield Event("role", role.key)
    yield Event(STARTED_FROM, stage.state.tree or stage.run.agent.context.base)
    yield Event("model", _spec(stage, role))
    if role.last:
        yield Event(LAST, one_line(role.last))


def _spec(stage: Stage, role: Role) -> str:
    """A role may have a model of its own; what is done again has its recorded words."""
    spec = stage.state.header["model"]
    return sub_spec(spec if spec.startswith(REPLAY) else role.model or spec, stage.turn)


def _agent(stage: Stage, course: Course, transcript: Transcript, project: Project) -> Agent:
    run, around, profile = stage.run, stage.around, project.profile
    context = replace(run.agent.context, delegate=None, recall=None, last_edit=None)
    system = instructions(profile, project.registry, context.limits, run.transcript.state.about)
    return replace(
        run.agent,
        transcript=transcript,
        model=around.open_model(transcript.state.header["model"]),
        registry=project.registry,
        context=context,
        guards=tuple(GUARDS[name] for name in profile.guards),
        budget=_left(stage, course, profile.budget),
        system=system,
        system_tokens=estimate_tokens(system),
        files=WorkTree(
            run.workspace, around.cuts, project.registry, context, around.tell, stage.folder.path
        ),
        policy=profile.policy,
        remind=None,
        gate=None,  # whether a state is done is for its judge to say
    )


def _told(transcript: Transcript, agent: Agent, spec: str) -> None:
    """What may be otherwise when it is taken up again."""
    transcript.append(
        Event("model", spec),
        Event("limits", write_facts(limits_of(agent.budget))),
        prompt_event(agent.system_tokens, agent.policy),
    )


def _left(stage: Stage, course: Course, own: Budget) -> Budget:
    """What all turns share, and no more than the role may have of it."""
    budget, spent = stage.run.agent.budget, stage.state.spent
    return replace(
        own,
        steps=min(own.steps, budget.steps - course.steps),
        prompt_tokens=budget.prompt_tokens - spent.prompt_tokens,
        seconds=max(budget.seconds - spent.seconds, 1.0),
        money=None if budget.money is None else budget.money - (spent.money or 0.0),
    )


def said_of(procedure: Procedure, role: Role, ended: Ended) -> str:
    """In the first person, as it goes into memory."""
    state = ended.state
    said = process(state.conclusion, (role.name, role.key), procedure.names)
    if said:
        return said
    steps = counted(len(state.steps), "step")
    last = state.steps[-1].said.turn.thought if state.steps else ""
    thought = f" My last thought was: {headline(last, _GIST)}" if last else ""
    return f"(I came to no conclusion: my turn ended as {ended.stop} after {steps}.{thought})"


def seen_of(stage: Stage, role: Role, ended: Ended) -> Seen:
    """What is left of a turn: what was said, what was written, what it cost."""
    state = ended.state
    facts = {"n": str(stage.turn), "by": BY, "status": "ok"}
    facts |= {"kind": Kind.WRITE.value} if state.wrote else {}
    facts |= {"paths": write_list(sorted(state.wrote))} if state.wrote else {}
    facts |= {"name": role.name, "sub": stage.name}
    facts |= {"steps": str(len(state.steps)), "ended": ended.stop.value}
    facts |= {"tree": state.tree} if state.tree else {}
    facts |= paid(state.spent) | {"seconds": f"{state.spent.seconds:.3f}"}
    return Seen(said_of(stage.procedure, role, ended), facts)
