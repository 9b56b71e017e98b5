"""A procedure, turn by turn: who speaks, what it comes to, which state is next.

What is due follows from the transcript alone, so that a run that was broken off goes on as it would
have. A model that was asked something is not asked it again: its answer is in the transcript.
"""

from collections.abc import Sequence

from react_agent.errors import ModelError, TimeUp
from react_agent.loop import transcript as transcripts
from react_agent.loop.agent import run as run_agent
from react_agent.loop.stop import Stop, stop_event
from react_agent.parsers.settings.procedure import END, Phase, Role
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.procedure.course import BY, ENTERED, JUDGED, Course, course_of, event
from react_agent.procedure.files import of_header
from react_agent.procedure.prompts import JUDGE, judge_view, judged
from react_agent.procedure.scene import Over, Scene
from react_agent.procedure.speaker import speaker
from react_agent.procedure.summing_up import own_summary_due, summary_due
from react_agent.procedure.turn import Stage, played, seen_of, turn_of
from react_agent.runs.agents import Ended
from react_agent.runs.run_setup import Run
from react_agent.runs.surroundings import Surroundings

BEGIN = "begin"  # the words of a turn are the procedure's
_BY_WHAT = "by the keyboard, a signal or closed output"
_OF_ALL = (  # limits that all turns share
    *(Stop.OUT_OF_TOKENS, Stop.OUT_OF_TIME, Stop.OUT_OF_MONEY),
    *(Stop.MODEL_FAILED, Stop.PROMPT_EXHAUSTED),
)


def play(run: Run, around: Surroundings) -> Stop:
    """Until there is a reason to stop; without a procedure, or in one of one turn, by the loop."""
    procedure = of_header(run.transcript.state.procedure)
    if procedure is None or procedure.only_phase:
        return run_agent(run.agent)
    course = course_of(transcripts.read(run.transcript.path).entries)
    run.transcript.listeners = (*run.transcript.listeners, course.take)
    return _played(Scene(Stage(run, around, procedure), course))


def _played(scene: Scene) -> Stop:
    transcript = scene.stage.run.transcript
    try:
        while scene.state.stop is None:
            transcript.append(*_due(scene))
    except Over as over:
        transcript.append(stop_event(over.stop, str(over)))
    except TimeUp as error:
        transcript.append(stop_event(Stop.OUT_OF_TIME, str(error)))
    except ModelError as error:
        transcript.append(stop_event(Stop.MODEL_FAILED, str(error)))
    except KeyboardInterrupt:
        transcript.append(stop_event(Stop.INTERRUPTED, _BY_WHAT))
    return scene.state.stop or Stop.INTERRUPTED


def _due(scene: Scene) -> Sequence[Entry]:
    """What is to be written next."""
    course, procedure = scene.course, scene.procedure
    if scene.state.pending:
        return [_came_of(scene, scene.state.pending)]
    if not course.phase:
        return [event(ENTERED, {"state": procedure.phases[0].name})]
    phase = procedure.phase(course.phase)
    if phase is None:
        return [_conclusion(scene)]
    if phase.begin_query and phase.name not in course.begun:
        return _begun(scene.stage, phase)
    if summary := summary_due(scene, phase):
        return [summary]
    return _judged(scene, phase) if course.to_judge else [_next(scene, phase)]


def _judged(scene: Scene, phase: Phase) -> list[Event]:
    number, by = _edge(scene, phase)
    to = phase.next[number]
    facts = {"state": phase.name, "edge": str(number), "to": to, "by": by}
    moved = [] if to == phase.name else [event(ENTERED, {"state": to})]
    return [event(JUDGED, facts), *moved]


def _edge(scene: Scene, phase: Phase) -> tuple[int, str]:
    """And what says so."""
    if len(phase.next) == 1:
        return 0, "only"
    if scene.course.turns >= phase.maximum_turns:
        return len(phase.next) - 1, "turns"
    view = judge_view(scene.procedure, phase, scene.course, scene.objective)
    number = judged(phase, scene.asked(JUDGE, view))
    return (0, "unreadable") if number is None else (number, JUDGE)


def _next(scene: Scene, phase: Phase) -> Entry:
    scene.check_budget()
    role = speaker(scene, phase)
    if isinstance(role, Event):
        return role
    if summary := own_summary_due(scene, phase, role):
        return summary
    return _speaks(scene.stage, role, f"{phase.name}, {turn_of(scene.course, phase)}")


def _came_of(scene: Scene, said: Said) -> Entry:
    if said.turn.kind is Kind.CONCLUSION:
        return stop_event(*_end(scene.course))
    phase = scene.procedure.phase(scene.course.phase)
    role = phase.role(said.turn.action) if phase else None
    if phase is None or role is None:  # a person wrote it
        raise Over(Stop.STUCK, f"{said.turn.action} has no turn in {scene.course.phase}")
    if said.facts.get("how") == BEGIN:
        return _begin_query(scene.stage, phase, role)
    ended = played(scene.stage, scene.course, phase, role)
    _check_ended(scene, ended)
    return seen_of(scene.stage, role, ended)


def _check_ended(scene: Scene, ended: Ended) -> None:
    """What ends a turn only, and what ends all of it. Raises Over."""
    if ended.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    limit = scene.stage.run.agent.budget.steps
    is_over = scene.course.steps + len(ended.state.steps) >= limit
    if ended.stop in _OF_ALL or (ended.stop is Stop.OUT_OF_STEPS and is_over):
        raise Over(ended.stop, f"in turn {scene.stage.turn}: {ended.state.stop_reason}")


def _conclusion(scene: Scene) -> Said:
    """Of the whole: what the last role came to."""
    said = scene.course.memory[-1].text if scene.course.memory else ""
    facts = {"n": str(scene.stage.turn), "by": BY}
    return Said(Turn(Kind.CONCLUSION, f"{END} is reached", conclusion=said), None, facts)


def _end(course: Course) -> tuple[Stop, str]:
    if course.ended == Stop.CONCLUDED:
        return Stop.CONCLUDED, "by the last state"
    return Stop.GAVE_UP, f"the last turn ended as {course.ended}"


def _speaks(stage: Stage, role: Role, thought: str, **facts: str) -> Said:
    written = {"n": str(stage.turn), "by": BY, **facts}
    return Said(Turn(Kind.ACTION, thought, role.key), None, written)


def _begun(stage: Stage, phase: Phase) -> list[Entry]:
    role = phase.role(phase.first_role) or phase.roles[0]
    said = _speaks(stage, role, f"{phase.name}, as the procedure begins it", how=BEGIN)
    return [said, _begin_query(stage, phase, role)]


def _begin_query(stage: Stage, phase: Phase, role: Role) -> Seen:
    facts = {"n": str(stage.turn), "by": BY, "status": "ok", "name": role.name}
    return Seen(phase.begin_query, facts)
