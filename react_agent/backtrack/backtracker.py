"""The guard that returns a run to the point where it made a wrong assumption.

In a thought, the model claims that something does not exist because an earlier step did not find
it, and later steps rely on that claim. If a check proves the claim wrong, all steps since the claim
are undone.
"""

from collections.abc import Sequence

from react_agent.backtrack.assumption import (
    OURS,
    Assumption,
    assumptions,
    is_ours,
    may_change,
    repeats,
    rests,
)
from react_agent.backtrack.checks import Proof, Question, proved_wrong
from react_agent.guards.means import Means, in_a_line, task_of
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import read_criticism
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn
from react_agent.state.findings import BACK
from react_agent.state.state import State, still_running
from react_agent.state.steps import RETRACTED, Step, compressed_event
from react_agent.tools.registry import Kind

_KINDS = {"read_file": Kind.READ, "list_files": Kind.READ}
_CALL = 80  # characters of a call in a sentence


def backtrack(state: State, means: Means) -> Sequence[Entry]:
    """Check the assumption on which the last step is based, and undo steps if it is wrong."""
    if len(state.dead_ends) >= means.profile.back.most or state.pending is not None:
        return ()
    standing = state.standing
    if not standing or is_ours(standing[-1]) or standing[-1].number != len(state.steps):
        return ()
    return _proved(state, standing, means) or criticised(state, means)


def _proved(state: State, standing: Sequence[Step], means: Means) -> Sequence[Entry]:
    settled = {step.said.facts.get("of") for step in state.steps if is_ours(step)}
    newest = standing[-1]
    for assumed in assumptions(standing):
        since = [step for step in standing if step.number >= assumed.step.number]
        if assumed.key in settled or not rests(newest, assumed):
            continue
        is_first = not any(rests(step, assumed) for step in since[:-1] if not is_ours(step))
        if not is_first and not repeats(newest, assumed):
            continue
        question = Question(
            assumed,
            state.objective or "",
            means,
            frozenset(path for step in since if step.has_written for path in step.paths),
            "\n".join(
                step.said.turn.input for step in since if may_change(step) and not step.paths
            ),
        )
        proof = proved_wrong(question, means.profile.back.checks)
        if proof:
            return _taken_back(state, since, assumed, proof)
    return ()


def _taken_back(
    state: State, gone: Sequence[Step], assumed: Assumption, proof: Proof
) -> Sequence[Entry]:
    """Return an event that undoes the steps since the claim, and a step that shows the proof."""
    place = assumed.claim.place
    denied = f"{assumed.name} does not exist" + (
        f" in {place}" if place not in ("", "here") else ""
    )
    facts = {"by": "claim", "at": str(gone[0].number), "check": proof.check, "of": assumed.key}
    dead_end = escape(f"I assumed that {denied}, and that is wrong: {proof.truth}")
    event = compressed_event(RETRACTED, [step.number for step in gone], dead_end, **facts)

    made = {"n": str(len(state.steps) + 1), "by": OURS}
    seen = made | {
        "status": proof.seen.status.value,
        "kind": _KINDS.get(proof.tool, Kind.SEARCH).value,
        "tool": proof.tool,
    }
    lists = {"paths": proof.seen.paths, "running": still_running(state, gone)}
    seen |= {name: write_list(values) for name, values in lists.items() if values}
    turn = Turn(TurnKind.ACTION, _thought(denied, gone, assumed, proof), proof.tool, proof.given)
    return [event, Said(turn, None, made | {"of": assumed.key}), Seen(proof.seen.text, seen)]


def _thought(denied: str, gone: Sequence[Step], assumed: Assumption, proof: Proof) -> str:
    turn = assumed.rests_on.said.turn
    call = headline(f"{turn.action} {turn.input}".replace("\n", " "), _CALL)
    since = "from what I had read before" if assumed.is_stale else "because it was not found"
    has_written = any(step.has_written for step in gone)
    undone = "; what I changed on that assumption is undone" if has_written else ""
    return escape(
        f"I assumed that {denied}, {since} ({call}). That is wrong: {proof.truth}{undone}. "
        "I look at it, and go on from what is really there."
    )


CRITIC = "critic"  # the purpose of a model call
SYSTEM = """\
An agent works on a repository, step by step, and is stuck. You are given what it was asked and what
it thought at each step. Somewhere it took a wrong turn: it believed what was not shown, or began
to try what could not work, and all that follows rests on it.

Name the first step that went wrong, and why, in exactly two lines:

Step: its number
Reason: one line, which says what was wrong and what to do otherwise

"""
_TAIL = "\nThe two lines:\n"
_THOUGHT = 240  # characters
_ROOM = 300  # tokens of an answer
_FEWEST = 2  # steps


def criticised(state: State, means: Means) -> Sequence[Entry]:
    """Call the critic once, if the guard `stuck` decided in this step to go back."""
    standing = [step for step in state.standing if step.said.turn.thought]
    if not means.profile.back.critic or means.ask is None or len(standing) < _FEWEST:
        return ()
    last = state.troubles[-1] if state.troubles else None
    is_sent_back = last is not None and last.answer == BACK and last.at == len(state.steps)
    if not is_sent_back or state.asked.get(CRITIC) == len(state.steps):
        return ()
    thoughts = "\n".join(
        f"{s.number}. {in_a_line(s.said.turn.thought, _THOUGHT)}" for s in standing
    )
    view = View(SYSTEM, f"{task_of(state)}\n\nIts thoughts:\n\n{thoughts}\n", (), _TAIL)
    answer, problem = means.ask(view, _ROOM, CRITIC)
    if problem:
        return (_note(f"could not be asked: {problem}"),)
    found = read_criticism(answer)
    if found is None:
        return (_note(f"named no step: {headline(answer)}"),)
    gone = [step for step in state.standing if step.number >= found.step]
    if not gone or gone[0].number != found.step:
        return (_note(f"named step {found.step}, which was taken back or does not exist"),)
    thought = in_a_line(gone[0].said.turn.thought, 100)
    reason = in_a_line(found.reason, _THOUGHT)
    line = f'"{thought}" led nowhere' + (f": {reason}" if reason else "")
    facts = {"by": CRITIC, "at": str(found.step)}
    return (compressed_event(RETRACTED, [step.number for step in gone], line, **facts),)


def _note(text: str) -> Event:
    return Event("note", escape(f"critic: {text}"))
