"""What a reply's repairs and problems are called, to the model and in the transcript.

Nothing decides by these texts.
"""

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    THOUGHT,
    Dialect,
    Label,
)

CUT_OFF = "the reply was cut off at its greatest length: nothing was run; write it again, shorter"


def expected(spoken: Dialect) -> str:
    thought, action, given, conclusion = (
        f"`{spoken.write(label)}`" for label in (THOUGHT, ACTION, INPUT, CONCLUSION)
    )
    return (
        f"expected {thought}, then {action} and {given}, or {conclusion}, each at the start of a "
        "line and outside fences"
    )


EXPECTED = expected(DEFAULT)

# Problems: nothing was run.


def cut_off() -> str:
    return CUT_OFF


def open_reasoning() -> str:
    return (
        "the reply ends within its reasoning, so it may have been cut off: nothing was run; close "
        "the reasoning, and write the action behind it"
    )


def only_reasoning(spoken: Dialect) -> str:
    return f"nothing stands behind the reasoning: {expected(spoken)}"


def in_a_fence(spoken: Dialect) -> str:
    return f"the labels of the reply stand in a fence: {expected(spoken)}"


def left_open(what: str, label: Label, spoken: Dialect) -> str:
    return (
        f"the {what} in `{spoken.write(label)}` is not closed, so the reply may have "
        "been cut off: nothing was run; write it again and close it, or use none"
    )


def open_call(form: str) -> str:
    return f"{form} is not closed before the labels that stand in it"


def no_conclusion(spoken: Dialect) -> str:
    return f"expected what was done after `{spoken.write(CONCLUSION)}`, found nothing"


def no_call(form: str, reason: str, spoken: Dialect) -> str:
    return f"{form} can't be taken for an action ({reason}): {expected(spoken)}"


def nameless(form: str, spoken: Dialect) -> str:
    return f"{form} that names no tool: {expected(spoken)}"


def nameless_below(form: str, reason: str) -> str:
    return f"{form} behind the label is no tool's name ({reason})"


def missing(spoken: Dialect, *, first: Label | None, colonless: str, has_text: bool) -> str:
    """Of a reply with neither an action nor a conclusion."""
    what = "no Action in the reply" if has_text else "the reply is empty"
    if colonless:
        what = f"the label `{colonless}` lacks its colon"
    if first:
        what = f"`{spoken.write(first)}` stands before any `{spoken.write(ACTION)}`"
    return f"{what}: {expected(spoken)}"


def no_name(found: str, spoken: Dialect, *, has_more: bool, says_none: bool) -> str:
    found = (repr(found) if found else "nothing") + (" and more lines" if has_more else "")
    hint = f"; to end the run, write `{spoken.write(CONCLUSION)}` and no action"
    expected_name = f"expected one tool name after `{spoken.write(ACTION)}`, found {found}"
    return expected_name + (hint if says_none else "")


def may_go_on(label: str) -> str:
    return (
        f"the line `{label}:` in the input reads as a label, so it is not plain where the input "
        "ends: nothing was run; put the input into a fence"
    )


def label_behind_fence(spoken: Dialect) -> str:
    return (
        f"a label stands right behind a fence in `{spoken.write(INPUT)}`, so it is not plain where "
        "the input ends: nothing was run; put all of the input into one fence"
    )


def two_actions(why: str) -> str:
    return (
        f"two actions in one reply, {why}, so nothing was run: write one, and wait for its result"
    )


def two_blocks() -> str:
    return (
        "two fenced blocks in `Action Input:`, so it is not plain which is meant: write one, with "
        "a longer fence around text that has fences in it"
    )


def another_turn() -> str:
    return (
        "special tokens in `Action Input:` begin another turn, so nothing was run: end the reply "
        "behind the input, or put the input into a fence if they belong to it"
    )


def input_cut(what: str) -> str:
    return f"{what}, so the reply may have been cut off: nothing was run; write it again, whole"


def not_to_the_letter(repairs: tuple[str, ...]) -> str:
    return f"it is not in the format ({'; '.join(repairs)})"


# Repairs.


def dropped(label: str) -> str:
    return f"everything from your own `{label}` on was dropped"


def fence_taken_away() -> str:
    return "the fence around the reply was taken away"


def stray_fence() -> str:
    return "a closing fence that nothing opened was taken away"


def read_from(form: str) -> str:
    return f"the action was read from {form}"


def taken_from_reasoning() -> str:
    return "the action was taken out of the reasoning: nothing stood behind it"


def written_twice(spoken: Dialect) -> str:
    return f"`{spoken.write(ACTION)}` was written twice: taken as one"


def within_thought(spoken: Dialect) -> str:
    return f"`{spoken.write(ACTION)}` stood within the thought"


def no_input(spoken: Dialect) -> str:
    return f"no `{spoken.write(INPUT)}` line: taken as empty"


def taken_from_below(spoken: Dialect) -> str:
    given = spoken.write(INPUT)
    return f"no `{given}` line: what stands below the action was taken as its input"


def beside_left_out(beside: str, spoken: Dialect) -> str:
    return f"left out: {beside!r} beside the name, as there is an `{spoken.write(INPUT)}`"


def text_dropped_after(what: str) -> str:
    if what == "token":
        return "what stood behind the token that ends a turn was dropped"
    return f"the text behind the closing {what} was dropped"


def talk_dropped() -> str:
    return "the words behind the input were dropped"


def taken_from_heredoc() -> str:
    return "the input was taken out of its here-document"


def unquoted() -> str:
    return "the quotes around the input were taken away"
