"""The guard that goes back: to where a run began to rest on what is not so.

a Thought denies -- tied to a step that found nothing -- something rests on it -- a check proves it
                                                                                  wrong: taken back
"""

from collections.abc import Iterator, Sequence

from react_agent.backtrack.assumption import (
    Assumption,
    assumptions,
    is_ours,
    made_since,
    may_change,
    was_shown,
)
from react_agent.backtrack.checks import proved_wrong
from react_agent.backtrack.contradiction import contradicted
from react_agent.backtrack.critic import criticised
from react_agent.backtrack.proof import Proof
from react_agent.backtrack.question import Question
from react_agent.backtrack.resting import first_that_rests, gives_up, rests, says_again
from react_agent.backtrack.taking_back import taken_back
from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.steps import Step, whole
from react_agent.parsers.transcript.entries import Entry, Seen
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.tools.registry import Kind

_SHOWS = (Kind.READ, Kind.SEARCH, Kind.RUN)
_NOT_THE_END = "(This rests on what is not so, and is taken back.)"


def backtrack(state: State, means: Means) -> Sequence[Entry]:
    """After a step, what it rests on is looked at."""
    if not _may_go_back(state, means) or state.pending is not None:
        return ()
    standing = state.standing
    if not standing or is_ours(standing[-1]) or standing[-1].number != len(state.steps):
        return ()
    return _proved(state, standing, means) or criticised(state, means)


def reconsider(state: State, means: Means) -> Sequence[Entry]:
    """Before a Conclusion ends the run; it is a step then, and taken back with the others."""
    said = state.pending
    if said is None or said.turn.kind is not TurnKind.CONCLUSION or not _may_go_back(state, means):
        return ()
    number = len(state.steps) + 1
    if number + 2 > means.budget.steps:  # nothing could be made of it any more
        return ()
    seen = Seen(_NOT_THE_END, {"n": str(number), "status": "failed", "kind": "none"})
    found = _proved(state, [*state.standing, whole(number, said, seen)], means)
    return (seen, *found) if found else ()


def _may_go_back(state: State, means: Means) -> bool:
    return len(state.dead_ends) < means.back.most


def _proved(state: State, standing: Sequence[Step], means: Means) -> Sequence[Entry]:
    settled = {step.said.facts.get("of") for step in state.steps if is_ours(step)}
    for assumed in assumptions(standing):
        if assumed.key in settled:
            continue
        if proof := _proof(state, standing, assumed, means):
            gone = [step for step in standing if step.number >= assumed.step.number]
            return taken_back(state, gone, assumed, proof)
    return ()


def _proof(
    state: State, standing: Sequence[Step], assumed: Assumption, means: Means
) -> Proof | None:
    newest = standing[-1]
    if not rests(newest, assumed):
        return None
    since = [step for step in standing if step.number >= assumed.step.number]
    question = Question(
        assumed,
        state.objective or "",
        means,
        frozenset(path for step in since if step.has_written for path in step.paths),
        "\n".join(step.said.turn.input for step in since if may_change(step) and not step.paths),
        newest.said.turn.kind is TurnKind.CONCLUSION or gives_up(newest),
        newest.kind == Kind.WRITE,
    )
    is_to_be_checked = first_that_rests(standing, assumed) is newest or says_again(newest, assumed)
    if is_to_be_checked and (proof := proved_wrong(question, means.back.checks)):
        return proof if _is_news(standing, assumed, proof) else None
    return contradicted(question, standing) if means.back.contradictions else None


def _is_news(standing: Sequence[Step], assumed: Assumption, proof: Proof) -> bool:
    """Neither was it in view when the claim was made, nor has the model made it itself."""
    at = assumed.step.number
    facts = list(_facts(assumed, proof))
    first = assumed.rests_on.number + 1 if proof.check == "stale" else 1
    before = [step for step in standing if first <= step.number < at]
    if any(was_shown(before, fact, is_word=is_word) for fact, is_word in facts):
        return False
    if standing[-1].kind in _SHOWS and any(
        was_shown(standing[-1:], fact, is_word=is_word) for fact, is_word in facts
    ):
        return False  # the model has not read it yet
    return proof.name == assumed.name or not made_since(standing, at, proof.name)


def _facts(assumed: Assumption, proof: Proof) -> Iterator[tuple[str, bool]]:
    """What would have told it: the true name; the line itself, where the name was known."""
    if proof.name != assumed.name and not proof.name.endswith(f"/{assumed.name}"):
        yield proof.name, True
        return
    lines = [line.partition("| ")[2] for line in proof.seen.text.split("\n") if "| " in line]
    yield from ((line.strip(), False) for line in lines[:1])
    if "/" in proof.name:
        yield proof.name, True
