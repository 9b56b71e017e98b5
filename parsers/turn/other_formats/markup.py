"""A call written in tags.

call     = labelled | wrapper | fields | tool
labelled = <function=NAME> or <invoke name="NAME">, then JSON, elements or text, and its close
wrapper  = <tool_call>, then JSON (the close may be missing), a call, elements, or
           NAME with JSON or <arg_key>, <arg_value> pairs, and its close
fields   = <action>NAME</action> <action_input>text</action_input>
tool     = <NAME> elements or text </NAME>, of a tool that is known
element  = <KEY> or <parameter=KEY> or <parameter name="KEY">, text, and its close

A namespace before the name of a tag does not count. A line end at both ends of a text goes.
"""

import re
from dataclasses import dataclass

from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.turn.other_formats.cursor import BLANKS, VALUES, Cursor, json_value
from react_agent.parsers.turn.other_formats.shape import (
    CUT_OFF,
    INPUTS,
    NAMES,
    THOUGHTS,
    TWO_CALLS,
    Known,
    Read,
    Refused,
    asked_for,
    marked_call,
    named,
)
from react_agent.parsers.values.arguments import folded_key

_TAG = re.compile(
    r"<(?P<raw>(?:[\w-]{1,40}:|｜[\w-]{1,20}｜)?(?P<name>[A-Za-z_][\w-]{0,60}))"
    r"(?:=(?P<label>[^<>\n]{1,100})|(?P<attributes>[ \t][^<>\n]{0,200}?)|)[ \t]*(?P<empty>/?)>"
)
_NAME_ATTRIBUTE = re.compile(r"""[ \t](?:name|function)[ \t]*=[ \t]*["']([^"'<>\n]{1,100})["']""")
_WRAPPERS = {
    *("toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse", "usetool", "tools"),
    *("tool", "function", "action", "invoke", "call", "calltool", "functions"),
}
_NAME_FIELDS = {*NAMES} - {"command"}
_FIELDS = {*_NAME_FIELDS, *INPUTS, *THOUGHTS}
_OUTER = ("</tool_call>", "</function_calls>")  # the close of the inner tag is often forgotten
_WORD = re.compile(r"[^<{\n]*+")
_LONGEST_NAME = 100  # with its close
_DEEPEST = 3  # tags within tags
_UNREADABLE = Refused("it can't be read")
_CUT = Refused(CUT_OFF, truncated=True)


@dataclass(frozen=True, slots=True)
class Tag:
    raw: str
    key: str  # its name, folded
    label: str
    is_empty: bool
    end: int

    @property
    def name(self) -> str:
        return self.raw.rpartition(":")[2].rpartition("｜")[2]

    @property
    def close(self) -> str:
        return f"</{self.raw}>"

    @property
    def is_labelled(self) -> bool:
        return bool(self.label) and self.key in _WRAPPERS

    @property
    def is_wrapper(self) -> bool:
        return not self.label and self.key in _WRAPPERS


def tag_at(cursor: Cursor) -> Tag | None:
    found = _TAG.match(cursor.text, cursor.at)
    if not found:
        return None
    attribute = _NAME_ATTRIBUTE.search(found["attributes"] or "")
    label = (found["label"] or (attribute[1] if attribute else "")).strip(" \t\"'")
    return Tag(found["raw"], folded_key(found["name"]), label, bool(found["empty"]), found.end())


def is_call(tag: Tag, known: Known) -> bool:
    """Whether what begins here may be one; `<tool>` may also be the first of two fields."""
    return tag.is_labelled or tag.is_wrapper or tag.key in _NAME_FIELDS or known(tag.name)


def read_tags(cursor: Cursor, known: Known, depth: int = _DEEPEST) -> Read:
    """The cursor stands at a tag, and then behind the call."""
    tag = tag_at(cursor)
    if tag is None or not depth:
        return _UNREADABLE
    if tag.is_labelled:
        return named(tag.label, _arguments(cursor, tag))
    if _begins_fields(cursor, tag):
        return _fields(cursor, known)
    if tag.is_wrapper and not known(tag.name):
        return _wrapper(cursor, tag, known, depth)
    return named(tag.name, _arguments(cursor, tag)) if known(tag.name) else None


def _wrapper(cursor: Cursor, tag: Tag, known: Known, depth: int) -> Read:
    cursor.at = tag.end
    cursor.take(BLANKS)
    read = _content(cursor, tag, known, depth)
    before = cursor.at
    cursor.take(BLANKS)
    if cursor.took(tag.close) or isinstance(read, Refused):
        return read
    following = tag_at(cursor)
    cursor.at = before
    return Refused(TWO_CALLS) if following and is_call(following, known) else read


