"""Read the action of a reply: the tool, its input, and any repairs that were necessary.

action = name NEWLINE ["Action Input:" input]
       | name NEWLINE (fenced text | JSON value | one line)         without a label for the input
       | call                                                       in another format
input  = fenced text, alone | JSON value | quoted line | text

The reader removes anything that surrounds an input: a fence, one pair of quotes, text after a
complete input, special tokens, and the remnant of a stop sequence at the very end.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.fence import opening_fence, without_empty_ends
from react_agent.parsers.transcript.labels import (
    ACTION,
    INPUT,
    OBSERVATION,
    Dialect,
    generous,
    head_of,
)
from react_agent.parsers.turn import words
from react_agent.parsers.turn.automaton import Field, Reading
from react_agent.parsers.turn.other_formats import Call, NoCall, find_call
from react_agent.parsers.turn.special import (
    cleaned,
    is_remnant,
    without_last_tokens,
    without_next_turn,
)
from react_agent.parsers.turn.tool_name import Named, read_name, says_none
from react_agent.parsers.values.arguments import read_value, unquoted
from react_agent.parsers.values.damaged_json import closing, insists_on_json

_BEGINS_A_CALL = ("{", "[", "<", "`", "~")
_NOTHING = frozenset(
    {"none", "n/a", "null", "nil", "{}", "[]", "-", "no input", "empty"}
    | {"nothing", "leave it empty"}  # copied from a tool's description
)
_QUOTED_KEY = re.compile(r"[\[\s]*\{\s*[\"']")  # `{a: 0` can be a part of a format or a pattern
_SENTENCE_ENDS = (".", ":", "!", "?")


class Refused(Exception):
    def __init__(self, problem: str, *, truncated: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.truncated = truncated


@dataclass(slots=True)
class Action:
    input: str = ""
    repairs: tuple[str, ...] = ()
    is_whole: bool = False  # it has ended by itself, so it can't have been cut off
    name: str = ""


@dataclass(slots=True)
class Tools:
    answering: Collection[str] | None
    without_argument: Collection[str]


def read_action(reading: Reading, tools: Tools) -> Action:
    """Return the action of a reply. Raises Refused or NoCall."""
    lines, spoken = reading.fields[ACTION].lines, reading.dialect
    stops = (spoken.written[OBSERVATION], spoken.written[INPUT])
    while len(lines) > 1 and (not lines[-1] or any(is_remnant(lines[-1], stop) for stop in stops)):
        lines = lines[:-1]
    written = "\n".join(lines).strip()
    first, _, below = written.partition("\n")
    named = None if opening_fence(first) else read_name(first, tools.answering)
    may_be_call = named is None and INPUT not in reading.fields and written[:1] in _BEGINS_A_CALL
    if may_be_call and (call := find_call(written, tools.answering)):
        return called(call, tools)
    labelled = generous(named.given, spoken) if named and named.given else None
    if named and labelled and labelled.label is INPUT:
        named = Named(named.name, labelled.rest)
    if named is None or (below.strip() and INPUT in reading.fields):
        raise _no_name(written, spoken)
    if below.strip():
        return _with_below(named, below, spoken)
    return _with_input(named, reading, tools)


def called(call: Call, tools: Tools) -> Action:
    named = read_name(call.name, tools.answering)
    if named is None or named.given:
        raise NoCall("it names no tool", form=call.form)
    return Action(call.input, (words.READ_FROM.format(form=call.form),), True, named.name)


def _no_name(written: str, spoken: Dialect) -> Refused:
    first, _, more = cleaned(written).partition("\n")
    is_empty = not written.strip("`'\"*[]()<> \t.")
    found = "nothing" if is_empty else repr(first[:40]) + (" and more lines" if more else "")
    is_none = not is_empty and says_none(first[:40])
    text = words.NONE_AS_NAME if is_none else words.NO_NAME
    return Refused(words.filled(text, spoken, found=found))


def _with_below(named: Named, below: str, spoken: Dialect) -> Action:
    """Return the action, using the unlabelled text below the name as its input."""
    field = Field(INPUT)
    for line in below.strip("\n").split("\n"):
        field.take(line)
    bare = field.text.strip()
    is_sentence = bare[:1].isupper() and bare.endswith(_SENTENCE_ENDS) and len(bare.split()) > 3
    is_line = "\n" not in bare and not is_sentence
    is_input = is_line or field.is_fenced or insists_on_json(bare)
    if named.given or not is_input or field.fences:
        raise _no_name(f"{named.name}\n{below}", spoken)
    found = read_input(field.lines, field.behind, spoken)
    return replace(
        found,
        name=named.name,
        repairs=(words.filled(words.TAKEN_FROM_BELOW, spoken), *found.repairs),
    )


def _with_input(named: Named, reading: Reading, tools: Tools) -> Action:
    given, spoken, beside = reading.fields.get(INPUT), reading.dialect, named.given
    if given is None and not beside:
        is_needed = named.name not in tools.without_argument
        repairs = (words.filled(words.NO_INPUT, spoken),) if is_needed else ()
        return Action(name=named.name, repairs=repairs)
    lines = given.lines if given else []
    found = read_input(lines, given.behind if given else None, spoken)
    bare = found.input.strip()
    is_nothing = bare == "()" or bare.strip("()").casefold() in _NOTHING
    if named.name in tools.without_argument and is_nothing:
        return Action(name=named.name, is_whole=found.is_whole)
    if beside and bare in ("", beside):
        found = replace(read_input(beside.split("\n"), None, spoken), repairs=())
    elif beside:
        left_out = words.filled(words.BESIDE_LEFT_OUT, spoken, beside=repr(beside[:40]))
        found = replace(found, repairs=(*found.repairs, left_out))
    if reading.fiction and _may_go_on(found, lines, reading):
        raise Refused(words.MAY_GO_ON.format(label=reading.fiction.written))
    return replace(found, name=named.name)


def _may_go_on(found: Action, lines: list[str], reading: Reading) -> bool:
    """Return whether the label that ends a multi-line input may be one of its lines.

    If the model capitalises its labels, a lower-case label may be a YAML key.
    """
    ending = reading.fiction.written if reading.fiction else ""
    is_other = ending.islower() and not head_of(reading.action_line).islower()
    return is_other and not found.is_whole and sum(bool(line.strip()) for line in lines) > 1


def read_input(lines: list[str], behind: list[str] | None, spoken: Dialect) -> Action:
    """Read the input. `behind` contains the lines after a closed fence, if there is one."""
    stop = spoken.written[OBSERVATION]
    bare = without_empty_ends(lines)
    if behind is None:
        return _unfenced(_without_remnants(bare, stop), spoken)
    if len(bare) == 1 or not opening_fence(bare[0]):
        return replace(_unfenced(bare, spoken), is_whole=True)
    others = [line for line in behind if not _is_nothing(line.strip(), stop)]
    if any(opening_fence(line) for line in others):
        raise Refused(words.TWO_BLOCKS)
    repairs = (words.TEXT_DROPPED.format(what="fence"),) if others else ()
    return Action("\n".join(bare[1:-1]), repairs, is_whole=True)


def _unfenced(lines: list[str], spoken: Dialect) -> Action:
    text = "\n".join(lines)
    if without_next_turn(text) != text:
        raise Refused(words.ANOTHER_TURN)
    if text.lstrip("` ")[:1] in ("{", "["):
        return _bracketed(text, spoken)
    inner = unquoted(text)
    return Action(text) if inner == text else Action(inner, (words.UNQUOTED,))


def _bracketed(text: str, spoken: Dialect) -> Action:
    """Read an input that begins with a bracket. A JSON value ends it; any other text is kept."""
    bare = text.lstrip("` ") if text.startswith("`") else text
    end = closing(bare)
    if end is None:
        if _QUOTED_KEY.match(bare):
            raise Refused(words.OPEN_BRACKET, truncated=True)
        return Action(text)
    value, behind = bare[: end + 1], bare[end + 1 :]
    if not behind.strip("` \n"):
        is_bare = not behind.strip() and bare is text
        return Action(value, () if is_bare else (words.UNQUOTED,), is_whole=True)
    is_apart = not behind.partition("\n")[0].strip() and behind.lstrip()[0] not in "{["
    is_imagined = generous(behind.lstrip(), spoken) is not None
    if value.lstrip()[0] == "{" and (is_apart or is_imagined) and _is_value(value):
        return Action(value, (words.TEXT_DROPPED.format(what="bracket"),), is_whole=True)
    return Action(text)


def _is_value(text: str) -> bool:
    try:
        return not isinstance(read_value(text), str)
    except ParseError:
        return False


def _without_remnants(lines: list[str], stop: str) -> list[str]:
    """Return the lines without a remnant of a stop or turn end, unless nothing would be left."""
    end = len(lines)
    while end and _is_nothing(lines[end - 1], stop):
        end -= 1
    if not any(line.strip() for line in lines[:end]):
        return lines
    return [*lines[: end - 1], without_last_tokens(lines[end - 1])]


def _is_nothing(line: str, stop: str) -> bool:
    return not line or is_remnant(line, stop) or not without_last_tokens(line)
