"""Find a tool call in another program's format, in a reply without a call in our format.

reply     = thought? call noise         noise: spaces, special tokens, and the close of a wrapper
call      = object | tags | fence around one of these | the only fence, around shell commands
object    = JSON with a name key and an input key, or with a name key and arguments beside it
        | JSON with "function": object          beside each: a thought, identifiers
tags      = wrapper (object | tags) close?                         <tool_call>, <function_calls>
          | named (JSON | element* | text) close  <function=NAME>, <invoke name="NAME">, <NAME>
element   = <KEY> or <parameter=KEY> or <parameter name="KEY">, text, and its close
arguments = text | one value | `key: value` lines, a value of several lines last | JSON

A call begins on a new line and is the last thing in the reply. Indented or quoted text is not a
call, nor is text that the preceding sentence quotes or forbids. An object without any mark of a
call is still a call if it names a tool, or if it has both keys and no others.
"""

import json
import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.fence import Fence, follow, opening_fence, unfenced
from react_agent.parsers.turn.special import TOKEN
from react_agent.parsers.turn.tool_name import folded, without_prefix
from react_agent.parsers.values.arguments import folded_key, read_fields, unquoted
from react_agent.parsers.values.damaged_json import closing, read_json


class Call(NamedTuple):
    name: str
    input: str
    thought: str
    form: str = ""  # in words: "a JSON object"


