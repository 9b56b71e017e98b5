"""A call written in tags.

call     = labelled | wrapper | fields | tool
labelled = <function=NAME> or <invoke name="NAME">, then JSON, elements or text, and its close
wrapper  = <tool_call>, then JSON, a call or elements, and its close, which may be missing
fields   = <action>NAME</action> <action_input>text</action_input>
tool     = <NAME> elements or text </NAME>, of a tool that is known
element  = <KEY> or <parameter=KEY> or <parameter name="KEY">, text, and its close

A namespace before the name of a tag does not count. A line end at both ends of a text goes.
"""

import re
from typing import NamedTuple

from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.turn.call_arguments import (
    CUT_OFF,
    INPUTS,
    NAMES,
    THOUGHTS,
    TWO_CALLS,
    VALUES,
    Asked,
    Cursor,
    Known,
    Unreadable,
    asked_for,
    marked_call,
    named,
)
from react_agent.parsers.values.arguments import folded_key

_TAG = re.compile(
    r"<(?P<raw>(?:[\w-]{1,40}:|｜[\w-]{1,20}｜)?(?P<name>[A-Za-z_][\w-]{0,60}))"
    r"(?:=(?P<label>[^<>\n]{1,100})|(?P<attributes>[ \t][^<>\n]{0,200}?)|)[ \t]*(?P<empty>/?)>"
)
_NAME_ATTRIBUTE = re.compile(r"""[ \t]name[ \t]*=[ \t]*["']([^"'<>\n]{1,100})["']""")
_WRAPPERS = {
    *("toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse"),
    *("tool", "function", "invoke"),
}
_FIELDS = {*NAMES, *INPUTS, *THOUGHTS}
_OUTER = ("</tool_call>", "</function_calls>")  # the close of the inner tag is often forgotten
_LONGEST_NAME = 100  # with its close
_DEEPEST = 3  # tags within tags
_SPACES = re.compile(r"\s*+")


class Tag(NamedTuple):
    raw: str
    name: str
    key: str  # the name, folded
    label: str
    is_empty: bool
    end: int

    @property
    def close(self) -> str:
        return f"</{self.raw}>"


def tag_at(cursor: Cursor) -> Tag | None:
    found = _TAG.match(cursor.text, cursor.at)
    if not found:
        return None
    attribute = _NAME_ATTRIBUTE.search(found["attributes"] or "")
    label = (found["label"] or (attribute[1] if attribute else "")).strip(" \t\"'")
    name = found["name"]
    return Tag(found["raw"], name, folded_key(name), label, bool(found["empty"]), found.end())


def may_begin_call(tag: Tag, known: Known) -> bool:
    """`<tool>` may also be the first of two fields."""
    return tag.key in _WRAPPERS or (tag.key in NAMES and not tag.label) or known(tag.name)


def read_tags(cursor: Cursor, known: Known, depth: int = _DEEPEST) -> Asked | None:
    """The cursor stands at a tag, and then after the call. None: data, not a call."""
    tag = tag_at(cursor)
    if tag is None or not depth:
        raise Unreadable("it can't be read")
    if tag.label and tag.key in _WRAPPERS:
        return named(tag.label, _arguments(cursor, tag))
    if _begins_fields(cursor, tag):
        return _fields(cursor, known)
    if known(tag.name):
        return named(tag.name, _arguments(cursor, tag))
    return _wrapped(cursor, tag, known, depth) if tag.key in _WRAPPERS else None


def _wrapped(cursor: Cursor, tag: Tag, known: Known, depth: int) -> Asked | None:
    cursor.at = tag.end
    cursor.take(_SPACES)
    inner = tag_at(cursor)
    is_tool = inner is not None and inner.key not in _FIELDS and known(inner.name)
    if cursor.sees(*VALUES):
        asked: Asked | None = marked_call(cursor.json_value(), known)
    elif inner and (is_tool or (inner.key in _WRAPPERS and not _begins_fields(cursor, inner))):
        asked = read_tags(cursor, known, depth - 1)
    else:
        asked = marked_call(_elements(cursor, tag.close), known)
    before = cursor.at
    cursor.take(_SPACES)
    if not cursor.took(tag.close):
        following = tag_at(cursor)
        cursor.at = before
        if following and may_begin_call(following, known):
            raise Unreadable(TWO_CALLS)
    return asked


def _begins_fields(cursor: Cursor, tag: Tag) -> bool:
    """`<action>grep</action>`: a name, and nothing else."""
    if tag.key not in _FIELDS or tag.is_empty:
        return False
    after = cursor.text[tag.end : tag.end + _LONGEST_NAME].lstrip()
    return after[:1] not in ("<", "{", "[", "`") and tag.close in after


def _fields(cursor: Cursor, known: Known) -> Asked | None:
    found = dict[str, object]()
    end = cursor.at
    while (tag := tag_at(cursor)) and tag.key in _FIELDS and tag.key not in found:
        value = _value(cursor, tag)
        found[tag.key] = value.strip() if tag.key in NAMES else value
        end = cursor.at
        cursor.take(_SPACES)
    cursor.at = end
    return asked_for(found, known) if found.keys() & INPUTS else None


def _arguments(cursor: Cursor, tag: Tag) -> object:
    """Those between the tag and its close, which is taken as well."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return None
    cursor.take(_SPACES)
    if cursor.sees("{"):
        given = cursor.json_value()
        cursor.take(_SPACES)
        cursor.took(tag.close)
        return given
    if tag_at(cursor) or cursor.sees(tag.close):
        return _elements(cursor, tag.close)
    cursor.at = start
    text = cursor.until(tag.close)
    if text is None:
        raise Unreadable(CUT_OFF, truncated=True)
    return unfenced(text)


def _elements(cursor: Cursor, close: str, *, is_nested: bool = False) -> dict[str, object]:
    found = dict[str, object]()
    while not cursor.took(close) and not cursor.sees(*_OUTER):
        tag = tag_at(cursor)
        if tag is None:
            is_cut = cursor.at_end
            raise Unreadable(CUT_OFF if is_cut else "it can't be read", truncated=is_cut)
        key = tag.label or tag.name
        if key in found:
            raise Unreadable(f"`{key}` stands there twice")
        value = _value(cursor, tag)
        is_input = folded_key(key) in INPUTS and not is_nested
        found[key] = _within(value) if is_input else value
        cursor.take(_SPACES)
    match list(found.values()):
        case [dict() as only]:
            return only
    return found


def _within(value: str) -> object:
    """`<arguments>` may hold elements itself."""
    inner = Cursor(value.strip() + "</>")
    try:
        return _elements(inner, "</>", is_nested=True) if tag_at(inner) else value
    except Unreadable:
        return value


def _value(cursor: Cursor, tag: Tag) -> str:
    """Up to the close that another tag or the end follows: a text may hold such closes."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return ""
    while cursor.until(tag.close) is not None:
        end = cursor.at
        cursor.take(_SPACES)
        if cursor.at_end or cursor.sees("<"):
            cursor.at = end
            text = cursor.text[start : end - len(tag.close)]
            return text.removeprefix("\n").removesuffix("\n")
    raise Unreadable(CUT_OFF, truncated=True)
