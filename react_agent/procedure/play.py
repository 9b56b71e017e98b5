"""Execute a procedure turn by turn: choose the speaker, run the turn, and choose the next state.

A turn is a limited run of the same agent loop with its own transcript. The next entry depends only
on the transcript, so that an interrupted run continues as it would have without the interruption.
Answers of the model are recorded in the transcript, so that no request is repeated.

In a cooperative procedure, a role sees all messages. In a competitive procedure, it sees the
messages since the state was entered and its own earlier messages.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum, log

from react_agent.guards.means import Asking
from react_agent.loop.agent import carry_out, until_stopped
from react_agent.loop.agent import run as run_agent
from react_agent.loop.guards import limit_reached
from react_agent.memory.index import COMMON, words
from react_agent.models.contract import View
from react_agent.models.replay import asked_before
from react_agent.parsers.answers.speech import process, read_name, read_number
from react_agent.parsers.settings.procedure import END, Controller, Phase, Procedure, Role, Sharing
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.procedure.course import BY, PICKED, SHARED, SUMMARY, Course, Memory, event
from react_agent.procedure.roles import LAST, of_header, role_project
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_setup import Ended, Inner, Run, inner_run
from react_agent.runs.work_tree import WorkTree
from react_agent.state import transcript as transcripts
from react_agent.state.events import ENTERED, JUDGED
from react_agent.state.state import State, Stop, stop_event
from react_agent.state.transcript import next_sub
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Limits
from react_agent.tools.registry import Kind as ToolKind

JUDGE, RULE, SUMMARIZE = "judge", "rule", "summary"  # what a model is asked for
_OBJECTIVE = Limits(output_chars=3000, line_chars=1500)
_SUMMARY = 2000  # characters
_SHORTEN = (
    "Summarize what was said so far, as it matters in the scene above: the most important things "
    "that were found out, done and agreed, with the names of files and symbols as they are."
)
_FORMAT = "Answer in this form: history summary: what you wrote"
_HEAD = "history summary:"
_NEW = Limits(output_chars=6000, line_chars=3000)  # of one entry
_EARLIER = Limits(output_chars=1200, line_chars=1000)
_NEAR = "Said earlier, as far as it has to do with this:"
_ADVICE = "the rest was not kept"
_YOU = "you"


def shared(course: Course, procedure: Procedure) -> list[Memory]:
    """Return the messages that all roles in the current state may see."""
    return course.memory[_start(course, procedure) :]


def _start(course: Course, procedure: Procedure) -> int:
    return course.entered_at if procedure.sharing is Sharing.COMPETITIVE else 0


def _summary_for(course: Course, procedure: Procedure, role: Role | None) -> str:
    """Return the role's own summary, or else the shared summary."""
    found = (course.summaries.get(whose) for whose in ([role.name] if role else []) + [SHARED])
    start = _start(course, procedure)
    return next((one.text for one in found if one and one.text and one.made > start), "")


def relevant(entries: Sequence[Memory], query: str, most: int) -> tuple[Memory, ...]:
    """Return the entries that share the rarest words with the query, in their original order."""
    if not most or not query:
        return ()
    held = [words(one.text) - COMMON for one in entries]
    asked, among = words(query) - COMMON, Counter(word for one in held for word in one)
    scores = [fsum(log(1 + len(entries) / among[word]) for word in one & asked) for one in held]
    ranked = sorted(range(len(entries)), key=lambda at: (-scores[at], -at))
    best = sorted(at for at in ranked[:most] if scores[at] > 0)
    return tuple(entries[at] for at in best)


