"""A call in the format of another program, in a reply that has none in ours.

reply = thought? call noise            noise: spaces, special tokens, and the close of a wrapper
call  = JSON | tags | token JSON | fence around one of these | the only fence, around one command

A call begins a line; tags and tokens may follow a sentence, too. It is the last thing in the reply.
What is indented or quoted, and what the sentence before it quotes or forbids, is text.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.shell.heredoc import Heredoc, heredocs
from react_agent.parsers.text.fence import Fence, between, follow, opening_fence
from react_agent.parsers.turn.call_arguments import (
    NAMES,
    NO_NAME,
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
    valid,
)
from react_agent.parsers.turn.call_tags import may_begin_call, read_tags, tag_at
from react_agent.parsers.turn.tool_name import folded, without_prefix
from react_agent.parsers.values.arguments import folded_key


class Call(NamedTuple):
    name: str
    input: str
    thought: str
    form: str  # in words: "a JSON object"


class NoCall(NamedTuple):
    form: str
    reason: str  # why it is not run: "there are two calls"
    truncated: bool = False


_TOKENS = {
    "[TOOL_CALLS]": "Mistral",
    "<|python_tag|>": "Llama 3",
    "<|tool_call|>": "Phi, Granite",
    "<｜tool▁calls▁begin｜>": "DeepSeek",
    "commentary to=": "gpt-oss",
}
_TAGS_IN_LINE = ("<tool_call>", "<function_calls>", "<tool_calls>", "<invoke name=", "<function=")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "：", "|>", "｜>")
_TOKEN = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<eos>|<(?:end|start)_of_turn>"
    r"|\[/?(?:TOOL_CALLS|INST|ARGS|CALL_ID)\]"
)
_WRAPPER_CLOSE = r"</(?:[\w-]{1,40}:)?(?:tool|function)_(?:calls?|use)>"
_NOISE = re.compile(rf"(?:\s++|{_TOKEN.pattern}|{_WRAPPER_CLOSE}|<end_code>)*+")
_HEADER = re.compile(rf"(?:{_TOKEN.pattern}|[^{{\[`]){{0,300}}+")  # up to where a value begins
_NOISE_WORDS = ("function", "json", "code", "commentary", "analysis", "assistant")
_MOST_WORDS = 4  # of a header
_CALL_BLOCKS = ("", "json", "text", "xml", "tool_call", "tool_code")
_SHELLS = ("bash", "sh", "shell", "console", "zsh", "shell-session", "terminal")
_COMMAND_TOOLS = ("bash", "shell", "sh", "terminal", "execute_bash", "run_command")
_RUN = "run"
_SHELL_FORM = "a block of shell commands"
# What takes no line of its own: quotes, a line that goes on, a comment.
_WITHIN = re.compile(
    r"'[^']*+'|\"(?:\\.|[^\"\\])*+\"|\\.|(?:&&|\|\|?)[ \t]*\n|(?<!\S)#[^\n]*+", re.DOTALL
)
_BEGINNING = 200  # characters that show whether an object is to be a call
_CALL_KEYS = {*NAMES, *THOUGHTS, "id", "type"}
_MOST_OPEN = 2  # brackets that never close: each is looked for to the end
_FIRST = re.compile(r"[\r\n]*+(?: {1,3}(?! ))?")  # with more spaces it is an indented block
_LINE = re.compile(r"[^\n]*+")
_TEXT_BEHIND = "there is text behind it"
_DECORATION = " *_"
_SENTENCE_END = re.compile("[.!?:] ")
_RESULTS = ("<tool_response", "<tool_result", "<function_result", "<observation", "[TOOL_RESULTS]")
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


def find_call(text: str, tools: Collection[str] | None) -> Call | NoCall | None:
    """Never raises. None: nothing in the text looks like a call."""
    names = frozenset(folded(tool) for tool in tools or ())

    def known(name: str) -> bool:
        return folded(without_prefix(name.strip())) in names

    return _Search(Cursor(text), known, known if tools is not None else _RUN.__eq__).first()


@dataclass(slots=True)
class _Search:
    cursor: Cursor
    known: Known
    runs: Known  # whether a tool of this name may be handed a command
    open_ones: int = 0
    blocks: int = 0
    is_behind: bool = False  # a call: one more is enough to know

    def anew(self, text: str, *, is_behind: bool) -> "_Search":
        return _Search(Cursor(text), self.known, self.runs, is_behind=is_behind)

    def first(self) -> Call | NoCall | None:
        passed: NoCall | None = None
        self.cursor.take(_FIRST)
        while not self.cursor.at_end:
            line = self.cursor.line()
            fence = opening_fence(line)
            if fence:
                found = self._block(fence)
            else:
                found = None if line.startswith((" ", "\t", ">")) else self._call(line)
            if found and found[0] == _SHELL_FORM and found[1] == _TEXT_BEHIND:
                passed = passed or NoCall(*found)
            elif found:
                return found
            if self.cursor.until("\n") is None:
                break
        return passed

    def _read(
        self, form: str, start: int, read: Callable[[], Asked | None]
    ) -> Call | NoCall | None:
        try:
            asked = read()
        except Unreadable as error:
            return NoCall(form, error.reason, error.truncated)
        return self._placed(form, start, asked) if asked else None

    def _placed(self, form: str, start: int, asked: Asked) -> Call | NoCall:
        """A call that ends where the cursor stands, if a model acts there."""
        text, end = self.cursor.text, self.cursor.at
        if not _is_last(text, end) and not self.is_behind:
            is_another = self.anew(text[end:], is_behind=True).first() is not None
            return NoCall(form, TWO_CALLS if is_another else _TEXT_BEHIND)
        if _leads_up_to_quote(text[:start]):
            return NoCall(form, "it may be a quotation")
        return Call(asked.name, asked.input, text[:start].strip() or asked.thought, form)

    def _call(self, line: str) -> Call | NoCall | None:
        """What the line begins with, or what follows a sentence in it."""
        cursor = self.cursor
        openers = [(line.find(token), token) for token in _TOKENS if token in line]
        if line.startswith(("{", "[")) and not any(at == 0 for at, _ in openers):
            return self._json()
        tag = tag_at(cursor)
        if tag is None or not may_begin_call(tag, self.known):
            openers += [(line.find(mark), "") for mark in _TAGS_IN_LINE if mark in line]
            at, token = min(openers, default=(0, ""))
            before = line[:at].rstrip()
            is_there = not before or before.endswith(_SENTENCE_ENDS)
            if not openers or not is_there or before.count("`") % 2:
                return None
            cursor.at += at
            if token:
                form = f"a `{token}` call"
                return self._read(form, cursor.at, lambda: _after_token(cursor, token, self.known))
            tag = tag_at(cursor)
        form = f"a `<{tag.raw}>` block" if tag else ""
        return self._read(form, cursor.at, lambda: read_tags(cursor, self.known)) if tag else None

    def _json(self) -> Call | NoCall | None:
        cursor = self.cursor
        form = "a JSON list" if cursor.sees("[") else "a JSON object"
        key = cursor.text[cursor.at : cursor.at + _BEGINNING].lstrip("[{ \t\n").split(":")[0]
        is_meant = folded_key(key.strip(" \t\n'\"")) in _CALL_KEYS
        if is_meant:
            return self._read(
                form, cursor.at, lambda: asked_for(valid(cursor.json_text()), self.known)
            )
        if self.open_ones < _MOST_OPEN:
            try:
                cursor.json_text()
            except Unreadable:
                self.open_ones += 1
        return None

    def _block(self, fence: Fence) -> Call | NoCall | None:
        self.blocks += 1
        start, lines = self.cursor.at, _fenced(self.cursor)
        info = fence.info.split(" ")[0].casefold()
        form = f"a block of `{info}`" if info else "a block of text"
        if fence.indent:
            return None
        if lines is None:
            return NoCall(form, "its fence is not closed", truncated=True)
        content = "\n".join(lines).strip()
        if info in _CALL_BLOCKS and content.startswith(("{", "[", "<")):
            within = self.anew(content, is_behind=self.is_behind)._call(content.partition("\n")[0])
            if isinstance(within, Call):
                return self._placed(within.form, start, Asked(*within[:3]))
            return within
        if info in _SHELLS:
            form = _SHELL_FORM
        if _is_last(self.cursor.text, self.cursor.at):
            return self._read(form, start, lambda: self._command(lines, info))
        return NoCall(form, _TEXT_BEHIND) if info in _SHELLS else None

    def _command(self, lines: list[str], shell: str) -> Asked:
        if shell not in _SHELLS:
            raise Unreadable(NO_NAME)
        if self.blocks > 1:
            raise Unreadable("it is not the only block")
        count = _count_commands(lines)
        if count != 1:
            several = "more than one command: write them as an input"
            raise Unreadable(several if count else "no command")
        name = next(filter(self.runs, (_RUN, shell, *_COMMAND_TOOLS)), "")
        if not name:
            raise Unreadable("no tool takes commands")
        return Asked(name, "\n".join(lines).strip("\n"))


def _is_last(text: str, end: int) -> bool:
    """Whether nothing but noise follows."""
    return _NOISE.fullmatch(text, end) is not None


def _after_token(cursor: Cursor, token: str, known: Known) -> Asked:
    """The name is the word after `to=`, or the first that is no noise."""
    cursor.took(token.removesuffix("to="))
    words = _TOKEN.sub(" ", cursor.take(_HEADER)).split()
    if len(words) > _MOST_WORDS or not cursor.sees(*VALUES):
        raise Unreadable("it has no arguments" if cursor.at_end else "it can't be read")
    given = cursor.json_value()
    addressed = [word.partition("to=")[2] for word in words if "to=" in word]
    names = addressed or [word for word in words if word not in _NOISE_WORDS]
    return named(names[0], given) if names else marked_call(given, known)


def _fenced(cursor: Cursor) -> list[str] | None:
    """The lines within, and over the fence; None if it is open."""
    open_ones, lines = list[Fence](), list[str]()
    while not cursor.at_end:
        lines.append(cursor.take(_LINE))
        follow(lines[-1], open_ones)
        if not open_ones:
            return between(lines)
        cursor.took("\n")
    return None


def _count_commands(lines: list[str]) -> int:
    """A command may go on in the next line, or have a here-document."""
    code, opened = list[str](), list[Heredoc]()
    for line in lines:
        if opened:
            opened = opened[1:] if opened[0].is_closed_by(line) else opened
        else:
            code.append(line)
            opened = list(heredocs(line))
    bare = _WITHIN.sub(" ", "\n".join(code))
    if opened or "'" in bare or '"' in bare:
        raise Unreadable("its command is not closed", truncated=True)
    return sum(bool(line.strip()) for line in bare.split("\n"))


def _leads_up_to_quote(before: str) -> bool:
    if any(result in before for result in _RESULTS):
        return True
    line = before.rstrip().rpartition("\n")[2].strip(_DECORATION)
    is_colon = line.endswith((":", "："))
    sentence = _SENTENCE_END.split(line.rstrip(".!?…。:："))[-1].strip(_DECORATION)
    return bool(_SPEAKS_OF_IT.search(sentence)) or (is_colon and not _ANNOUNCES.match(sentence))
