"""The action of a reply: which tool, with what input, and what was repaired on the way.

action = name NEWLINE ["Action Input:" payload]
       | name NEWLINE (sentence* fenced text | JSON value | one line)   without the input's label
       | call                                                           in another format

Where two actions compete and it is not plain which is meant, neither is run.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from react_agent.parsers.text.fence import opening_fence, unfenced
from react_agent.parsers.transcript.labels import ACTION, INPUT, OBSERVATION, generous, head_of
from react_agent.parsers.turn import words
from react_agent.parsers.turn.action_input import Input, is_sentence, read_input
from react_agent.parsers.turn.automaton import Field, Reading
from react_agent.parsers.turn.other_formats import Call, NoCall, find_call
from react_agent.parsers.turn.special import cleaned, is_remnant
from react_agent.parsers.turn.tool_name import Named, read_name, says_none
from react_agent.parsers.values.damaged_json import insists_on_json

_NOTHING = frozenset(
    {"none", "n/a", "null", "nil", "{}", "()", "[]", "-", "no input", "(none)", "empty"}
    | {"nothing", "leave it empty"}  # copied from a tool's description
)


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
    if len(lines) > 1 and is_remnant(lines[-1], reading.dialect.written[OBSERVATION]):
        lines = lines[:-1]
    written = "\n".join(lines).strip()
    first, _, below = written.partition("\n")
    is_fenced = first[:1] in ("`", "~") and opening_fence(first) is not None
    named = None if is_fenced else read_name(first, tools.answering)
    may_be_call = is_fenced or (named is None and written[:1] in "{[<")
    if may_be_call and INPUT not in reading.fields and (other := _in_other_format(written, tools)):
        return other
    if is_fenced:
        written = unfenced(written).strip()
        first, _, below = written.partition("\n")
        named = read_name(first, tools.answering)
    labelled = generous(named.given, reading.dialect) if named and named.given else None
    if named and labelled and labelled.label is INPUT:
        named = Named(named.name, labelled.rest)
    if named is None or (below.strip() and INPUT in reading.fields):
        return _no_name(written, reading)
    if below.strip():
        return _with_below(named, below, reading)
    return _with_input(named, reading, tools)


def _in_other_format(written: str, tools: Tools) -> Action | None:
    found = find_call(written, tools.answering)
    if isinstance(found, NoCall):
        problem = words.nameless_below(found.form, found.reason)
        return Action(problem=problem, is_truncated=found.truncated)
    return called(found, tools) if found else None


def called(call: Call, tools: Tools) -> Action:
    named = read_name(call.name, tools.answering)
    if named is None or named.given:
        return Action(problem=words.nameless_below(call.form, "it names no tool"))
    return Action(named.name, call.input, (words.read_from(call.form),), is_whole=True)


def _no_name(written: str, reading: Reading) -> Action:
    first = cleaned(written).split("\n")[0][:40]
    is_empty = not written.strip("`'\"*[]()<> \t.")
    problem = words.no_name(
        "" if is_empty else first,
        reading.dialect,
        has_more="\n" in written and not is_empty,
        says_none=not is_empty and says_none(first),
    )
    return Action(problem=problem)


def _with_below(named: Named, below: str, reading: Reading) -> Action:
    """Text below the name, without a label."""
    lines = below.strip("\n").split("\n")
    while len(lines) > 1 and (is_sentence(lines[0]) or not lines[0].strip()):
        lines = lines[1:]
    is_block = opening_fence(lines[0]) is not None
    if not is_block:
        lines = below.strip("\n").split("\n")
    bare = "\n".join(lines).strip()
    is_plain = len(lines) == 1 and not is_sentence(bare)
    field = Field(is_input=True)
    for line in lines:
        field.take(line)
    is_input = is_plain or is_block or insists_on_json(bare)
    if named.given or not is_input or field.fences:
        return _no_name(f"{named.name}\n{below}", reading)
    found = read_input(field.lines, field.behind, reading.dialect)
    said = words.taken_from_below(reading.dialect)
    return _acted(named.name, replace(found, repairs=(said, *found.repairs)))


def _with_input(named: Named, reading: Reading, tools: Tools) -> Action:
    given = reading.fields.get(INPUT)
    if given is None and not named.given:
        return _without_input(named, reading, tools)
    lines = given.lines if given else []
    if given and given.is_diff and len(lines) > 1 and lines[-1].strip() == "```":
        lines = lines[:-1]  # it closes what was never opened
    found = read_input(lines, given.behind if given else None, reading.dialect)
    beside = named.given
    if beside and found.text.strip() not in ("", beside):
        left_out = words.beside_left_out(beside[:40], reading.dialect)
        found = replace(found, repairs=(*found.repairs, left_out))
        beside = ""
    if named.name in tools.without_argument and found.text.strip().casefold() in _NOTHING:
        return Action(named.name, is_whole=found.has_ended)
    if beside:
        found = replace(read_input(beside.split("\n"), None, reading.dialect), repairs=())
    action = _acted(named.name, found)
    if given and given.is_doubtful:
        return Action(problem=words.label_behind_fence(reading.dialect))
    if not action.problem and reading.fiction and _may_go_on(found, lines, reading):
        return Action(problem=words.may_go_on(reading.fiction.written))
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
        return Action(problem=words.two_actions("its input stands apart from it"))
    other = read_action(imagined, tools) if imagined and ACTION in imagined.fields else None
    if other and not other.problem and other.name == named.name:
        return replace(other, is_continued=True)
    if other and not other.problem and imagined and (other.is_whole or INPUT in imagined.fields):
        return Action(problem=words.two_actions("the first without an input"))
    return Action(named.name, repairs=(words.no_input(reading.dialect),))