def sight_lines(course: Course, procedure: Procedure, role: Role) -> Iterator[str]:
    """Yield the paragraphs shown to a role. All lines of earlier messages are indented."""
    name, start, at = role.name, _start(course, procedure), course.last_of(role.name)
    last, new = course.memory[at - 1] if at else None, course.memory[max(start, at) :]
    most = 2 * procedure.summary_every - 1 if procedure.summary_every else len(new)
    shown = new[max(len(new) - most, 0) :]
    seen_before = [one for one in course.memory[:start] if one.name == name]
    earlier = [*seen_before, *course.memory[start : len(course.memory) - len(shown)]]
    earlier = [one for one in earlier if one is not last]
    latest = shown[-1] if shown else last
    query = latest.text if latest else ""
    if near := relevant(earlier, query, procedure.relevant_history):
        yield _paragraph(_NEAR, near, name, _EARLIER)
    if summary := _summary_for(course, procedure, role):
        yield _in_short(summary)
    if last:
        yield f"What you said last:\n{_indented(clip(last.text, _NEW, _ADVICE))}"
    if shown:
        since, left_out = "Said since then" if last else "Said so far", len(new) - len(shown)
        gone = f", without the {counted(left_out, 'entry')} before" if left_out else ""
        yield _paragraph(f"{since}, the oldest first{gone}:", shown, name)


def _in_short(summary: str) -> str:
    return f"Summary of the conversation so far:\n{_indented(summary)}"


def _paragraph(title: str, entries: Iterable[Memory], name: str = "", limits: Limits = _NEW) -> str:
    lines = [title]
    for one in entries:
        speaker = _YOU if one.name == name else one.name
        first, *more = clip(one.text, limits, _ADVICE).split("\n")
        lines.append(f"  {speaker} (in {one.phase}): {first}")
        lines += (f"    {line}" if line else "" for line in more)
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))


def judge_view(procedure: Procedure, phase: Phase, course: Course, objective: str) -> View:
    means = {phase.name: "it is not done yet", END: "all is done"}
    edges = "\n".join(
        f"  {number}: {means.get(to, f'what comes next is {to}')}"
        for number, to in enumerate(phase.next)
    )
    system = (
        "Roles work on an objective in turns. You judge whether what this state is for is done; "
        f"you do none of it yourself.\n\n{phase.judge}\n\n"
        f"Answer with one digit and nothing else, as in `Next: 0`. It means:\n{edges}"
    )
    return _view(phase, system, _told(procedure, phase, course, objective), "Next:")


def rule_view(procedure: Procedure, phase: Phase, course: Course, objective: str) -> View:
    roles = "\n".join(
        f"  {role.key}: {clip_line(one_line(role.task), 200)}" for role in phase.roles
    )
    last = f" It cannot be {course.speaker}, who spoke last." if course.speaker else ""
    system = (
        "Roles work on an objective in turns. You say who speaks next; you do none of it yourself."
        f"\n\n{phase.choose}\n\nAnswer with one name and nothing else, as in "
        f"`Next: {phase.roles[0].key}`.{last} The roles are:\n{roles}"
    )
    return _view(phase, system, _told(procedure, phase, course, objective), "Next:")


def chosen(phase: Phase, course: Course, answer: str) -> str | None:
    """Return the key of the role named in the answer, or None if it is unknown or spoke last."""
    key_of = {name: role.key for role in phase.roles for name in (role.name, role.key)}
    key = read_name(answer, key_of)
    return key if key != course.speaker else None


def summary_view(
    procedure: Procedure, phase: Phase, course: Course, entries: Sequence[Memory], role: Role | None
) -> View:
    """Return the prompt that requests a summary of the given entries, for one role or for all."""
    before = _summary_for(course, procedure, role)
    earlier = shared(course, procedure)[: -len(entries)] if entries else []
    query = entries[-1].text if entries else ""
    near = relevant(earlier, query, procedure.relevant_history)
    told = (
        f"The summary before:\n{_indented(before)}" if before else "",
        _paragraph("Said earlier, as far as it has to do with it:", near) if near else "",
        _paragraph("Said since then:", entries),
    )
    system = f"{phase.summary_prompt or _SHORTEN}\n\n{_FORMAT}"
    return _view(phase, system, told, "History summary:")


def summarized(answer: str) -> str:
    """Extract the summary from the answer as a single line, or return "" if there is none."""
    said = one_line(without_reasoning(answer)).strip("*_ ")
    if said.casefold().startswith(_HEAD):
        said = said[len(_HEAD) :].strip("*_ ")
    return clip_line(said, _SUMMARY)


