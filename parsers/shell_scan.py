r"""The simple commands of a shell line, in one pass over its pieces, however deep they stand.

line     = pipeline (("&&" | "||" | ";" | "&" | NEWLINE) pipeline)*
pipeline = simple ("|" simple)*
simple   = assignment* word* redirection*     in any order, but for the assignments

Loops, conditions, functions, groups, subshells and here-documents make a line not plain; the
commands in them are found all the same.
"""

from dataclasses import dataclass, field

from react_agent.parsers.shell_command import Open, Pipeline, Simple
from react_agent.parsers.shell_words import CODE, DOUBLE, resolved

_HERE = ("<<", "<<-")
_OF_A_CASE = (";;", ";&", ";;&")
_QUOTE, _TICK, _GROUP, _ARRAY = '"', "`", ")", "]"  # what is open


@dataclass(frozen=True, slots=True)
class Scanned:
    pipelines: tuple[Pipeline, ...]  # of a plain line
    commands: tuple[Simple, ...]  # all, as they begin
    is_plain: bool


@dataclass(frozen=True, slots=True)
class _Here:
    end: str
    is_indented: bool
    command: Open

    def is_closed_by(self, line: str) -> bool:
        return (line.lstrip("\t") if self.is_indented else line) == self.end


@dataclass(slots=True)
class _State:
    text: str
    at: int = 0
    closers: list[str] = field(default_factory=list)
    in_ticks: bool = False
    commands: list[Open] = field(default_factory=lambda: [Open(0)])  # of each code that is open
    found: list[Open] = field(default_factory=list)
    pipelines: list[tuple[list[Open], str]] = field(default_factory=lambda: [([], "")])
    heres: list[_Here] = field(default_factory=list)
    is_plain: bool = True

    @property
    def here(self) -> Open:
        return self.commands[-1]

    @property
    def innermost(self) -> str:
        return self.closers[-1] if self.closers else ""


def scan(text: str) -> Scanned:
    """Never raises."""
    state = _State(text)
    while state.at < len(text):
        _step(state)
    while state.closers:
        _unwind(state, len(text))
    if state.here.is_empty and (state.here.is_fed or _goes_on(state)):
        state.is_plain = False
    _end_command(state, len(text))
    found = sorted(state.found, key=lambda one: one.start)
    pipelines = [one for one in state.pipelines if one[0]] if state.is_plain else []
    return Scanned(
        tuple(Pipeline(tuple(one.closed(text) for one in ones), then) for ones, then in pipelines),
        tuple(one.closed(text) for one in found),
        state.is_plain,
    )


def _goes_on(state: _State) -> bool:
    """Whether the last operator wants another command."""
    return len(state.pipelines) > 1 and state.pipelines[-2][1] in ("&&", "||")


def _step(state: _State) -> None:
    in_quotes = state.innermost == _QUOTE
    piece = (DOUBLE if in_quotes else CODE).match(state.text, state.at)
    kind, text = (piece.lastgroup or "", piece[0]) if piece else ("stray", state.text[state.at])
    start, state.at = state.at, state.at + len(text)
    if in_quotes:
        _quoted(state, kind, text, start)
    elif kind in ("text", "stray", "single", "escape", "double", "hash"):
        _word(state, kind, text)
    else:
        _code(state, kind, text, start)


def _quoted(state: _State, kind: str, text: str, start: int) -> None:
    pieces = state.here.pieces
    match kind:
        case "end":
            state.closers.pop()
        case "open":
            _enter(state, text, start)
        case "tick":
            _tick(state)
        case "parameter" | "arithmetic":
            pieces.expand(text)
        case "escape":
            pieces.add(text[1:], quoted=True)
        case "continued":
            pass
        case _:
            pieces.add(text, quoted=True)


def _word(state: _State, kind: str, text: str) -> None:
    pieces = state.here.pieces
    match kind:
        case "hash" if not pieces.is_begun:
            end = state.text.find("\n", state.at)
            state.at = end if end >= 0 else len(state.text)
        case "double":
            pieces.add("", quoted=True)
            state.closers.append(_QUOTE)
        case "single":
            state.is_plain = state.is_plain and len(text) > 1 and text.endswith("'")
            pieces.add(resolved(text), quoted=True)
        case "escape":
            pieces.add(text[1:], quoted=True)
        case _:
            pieces.add(text)


