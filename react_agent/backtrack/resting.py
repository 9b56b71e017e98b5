"""Whether a step rests on an assumption, or still looks for what it denies."""

from collections.abc import Sequence

from react_agent.backtrack.assumption import (
    Assumption,
    is_ours,
    known_words,
    looked_for,
    mentions,
    stem,
    words_of,
)
from react_agent.loop.steps import Step
from react_agent.parsers.answers import conclusion
from react_agent.parsers.claims.claims import claims
from react_agent.parsers.claims.spelling import folded
from react_agent.parsers.claims.word_parts import word_parts
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.tools.registry import Kind

_ACTS = (Kind.WRITE, Kind.RUN, Kind.TEST, Kind.READ, Kind.SEARCH)
_WORD = 4  # letters of a word of the name: who looks for it looks for the name


def rests(step: Step, assumed: Assumption) -> bool:
    """A step from the claim on."""
    turn = step.said.turn
    if turn.kind is TurnKind.CONCLUSION:
        is_its_own = step.number == assumed.step.number
        return is_its_own or gives_up(step) or mentions(words_of(step), assumed.names)
    if turn.kind is not TurnKind.ACTION or step.kind not in _ACTS:
        return False
    return not is_looking(step, assumed)


def gives_up(step: Step) -> bool:
    return conclusion.gives_up(step.said.turn.conclusion)


def is_looking(step: Step, assumed: Assumption) -> bool:
    """For the same, or for a part of it."""
    looked = looked_for(step)
    if looked is None:
        return False
    sought = folded(" ".join((*looked.names, *looked.places)))
    words = [word for word in word_parts(stem(assumed.name)) if len(word) >= _WORD]
    return any(word in sought for word in (*words, folded(stem(assumed.name))))


def first_that_rests(standing: Sequence[Step], assumed: Assumption) -> Step | None:
    later = (step for step in standing if step.number >= assumed.step.number and not is_ours(step))
    return next((step for step in later if rests(step, assumed)), None)


def says_again(step: Step, assumed: Assumption) -> bool:
    said = (
        name
        for claim in claims(words_of(step), known_words((assumed.names,)))
        for name in claim.names
    )
    return any(folded(stem(name)) == folded(stem(assumed.name)) for name in said)


def has_noticed(steps: Sequence[Step], assumed: Assumption, truth: Sequence[str]) -> bool:
    """A later Thought or call that goes by what is so."""
    return any(
        not says_again(step, assumed)
        and any(_names(words_of(step), name) or _goes_to(step, name) for name in truth)
        for step in steps
        if not is_ours(step)
    )


def _names(text: str, name: str) -> bool:
    return name in text


def _goes_to(step: Step, name: str) -> bool:
    looked = looked_for(step)
    return looked is not None and name in step.said.turn.input