def _told(procedure: Procedure, phase: Phase, course: Course, objective: str) -> Iterator[str]:
    """Yield the objective and the messages in this state, at least one, the last one separately."""
    here = course.memory[course.entered_at :]
    earlier = [one for one in shared(course, procedure) if one not in here]
    yield f"The objective:\n{_indented(clip(objective, _OBJECTIVE, 'it is longer'))}"
    if summary := _summary_for(course, procedure, None):
        yield _in_short(summary)
    if near := relevant(earlier, here[-1].text, procedure.relevant_history):
        yield _paragraph(_NEAR, near)
    if len(here) > 1:
        yield _paragraph(f"Said in this state ({phase.name}), the oldest first:", here[:-1])
    yield _paragraph("Said last:", here[-1:])


def _view(phase: Phase, system: str, told: Iterable[str], tail: str) -> View:
    """Return a prompt that starts with the description of the state."""
    head = "\n\n".join(filter(None, (phase.environment, system)))
    task = "\n\n".join(filter(None, told))
    return View(f"{escape(head)}\n\n", f"{escape(task)}\n\n", (), tail)


BEGIN = "begin"  # the words of a turn are the procedure's
_OF_ALL = (  # reasons that stop all turns
    *(Stop.OUT_OF_TOKENS, Stop.OUT_OF_TIME, Stop.OUT_OF_MONEY),
    *(Stop.MODEL_FAILED, Stop.PROMPT_EXHAUSTED, Stop.INTERRUPTED),
)
_GIST = 400  # characters of a last thought
_AGAIN = " It was not judged to be done yet: do what is missing."


class Over(Exception):
    """Raised when the procedure can't continue."""

    def __init__(self, stop: Stop, reason: str) -> None:
        super().__init__(reason)
        self.stop = stop


@dataclass(frozen=True, slots=True)
class Play:
    run: Run
    around: Surroundings
    procedure: Procedure
    course: Course

    @property
    def state(self) -> State:
        return self.run.transcript.state

    @property
    def turn(self) -> int:
        """The number of the current turn, or of the next turn if none is open."""
        return len(self.state.steps) + 1

    @property
    def objective(self) -> str:
        """The objective, followed by the user's messages."""
        return "\n\n".join(filter(None, (self.state.objective, self.state.all_told.strip())))

    def asked(self, purpose: str, view: View) -> str:
        """Call the model once. Return its answer, or "" if the call fails. Raises Over."""
        if (answer := self.course.answers.get(purpose)) is not None:
            return answer
        self.check_budget()
        agent = self.run.agent
        model = asked_before(agent.model, self.course.asked)
        ask = Asking(model, self.run.transcript, agent.budget, agent.clock)
        return ask(view, agent.budget.reply, purpose).text

    def check_budget(self) -> None:
        """Raise Over if the budget does not allow another step."""
        steps = 0 if self.course.to_judge else self.course.steps
        if reached := limit_reached(self.run.agent.budget, self.state.spent, steps, 1):
            raise Over(*reached)


def play(run: Run, around: Surroundings) -> Stop:
    """Execute the procedure until the run stops, or just the agent if there is only one turn."""
    procedure = of_header(run.transcript.state.procedure)
    if procedure is None or procedure.only_phase:
        return run_agent(run.agent)
    course = Course()
    for entry in transcripts.read(run.transcript.path).entries:
        course.take(entry)
    run.transcript.listeners = (*run.transcript.listeners, course.take)
    one = Play(run, around, procedure, course)

    def write_next() -> None:
        state, agent = run.transcript.state, run.agent
        said = () if state.pending else around.said(state)
        try:
            run.transcript.append(*(said or _due(one)))
        except Over as over:
            run.transcript.append(stop_event(over.stop, str(over)))
        carry_out(said, state, agent.files, agent.context.background)

    return until_stopped(run.transcript, run.agent.clock, write_next)