def _code(state: _State, kind: str, text: str, start: int) -> None:
    match kind:
        case "blank":
            _end_word(state)
        case "newline" | "join":
            _join(state, text, start)
        case "redirect":
            _end_word(state)
            state.here.pending = text
        case "open":
            _enter(state, text, start)
        case "close":
            _close(state, start)
        case "tick":
            _tick(state)
        case _:  # a parameter, or arithmetic
            state.is_plain = state.is_plain and text.startswith("$")
            state.here.pieces.expand(text)


def _end_word(state: _State) -> None:
    here, pending = state.here, state.here.pending
    word = here.end_word(state.at)
    if word and pending in _HERE:
        state.heres.append(_Here(word.text, pending == "<<-", here))
    state.is_plain = state.is_plain and here.is_plain and not state.heres


def _join(state: _State, text: str, start: int) -> None:
    _end_word(state)
    if text == "\n":
        _read_heres(state)
        if state.here.is_empty:
            state.here.start = state.at
            return
    if text in _OF_A_CASE or state.here.is_empty:
        state.is_plain = False
    _end_command(state, start)
    is_piped = text in ("|", "|&")
    if len(state.commands) == 1 and not is_piped:
        state.pipelines[-1] = (state.pipelines[-1][0], ";" if text == "\n" else text)
        state.pipelines.append(([], ""))
    state.commands[-1] = Open(state.at, is_fed=is_piped)


def _end_command(state: _State, end: int) -> None:
    _end_word(state)
    here = state.here
    here.end = end
    if here.pending:
        state.is_plain = False
    if here.words and here.is_command and state.innermost != _ARRAY:
        state.found.append(here)
    if len(state.commands) == 1 and not here.is_empty:
        state.pipelines[-1][0].append(here)


def _read_heres(state: _State) -> None:
    for here in state.heres:
        lines = list[str]()
        while state.at < len(state.text):
            end = state.text.find("\n", state.at)
            line = state.text[state.at : end if end >= 0 else len(state.text)]
            state.at = min(state.at + len(line) + 1, len(state.text))
            if here.is_closed_by(line):
                break
            lines.append(line)
        here.command.here = "\n".join(lines)
    state.heres.clear()


def _enter(state: _State, text: str, start: int) -> None:
    """What opens holds code of its own; `(` makes it a group, a function or an array."""
    here = state.here
    is_array = text == "(" and "".join(here.pieces.parts[-1:]).endswith("=")
    if text == "$(":
        here.pieces.expand("$(...)")
    else:
        state.is_plain = False
        if text != "(" or is_array:
            here.pieces.expand("(...)")
        elif here.pieces.is_begun or here.words:
            here.is_command = False
    state.closers.append(_ARRAY if is_array else _GROUP)
    state.commands.append(Open(start + len(text), is_fed=text == "(" and here.is_fed))


def _close(state: _State, start: int) -> None:
    if state.innermost in (_GROUP, _ARRAY):
        _leave(state, start)
        if not state.here.is_command:  # a function: its body follows
            state.commands[-1] = Open(state.at)
        return
    state.is_plain = state.here.is_command = False  # of a case
    _end_command(state, start)
    state.commands[-1] = Open(state.at)


def _leave(state: _State, end: int) -> None:
    _end_command(state, end)
    state.closers.pop()
    state.commands.pop()


def _tick(state: _State) -> None:
    if not state.in_ticks:
        state.in_ticks = True
        state.here.pieces.expand("`...`")
        state.closers.append(_TICK)
        state.commands.append(Open(state.at))
        return
    while state.closers[-1] != _TICK:
        _unwind(state, state.at - 1)
    _leave(state, state.at - 1)
    state.in_ticks = False


def _unwind(state: _State, end: int) -> None:
    """What was not closed."""
    state.is_plain = False
    if state.innermost == _QUOTE:
        state.closers.pop()
    else:
        _leave(state, end)
