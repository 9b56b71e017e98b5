"""A call in the format of another program, in a reply that has none in ours.

reply   = thought? call noise          noise: spaces, special tokens, and the close of a wrapper
call    = JSON | tags | fence around one of these | the only fence, around one shell command
tags    = wrapper (JSON | tags | element*) close?                     <tool_call>
        | named (JSON | element* | text) close         <function=NAME>, <invoke name="NAME">, <NAME>
element = <KEY> or <parameter=KEY> or <parameter name="KEY">, text, and its close

A call begins a line, and is the last thing in the reply. What is indented or quoted, and what the
sentence before it quotes or forbids, is text. A namespace before the name of a tag does not count.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.shell.heredoc import Heredoc, heredocs
from react_agent.parsers.text.fence import Fence, follow, opening_fence, unfenced
from react_agent.parsers.turn.call_arguments import (
    CUT_OFF,
    INVALID,
    NAMES,
    NO_NAME,
    THOUGHTS,
    TWO_CALLS,
    Asked,
    Known,
    NoCall,
    asked_for,
    named,
    read_object,
)
from react_agent.parsers.turn.special import TOKEN
from react_agent.parsers.turn.tool_name import folded, without_prefix
from react_agent.parsers.values.arguments import folded_key
from react_agent.parsers.values.damaged_json import closing


class Call(NamedTuple):
    name: str
    input: str
    thought: str
    form: str  # in words: "a JSON object"


_TAG = re.compile(
    r"<(?P<raw>(?:[\w-]{1,40}:|｜[\w-]{1,20}｜)?(?P<name>[A-Za-z_][\w-]{0,60}))"
    r"(?:=(?P<label>[^<>\n]{1,100})|(?P<attributes>[ \t][^<>\n]{0,200}?)|)[ \t]*(?P<empty>/?)>"
)
_NAME_ATTRIBUTE = re.compile(r"""[ \t]name[ \t]*=[ \t]*["']([^"'<>\n]{1,100})["']""")
_WRAPPERS = {
    *("toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse"),
    *("tool", "function", "invoke"),
}
_OUTER = ("</tool_call>", "</function_calls>")  # the close of the inner tag is often forgotten
_DEEPEST = 3  # tags within tags
_SPACES = re.compile(r"\s*+")
_WRAPPER_CLOSE = r"</(?:[\w-]{1,40}:)?(?:tool|function)_(?:calls?|use)>"
_NOISE = re.compile(rf"(?:\s++|{TOKEN.pattern}|{_WRAPPER_CLOSE}|<end_code>)*+")
_CALL_BLOCKS = ("", "json", "text", "xml", "tool_call", "tool_code")
_SHELLS = ("bash", "sh", "shell", "console", "zsh", "shell-session", "terminal")
_COMMAND_TOOLS = ("run", "bash", "shell", "terminal", "execute_bash", "run_command")
_GOES_ON = ("\\", "&&", "||", "|")  # what ends a line of a command that the next one continues
_BEGINNING = 200  # characters that show whether an object is to be a call
_CALL_KEYS = {*NAMES, *THOUGHTS, "id", "type"}
_BRACKETS = re.compile(r"[}\]]*+")  # one too many is a habit
_PIECE = 1000
_DECORATION = " *_"
_SENTENCE_END = re.compile("[.!?:] ")
_RESULTS = ("<tool_response", "<tool_result", "<function_result", "<observation")
_ANNOUNCES = re.compile(
    r"(?:i['’]ll|i will|i need to|let me|let['’]s|now|next|first|\w+ing)\b"
    r"|(?:tool call|action|command)$",
    re.IGNORECASE,
)
_SPEAKS_OF_IT = re.compile(
    r"\b(?:never|(?:not|\w+n['’]t) run|says|said|reads|contains|example|quotes?|quoted|instructs"
    r"|recommends|suggests)\b",
    re.IGNORECASE,
)


def find_call(text: str, tools: Collection[str] | None) -> Call | None:
    """None: nothing in the text looks like a call. Raises NoCall, and nothing else."""
    names = frozenset(map(folded, tools or ()))

    def known(name: str) -> bool:
        return folded(without_prefix(name.strip())) in names

    runs = known if tools is not None else "run".__eq__
    cursor, blocks = _Cursor(text.lstrip("\r\n")), 0
    if cursor.text.startswith(" ") and not cursor.text.startswith("    "):
        cursor.text = cursor.text.lstrip(" ")  # it stands behind `Thought:`
    while not cursor.at_end:
        start, line = cursor.at, cursor.line()
        form, read = _reader(cursor, line, known)
        if opening_fence(line):
            blocks += 1
            form, read = _block_reader(cursor, known, runs if blocks == 1 else None)
        if read and (call := _call_at(cursor, start, form, read)):
            return call
        if cursor.until("\n") is None:
            break
    return None


_Reader = Callable[[], Asked | None]


def _call_at(cursor: "_Cursor", start: int, form: str, read: _Reader) -> Call | None:
    text = cursor.text
    try:
        asked = read()
        if asked is None:
            return None
        if _NOISE.fullmatch(text, cursor.at) is None:
            raise NoCall("there is text behind it")
        if _leads_up_to_quote(text[:start]):
            raise NoCall("it may be a quotation")
    except NoCall as error:
        error.form = form
        raise
    return Call(asked.name, asked.input, text[:start].strip() or asked.thought, form)


def _reader(cursor: "_Cursor", line: str, known: Known) -> tuple[str, _Reader | None]:
    """What this line may begin."""
    if line.startswith(("{", "[")):
        key = cursor.text[cursor.at : cursor.at + _BEGINNING].lstrip("[{ \t\n").split(":")[0]
        is_meant = folded_key(key.strip(" \t\n'\"")) in _CALL_KEYS
        form = "a JSON list" if line.startswith("[") else "a JSON object"
        return form, (lambda: asked_for(cursor.json_value(), known)) if is_meant else None
    tag = _tag_at(cursor)
    if tag is None or not (tag.key in _WRAPPERS or known(tag.name)):
        return "", None
    return f"a `<{tag.raw}>` block", lambda: _read_tags(cursor, known)


def _block_reader(
    cursor: "_Cursor", known: Known, runs: Known | None
) -> tuple[str, _Reader | None]:
    """Of a fenced block, over which the cursor goes."""
    start, fences, lines = cursor.at, list[Fence](), list[str]()
    follow(cursor.line(), fences)
    info = fences[0].info.split(" ")[0].casefold()
    while fences and cursor.until("\n") is not None:
        lines.append(cursor.line())
        follow(lines[-1], fences)
    cursor.at += len(cursor.line())
    content = "\n".join(lines[:-1]).strip("\n")
    if fences or cursor.text[start] == " ":
        return "", None
    if info in _CALL_BLOCKS:
        inner = _Cursor(content.strip())
        form, read = _reader(inner, inner.line(), known)
        return form, read and (lambda: _whole(inner, read))
    is_last = _NOISE.fullmatch(cursor.text, cursor.at) is not None
    if info in _SHELLS and is_last:
        return "a block of shell commands", lambda: _command(content, info, runs)
    return "", None


def _whole(inner: "_Cursor", read: _Reader) -> Asked | None:
    asked = read()
    if asked and inner.text[inner.at :].strip():
        raise NoCall("there is text behind it")
    return asked


def _command(content: str, shell: str, runs: Known | None) -> Asked:
    if runs is None:
        raise NoCall("it is not the only block")
    count = _count_commands(content.split("\n"))
    if count != 1:
        several = "more than one command: write them as an input"
        raise NoCall(several if count else "no command")
    name = next(filter(runs, (*_COMMAND_TOOLS, shell)), "")
    if not name:
        raise NoCall("no tool takes commands")
    return Asked(name, content)


def _count_commands(lines: list[str]) -> int:
    """A command may go on in the next line, or have a here-document."""
    count, goes_on, opened = 0, False, list[Heredoc]()
    for line in lines:
        bare = line.strip()
        if opened:
            opened = opened[1:] if opened[0].is_closed_by(line) else opened
        elif bare and (goes_on or not bare.startswith("#")):
            count += not goes_on
            goes_on, opened = bare.endswith(_GOES_ON), list(heredocs(line))
    if opened:
        raise NoCall("its command is not closed", truncated=True)
    return count


def _leads_up_to_quote(before: str) -> bool:
    if any(result in before for result in _RESULTS):
        return True
    line = before.rstrip().rpartition("\n")[2].strip(_DECORATION)
    is_colon = line.endswith((":", "："))
    sentence = _SENTENCE_END.split(line.rstrip(".!?…。:："))[-1].strip(_DECORATION)
    return bool(_SPEAKS_OF_IT.search(sentence)) or (is_colon and not _ANNOUNCES.match(sentence))


@dataclass(slots=True)
class _Cursor:
    text: str
    at: int = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def line(self) -> str:
        """What is left of it."""
        end = self.text.find("\n", self.at)
        return self.text[self.at : end if end >= 0 else len(self.text)]

    def sees(self, *literals: str) -> bool:
        return self.text.startswith(literals, self.at)

    def took(self, literal: str) -> bool:
        found = self.sees(literal)
        self.at += len(literal) if found else 0
        return found

    def take_spaces(self) -> None:
        found = _SPACES.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def until(self, literal: str) -> str | None:
        """The text before the literal, which is taken as well; None if it does not follow."""
        end = self.text.find(literal, self.at)
        if end < 0:
            return None
        taken, self.at = self.text[self.at : end], end + len(literal)
        return taken

    def json_value(self) -> object:
        """Where the value does not close, the cursor stays."""
        start, size = self.at, _PIECE
        # In pieces that grow: a value costs its own length, not that of the text.
        while (end := closing(self.text[start : start + size])) is None:
            if start + size >= len(self.text):
                # What ends in a mark that closes a call was not cut: its brackets are wrong.
                is_whole = self.text[start:].rstrip().endswith((">", "```"))
                raise NoCall(INVALID if is_whole else CUT_OFF, truncated=not is_whole)
            size *= 4
        brackets = _BRACKETS.match(self.text, start + end + 1)
        self.at = brackets.end() if brackets else start + end + 1
        return read_object(self.text[start : start + end + 1])


class _Tag(NamedTuple):
    raw: str
    name: str
    key: str  # the name, folded
    label: str
    is_empty: bool
    end: int

    @property
    def close(self) -> str:
        return f"</{self.raw}>"


def _tag_at(cursor: _Cursor) -> _Tag | None:
    found = _TAG.match(cursor.text, cursor.at)
    if not found:
        return None
    attribute = _NAME_ATTRIBUTE.search(found["attributes"] or "")
    label = (found["label"] or (attribute[1] if attribute else "")).strip(" \t\"'")
    name = found["name"]
    return _Tag(found["raw"], name, folded_key(name), label, bool(found["empty"]), found.end())


def _read_tags(cursor: _Cursor, known: Known, depth: int = _DEEPEST) -> Asked:
    """The cursor stands at a tag that begins a call, and then after the call."""
    tag = _tag_at(cursor)
    if tag is None or not depth:
        raise NoCall("it can't be read")
    if tag.label or tag.key not in _WRAPPERS:
        return named(tag.label or tag.name, _arguments(cursor, tag))
    cursor.at = tag.end
    cursor.take_spaces()
    inner = _tag_at(cursor)
    is_call = inner is not None and (inner.key in _WRAPPERS or known(inner.name))
    if is_call and not (inner and inner.key in NAMES and not inner.label):
        asked: Asked | None = _read_tags(cursor, known, depth - 1)
    else:
        given = cursor.json_value() if cursor.sees("{", "[") else _elements(cursor, tag.close)
        asked = asked_for(given, known, is_marked=True)
    if asked is None:
        raise NoCall(NO_NAME)
    before = cursor.at
    cursor.take_spaces()
    if not cursor.took(tag.close):
        if _tag_at(cursor):
            raise NoCall(TWO_CALLS)
        cursor.at = before
    return asked


def _arguments(cursor: _Cursor, tag: _Tag) -> object:
    """Those between the tag and its close, which is taken as well."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return None
    cursor.take_spaces()
    if cursor.sees("{"):
        given = cursor.json_value()
        cursor.take_spaces()
        cursor.took(tag.close)
        return given
    if _tag_at(cursor) or cursor.sees(tag.close):
        return _elements(cursor, tag.close)
    cursor.at = start
    text = cursor.until(tag.close)
    if text is None:
        raise NoCall(CUT_OFF, truncated=True)
    return unfenced(text)


def _elements(cursor: _Cursor, close: str) -> dict[str, object]:
    found = dict[str, object]()
    while not cursor.took(close) and not cursor.sees(*_OUTER):
        tag = _tag_at(cursor)
        if tag is None:
            is_cut = cursor.at_end
            raise NoCall(CUT_OFF if is_cut else "it can't be read", truncated=is_cut)
        key = tag.label or tag.name
        if key in found:
            raise NoCall(f"`{key}` stands there twice")
        found[key] = _text(cursor, tag)
        cursor.take_spaces()
    return found


def _text(cursor: _Cursor, tag: _Tag) -> str:
    """Up to the close that another tag or the end follows: a text may hold such closes."""
    start = cursor.at = tag.end
    if tag.is_empty:
        return ""
    while cursor.until(tag.close) is not None:
        end = cursor.at
        cursor.take_spaces()
        if cursor.at_end or cursor.sees("<"):
            cursor.at = end
            text = cursor.text[start : end - len(tag.close)]
            return text.removeprefix("\n").removesuffix("\n")
    raise NoCall(CUT_OFF, truncated=True)