def _content(cursor: Cursor, tag: Tag, known: Known, depth: int) -> Read:
    if cursor.sees(*VALUES):
        return marked_call(json_value(cursor), known)
    inner = tag_at(cursor)
    if inner is None:
        return _CUT if cursor.at_end else _worded(cursor, tag)
    if (inner.is_labelled or inner.is_wrapper) and not _begins_fields(cursor, inner):
        return read_tags(cursor, known, depth - 1)
    if inner.key not in _FIELDS and known(inner.name):
        return named(inner.name, _arguments(cursor, inner))
    return marked_call(_elements(cursor, tag.close), known)


def _worded(cursor: Cursor, tag: Tag) -> Read:
    """`grep`, then JSON or pairs of a key and a value."""
    name = cursor.take(_WORD)
    cursor.take(BLANKS)
    return named(name, json_value(cursor) if cursor.sees("{") else _pairs(cursor, tag.close))


def _pairs(cursor: Cursor, close: str) -> dict[str, object] | Refused:
    found = dict[str, object]()
    while not cursor.took(close):
        key = _element(cursor, "arg_key")
        cursor.take(BLANKS)
        value = _element(cursor, "arg_value")
        if key is None or value is None:
            return _CUT if cursor.at_end else _UNREADABLE
        found[key.strip()] = value
        cursor.take(BLANKS)
    return found


def _element(cursor: Cursor, name: str) -> str | None:
    tag = tag_at(cursor)
    return _value(cursor, tag) if tag and tag.name == name else None


def _begins_fields(cursor: Cursor, tag: Tag) -> bool:
    """`<action>grep</action>`: a name, and nothing else."""
    if tag.key not in _FIELDS or tag.is_empty:
        return False
    after = cursor.text[tag.end : tag.end + _LONGEST_NAME].lstrip()
    return after[:1] not in ("<", "{", "[", "`") and tag.close in after


def _fields(cursor: Cursor, known: Known) -> Read:
    found = dict[str, object]()
    end = cursor.at
    while (tag := tag_at(cursor)) and tag.key in _FIELDS and tag.key not in found:
        value = _value(cursor, tag)
        if value is None:
            return _CUT
        found[tag.key] = value.strip() if tag.key in _NAME_FIELDS else value
        end = cursor.at
        cursor.take(BLANKS)
    cursor.at = end
    return asked_for(found, known) if found.keys() & INPUTS else None


def _arguments(cursor: Cursor, tag: Tag) -> object | Refused:
    """Those between the tag and its close, which is taken as well."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return None
    cursor.take(BLANKS)
    if cursor.sees("{"):
        given = json_value(cursor)
        cursor.take(BLANKS)
        cursor.took(tag.close)
        return given
    if tag_at(cursor) or cursor.sees(tag.close):
        return _elements(cursor, tag.close)
    cursor.at = start
    text = cursor.until(tag.close)
    return _CUT if text is None else unfenced(text)


def _elements(cursor: Cursor, close: str, depth: int = _DEEPEST) -> dict[str, object] | Refused:
    found = dict[str, object]()
    while not cursor.took(close) and not cursor.sees(*_OUTER):
        tag = tag_at(cursor)
        value = _value(cursor, tag) if tag else None
        if tag is None or value is None:
            return _CUT if cursor.at_end or tag else _UNREADABLE
        key = tag.label or tag.name
        if key in found:
            return Refused(f"`{key}` stands there twice")
        found[key] = _nested(value, depth - 1) if folded_key(key) in INPUTS else value
        cursor.take(BLANKS)
    match list(found.values()):
        case [dict() as only]:
            return only
    return found


def _nested(value: str, depth: int) -> object:
    """`<arguments>` may hold elements itself."""
    within = Cursor(value.strip() + "</>")
    if not depth or not tag_at(within):
        return value
    found = _elements(within, "</>", depth)
    return value if isinstance(found, Refused) else found


def _value(cursor: Cursor, tag: Tag) -> str | None:
    """Up to the close that another tag or the end follows: a text may hold such closes."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return ""
    while cursor.until(tag.close) is not None:
        end = cursor.at
        cursor.take(BLANKS)
        if cursor.at_end or cursor.sees("<"):
            cursor.at = end
            text = cursor.text[start : end - len(tag.close)]
            return text.removeprefix("\n").removesuffix("\n")
    return None