class NoCall(Exception):
    """An error for text that looks like a call but must not be run."""

    def __init__(self, reason: str, *, form: str = "", truncated: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.form = form  # in words: "a JSON object"
        self.truncated = truncated


class _Tag(NamedTuple):
    name: str
    label: str  # `NAME` in <function=NAME>
    end: int

    @property
    def close(self) -> str:
        return f"</{self.name}>"

    @property
    def is_wrapper(self) -> bool:
        return not self.label and folded_key(self.name) in _WRAPPERS


_Known = Callable[[str], bool]  # whether a tool has this name
_Read = tuple[Call | None, int]  # the call (None for data), and where it ends

_NAMES = ("action", "toolname", "tool", "functionname", "function", "name")
_INPUTS = ("actioninput", "toolinput", "input", "arguments", "args", "parameters", "params")
_THOUGHTS = ("thought", "thoughts", "reasoning", "explanation")
_ASIDE = {*_THOUGHTS, "id", "callid", "toolcallid", "tooluseid", "index", "type"}
_TAG = re.compile(
    r"<(?P<name>[A-Za-z_][\w:-]{0,60})"
    r"(?:=(?P<label>[^<>\n]{1,100})"
    r"""|[ \t]+name[ \t]*=[ \t]*["'](?P<named>[^"'<>\n]{1,100})["'])?"""
    r"[^<>\n/]{0,200}>"
)
_ELEMENT = re.compile(rf"{_TAG.pattern}\n?(?P<text>.*?)\n?</(?P=name)>\s*+", re.DOTALL)
_WRAPPERS = {"toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse"}
_DEEPEST = 3  # tags within tags
_SPACES = re.compile(r"\s*+")
_WRAPPER_CLOSE = r"</(?:tool|function)_(?:calls?|use)>"
_NOISE = re.compile(rf"(?:\s++|{TOKEN.pattern}|{_WRAPPER_CLOSE}|<end_code>)*+")
_CALL_BLOCKS = ("", "json", "text", "xml", "tool_call", "tool_code")
_SHELLS = ("bash", "sh", "shell")
_BEGINNING = 200  # characters that show whether an object is meant as a call
_PIECE = 1000
_DECORATION = " *_"
_RESULTS = ("<tool_response", "<tool_result", "<function_result", "<observation")
_ANNOUNCES = re.compile(
    r"(?i)(?:(?:i['’]ll|i will|i need to|let me|let['’]s|now|next|first|\w+ing)\b"
    r"|.*(?:tool call|action|command)$)"
)
_SPEAKS_OF_IT = re.compile(
    r"(?i)\b(?:never|(?:not|\w+n['’]t) run|says|said|reads|contains|example|quotes?|quoted"
    r"|instructs|recommends|suggests)\b"
)

_NO_NAME = "it names no tool"
_TWO_CALLS = "there are two calls: write only the first"
_TEXT_AFTER = "there is text after it"
_CUT_OFF = "it is cut off"
_INVALID = "it is not valid JSON"
_UNREADABLE = "it can't be read"


def find_call(text: str, tools: Collection[str] | None) -> Call | None:
    """Return the call in the text, or None if nothing looks like one. Raises only NoCall."""
    names = frozenset(map(folded, tools or ()))

    def known(name: str) -> bool:
        return folded(without_prefix(name.strip())) in names

    runs = known if tools is not None else "run".__eq__
    text, at, blocks = text.lstrip("\r\n"), 0, 0
    if text.startswith(" ") and not text.startswith("    "):
        text = text.lstrip(" ")  # the space after `Thought:`
    while at < len(text):
        line = text[at:].partition("\n")[0] if text[at] in "{<`~ " else ""
        form, read, end = _reader(text, at, known)
        if line and opening_fence(line):
            blocks += 1
            form, read, end = _block(text, at, known, runs if blocks == 1 else None)
        if read and (call := _call_at(text, at, form, read)):
            return call
        at = text.find("\n", end) + 1 or len(text)
    return None


def _call_at(text: str, start: int, form: str, read: Callable[[], _Read]) -> Call | None:
    before = text[:start]
    try:
        call, end = read()
        if call is None:
            return None
        if _NOISE.fullmatch(text, end) is None:
            raise NoCall(_TEXT_AFTER)
        if _leads_up_to_quote(before):
            raise NoCall("it may be a quotation")
    except NoCall as error:
        error.form = form
        raise
    return call._replace(thought=before.strip() or call.thought, form=form)


def _reader(text: str, at: int, known: _Known) -> tuple[str, Callable[[], _Read] | None, int]:
    """Return the form of a possible call at this position, its reader, and the next position."""
    if text.startswith("{", at):
        key = text[at : at + _BEGINNING].lstrip("{ \t\n").split(":")[0]
        is_meant = folded_key(key.strip(" \t\n'\"")) in {*_NAMES, *_THOUGHTS, "id", "type"}
        return "a JSON object", (lambda: _object(text, at, known)) if is_meant else None, at
    tag = _tag(text, at)
    if tag and _is_call(tag, known):
        return f"a `<{tag.name}>` block", lambda: _tags(text, at, known), at
    return "", None, at


def _is_call(tag: _Tag, known: _Known) -> bool:
    is_marked = bool(tag.label) and tag.name in ("function", "invoke", "tool")
    return tag.is_wrapper or is_marked or known(tag.name)


def _object(text: str, at: int, known: _Known, *, is_marked: bool = False) -> _Read:
    value, end = _json(text, at)
    return _called(value, known, is_marked=is_marked), end


def _json(text: str, at: int) -> tuple[object, int]:
    size = _PIECE
    # The pieces grow, so the cost depends on the value's length, not on the text's.
    while (end := closing(text[at : at + size])) is None:
        if at + size >= len(text):
            # A text that ends with the mark that closes a call is not cut: its brackets are wrong.
            is_whole = text[at:].rstrip().endswith((">", "```"))
            raise NoCall(_INVALID if is_whole else _CUT_OFF, truncated=not is_whole)
        size *= 4
    return _value(text[at : at + end + 1]), at + end + 1


def _value(text: str) -> object:
    try:
        return read_json(text)
    except ParseError:
        raise NoCall(_INVALID) from None


def _called(value: object, known: _Known, *, is_marked: bool) -> Call | None:
    """Return the object's call, or None for data. `is_marked`: tags around it mark a call."""
    if not isinstance(value, dict):
        return None
    keys = {folded_key(key): key for key in value}
    key = next((key for key in _NAMES if key in keys), "")
    name = value[keys[key]] if key else None
    if key == "function" and isinstance(name, dict) and keys.keys() <= {*_ASIDE, key}:
        return _called(name, known, is_marked=is_marked)
    if not isinstance(name, str):
        return None
    rest = {each: value[each] for each in value if folded_key(each) not in (*_ASIDE, key)}
    inputs = [each for each in rest if folded_key(each) in _INPUTS]
    if not is_marked and not known(name) and not (inputs and len(rest) == 1):
        return None
    if inputs and len(rest) > 1:
        raise NoCall("it has keys besides a name and an input")
    given = value[inputs[0]] if inputs else rest
    if isinstance(given, str) and given.startswith("{") and folded_key(inputs[0]) in _INPUTS[3:]:
        given = _value(given)  # the arguments of a function are often JSON within a string
    thoughts = (value[keys[key]] for key in _THOUGHTS if key in keys)
    thought = next((text.strip() for text in thoughts if isinstance(text, str)), "")
    return _named(name, given, thought)


def _named(written: str, arguments: object, thought: str = "") -> Call:
    name = without_prefix(written.strip())
    if not name or "\n" in name:
        raise NoCall(_NO_NAME)
    return Call(name, _text_of(arguments), thought)


def _tag(text: str, at: int) -> _Tag | None:
    found = _TAG.match(text, at)
    label = (found["label"] or found["named"] or "").strip(" \t\"'") if found else ""
    return _Tag(found["name"], label, found.end()) if found else None


def _after_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at


def _tags(text: str, at: int, known: _Known, depth: int = _DEEPEST) -> _Read:
    tag = _tag(text, at)
    if tag is None or not depth or not _is_call(tag, known):
        is_cut = at == len(text)
        raise NoCall(_CUT_OFF if is_cut else _UNREADABLE, truncated=is_cut)
    start = _after_spaces(text, tag.end)
    if not tag.is_wrapper:
        arguments, end = _arguments(text, tag, start)
        return _named(tag.label or tag.name, arguments), end
    if text.startswith("{", start):
        call, end = _object(text, start, known, is_marked=True)
    else:
        call, end = _tags(text, start, known, depth - 1)
    if call is None:
        raise NoCall(_NO_NAME)
    last = _after_spaces(text, end)
    if text.startswith(tag.close, last):
        return call, last + len(tag.close)
    if _tag(text, last):
        raise NoCall(_TWO_CALLS)
    return call, end


def _arguments(text: str, tag: _Tag, at: int) -> tuple[object, int]:
    """Return the arguments between a tag and its closing tag, and the end of the closing tag."""
    if text.startswith("{", at):
        given, end = _json(text, at)
        last = _after_spaces(text, end)
        return given, last + len(tag.close) if text.startswith(tag.close, last) else end
    if not _tag(text, at) and not text.startswith(tag.close, at):
        end = text.find(tag.close, tag.end)
        if end < 0:
            raise NoCall(_CUT_OFF, truncated=True)
        return unfenced(text[tag.end : end]), end + len(tag.close)
    found = dict[str, object]()
    while not text.startswith(tag.close, at):
        opening, element = _tag(text, at), _ELEMENT.match(text, at)
        if opening is None or element is None:
            is_cut = opening is not None or at == len(text)
            raise NoCall(_CUT_OFF if is_cut else _UNREADABLE, truncated=is_cut)
        key = opening.label or opening.name
        if key in found:
            raise NoCall(f"`{key}` is in it twice")
        found[key], at = element["text"], element.end()
    return found, at + len(tag.close)


def _block(
    text: str, at: int, known: _Known, runs: _Known | None
) -> tuple[str, Callable[[], _Read] | None, int]:
    """Read a whole fenced block, and return its form, its reader and its end."""
    fences, lines, end = list[Fence](), list[str](), at
    for line in text[at:].split("\n"):
        follow(line, fences)
        lines.append(line)
        end += len(line) + 1
        if not fences:
            break
    end = min(end - 1, len(text))
    if fences or text[at] == " ":
        return "", None, end
    info = lines[0].lstrip("`~ ").split(" ")[0].casefold()
    content = "\n".join(lines[1:-1]).strip("\n")
    if info in _CALL_BLOCKS:
        inner = content.strip()
        form, read, _ = _reader(inner, 0, known)
        return form, read and (lambda: (_whole(inner, read), end)), end
    if info in _SHELLS and _NOISE.fullmatch(text, end):
        return "a block of shell commands", lambda: (_command(content, info, runs), end), end
    return "", None, end


def _whole(inner: str, read: Callable[[], _Read]) -> Call | None:
    call, end = read()
    if call and inner[end:].strip():
        raise NoCall(_TEXT_AFTER)
    return call


def _command(content: str, shell: str, runs: _Known | None) -> Call:
    if runs is None:
        raise NoCall("it is not the only block")
    name = next(filter(runs, ("run", shell)), "")
    if not name:
        raise NoCall("no tool takes commands")
    return Call(name, content, "")


def _leads_up_to_quote(before: str) -> bool:
    if any(result in before for result in _RESULTS):
        return True
    line = before.rstrip().rpartition("\n")[2].strip(_DECORATION)
    sentence = re.split("[.!?:] ", line.rstrip(".!?…:："))[-1].strip(_DECORATION)
    is_led_up_to = line.endswith((":", "：")) and not _ANNOUNCES.match(sentence)
    return is_led_up_to or _SPEAKS_OF_IT.search(sentence) is not None


def _text_of(arguments: object) -> str:
    """Return the arguments in the form used below `Action Input:`."""
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    if not isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    given = {str(key): value for key, value in arguments.items() if value is not None}
    only = next(iter(given.values()), None)
    if len(given) == 1 and not isinstance(only, bool | dict | list):
        return _text_of(only)
    texts = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in given.items()
    }
    pairs = sorted(texts.items(), key=lambda pair: "\n" in pair[1])
    text = "\n".join(f"{key}: {value}".rstrip(" ") for key, value in pairs)
    # Such lines would lose quotes, spaces at an end, and lines that look like another field.
    names = {key.casefold().replace("-", "_").replace(" ", "_") for key in texts}
    as_read = [unquoted(value) for _, value in read_fields(text, names)]
    long = sum("\n" in value for value in texts.values())
    if long < 2 and as_read == [value for _, value in pairs]:
        return text
    return json.dumps(given, ensure_ascii=False, indent=2)
