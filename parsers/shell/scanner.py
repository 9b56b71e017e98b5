r"""The simple commands of a shell text, in one pass, however deep they are nested.

text    = command (operator command)*      operator = "|" "&&" "||" ";" "&" NEWLINE ";;"
command = assignment* word* redirection*   word = characters, quotes, `$x`, `$(text)`, a backtick

Loops, conditions, functions, groups, subshells, arrays and here-documents are looked through.
A piece never spans what a command could hide in: `$(`, a backtick and `(` are pieces of their own.
"""

import re
from dataclasses import dataclass, field

_ARITHMETIC = r"\$?\(\((?:[^()`$]++|\$(?!\()|\((?:[^()`$]++|\$(?!\())*+\))*+\)\)"
_PARAMETER = r"\$\{[^}$`\"'\n]*+\}?|\$(?:\w++|[@*#?!$-])"
_CODE = re.compile(
    r"(?P<blank>(?:[ \t\r\f\v]++|\\\r?\n)++)"
    r"|(?P<newline>\n)"
    rf"|(?P<arithmetic>{_ARITHMETIC})"
    r"|(?P<open>[$<>]?\()"
    r"|(?P<close>\))"
    r"|(?P<tick>`)"
    r"|(?P<redirect>(?:&>>?|[0-9]{0,9}(?:<<<|<<-?|<>|>>|>\||[<>]&?)))"
    r"|(?P<join>&&|\|\||;;&|;;|;&|;|\|&|\||&)"
    r"|(?P<single>'[^']*+(?:'|\Z)|\$'(?:\\.|[^'\\])*+(?:'|\Z))"
    r"|(?P<double>\$?\")"
    r"|(?P<escape>\\.)"
    rf"|(?P<parameter>{_PARAMETER})"
    r"|(?P<hash>\#)"
    r"|(?P<text>[^\s$<>()`&|;'\"\\\#]++)"
    r"|(?P<stray>.)",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"(?P<end>\")"
    rf"|(?P<arithmetic>{_ARITHMETIC})"
    r"|(?P<open>\$\()"
    r"|(?P<tick>`)"
    r"|(?P<continued>\\\n)"
    r"|(?P<escape>\\[$`\"\\])"
    rf"|(?P<parameter>{_PARAMETER})"
    r"|(?P<text>[^\"$`\\]++)"
    r"|(?P<stray>.)",
    re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*\])?\+?=")
_EXPANDS = re.compile(r"\A~|[*?\[{]")
_BEGIN_ANOTHER = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!"}
)
_SILENT = ("2>/dev/null", "2>&1")  # redirections that change nothing a model looks for
_QUOTE, _TICK, _GROUP, _ARRAY, _SUBSTITUTION = '"', "`", ")", "]", "$"  # what is open
_SHOWN = 200  # characters of a command as it is written


@dataclass(frozen=True, slots=True)
class Command:
    text: str  # as it is written, its beginning
    words: tuple[str, ...]  # as the program would get them, but for what expands
    then: str = ""  # the operator after it; a NEWLINE is ";"
    is_literal: bool = True  # the words are all of it, and none of them expands
    is_fed: bool = False  # by a pipe, a file or a here-document
    here: str = ""  # the text of that


@dataclass(slots=True)
class _Open:
    """A command that is being read."""

    start: int
    is_piped: bool = False
    is_fed: bool = False
    end: int = 0
    then: str = ""
    words: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # of the word that is being read
    bare: list[str] = field(default_factory=list)  # what of it could expand; \0 is the rest
    redirection: str = ""  # without its word
    is_literal: bool = True
    here: str = ""

    def add(self, text: str, *, quoted: bool = False) -> None:
        self.parts.append(text)
        self.bare.append("\0" if quoted else text)

    def expand(self, text: str) -> None:
        self.add(text, quoted=True)
        self.is_literal = False

    def closed(self, text: str) -> Command:
        shown = text[self.start : min(self.end, self.start + _SHOWN)].strip()
        words = tuple(self.words)
        is_fed = self.is_piped or self.is_fed
        return Command(shown, words, self.then, self.is_literal, is_fed, self.here)


@dataclass(frozen=True, slots=True)
class _Here:
    end: str
    is_indented: bool
    command: _Open

    def is_closed_by(self, line: str) -> bool:
        return (line.lstrip("\t") if self.is_indented else line) == self.end


