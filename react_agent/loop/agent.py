"""The agent loop: prompt the model, parse its reply, run the tool, record the observation.

Special behavior belongs in a guard, a tool or a profile, not in the loop itself.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from react_agent.errors import MachineError, ModelError, ReactAgentError, TimeUp
from react_agent.guards.gate import Asked, came_of
from react_agent.guards.means import Asking, Means, lost_event, notes_of, usage_facts
from react_agent.loop.guards import Guard, budget, exhausted, resting
from react_agent.loop.guide import guide, guided
from react_agent.models.contract import CUT_SHORT, Completion, Model, Show, Usage, Why, fingerprint
from react_agent.parsers.edits.unlabelled_edit import as_edit
from react_agent.parsers.servers.rewriting import as_meant
from react_agent.parsers.text.printed import MENDED
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.parsers.transcript.writer import turn_text
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn, to_the_letter
from react_agent.profiles.profile import Budget, Profile
from react_agent.prompt.view import budget_told, limits_now, next_prompt, reply_room, view
from react_agent.state.state import (
    ANSWER,
    ASKED,
    OVERFLOW,
    REDRAWN,
    REFUSES,
    RESUMES,
    State,
    Stop,
    on_which,
    started_in,
    stop_event,
)
from react_agent.state.steps import RETRACTED, Step, whole_number
from react_agent.state.transcript import Transcript
from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import work_files
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import CHANGES_FILES, Answer, How, Registry
from react_agent.tools.registry import Kind as ToolKind
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.run import news, running

PROMPT = "react_agent.prompt"
STOP_AT = (DEFAULT.write(Label.OBSERVATION),)
_LINES_OF_A_REPLY = 8
_UNDONE = (
    "the files could not be recorded after this step,"
    " so they were restored to their state before it"
)
_SHORTEST_COMMAND = 1.0  # seconds
_MARKS = (
    "[marks of ours: a label at the start of a line is shown behind `\\`, a character that can't "
    "be seen as `<U+...>`; what is shown here has neither in it]"
)
_SHOWS_FILES = (ToolKind.READ, ToolKind.SEARCH)
_MAY_END_OTHERWISE = (ToolKind.RUN, ToolKind.TEST)
_DRAWS = 2  # extra draws for one step


class Files(Protocol):
    listed: str  # the last checkpoint, if it holds exactly the files that exist

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        """Record the current files of the work tree, and return the id of their git tree."""
        ...

    def wrote(self, state: State, tree: str) -> Mapping[str, str]:
        """Return a fact that lists the files changed by the step, with their line counts."""
        ...

    def bring_back(self, state: State) -> None:
        """Restore the work tree to its state after the last step that was not undone."""
        ...


@dataclass(frozen=True, slots=True)
class Agent:
    """The model, tools, guards and files that are used in one run."""

    profile: Profile
    transcript: Transcript
    model: Model
    registry: Registry
    context: Context
    guards: tuple[Guard, ...]
    system: str
    system_tokens: int
    files: Files
    clock: Callable[[], float]
    show: Show
    remind: Callable[[str, int], list[str]] | None = None  # what memory holds of a Thought
    gate: Asked | None = None  # the open points at a conclusion

    @property
    def limited(self) -> Profile:
        """The profile with the limits that apply now."""
        return replace(self.profile, budget=self.budget)

    @property
    def budget(self) -> Budget:
        """The limits in the transcript, which may change, or those of the profile."""
        return budget_told(self.transcript.state) or self.profile.budget


def run(agent: Agent) -> Stop:
    """Execute steps until there is a reason to stop, then record and return that reason."""
    state = agent.transcript.state

    def act() -> None:
        if state.pending:
            entries: Sequence[Entry] = _came_of(agent, state.pending)
        else:
            entries = _guarded(agent) or _said(agent)
        agent.transcript.append(*entries)
        carry_out(entries, state, agent.files, agent.context.background)

    return until_stopped(agent.transcript, agent.clock, act)


def until_stopped(
    transcript: Transcript, clock: Callable[[], float], act: Callable[[], None]
) -> Stop:
    """Call `act` until the run stops. Record a timeout, model error or interrupt as the reason,
    and the time of the failed action that is not recorded yet.
    """
    state, repeated = transcript.state, tuple[Usage, ...]()
    begun = clock() - state.spent.seconds
    try:
        while state.stop is None:
            begun = clock() - state.spent.seconds
            act()
        return state.stop
    except TimeUp as error:
        stop, repeated = stop_event(Stop.OUT_OF_TIME, str(error)), error.repeated
    except ModelError as error:
        stop, repeated = stop_event(Stop.MODEL_FAILED, str(error)), error.repeated
    except KeyboardInterrupt:
        stop = stop_event(Stop.INTERRUPTED, "by the keyboard, a signal or closed output")
    seconds = max(clock() - begun - state.spent.seconds, 0.0)
    transcript.append(*map(lost_event, repeated), lost_event(None, seconds), stop)
    return state.stop or Stop.INTERRUPTED


def _guarded(agent: Agent) -> Sequence[Entry]:
    """Return the entries of the first guard that returns any. Later guards are not called."""
    state = agent.transcript.state
    means = Means(
        agent.limited,
        next_prompt(state, agent.system_tokens, agent.budget.steps),
        agent.system_tokens,
        offered=frozenset(agent.registry.visible),
        ask=Asking(agent.model, agent.transcript, agent.budget, agent.clock),
        look=partial(_looked, agent),
        gate=agent.gate,
        remind=agent.remind,
        files=work_files(_as_it_stands(agent)),
    )
    guards = dict.fromkeys((*agent.guards, budget, exhausted))  # these two run for every profile
    said = (guard(state, means) for guard in guards)
    return next(filter(None, said), [])


def _looked(agent: Agent, name: str, given: str) -> Observation:
    """Call a read-only tool for a guard. The call does not count as a step or involve the model."""
    tool = agent.registry.tool(name)
    if tool is None or tool.kind not in _SHOWS_FILES:
        return failed(f"{name} is not a read-only tool here")
    return agent.registry.call(name, given, _as_it_stands(agent)).observation


def _said(agent: Agent) -> Sequence[Entry]:
    state = agent.transcript.state
    shown = replace(view(state, agent.system, agent.budget.steps), draw=state.redraws)
    if any(step.said.turn.kind is Kind.MALFORMED for step in state.standing):
        shown = replace(shown, tools=tuple(agent.registry.visible))
    if guide in agent.guards:
        shown = guided(shown, state, work_files(_as_it_stands(agent)))
    prompt = next_prompt(state, agent.system_tokens, agent.budget.steps)
    sys.audit(PROMPT, shown, agent.registry)  # our tests check every prompt
    started = agent.clock()
    completion = agent.model.complete(
        shown,
        stop=STOP_AT,
        max_output=reply_room(state, agent.budget, prompt),
        deadline=started + agent.budget.seconds - state.spent.seconds,
        show=agent.show,
    )
    notes, seconds = notes_of(completion), agent.clock() - started
    if completion.why is Why.CONTEXT:
        sizes = {**_sizes(completion, prompt), "seconds": f"{seconds:.3f}"}
        paid = [lost_event(completion.usage)] if completion.raw_reason else []  # it had begun
        return *notes, *paid, Event(OVERFLOW, write_facts(sizes))
    if completion.why is Why.REFUSAL:
        stop = stop_event(Stop.MODEL_FAILED, f"{REFUSES}: {completion.raw_reason}")
        return *notes, lost_event(completion.usage, seconds), stop
    text = agent.transcript.redact(completion.text)  # run exactly what is written
    names, alone = agent.registry.names, agent.registry.names_without_input
    read = partial(parse_turn, text, tools=names, no_argument_tools=alone)
    turn = parsed = read(why=completion.why)
    if turn.kind is Kind.MALFORMED and completion.why in (Why.END, Why.STOP):
        acts = agent.context.edit_without_label
        offered = agent.registry.visible
        turn = as_edit(turn, text, work_files(agent.context), offered, acts=acts)
    if not agent.context.repair_input:
        turn = to_the_letter(turn)
    turn = as_meant(turn)
    facts, raw, why = usage_facts(completion), _raw(text, turn), completion.why
    depends_on_end = why is Why.END and raw is not None and read(why=Why.STOP) != parsed
    if why in CUT_SHORT or depends_on_end:  # a replay reads it again
        facts["why"] = why.value
    facts["seconds"] = f"{seconds:.3f}"
    if _is_drawn_again(agent.model, state, turn, text):
        return *notes, Event(ASKED, write_facts({"for": REDRAWN, ANSWER: text, **facts}))
    about = {"n": str(len(state.steps) + 1), "prompt": fingerprint(shown)}
    return *notes, Said(turn, raw, about | facts)


def _is_drawn_again(model: Model, state: State, turn: Turn, reply: str) -> bool:
    """Return whether to retry at a higher temperature because the same reply failed before.

    The transcript records the rejected reply, so a resumed run continues with the next attempt.
    """
    has_temperature = getattr(model, "is_drawn", False)
    if not has_temperature or state.redraws >= _DRAWS or turn.kind is Kind.CONCLUSION:
        return False
    for step in reversed(state.standing):
        if step.has_written:
            return False
        if step.status is Status.FAILED and _is_same_reply(step, turn, reply):
            return step.kind not in _MAY_END_OTHERWISE
    return False


def _is_same_reply(step: Step, turn: Turn, reply: str) -> bool:
    before = step.said.turn
    if turn.kind is Kind.MALFORMED:
        return before.kind is turn.kind and (step.said.raw or "").strip() == reply.strip()
    same_call = before.action == turn.action and before.input.strip() == turn.input.strip()
    return before.kind is turn.kind and same_call


def _sizes(completion: Completion, expected: int) -> dict[str, str]:
    """Return the size of an overlong prompt, as counted by the endpoint or else as estimated."""
    usage, window = completion.usage, completion.window
    told = {"prompt": str(expected), "estimated": "yes"}
    if usage and not usage.is_estimate:
        told = {"prompt": str(usage.prompt)}
    return told | ({"window": str(window)} if window else {})


def _raw(reply: str, turn: Turn) -> str | None:
    """Return the raw reply, or None if it can be reproduced from the parsed turn."""
    written = turn_text(turn).strip()
    bare = reply.strip()
    label = DEFAULT.write(Label.THOUGHT)
    return None if written in (bare, f"{label} {bare}") and not turn.problem else reply


def _came_of(agent: Agent, said: Said) -> tuple[Entry, ...]:
    match said.turn.kind:
        case Kind.CONCLUSION:
            state = agent.transcript.state
            return came_of(said.turn.conclusion, state, agent.budget.steps, agent.gate)
        case Kind.MALFORMED:
            return (Seen(_not_read(said), {"status": "failed"}),)
        case Kind.ACTION:
            return (_seen(agent, said.turn),)


def _not_read(said: Said) -> str:
    """Return why the reply could not be parsed, and its first lines unless the thought has them."""
    text = f"Your reply could not be read: {said.turn.problem}."
    lines = (said.raw or "").strip().split("\n")
    if said.turn.thought == "\n".join(lines):
        return text
    more = "\n..." if len(lines) > _LINES_OF_A_REPLY else ""
    shown = "\n".join(f"> {line}" for line in lines[:_LINES_OF_A_REPLY])
    return f"{text} It began:\n{shown}{more}"


def _seen(agent: Agent, turn: Turn) -> Seen:
    state = agent.transcript.state
    started = agent.clock()
    context = _as_it_stands(agent)
    if not context.root.is_dir():  # it was removed, or its disk is gone
        agent.files.bring_back(state)
    answer = agent.registry.call(turn.action, turn.input, context, resting(state, turn.input))
    facts = {"n": str(len(state.steps) + 1)}
    if answer.kind in CHANGES_FILES:
        facts["on"] = on_which(state)
        answer, facts["tree"] = _written_down(agent, answer, context)
        facts |= agent.files.wrote(state, facts["tree"])
    text, printed, commands = answer.observation.text, news(context), running(context)
    if printed:  # by background commands
        text += f"\n\n[meanwhile] {printed}"
    facts |= _facts(answer)
    if commands:
        facts["running"] = write_list(commands)
    facts["seconds"] = f"{agent.clock() - started:.3f}"
    # The model must not copy our marks into files.
    marks = f"\n{_MARKS}" if quote_world(text) != text else ""
    return Seen(f"{_mended(turn)}{text}{marks}", facts)


def _mended(turn: Turn) -> str:
    """Return a line about repairs of the reply, since the transcript tells what really ran."""
    return f"{MENDED}{'; '.join(turn.repairs)}.)\n" if turn.repairs else ""


def answer_in(step: Step) -> str:
    """Return the text of the observation as the tool returned it."""
    text = step.seen.text.removeprefix(_mended(step.said.turn))
    return text.removesuffix(f"\n{_MARKS}")


def _as_it_stands(agent: Agent) -> Context:
    """Return the tool context with the remaining time, the output limits and the current folder."""
    state, limits = agent.transcript.state, agent.context.limits
    left = agent.budget.seconds - state.spent.seconds
    seconds = min(limits.command_seconds, max(left, _SHORTEST_COMMAND))
    limits = limits_now(limits, agent.limited, state)
    return replace(
        agent.context,
        limits=replace(limits, command_seconds=seconds),
        cwd=state.cwd,
        plan=state.plan,
        last_edit=state.last_edit,
        tree=agent.files.listed,
    )


def _written_down(agent: Agent, answer: Answer, context: Context) -> tuple[Answer, str]:
    """Record a checkpoint of the files, or undo the step if that fails. Raises MachineError."""
    wrote = None if running(context) else answer.observation.wrote
    try:
        return answer, agent.files.checkpoint(wrote, agent.transcript.state.tree)
    except MachineError:
        raise
    except ReactAgentError as error:
        agent.files.bring_back(agent.transcript.state)
        undone = failed(f"{_UNDONE} ({error})")
        return replace(answer, observation=undone), agent.files.checkpoint()


def _facts(answer: Answer) -> dict[str, str]:
    seen = answer.observation
    facts = {"status": seen.status.value, "kind": answer.kind.value}
    facts |= {"how": answer.how.value} if answer.how is not How.VISIBLE else {}
    facts |= {"tool": answer.tool} if answer.tool else {}
    facts |= {"entry": answer.entry} if answer.entry else {}
    facts |= {"paths": write_list(seen.paths)} if seen.paths else {}
    return facts | dict(seen.facts) | dict(seen.noted)


def carry_out(
    entries: Iterable[Entry], state: State, files: Files, background: Background | None
) -> None:
    """Carry out a retraction: kill background commands and restore the files.

    The event is recorded before this function is called. If the process is killed in between,
    resuming the run completes the retraction. Where a replayed run was resumed, all background
    commands end.
    """
    names = {entry.name for entry in entries if isinstance(entry, Event)}
    if background and not names.isdisjoint(RESUMES):
        background.close()
    if RETRACTED not in names:
        return
    if background:
        taken_back = (step for step in state.steps if not step.stands)
        for number in filter(None, map(whole_number, started_in(state, taken_back))):
            background.kill(number)
    files.bring_back(state)
