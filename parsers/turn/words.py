"""The texts of a reply's repairs and problems, for the model and for the transcript.

No code decides by these texts.
"""

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    INPUT,
    THOUGHT,
    Dialect,
    Label,
)

# Problems: nothing was run.

_MAY_BE_CUT = "so the reply may have been cut off and nothing was run"
WENT_IN_CIRCLES = "the reply repeated itself and was cut off: nothing was run; write it once"
CUT_OFF = "the reply was cut off at its greatest length: nothing was run; write it again, shorter"
OPEN_REASONING = (
    f"the reasoning does not end, {_MAY_BE_CUT}; close it, and write the action after it"
)
TWO_BLOCKS = (
    "two fenced blocks in `Action Input:`, so it is unclear which is meant: write one, with "
    "a longer fence around text that has fences in it"
)
ANOTHER_TURN = (
    "special tokens in `Action Input:` begin another turn, so nothing was run: end the reply "
    "after the input, or put the input into a fence if they belong to it"
)


def expected(spoken: Dialect) -> str:
    thought, action, given, conclusion = (
        f"`{spoken.write(label)}`" for label in (THOUGHT, ACTION, INPUT, CONCLUSION)
    )
    return (
        f"expected {thought}, then {action} and {given}, or {conclusion}, each at the start of a "
        "line and outside fences"
    )


def only_reasoning(spoken: Dialect) -> str:
    return f"the reply ends with the reasoning: {expected(spoken)}"


def in_a_fence(spoken: Dialect) -> str:
    return f"the labels of the reply are in a fence: {expected(spoken)}"


def left_open(what: str, label: Label, spoken: Dialect) -> str:
    return (
        f"the {what} in `{spoken.write(label)}` is not closed, {_MAY_BE_CUT}; "
        "write it again and close it, or use none"
    )


def input_cut(what: str) -> str:
    return f"{what}, {_MAY_BE_CUT}; write it again, whole"


def no_conclusion(spoken: Dialect) -> str:
    return f"expected what was done after `{spoken.write(CONCLUSION)}`, found nothing"


def no_call(form: str, reason: str, spoken: Dialect) -> str:
    return f"{form} can't be read as an action ({reason}): {expected(spoken)}"


def missing(spoken: Dialect, *, first: Label | None, has_text: bool) -> str:
    """Return the problem of a reply with neither an action nor a conclusion."""
    what = "no Action in the reply" if has_text else "the reply is empty"
    if first:
        what = f"`{spoken.write(first)}` comes before any `{spoken.write(ACTION)}`"
    return f"{what}: {expected(spoken)}"


def no_name(found: str, spoken: Dialect, *, says_none: bool) -> str:
    hint = f"; to end the run, write `{spoken.write(CONCLUSION)}` and no action"
    expected_name = f"expected one tool name after `{spoken.write(ACTION)}`, found {found}"
    return expected_name + (hint if says_none else "")


def may_go_on(label: str) -> str:
    return (
        f"the line `{label}:` in the input reads as a label, so it is unclear where the input "
        "ends: nothing was run; put the input into a fence"
    )


def not_to_the_letter(repairs: tuple[str, ...]) -> str:
    return f"it is not in the format ({'; '.join(repairs)})"


# Repairs.

FENCE_REMOVED = "the fence around the reply was taken away"
STRAY_FENCE = "a closing fence that nothing opened was removed"
TAKEN_FROM_REASONING = "the action was taken from the reasoning: nothing follows it"
ON_ONE_LINE = "the labels on one line were read as lines of their own"
NEXT_TURN_DROPPED = "what special tokens begin after the conclusion was dropped"
UNQUOTED = "the quotes around the input were removed"


def dropped(label: str) -> str:
    return f"everything from your own `{label}` on was dropped"


def read_from(form: str) -> str:
    return f"the action was read from {form}"


def names_no_tool(spoken: Dialect) -> str:
    return f"`{spoken.write(ACTION)}` names no tool: the conclusion counts"


def no_input(spoken: Dialect) -> str:
    return f"no `{spoken.write(INPUT)}` line: taken as empty"


def taken_from_below(spoken: Dialect) -> str:
    return f"no `{spoken.write(INPUT)}` line: the text below the action was taken as its input"


def beside_left_out(beside: str, spoken: Dialect) -> str:
    return f"left out: {beside!r} beside the name, as there is an `{spoken.write(INPUT)}`"


def text_dropped(what: str) -> str:
    return f"the text after the closing {what} was dropped"