class Scanner:
    """Reads one text, and never raises."""

    def __init__(self, text: str) -> None:
        self.is_plain = True  # one pipeline of commands and nothing around them
        self._text = text
        self._at = 0
        self._closers = list[str]()
        self._open = [_Open(0)]  # one for each text within the text
        self._found = list[_Open]()
        self._heres = list[_Here]()

    def commands(self) -> tuple[Command, ...]:
        """In the order in which they begin."""
        while self._at < len(self._text):
            self._step()
        while self._closers:
            self._unwind(len(self._text))
        self._end_command(len(self._text))
        found = sorted(self._found, key=lambda one: one.start)
        return tuple(one.closed(self._text) for one in found)

    def _step(self) -> None:
        in_quotes = self._closers[-1:] == [_QUOTE]
        piece = (_QUOTED if in_quotes else _CODE).match(self._text, self._at)
        assert piece, "a stray character is a piece"
        kind, text, start = piece.lastgroup, piece[0], self._at
        self._at = piece.end()
        match kind:
            case "text" | "stray":
                self._open[-1].add(text, quoted=in_quotes)
            case "escape" | "continued":
                self._open[-1].add(text[1:].removeprefix("\n"), quoted=True)
            case "single":
                self.is_plain &= len(text) > 1 and text.endswith("'")
                self._open[-1].add(text.removeprefix("$")[1:].removesuffix("'"), quoted=True)
            case "double":
                self._open[-1].add("", quoted=True)
                self._closers.append(_QUOTE)
            case "end":
                self._closers.pop()
            case "parameter" | "arithmetic":
                self._open[-1].expand(text)
            case _:
                self._operate(kind or "", text, start)

    def _operate(self, kind: str, text: str, start: int) -> None:
        match kind:
            case "hash" if self._open[-1].parts:
                self._open[-1].add(text)
            case "hash":
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else len(self._text)
            case "blank":
                self._end_word()
            case "redirect":
                self._end_word()
                self._open[-1].redirection = text
            case "open":
                self._enter(text, start)
            case "close":
                self._close(start)
            case "tick":
                self._tick()
            case _:
                self._join(text, start)

    def _end_word(self) -> None:
        here = self._open[-1]
        if not here.parts:
            return
        text, bare = "".join(here.parts), "".join(here.bare)
        here.parts.clear()
        here.bare.clear()
        if here.redirection:
            self._redirect(here, text)
        elif not here.words and _ASSIGNMENT.match(bare):
            here.is_literal = False
        elif text == bare and text in _BEGIN_ANOTHER and here.words[:1] in ([], ["function"]):
            self._open[-1] = _Open(self._at, here.is_piped)
            self.is_plain = False
        else:
            here.is_literal = here.is_literal and not _EXPANDS.search(bare)
            here.words.append(text)

    def _redirect(self, here: _Open, text: str) -> None:
        how, here.redirection = here.redirection, ""
        if how in ("<<", "<<-"):
            self._heres.append(_Here(text, how == "<<-", here))
        here.is_fed = here.is_fed or "<" in how
        here.is_literal = here.is_literal and f"{how}{text}" in _SILENT

    def _join(self, text: str, start: int) -> None:
        self._end_word()
        before = self._open[-1]
        if text == "\n":
            self._read_heres()
        is_piped = text in ("|", "|&")
        is_empty = not (before.words or before.redirection)
        self.is_plain &= is_piped and not is_empty
        before.then = ";" if text == "\n" else text
        self._end_command(start)
        goes_on = is_empty and text == "\n" and before.is_piped
        self._open[-1] = _Open(self._at, is_piped or goes_on)

    def _end_command(self, end: int) -> None:
        self._end_word()
        here = self._open[-1]
        here.end = end
        if here.redirection:
            self.is_plain = False
        if here.words and self._closers[-1:] != [_ARRAY]:
            self._found.append(here)

    def _read_heres(self) -> None:
        for here in self._heres:
            lines = list[str]()
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                line = self._text[self._at : end if end >= 0 else len(self._text)]
                self._at = min(self._at + len(line) + 1, len(self._text))
                if here.is_closed_by(line):
                    break
                lines.append(line)
            here.command.here = "\n".join(lines)
        self._heres.clear()

    def _enter(self, text: str, start: int) -> None:
        """A substitution, a group, the brackets of a function, or an array."""
        here = self._open[-1]
        closer = _SUBSTITUTION if text != "(" else _GROUP
        if closer == _GROUP and here.parts and here.parts[-1].endswith("="):
            closer = _ARRAY
        if closer != _GROUP:
            here.expand(f"{text}...)")
        elif here.words:  # of a pattern such as `!(x)`
            self._end_command(start)
            self._open[-1] = _Open(self._at)
        self.is_plain = False
        self._closers.append(closer)
        self._open.append(_Open(self._at, closer == _GROUP and here.is_piped))

    def _close(self, start: int) -> None:
        if self._closers[-1:] in ([_SUBSTITUTION], [_ARRAY]):
            self._leave(start)
            return
        if self._closers[-1:] == [_GROUP]:
            self._leave(start)
        self.is_plain = False
        self._open[-1] = _Open(self._at)  # what a function does, or what is done in a case

    def _leave(self, end: int) -> None:
        self._end_command(end)
        self._closers.pop()
        self._open.pop()

    def _tick(self) -> None:
        self.is_plain = False
        if _TICK not in self._closers:
            self._open[-1].expand("`...`")
            self._closers.append(_TICK)
            self._open.append(_Open(self._at))
            return
        while self._closers[-1] != _TICK:
            self._unwind(self._at - 1)
        self._leave(self._at - 1)

    def _unwind(self, end: int) -> None:
        """What was not closed."""
        self.is_plain = False
        if self._closers[-1] == _QUOTE:
            self._closers.pop()
        else:
            self._leave(end)
