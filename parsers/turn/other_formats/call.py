"""A call in the format of another program, in a reply that has none in ours.

reply = thought? call noise            the thought ends where a sentence or a line does
call  = JSON | tags | special tokens | block

block = a fence around JSON or tags | the only fence, around one shell command

A call begins a line or follows a sentence, and nothing but noise follows it. What is quoted,
indented, within a fence of code or in the middle of a sentence is text. A line that ends in a colon
before it must say that the model is about to act.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from react_agent.parsers.text.fence import Fence, between, follow, opening_fence
from react_agent.parsers.turn.other_formats.cursor import Cursor, is_last, json_in, take_json
from react_agent.parsers.turn.other_formats.markup import Tag, is_call, read_tags, tag_at
from react_agent.parsers.turn.other_formats.place import Place, follows_sentence, is_quoted, said
from react_agent.parsers.turn.other_formats.shape import (
    HOLDERS,
    NAMES,
    NO_NAME,
    THOUGHTS,
    TWO_CALLS,
    Asked,
    Known,
    Read,
    Refused,
    asked_for,
)
from react_agent.parsers.turn.other_formats.shell_block import RUN, SHELLS, read_commands
from react_agent.parsers.turn.other_formats.token_call import OPENERS, opener_in, read_tokens
from react_agent.parsers.turn.tool_name import folded, read_name, without_prefix
from react_agent.parsers.values.arguments import folded_key


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    input: str
    thought: str
    form: str  # in words: "a JSON object"


@dataclass(frozen=True, slots=True)
class NoCall:
    form: str
    reason: str  # why it can't be taken: "there are two calls"
    truncated: bool


_BEGINS_JSON = ("{", "[")
_BLOCKS = {
    **dict.fromkeys(("", "json", "json5", "jsonc", "text"), (*_BEGINS_JSON, "<")),
    **dict.fromkeys(("tool_call", "tool_code", "tool", "action"), (*_BEGINS_JSON, "<")),
    **dict.fromkeys(("xml", "html"), ("<",)),
}  # what a call in them begins with
_TAGS_IN_LINE = ("<tool_call>", "<function_calls>", "<tool_calls>", "<invoke name=", "<function=")
_PLAIN_BLOCKS = ("", "tool_code")
_PRINTED = re.compile(r"print\((?P<call>.*)\)")
_MOST_OPEN = 2  # brackets that never close: each is looked for to the end
_BEGINNING = 200  # characters that show whether an object was to be a call
_CALL_KEYS = {*NAMES, *THOUGHTS, *HOLDERS, "type"}
_FIRST = re.compile(r"[\r\n]*+(?: {1,3}(?! ))?")  # with more blanks it is an indented block
_LINE = re.compile(r"[^\n]*+")
_TEXT_BEHIND = Refused("there is text behind it")
_OPEN_FENCE = Refused("its fence is not closed", truncated=True)


@dataclass(frozen=True, slots=True)
class _Seen:
    form: str
    read: Read  # None: data, to be passed over
    places: tuple[Place, ...]  # the one in a fence first, the one in the reply last


@dataclass(slots=True)
class _Search:
    cursor: Cursor
    known: Known
    runs: Known  # whether a tool of this name may be handed a command
    open_ones: int = 0
    blocks: int = 0
    passed: _Seen | None = None  # shell lines with text behind them

    def anew(self, text: str) -> "_Search":
        return _Search(Cursor(text), self.known, self.runs)

    def seen(self, form: str, read: Read, start: int) -> _Seen:
        return _Seen(form, read, (Place(self.cursor.text, start, self.cursor.at),))


def foreign_call(text: str, tools: Collection[str] | None) -> Call | NoCall | None:
    """Never raises. None: nothing in the text looks like a call."""
    names = frozenset(folded(tool) for tool in tools or ())

    def known(name: str) -> bool:
        return folded(without_prefix(name.strip())) in names

    search = _Search(Cursor(text), known, known if tools is not None else RUN.__eq__)
    seen = _first(search)
    if seen is None or seen.read is None:
        return None
    read = _obeyed(search, seen.read, seen.places)
    if isinstance(read, Refused):
        return NoCall(seen.form, read.reason, read.truncated)
    return Call(read.name, read.input, said(seen.places[-1].before) or read.thought, seen.form)


def _obeyed(search: _Search, read: Asked | Refused, places: tuple[Place, ...]) -> Asked | Refused:
    if isinstance(read, Refused):
        return read
    objections = (_objection(search, place) for place in places)
    return next(filter(None, objections), read)


def _objection(search: _Search, place: Place) -> Refused | None:
    """Why what was read as a call isn't to be obeyed."""
    if not is_last(place.text, place.end):
        return Refused(TWO_CALLS) if _first(search.anew(place.behind)) else _TEXT_BEHIND
    return Refused("it may be a quotation") if is_quoted(place) else None


