"""What is said of a reply, to the model: what is wrong with it, or what was mended in it."""

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    THOUGHT,
    Dialect,
    generous,
)
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.special import begins_turn, cleaned

CUT_OFF = "the reply was cut off at its greatest length: nothing was run; write it again, shorter"
IN_A_FENCE = "the labels of the reply stand in a fence"
OPEN_REASONING = (
    "the reply ends within its reasoning, so it may have been cut off: nothing was run; close the "
    "reasoning, and write the action behind it"
)


_LONGEST_LABEL = 30


def expected(spoken: Dialect) -> str:
    thought, action, given, conclusion = (
        f"`{spoken.write(label)}`" for label in (THOUGHT, ACTION, INPUT, CONCLUSION)
    )
    return (
        f"expected {thought}, then {action} and {given}, or {conclusion}, each at the start of a "
        "line and outside fences"
    )


EXPECTED = expected(DEFAULT)


def missing(said: Reading) -> str:
    """Of a reply with neither an action nor a conclusion."""
    write = said.dialect.write
    if said.fiction:
        return f"`{write(said.fiction.label)}` stands before any `{write(ACTION)}`"
    if colonless := _without_colon(said):
        return f"the label `{colonless}` lacks its colon"
    has_text = cleaned(said.fields[THOUGHT].text).strip()
    return "no Action in the reply" if has_text else "the reply is empty"


def _without_colon(said: Reading) -> str:
    """A decorated line that is nothing but the word of a label."""
    for line in said.fields[THOUGHT].lines:
        bare = line.strip()
        if bare[:1] in ("#", "*") and len(bare) < _LONGEST_LABEL:
            found = generous(f"{bare.rstrip('*')}:", said.dialect)
            if found and found.label in (ACTION, CONCLUSION):
                return bare
    return ""


def left_open(what: str, said: Reading) -> str:
    return (
        f"the {what} in `{said.dialect.write(said.current)}` is not closed, so the reply may have "
        "been cut off: nothing was run; write it again and close it, or use none"
    )


def dropped(said: Reading) -> tuple[str, ...]:
    """What the model imagined would come next."""
    fiction = said.fiction
    if fiction is None or not fiction.has_text:
        return ()
    begins = fiction.written if begins_turn(fiction.written) else said.dialect.write(fiction.label)
    return (f"everything from your own `{begins}` on was dropped",)


def taken_from_fence(said: Reading) -> tuple[str, ...]:
    return ("the fence around the reply was taken away",) if said.is_wrapped else ()


def read_from(form: str) -> str:
    return f"the action was read from {form}"


def written_twice(said: Reading) -> str:
    return f"`{said.dialect.write(ACTION)}` was written twice: taken as one"
