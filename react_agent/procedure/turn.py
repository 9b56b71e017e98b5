"""A turn of a role: a run of the same loop, bounded, with a transcript of its own."""

from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.loop.state import State
from react_agent.loop.sub_transcript import next_sub, paid
from react_agent.parsers.answers.speech import process
from react_agent.parsers.settings.procedure import Phase, Procedure, Role
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.parsers.transcript.facts import write_list
from react_agent.procedure.adapted import LAST, role_project
from react_agent.procedure.course import BY, Course
from react_agent.procedure.sight import sight, told
from react_agent.runs.agents import Ended, Inner, inner_run
from react_agent.runs.run_setup import Run
from react_agent.runs.surroundings import Surroundings
from react_agent.runs.work_tree import WorkTree
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
    def folder(self) -> Path:
        """That the turn has in the run's."""
        return self.run.folder.path / next_sub(self.state)


def played(stage: Stage, course: Course, phase: Phase, role: Role) -> Ended:
    """To its end; or on from where it was cut off. Whether a state is done, its judge will say."""
    run, around = stage.run, stage.around
    project = role_project(run.project, stage.procedure, (phase, role), around.settings.withhold)
    budget = project.profile.budget
    left = min(budget.steps, run.agent.budget.steps - course.steps)
    context = replace(run.agent.context, recall=None, last_edit=None)
    last = [Event(LAST, one_line(role.last))] if role.last else []
    files = WorkTree(
        run.workspace, around.cuts, project.registry, context, around.tell, stage.folder
    )
    inner = Inner(
        replace(project.profile, budget=replace(budget, steps=left)),
        objective_of(stage, course, phase, role),
        role.model,
        (Event("state", phase.name), Event("role", role.key), *last),
        stage.state.about,
        around.within,
    )
    return inner_run(run.agent, inner, context, files, around)


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
    facts |= {"name": role.name, "sub": ended.name}
    facts |= {"steps": str(len(state.steps)), "ended": ended.stop.value}
    facts |= {"tree": state.tree} if state.tree else {}
    facts |= paid(state.spent) | {"seconds": f"{state.spent.seconds:.3f}"}
    return Seen(said_of(stage.procedure, role, ended), facts)
