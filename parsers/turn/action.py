"""The action of a reply: which tool, with what input, and what was mended on the way.

action = name NEWLINE ["Action Input:" payload]
       | name NEWLINE (fenced text | JSON value | one line)     the label of the input is missing
       | call                                                   in another format (foreign.py)

Where two actions compete and it is not plain which is meant, neither is run.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from react_agent.parsers.text.fence import opening_fence, unfenced
from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    INPUT,
    OBSERVATION,
    generous,
    head_of,
)
from react_agent.parsers.turn.action_input import Input, read_input
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.field import Field
from react_agent.parsers.turn.other_formats import Call, NoCall, find_call
from react_agent.parsers.turn.problems import read_from
from react_agent.parsers.turn.prose import is_sentence
from react_agent.parsers.turn.special import cleaned, is_remnant
from react_agent.parsers.turn.tool_name import Named, read_name, says_none
from react_agent.parsers.values.damaged_json import insists_on_json

NO_INPUT = "no `{input}` line: taken as empty"
_BELOW = "no `{input}` line: what stands below the action was taken as its input"
_BESIDE = "left out: {beside!r} beside the name, as there is an `{input}`"
_GOES_ON = (
    "the line `{label}:` in the input reads as a label, so it is not plain where the input ends: "
    "nothing was run; put the input into a fence"
)
_NOTHING = frozenset(
    {"none", "n/a", "null", "nil", "{}", "()", "[]", "-", "no input", "(none)", "empty"}
    | {"nothing", "leave it empty"}  # copied from a tool's description
)
_DOUBTFUL = (
    "a label stands right behind a fence in `{input}`, so it is not plain where the input ends: "
    "nothing was run; put all of the input into one fence"
)
_COMPETE = "two actions in one reply, {why}, so nothing was run: write one, and wait for its result"


@dataclass(slots=True)
class Action:
    name: str = ""
    input: str = ""
    repairs: tuple[str, ...] = ()
    problem: str = ""
    is_truncated: bool = False
    is_whole: bool = False  # it can't have been cut off
    is_continued: bool = False  # its label and name were written twice


@dataclass(slots=True)
class Tools:
    answering: Collection[str] | None
    without_argument: Collection[str]


def read_action(reading: Reading, tools: Tools) -> Action:
    lines = reading.fields[ACTION].lines
    stop = reading.dialect.written[OBSERVATION]
    if len(lines) > 1 and is_remnant(lines[-1], stop):
        lines = lines[:-1]
    written = "\n".join(lines).strip()
    if written[:1] in _FOREIGN_STARTS and INPUT not in reading.fields:
        foreign = _foreign(written, tools)
        if foreign:
            return foreign
    if written[:1] in "`~" and opening_fence(written.split("\n")[0]):
        written = unfenced(written).strip()
    first, _, below = written.partition("\n")
    named = read_name(first, tools.answering)
    labelled = generous(named.given, reading.dialect) if named and named.given else None
    if named and labelled and labelled.label is INPUT:
        named = Named(named.name, labelled.rest)
    if named is None or (below.strip() and INPUT in reading.fields):
        return Action(problem=_no_name(written, reading))
    if below.strip():
        return _with_below(named, below, reading)
    return _with_input(named, reading, tools)


_FOREIGN_STARTS = frozenset("{[<`~")


def _foreign(written: str, tools: Tools) -> Action | None:
    match find_call(written, tools.answering):
        case Call(name, given, _, form):
            named = read_name(name, tools.answering)
            if named is None or named.given:
                return Action(problem=f"{form} behind the label names no tool")
            return Action(named.name, given, (read_from(form),), is_whole=True)
        case NoCall(form, reason, is_truncated):
            problem = f"{form} behind the label is no tool's name ({reason})"
            return Action(problem=problem, is_truncated=is_truncated)
        case _:
            return None


def _no_name(written: str, reading: Reading) -> str:
    first = cleaned(written).split("\n")[0][:40]
    more = " and more lines" if "\n" in written else ""
    is_empty = not written.strip("`'\"*[]()<> \t.")
    found = "nothing" if is_empty else f"{first!r}{more}"
    write = reading.dialect.write
    expected = f"expected one tool name after `{write(ACTION)}`, found {found}"
    if is_empty or not says_none(first):
        return expected
    return f"{expected}; to end the run, write `{write(CONCLUSION)}` and no action"


def _with_below(named: Named, below: str, reading: Reading) -> Action:
    """Text below the name, without a label."""
    lines = below.strip("\n").split("\n")
    bare = below.strip()
    is_plain = len(lines) == 1 and not is_sentence(bare)
    is_block = bool(opening_fence(lines[0])) or insists_on_json(bare)
    if named.given or named.says_so or not (is_plain or is_block):
        return Action(problem=_no_name(f"{named.name}\n{below}", reading))
    field = Field(is_input=True, reads_heredocs=False)
    for line in lines:
        field.take(line)
    found = read_input(field.lines, field.behind, reading.dialect)
    if field.fences:
        return Action(problem=_no_name(f"{named.name}\n{below}", reading))
    said = _BELOW.format(input=reading.dialect.write(INPUT))
    return _acted(named.name, replace(found, repairs=(said, *found.repairs)))


def _with_input(named: Named, reading: Reading, tools: Tools) -> Action:
    given = reading.fields.get(INPUT)
    if given is None and not named.given:
        return _without_input(named, reading, tools)
    lines = given.lines if given else []
    if given and given.is_diff and len(lines) > 1 and lines[-1].strip() == "```":
        lines = lines[:-1]  # it closes what was never opened
    found = read_input(lines, given.behind if given else None, reading.dialect)
    beside = "" if named.says_so and found.text.strip() else named.given
    if beside and found.text.strip() not in ("", beside):
        label = reading.dialect.write(INPUT)
        left_out = _BESIDE.format(beside=beside[:40], input=label)
        found = replace(found, repairs=(*found.repairs, left_out))
        beside = ""
    if named.name in tools.without_argument and found.text.strip().casefold() in _NOTHING:
        return Action(named.name, is_whole=found.has_ended)
    if beside:
        found = replace(read_input(beside.split("\n"), None, reading.dialect), repairs=())
    action = _acted(named.name, found)
    if given and given.is_doubtful:
        return Action(problem=_DOUBTFUL.format(input=reading.dialect.write(INPUT)))
    if not action.problem and reading.fiction and _may_go_on(found, lines, reading):
        return Action(problem=_GOES_ON.format(label=reading.fiction.written))
    if not action.problem and found.has_prose and _other(action, reading, tools):
        return Action(problem=_COMPETE.format(why="and prose behind the input of the first"))
    return action


def _may_go_on(found: Input, lines: list[str], reading: Reading) -> bool:
    """Whether the label that ends an input of several lines is rather one of its lines.

    The model writes its own labels in capitals, and this one, as a key of YAML, is not.
    """
    ending = reading.fiction.written if reading.fiction else ""
    is_other = ending.islower() and not head_of(reading.action_line).islower()
    return is_other and not found.has_ended and sum(bool(line.strip()) for line in lines) > 1


def _acted(name: str, found: Input) -> Action:
    if found.problem:
        return Action(problem=found.problem, is_truncated=found.is_truncated)
    return Action(name, found.text, found.repairs, is_whole=found.has_ended)


def _without_input(named: Named, reading: Reading, tools: Tools) -> Action:
    if named.name in tools.without_argument:
        return Action(named.name)
    imagined = reading.fiction.turn if reading.fiction else None
    if imagined and imagined.fiction and imagined.fiction.label is INPUT:
        return Action(problem=_COMPETE.format(why="its input stands apart from it"))
    other = _next_action(reading, tools)
    if other and other.name == named.name:
        return replace(other, is_continued=True)
    if other and (other.is_whole or (imagined and INPUT in imagined.fields)):
        return Action(problem=_COMPETE.format(why="the first without an input"))
    return Action(named.name, repairs=(NO_INPUT.format(input=reading.dialect.write(INPUT)),))


def _other(action: Action, reading: Reading, tools: Tools) -> bool:
    """Whether a different action follows."""
    other = _next_action(reading, tools)
    return other is not None and (other.name, other.input) != (action.name, action.input)


def _next_action(reading: Reading, tools: Tools) -> Action | None:
    imagined = reading.fiction.turn if reading.fiction else None
    if imagined is None or ACTION not in imagined.fields:
        return None
    other = read_action(imagined, tools)
    return None if other.problem else other
