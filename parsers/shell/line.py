"""What a shell line runs: every command in it, and the first that a redirect answers.

text    = command (operator command)*      operator = "|" "&&" "||" ";" "&" NEWLINE ";;" "(" ")"
command = assignment* word* redirection*   word = characters, quotes, `$(text)`, a backtick, "\\"
pattern = program subcommand* option*      the option anywhere after them
        | program "$"                      with nothing after it but options, and no script fed

Loops, conditions, functions, subshells and here-documents are looked through, and so is what only
starts another command (`env`, `timeout`, `sudo`, `xargs`, `find -exec`) and a shell that is given
text (`bash -c`, `eval`, a here-document).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from posixpath import basename

_ARITHMETIC = r"\$?\(\([^()`\n]*+(?:\([^()`\n]*+\)[^()`\n]*+)*+\)\)"
_PIECE = re.compile(
    r"(?P<gap>(?:[ \t\r\f\v]++|\\\r?\n|(?<![^\s;&|()])\#[^\n]*+)++)"  # also a comment
    r"|(?P<redirect>&>>?|[0-9]{0,9}(?:<<<|<<-?|<>|>>|>\||[<>]&?)(?!\())"
    rf"|(?P<text>[^\s$<>()`&|;'\"\\]++|{_ARITHMETIC})"
    r"|(?P<inner>[$<>]\(|`)"
    r"|(?P<end>\n|&&|\|[|&]?|;;?&?|&|[()])"
    r"|(?P<single>'[^']*+'?|\$'(?:\\.|[^'\\])*+'?)"
    r"|(?P<double>\$?\")"
    r"|(?P<escape>\\.)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"(?P<double>\")|(?P<inner>\$\((?!\()|`)|(?P<escape>\\[$`\"\\\n])|(?P<text>[^\"$`\\]++|.)",
    re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*\])?\+?=")
_BEGIN_ANOTHER = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!"}
)
_DEEPEST = 8  # commands that only start another
_SHOWN = 200  # characters of a command as it is written

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_RUN_OPTIONS = "--with --python --extra"
# What starts another command, and its options that take a word.
_WRAPPERS: dict[str, str] = {
    **dict.fromkeys(("nohup", "setsid"), ""),
    **{f"{name} run": _RUN_OPTIONS for name in ("uv", "poetry", "pipenv", "pdm", "hatch")},
    "command": "-v -V",  # with these it starts nothing
    "env": "-u -C -S --unset --chdir",
    "exec": "-a",
    "nice": "-n --adjustment",
    "stdbuf": "-i -o -e",
    "sudo": "-u -g -h -p -C -D",
    "time": "-f -o",
    "timeout": "-k -s --kill-after --signal",
    "watch": "-n",
    "xargs": "-n -I -L -P -d -E -s -a",
}
_DURATION = re.compile(r"[0-9.]+[smhd]?")
_EXECUTES = ("-exec", "-execdir", "-ok", "-okdir")
_PROMPT = re.compile(r"\$ +(?=\S)")

Pattern = tuple[str, ...]

ALONE = "$"
_VERSION = re.compile(r"(python|pip|pypy|ipython)[0-9][0-9.]*")
# The options before a subcommand that take a word.
_GLOBAL = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"),
    "pip": ("--log", "--proxy", "--timeout", "--retries", "--cache-dir", "--python"),
}
_GIVES_CODE = ("-", "-c", "-m", "-s", "-e", "-h", "--help", "-V", "-VV", "--version")


@dataclass(slots=True)
class Command:
    words: list[str] = field(default_factory=list)  # as the program gets them, but for expansion
    text: str = ""  # as it is written, its beginning
    is_fed: bool = False  # by a pipe, a file or a here-document
    here: str = ""  # the text of that
    then: str = ""  # the operator after it


@dataclass(frozen=True, slots=True)
class Barred:
    pattern: Pattern
    text: str  # the command, as it is written


def commands(text: str) -> tuple[Command, ...]:
    """Those that others start come after these. Never raises."""
    return tuple(one for each in _read(text) for one in _seen_in(each, _DEEPEST))


def program(command: Command) -> str:
    """Its base name."""
    return basename(command.words[0])


def without_prompt(line: str) -> str:
    """Of a line that was copied with the prompt: `$ ls`.

    Only where every line has one: what stands between could be what a command printed.
    """
    lines = [one.lstrip() for one in line.strip().split("\n")]
    if not all(map(_PROMPT.match, lines)):
        return line
    return "\n".join(_PROMPT.sub("", one, count=1) for one in lines)


def _read(text: str) -> list[Command]:
    reader = _Reader(text)
    reader.read()
    return reader.found


@dataclass(slots=True)
class _Open:
    """A command that is being read."""

    command: Command
    start: int
    parts: list[str] = field(default_factory=list)  # of the word that is being read
    redirection: str = ""  # without its word
    is_quoted: bool = False


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: list[Command] = []  # in the order in which they begin
        self.heres: list[tuple[str, str, Command]] = []  # word, operator
        # What closes each text that is open, and the command whose word it is in.
        self.around: list[tuple[str, _Open | None]] = []
        self.now = self._begin()

    def _begin(self, *, is_fed: bool = False) -> _Open:
        self.found.append(Command(is_fed=is_fed))
        return _Open(self.found[-1], self.at)

    def read(self) -> None:
        while piece := (_QUOTED if self.now.is_quoted else _PIECE).match(self.text, self.at):
            kind, text, now = piece.lastgroup, piece[0], self.now
            self.at = piece.end()
            if kind in ("inner", "end"):
                self._take_operator(text, piece.start(), is_inner=kind == "inner")
            elif kind in ("gap", "redirect"):
                self._end_word()
                now.redirection = text if kind == "redirect" else now.redirection
            elif kind == "double":
                now.is_quoted = not now.is_quoted
                now.parts.append("")
            elif kind == "single":
                now.parts.append(text.removeprefix("$")[1:].removesuffix("'"))
            else:
                now.parts.append(text[1:].removeprefix("\n") if kind == "escape" else text)
        self._end_command(self.at, "")
        for outer in (outer for _, outer in self.around if outer):
            self.now = outer
            self._end_command(self.at, "")

    def _take_operator(self, text: str, start: int, *, is_inner: bool) -> None:
        outer: _Open | None = None
        is_closed = self.around[-1][0] == text if self.around else False
        if is_inner and not is_closed:
            closer = "`" if text == "`" else ")"
            self.now.parts.append(f"{text}...{closer}")
            self.around.append((closer, self.now))
            self.now = self._begin()
            return
        command = self._end_command(start, text)
        is_fed = text in ("|", "|&") or (command.is_fed and not command.words)
        if is_closed:
            _, outer = self.around.pop()
        elif text == ")":  # a pattern of `case`
            command.words.clear()
        elif text == "(":  # a group, the brackets of a function, or an array
            self.around.append((")", None))
        elif text == "\n":
            self._read_heres()
        self.now = outer or self._begin(is_fed=is_fed)

    def _end_word(self) -> None:
        command, redirection = self.now.command, self.now.redirection
        if not self.now.parts:
            return
        word = "".join(self.now.parts)
        self.now.parts.clear()
        self.now.redirection = ""
        if redirection:
            if redirection in ("<<", "<<-"):
                self.heres.append((word, redirection, command))
            command.is_fed |= "<" in redirection
        elif word in _BEGIN_ANOTHER and command.words[:1] in ([], ["function"]):
            command.words.clear()
            self.now.start = self.at
        elif command.words or not _ASSIGNMENT.match(word):
            command.words.append(word)

    def _end_command(self, end: int, operator: str) -> Command:
        now, command = self.now, self.now.command
        if operator == "(" and not command.words:  # the name of a function
            now.parts.clear()
        self._end_word()
        command.then = operator
        command.text = self.text[now.start : min(end, now.start + _SHOWN)].strip()
        return command

    def _read_heres(self) -> None:
        for word, operator, command in self.heres:
            lines = list[str]()
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                line = self.text[self.at : end if end >= 0 else None]
                self.at += len(line) + 1
                if (line.lstrip("\t") if operator == "<<-" else line) == word:
                    break
                lines.append(line)
            command.here = "\n".join(lines)
        self.heres.clear()


def _seen_in(command: Command, depth: int) -> Iterator[Command]:
    if not command.words:
        return
    yield command
    if depth:
        for inner in (*_started(command), *_handed(command)):
            yield from _seen_in(inner, depth - 1)


def _started(command: Command) -> Iterator[Command]:
    name, words = program(command), command.words
    if name == "find":
        for at in (at for at, word in enumerate(words, 1) if word in _EXECUTES):
            inner = [*takewhile(lambda word: word not in (";", "+", *_EXECUTES), words[at:])]
            yield replace(command, words=inner, is_fed=True)
        return
    two = " ".join(words[:2])
    options = _WRAPPERS.get(name, _WRAPPERS.get(two))
    if options is None:
        return
    at, takes_word = 1 if name in _WRAPPERS else 2, options.split()
    while at < len(words) and (
        words[at].startswith("-") or _ASSIGNMENT.match(words[at]) or _DURATION.fullmatch(words[at])
    ):
        at += 2 if words[at] in takes_word else 1
    yield replace(command, words=words[at:], is_fed=command.is_fed or name == "xargs")


def _handed(command: Command) -> Iterator[Command]:
    """The commands of the text that a shell is handed."""
    if program(command) == "eval":
        yield from _read(" ".join(command.words[1:]))
    elif program(command) in SHELLS:
        options = [*takewhile(lambda word: word.startswith("-"), command.words[1:])]
        takes_script = any(_is_letter("c", word) for word in options)
        script = command.words[len(options) + 1 : len(options) + 2] if takes_script else []
        yield from _read("".join(script) or command.here)


def first_barred(text: str, patterns: Collection[Pattern]) -> Barred | None:
    """Never raises."""
    for command in commands(text):
        given = _spoken(command)
        for pattern in patterns:
            if _fits(pattern, given, command):
                return Barred(pattern, command.text)
    return None


def _spoken(command: Command) -> list[str]:
    """Its words, with one name for one program and without what comes before a subcommand."""
    name, rest = _VERSION.sub(r"\1", program(command)), command.words[1:]
    if name == "python" and len(rest) > 1 and rest[0] == "-m" and rest[1] in ("pip", "pip3"):
        name, rest = "pip", rest[2:]
    valued, at = _GLOBAL.get(name), 0
    while valued and at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in valued else 1
    return [name, *rest[at:]]


def _fits(pattern: Pattern, given: Sequence[str], command: Command) -> bool:
    if pattern[1:] == (ALONE,):
        return given[0] == pattern[0] and not command.is_fed and _is_alone(given)
    options = [word for word in pattern if word.startswith("-")]
    subcommands = [word for word in pattern if word not in options]
    rest = given[len(subcommands) :]
    after = [*takewhile(lambda word: word != "--", rest)]
    return (
        bool(subcommands)
        and list(given[: len(subcommands)]) == subcommands
        and all(any(_is_option(option, word) for word in after) for option in options)
    )


def _is_option(option: str, word: str) -> bool:
    """`-rf` has `-f`."""
    is_letter = len(option) == len("-x") and _is_letter(option[1], word)
    return word == option or word.startswith(f"{option}=") or is_letter


def _is_letter(letter: str, word: str) -> bool:
    return word[:1] == "-" and word[1:].isalpha() and letter in word


def _is_alone(given: Sequence[str]) -> bool:
    """Neither a program is given to it, nor a shell the text of one."""
    is_shell = given[0] in SHELLS
    return all(
        word.startswith("-")
        and word not in _GIVES_CODE
        and not (is_shell and _is_letter("c", word))
        for word in given[1:]
    )
