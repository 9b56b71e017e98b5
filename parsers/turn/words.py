"""The messages for a reply's repairs and problems, for the model and for the transcript.

No code depends on the wording of these messages. Braces mark placeholders for the labels of a
dialect and for other values.
"""

from react_agent.parsers.transcript.labels import ACTION, CONCLUSION, INPUT, THOUGHT, Dialect

_LABELS = {"thought": THOUGHT, "action": ACTION, "given": INPUT, "conclusion": CONCLUSION}


def filled(text: str, spoken: Dialect, **values: str) -> str:
    labels = {name: f"`{spoken.write(label)}`" for name, label in _LABELS.items()}
    return text.format(**labels, **values)


# Problems: nothing was run.

_MAY_BE_CUT = "so the reply may have been cut off and nothing was run"
EXPECTED = (
    "expected {thought}, then {action} and {given}, or {conclusion}, each at the start of a "
    "line and outside fences"
)
WENT_IN_CIRCLES = "the reply repeated itself and was cut off: nothing was run; write it once"
CUT_OFF = "the reply was cut off at the maximum length: nothing was run; write it again, shorter"
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
ONLY_REASONING = f"the reply ends with the reasoning: {EXPECTED}"
IN_A_FENCE = f"the labels of the reply are in a fence: {EXPECTED}"
LEFT_OPEN = (
    f"the {{what}} in `{{label}}` is not closed, {_MAY_BE_CUT}; write it again and close it, or "
    "use none"
)
OPEN_BRACKET = f"the bracket in `Action Input:` is not closed, {_MAY_BE_CUT}; write it again, whole"
NO_CONCLUSION = "expected what was done after {conclusion}, found nothing"
NO_CALL = f"{{form}} can't be read as an action ({{reason}}): {EXPECTED}"
NO_ACTION = f"no Action in the reply: {EXPECTED}"
IS_EMPTY = f"the reply is empty: {EXPECTED}"
OUT_OF_ORDER = f"`{{label}}` comes before any {{action}}: {EXPECTED}"
NO_NAME = "expected one tool name after {action}, found {found}"
NONE_AS_NAME = f"{NO_NAME}; to end the run, write {{conclusion}} and no action"
MAY_GO_ON = (
    "the line `{label}:` in the input reads as a label, so it is unclear where the input "
    "ends: nothing was run; put the input into a fence"
)
NOT_TO_THE_LETTER = "it is not in the format ({repairs})"

# Repairs.

FENCE_REMOVED = "the fence around the reply was removed"
STRAY_FENCE = "a closing fence that nothing opened was removed"
TAKEN_FROM_REASONING = "the action was taken from the reasoning: nothing follows it"
ON_ONE_LINE = "the labels on one line were split into separate lines"
NEXT_TURN_DROPPED = "what special tokens begin after the conclusion was dropped"
UNQUOTED = "the quotes around the input were removed"
DROPPED = "everything from your own `{label}` on was dropped"
READ_FROM = "the action was read from {form}"
NAMES_NO_TOOL = "{action} names no tool: the conclusion counts"
NO_INPUT = "no {given} line: taken as empty"
TAKEN_FROM_BELOW = "no {given} line: the text below the action was taken as its input"
BESIDE_LEFT_OUT = "left out: {beside} beside the name, as there is an {given}"
TEXT_DROPPED = "the text after the closing {what} was dropped"
