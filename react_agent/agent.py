"""The loop: show the model the transcript, read its reply, run the tool, write down what came.

All that is special is a guard, a tool or a profile; nothing is a branch in here.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from react_agent.errors import MachineError, ModelError, ReactAgentError, TimeUp
from react_agent.guards import Guard, Means, resting, stop_event
from react_agent.models.contract import Completion, Model, Show, Why, fingerprint
from react_agent.parsers.entries import Event, Said, Seen
from react_agent.parsers.facts import write_facts, write_list
from react_agent.parsers.labels import DEFAULT, Label
from react_agent.parsers.quoting import quote_world
from react_agent.parsers.transcript_writer import turn_text
from react_agent.parsers.turn import Kind, Turn, parse_turn
from react_agent.profile import Budget
from react_agent.state import State
from react_agent.stop import Stop
from react_agent.tools.context import Context
from react_agent.tools.observation import failed
from react_agent.tools.registry import Answer, How, Registry
from react_agent.tools.registry import Kind as ToolKind
from react_agent.tools.run_background import news
from react_agent.transcript import Transcript
from react_agent.view import view

PROMPT = "react_agent.prompt"
STOP_AT = (DEFAULT.write(Label.OBSERVATION),)
_LINES_OF_A_REPLY = 8
_BY_WHAT = "by the keyboard, a signal or closed output"
_DOES_NOT_FIT = "the endpoint says that the prompt does not fit"
_UNDONE = (
    "this step damaged the repository it works in, so all files are again as they were before it: "
    "leave .git alone"
)
_SHORTEST_COMMAND = 1.0  # seconds
_MARKS = (
    "[marks of ours: a label at the start of a line is shown behind `\\`, a character that can't "
    "be seen as `<U+...>`; what is shown here has neither in it]"
)
_CHANGES_FILES = (ToolKind.WRITE, ToolKind.RUN, ToolKind.TEST)


class Files(Protocol):
    def checkpoint(self) -> str:
        """Write the work tree down; the id of its git tree."""
        ...

    def bring_back(self, state: State) -> None:
        """Make the work tree what it was after the last step."""
        ...


@dataclass(frozen=True, slots=True)
class Agent:
    """Everything one run works with, handed in."""

    transcript: Transcript
    model: Model
    registry: Registry
    context: Context
    guards: tuple[Guard, ...]
    budget: Budget
    system: str
    system_tokens: int
    files: Files
    clock: Callable[[], float]
    show: Show


def run(agent: Agent) -> Stop:
    """Until there is a reason to stop; that reason is the last thing written."""
    state = agent.transcript.state
    try:
        while state.stop is None:
            if state.pending:
                agent.transcript.append(_came_of(agent, state.pending))
            else:
                agent.transcript.append(*_guarded(agent) or _said(agent))
    except TimeUp as error:
        agent.transcript.append(stop_event(Stop.OUT_OF_TIME, str(error)))
    except ModelError as error:
        agent.transcript.append(stop_event(Stop.MODEL_FAILED, str(error)))
    except KeyboardInterrupt:
        agent.transcript.append(stop_event(Stop.INTERRUPTED, _BY_WHAT))
    return state.stop or Stop.INTERRUPTED


def _guarded(agent: Agent) -> list[Event]:
    """What the guards have to say before the next call; each event settles what it is about."""
    state = agent.transcript.state
    means = Means(agent.budget, state.next_prompt(agent.system_tokens))
    return [event for guard in agent.guards for event in guard(state, means)]


def _said(agent: Agent) -> tuple[Said | Event, ...]:
    state = agent.transcript.state
    shown = view(state, agent.system, agent.budget.steps)
    sys.audit(PROMPT, shown, agent.registry)  # our tests look at every one
    started = agent.clock()
    completion = agent.model.complete(
        shown,
        stop=STOP_AT,
        max_output=agent.budget.reply,
        deadline=started + agent.budget.seconds - state.spent.seconds,
        show=agent.show,
    )
    notes = tuple(Event("note", note) for note in completion.notes)
    if completion.why is Why.CONTEXT:
        told = Event("overflow", write_facts(_sizes(completion)))
        return *notes, told, stop_event(Stop.PROMPT_EXHAUSTED, _DOES_NOT_FIT)
    if completion.why is Why.REFUSAL:
        reason = f"the model refuses to answer: {completion.raw_reason}"
        return *notes, stop_event(Stop.MODEL_FAILED, reason)
    turn = parse_turn(
        completion.text,
        tools=agent.registry.names,
        no_argument_tools=agent.registry.names_without_input,
        why=completion.why,
    )
    facts = {"n": str(len(state.steps) + 1), "prompt": fingerprint(shown), **_usage(completion)}
    facts["seconds"] = f"{agent.clock() - started:.3f}"
    return *notes, Said(turn, _raw(completion.text, turn), facts)


def _sizes(completion: Completion) -> dict[str, str]:
    """Of a prompt that is too long, as far as the endpoint told."""
    usage, window = completion.usage, completion.window
    prompt = {"prompt": str(usage.prompt)} if usage and not usage.is_estimate else {}
    return prompt | ({"window": str(window)} if window else {})


def _usage(completion: Completion) -> dict[str, str]:
    usage = completion.usage
    if usage is None:
        return {}
    facts = {"in": str(usage.prompt), "out": str(usage.reply)}
    facts |= {"cached": str(usage.cached)} if usage.cached else {}
    facts |= {"estimated": "yes"} if usage.is_estimate else {}
    facts |= {"window": str(completion.window)} if completion.window else {}
    return facts if usage.cost is None else facts | {"cost": f"{usage.cost:.6f}"}


def _raw(reply: str, turn: Turn) -> str | None:
    """The reply, unless it is what the turn is written as (the prompt ended in `Thought:`)."""
    written = turn_text(turn).strip()
    bare = reply.strip()
    label = DEFAULT.write(Label.THOUGHT)
    return None if written in (bare, f"{label} {bare}") and not turn.problem else reply


def _came_of(agent: Agent, said: Said) -> Seen | Event:
    match said.turn.kind:
        case Kind.CONCLUSION:
            return stop_event(_ending(said.turn.conclusion), "by the model")
        case Kind.MALFORMED:
            return Seen(_not_read(said), {"status": "failed"})
        case Kind.ACTION:
            return _seen(agent, said.turn)


def _not_read(said: Said) -> str:
    """With the beginning of the reply, where the thought does not show it."""
    text = f"Your reply could not be read: {said.turn.problem}."
    lines = (said.raw or "").strip().split("\n")
    if said.turn.thought == "\n".join(lines):
        return text
    more = "\n..." if len(lines) > _LINES_OF_A_REPLY else ""
    shown = "\n".join(f"> {line}" for line in lines[:_LINES_OF_A_REPLY])
    return f"{text} It began:\n{shown}{more}"


def _ending(conclusion: str) -> Stop:
    gave_up = conclusion.casefold().lstrip("*_ ").startswith(("i give up", "i gave up"))
    return Stop.GAVE_UP if gave_up else Stop.CONCLUDED


def _seen(agent: Agent, turn: Turn) -> Seen:
    state = agent.transcript.state
    started = agent.clock()
    context = _as_it_stands(agent)
    answer = agent.registry.call(turn.action, turn.input, context, resting(state, turn.input))
    facts = {"n": str(len(state.steps) + 1)}
    if answer.kind in _CHANGES_FILES:
        answer, facts["tree"] = _written_down(agent, answer)
    facts |= {**_facts(answer), "seconds": f"{agent.clock() - started:.3f}"}
    text = answer.observation.text + _meanwhile(context)
    return Seen(_mended(turn) + text + _marked(text), facts)


def _meanwhile(context: Context) -> str:
    """What commands in the background have printed: it comes with the next Observation."""
    printed = news(context)
    return f"\n\n[meanwhile] {printed}" if printed else ""


def _as_it_stands(agent: Agent) -> Context:
    """With the time that is left, and where commands run."""
    state, limits = agent.transcript.state, agent.context.limits
    left = agent.budget.seconds - state.spent.seconds
    seconds = min(limits.command_seconds, max(left, _SHORTEST_COMMAND))
    limited = replace(limits, command_seconds=seconds)
    return replace(agent.context, limits=limited, cwd=state.cwd, last_edit=state.last_edit)


def _written_down(agent: Agent, answer: Answer) -> tuple[Answer, str]:
    """With a checkpoint; a step that leaves none, as by `rm -rf .git`, has not happened."""
    try:
        return answer, agent.files.checkpoint()
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
    return facts | dict(seen.facts)


def _marked(text: str) -> str:
    """A model that copies what it is shown must not write our marks into files."""
    return f"\n{_MARKS}" if quote_world(text) != text else ""


def _mended(turn: Turn) -> str:
    """The transcript never lies about what was run."""
    return f"(Your reply was mended: {'; '.join(turn.repairs)}.)\n" if turn.repairs else ""