def _due(play: Play) -> Sequence[Entry]:
    """Return the next entries to append to the transcript."""
    course, procedure = play.course, play.procedure
    if play.state.pending:
        return [_resolved(play, play.state.pending)]
    phase = procedure.phase(course.phase)
    if phase is None and (course.is_told or not course.phase):
        return [event(ENTERED, {"state": procedure.phases[0].name})]
    if phase is None:  # the conclusion of the whole is what the last role came to
        said = course.memory[-1].text if course.memory else ""
        turn = Turn(Kind.CONCLUSION, f"{END} is reached", conclusion=said)
        return [Said(turn, None, {"n": str(play.turn), "by": BY})]
    if phase.begin_query and phase.name not in course.begun:
        role = phase.role(phase.first_role) or phase.roles[0]
        thought = f"{phase.name}, as the procedure begins it"
        return [_speaks(play, role, thought, how=BEGIN), _begin_query(play, phase, role)]
    every, count = procedure.summary_every, len(course.memory)
    if every and count and not count % every and not course.is_summed_up(SHARED):
        return [_summary(play, phase, shared(course, procedure)[-every:], None)]
    return _judged(play, phase) if course.to_judge else [_next(play, phase)]


def _judged(play: Play, phase: Phase) -> list[Event]:
    """Choose the next state of the procedure, and return the events that record the choice."""
    number, by = 0, "only"
    if len(phase.next) > 1 and play.course.turns >= phase.maximum_turns:
        number, by = len(phase.next) - 1, "turns"
    elif len(phase.next) > 1:
        view = judge_view(play.procedure, phase, play.course, play.objective)
        read = read_number(play.asked(JUDGE, view), len(phase.next))
        number, by = (0, "unreadable") if read is None else (read, JUDGE)
    to = phase.next[number]
    facts = {"state": phase.name, "edge": str(number), "to": to, "by": by}
    moved = [] if to == phase.name else [event(ENTERED, {"state": to})]
    return [event(JUDGED, facts), *moved]


def _next(play: Play, phase: Phase) -> Entry:
    """Start the next turn, or first summarize the messages if the role has missed many of them."""
    play.check_budget()
    role, course = _speaker(play, phase), play.course
    if isinstance(role, Event):
        return role
    every, last = play.procedure.summary_every, course.last_of(role.name)
    missed = len(course.memory) - last
    if every and last and missed >= every and not course.is_summed_up(role.name):
        return _summary(play, phase, shared(course, play.procedure)[-missed:], role)
    return _speaks(play, role, f"{phase.name}, {_turn_of(course, phase)}")


def _speaker(play: Play, phase: Phase) -> Role | Event:
    """Return the next speaker, or an event that records a random choice or a model's choice."""
    course, keys = play.course, [role.key for role in phase.roles]
    key = course.picked
    if not key and (len(keys) == 1 or not course.speaker):
        key = phase.first_role
    elif not key and phase.controller is Controller.ORDER:
        at = keys.index(course.speaker) if course.speaker in keys else -1
        key = keys[(at + 1) % len(keys)]
    if key:
        return phase.role(key) or phase.roles[0]
    if phase.controller is not Controller.RANDOM:
        view = rule_view(play.procedure, phase, course, play.objective)
        if named := chosen(phase, course, play.asked(RULE, view)):
            return event(PICKED, {"role": named, "by": RULE})
        keys = [key for key in keys if key != course.speaker]
    seed = f"{play.state.header.get('seed', '')}:{play.turn}"  # the same in every run with it
    drawn = random.Random(seed).choice(keys)
    return event(PICKED, {"role": drawn, "by": Controller.RANDOM})


def _summary(play: Play, phase: Phase, entries: Sequence[Memory], role: Role | None) -> Event:
    """Return an event with a new summary. If its text is empty, the previous summary is kept."""
    view = summary_view(play.procedure, phase, play.course, entries, role)
    said = summarized(play.asked(SUMMARIZE, view))
    facts = {"of": role.name if role else SHARED, "at": str(len(play.course.memory))}
    return event(SUMMARY, facts, said)