def _first(search: _Search) -> _Seen | None:
    cursor = search.cursor
    cursor.take(_FIRST)
    while not cursor.at_end:
        seen = _in_line(search)
        if seen and seen.read is not None:
            return seen
        if cursor.until("\n") is None:
            break
    return search.passed


def _in_line(search: _Search) -> _Seen | None:
    line = search.cursor.line()
    if fence := opening_fence(line):
        return _block(search, fence)
    return None if not line or line.startswith((" ", "\t", ">")) else _call(search, line)


def _written_call(text: str, known: Known) -> Asked | Refused:
    """`grep("x")`, `print(grep("x"))` or `grep x`, alone."""
    found = _PRINTED.fullmatch(text.strip())
    named = read_name(found["call"] if found else text.strip(), None)
    if named and named.given and known(named.name) and "\n" not in text.strip():
        return Asked(named.name, named.given)
    return Refused(NO_NAME)


def _call(search: _Search, line: str) -> _Seen | None:
    """What the line begins with, or what follows a sentence in it."""
    if line.startswith("[") and line.rstrip().endswith(")]"):
        start = search.cursor.at
        search.cursor.took(line)
        read = _written_call(line.rstrip()[1:-1], search.known)
        return search.seen("a list of calls", read if isinstance(read, Asked) else None, start)
    if line.startswith(_BEGINS_JSON) and not line.startswith(OPENERS):
        return _json(search) if search.open_ones < _MOST_OPEN else _within(search, line)
    tag = tag_at(search.cursor)
    return _tagged(search, tag) if tag and is_call(tag, search.known) else _within(search, line)


def _within(search: _Search, line: str) -> _Seen | None:
    cursor = search.cursor
    opened = opener_in(line)
    if opened and follows_sentence(line[: opened.at]):
        cursor.took(line[: opened.at])
        start = cursor.at
        return search.seen(opened.form, read_tokens(cursor, opened, search.known), start)
    places = [line.find(tag) for tag in _TAGS_IN_LINE if tag in line]
    if not places or not follows_sentence(line[: min(places)]):
        return None
    cursor.took(line[: min(places)])
    tag = tag_at(cursor)
    return _tagged(search, tag) if tag else None


def _tagged(search: _Search, tag: Tag) -> _Seen:
    start = search.cursor.at
    return search.seen(f"a `<{tag.raw}>` block", read_tags(search.cursor, search.known), start)


def _json(search: _Search) -> _Seen:
    cursor, start = search.cursor, search.cursor.at
    form = "a JSON list" if cursor.sees("[") else "a JSON object"
    is_meant = _begins_call(cursor.text[start : start + _BEGINNING])
    raw = take_json(cursor)
    search.open_ones += isinstance(raw, Refused)
    if not is_meant and not is_last(cursor.text, cursor.at):
        return search.seen(form, None, start)
    given = json_in(raw)
    is_data = isinstance(given, Refused) and not is_meant
    return search.seen(form, None if is_data else asked_for(given, search.known), start)


def _begins_call(text: str) -> bool:
    key = text.lstrip("[{ \t\n").split(":")[0]
    return folded_key(key.strip(" \t\n'\"")) in _CALL_KEYS


def _block(search: _Search, fence: Fence) -> _Seen:
    search.blocks += 1
    start = search.cursor.at
    lines = _fenced(search.cursor)
    info = fence.info.split(" ")[0].casefold()
    data = search.seen(_block_form(info), None, start)
    if fence.indent:
        return data
    if lines is None:
        return replace(data, read=_OPEN_FENCE)
    if inner := _in_block(search, "\n".join(lines).strip(), info):
        return replace(inner, places=(*inner.places, *data.places))
    if is_last(search.cursor.text, search.cursor.at):
        return replace(data, read=_commands(search, lines, info))
    if info in SHELLS and search.passed is None:
        search.passed = replace(data, read=_TEXT_BEHIND)
    return data


def _in_block(search: _Search, content: str, info: str) -> _Seen | None:
    if not content.startswith(_BLOCKS.get(info, ())):
        return None
    return _call(search.anew(content), content.partition("\n")[0])


def _fenced(cursor: Cursor) -> list[str] | None:
    """The lines within, none if they never end."""
    open_ones, lines = list[Fence](), list[str]()
    while not cursor.at_end:
        lines.append(cursor.take(_LINE))
        follow(lines[-1], open_ones)
        if not open_ones:
            return between(lines)
        cursor.took("\n")
    return None


def _block_form(info: str) -> str:
    if info in SHELLS:
        return "a block of shell commands"
    return f"a block of `{info}`" if info else "a block of text"


def _commands(search: _Search, lines: list[str], info: str) -> Read:
    if info not in (*SHELLS, *_PLAIN_BLOCKS):
        return Refused(NO_NAME)
    if search.blocks > 1:
        return Refused("it is not the only block")
    if info in _PLAIN_BLOCKS:
        return _written_call("\n".join(lines), search.known)
    return read_commands(lines, info, search.runs)