def _speaks(play: Play, role: Role, thought: str, **facts: str) -> Said:
    written = {"n": str(play.turn), "by": BY, **facts}
    return Said(Turn(Kind.ACTION, thought, role.key), None, written)


def _begin_query(play: Play, phase: Phase, role: Role) -> Seen:
    facts = {"n": str(play.turn), "by": BY, "status": "ok", "name": role.name}
    return Seen(phase.begin_query, facts)


def _resolved(play: Play, said: Said) -> Entry:
    """Return the entry that ends an open turn, or that ends the run after its conclusion."""
    course = play.course
    if said.turn.kind is Kind.CONCLUSION:
        if course.ended == Stop.CONCLUDED:
            return stop_event(Stop.CONCLUDED, "by the last state")
        return stop_event(Stop.GAVE_UP, f"the last turn ended as {course.ended}")
    phase = play.procedure.phase(course.phase)
    role = phase.role(said.turn.action) if phase else None
    if phase is None or role is None:  # a person wrote it
        raise Over(Stop.STUCK, f"{said.turn.action} has no turn in {course.phase}")
    if said.facts.get("how") == BEGIN:
        return _begin_query(play, phase, role)
    ended = _turn_played(play, phase, role)
    is_over = course.steps + len(ended.state.steps) >= play.run.agent.budget.steps
    if ended.stop in _OF_ALL or (ended.stop is Stop.OUT_OF_STEPS and is_over):
        raise Over(ended.stop, f"in turn {play.turn}: {ended.state.stop_reason}")
    return _seen(play, role, ended)


def _turn_played(play: Play, phase: Phase, role: Role) -> Ended:
    """Execute or resume a turn. The judge decides later whether the state is complete."""
    run, around, course = play.run, play.around, play.course
    project = role_project(run.project, play.procedure, (phase, role), around.settings)
    budget = project.profile.budget
    left = min(budget.steps, run.agent.budget.steps - course.steps)
    files = WorkTree(
        *(run.workspace, around.cuts, project.registry, run.agent.context, around.tell),
        run.folder.path / next_sub(play.state),
    )
    again = _AGAIN if course.turns and course.speaker == role.key else ""
    turn = _turn_of(course, phase)
    place = f"[You are {role.name}. This is {turn} in the state {phase.name}.{again}]"
    seen = sight_lines(course, play.procedure, role)
    last = [Event(LAST, one_line(role.last))] if role.last else []
    own = project.wanted.model
    amended = [Event("amended", own)] if own != run.project.wanted.model else []
    inner = Inner(
        replace(project.profile, budget=replace(budget, steps=left)),
        "\n\n".join((play.objective, *seen, place)),
        role.model,
        (Event("state", phase.name), Event("role", role.key), *last, *amended),
        play.state.about,
        around.within,
    )
    return inner_run(run.agent, inner, run.agent.context, files, around)


def _turn_of(course: Course, phase: Phase) -> str:
    """Return a phrase with the number of the turn."""
    if len(phase.next) == 1:
        return "the only turn"
    return f"turn {course.turns + 1} of at most {phase.maximum_turns}"


def _seen(play: Play, role: Role, ended: Ended) -> Seen:
    """Return the observation of a turn: its message in the first person, its files and its cost."""
    state = ended.state
    said = process(state.conclusion, (role.name, role.key), play.procedure.names)
    if not said:
        steps = counted(len(state.steps), "step")
        last = state.steps[-1].said.turn.thought if state.steps else ""
        thought = f" My last thought was: {headline(last, _GIST)}" if last else ""
        said = f"(I came to no conclusion: my turn ended as {ended.stop} after {steps}.{thought})"
    facts = {"n": str(play.turn), "by": BY, "status": "ok"}
    if state.wrote:
        facts |= {"kind": ToolKind.WRITE.value, "paths": write_list(sorted(state.wrote))}
    facts |= {"name": role.name, "sub": ended.name}
    facts |= {"steps": str(len(state.steps)), "ended": ended.stop.value}
    facts |= {"tree": state.tree} if state.tree else {}
    return Seen(said, facts | state.spent.facts | {"seconds": f"{state.spent.seconds:.3f}"})
