r"""Find all commands that a shell line runs, and the first forbidden one.

text    = command (operator command)*     operator = "|" "&&" "||" ";" "&" NEWLINE ";;" "(" ")"
command = assignment* word* redirection*  word = characters, quotes, "\\", `$(text)`, a backtick
pattern = program subcommand* option*     the option may be anywhere after them
        | program "$"                     with only options after it and no script as input

Loops, conditions, functions, subshells and here-documents are searched. So are commands that only
start another command (`env`, `timeout`, `sudo`, `xargs`, `find -exec`), and text that is passed to
a shell (`bash -c`, `eval`, a here-document).

opener  = "<<" ["-" | "~"] (quote word quote | word)     of a here-document, in a text that may
          not be shell code: not "<<<", not within quotes, not after a word or ")"; an unquoted
          word is in capitals, and after a space only EOF or END, with no ";" or "," behind it
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from posixpath import basename

_INNER = re.compile(r"[$<>]\((?!\()((?:'[^']*'|[^()`])*+)(?:\)|\Z)|`([^`]*+)`?")
_LITERAL = re.compile(r"\\.", re.DOTALL)
_DOUBLE = r"\"(?:[^\"\\]|\\.)*+\"?"
_TOKEN = re.compile(
    r"(?P<gap>(?:[ \t\r\f\v]|\\\r?\n)++|(?<![^\s;&|()])\#[^\n]*+)"  # also a comment
    r"|(?P<redirect>&>>?|[0-9]{0,9}(?:<<<|<<-?|<>|>>|>\||[<>]&?)(?!\())"
    r"|(?P<word>(?:[$<>]\((?!\()[^()`]*+(?:\)|\Z)|`[^`]*+`?|\$?\(\([^()\n]*+\)\)"
    rf"|'[^']*+'?|{_DOUBLE}|\\.?|[^\s;&|()<>'\"\\`])++)"
    r"|(?P<operator>\n|\(\)|[()]|&&|\|[|&]?|;;?&?|&)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_MARKS = re.compile(
    r"'(?P<single>[^']*+)'?|\"(?P<double>(?:[^\"\\]|\\.)*+)\"?|\\(?P<escaped>.?)", re.DOTALL
)
_ESCAPED = re.compile(r"\\(?:\n|([$`\"\\]))")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*\])?\+?=")
_BEGIN_ANOTHER = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!"}
)
_DEEPEST = 8  # commands that only start another
_SHOWN = 200  # characters of a command as it is written

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_RUN_OPTIONS = "--with --python --extra"
# Programs that start another command, and their options that take a word.
_WRAPPERS: dict[str, str] = {
    **dict.fromkeys(("nohup", "setsid", "npx", "bunx", "php", "bundle exec", "coverage run"), ""),
    **{f"{name} run": _RUN_OPTIONS for name in ("uv", "poetry", "pipenv", "pdm", "hatch")},
    "command": "-v -V",  # with these options it starts nothing
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

Pattern = tuple[str, ...]

ALONE = "$"
_VERSION = re.compile(r"(python|pip|pypy|ipython)[0-9][0-9.]*")
# Options before a subcommand that take a word.
_GLOBAL = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"),
    "pip": ("--log", "--proxy", "--timeout", "--retries", "--cache-dir", "--python"),
}
_GIVES_CODE = ("-", "-c", "-m", "-s", "-e", "-h", "--help", "-V", "-VV", "--version")


@dataclass(slots=True)
class Command:
    words: list[str] = field(default_factory=list)  # as the program gets them, but not expanded
    text: str = ""  # the beginning of the command as it is written
    is_fed: bool = False  # whether it reads a pipe, a file or a here-document
    here: str = ""  # the text of the here-document
    then: str = ""  # the operator after it


@dataclass(frozen=True, slots=True)
class Barred:
    pattern: Pattern
    text: str  # the command, as it is written


def commands(text: str) -> tuple[Command, ...]:
    """Return all commands. Each one precedes the commands that it starts. Never raises."""
    return tuple(one for each in _Reader(text).read() for one in _seen_in(each, _DEEPEST))


def program(command: Command) -> str:
    """Return the base name of the command's program."""
    return basename(command.words[0])


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found = [Command()]  # the last one is being read
        self.start = 0  # where the last command begins
        self.redirection = ""  # the operator of a redirection whose word follows
        self.depth = 0  # number of open brackets
        self.heres: list[tuple[str, str, Command]] = []  # end mark, operator, command
        self.inner: list[str] = []  # texts of `$(...)`

    def read(self) -> list[Command]:
        while token := _TOKEN.match(self.text, self.at):
            self.at = token.end()
            if token.lastgroup == "word":
                self._take_word(token[0])
            elif token.lastgroup == "redirect":
                self.redirection = token[0]
            elif token.lastgroup == "operator":
                self._end_command(token.start(), token[0])
        self._end_command(self.at, "")
        return [*self.found, *(one for text in self.inner for one in _Reader(text).read())]

    def _take_word(self, written: str) -> None:
        command, word = self.found[-1], _MARKS.sub(_without_marks, written)
        bare = _MARKS.sub(lambda one: _LITERAL.sub("", one[0]) if one["double"] else "", written)
        self.inner += (one[1] or one[2] or "" for one in _INNER.finditer(bare))
        if self.redirection:
            if self.redirection in ("<<", "<<-"):
                self.heres.append((word, self.redirection, command))
            command.is_fed |= "<" in self.redirection
            self.redirection = ""
        elif word in _BEGIN_ANOTHER and command.words[:1] in ([], ["function"]):
            command.words.clear()
            self.start = self.at
        elif command.words or not _ASSIGNMENT.match(word):
            command.words.append(word)

    def _end_command(self, end: int, operator: str) -> None:
        command = self.found[-1]
        command.then = operator
        command.text = self.text[self.start : min(end, self.start + _SHOWN)].strip()
        if operator == "()" or (operator == ")" and not self.depth):
            command.words.clear()  # it is the name of a function or a pattern of `case`
        self.depth = max(self.depth + {"(": 1, ")": -1}.get(operator, 0), 0)
        if operator == "\n":
            self._read_heres()
        is_fed = operator in ("|", "|&") or (command.is_fed and not command.words)
        self.found.append(Command(is_fed=is_fed))
        self.start, self.redirection = self.at, ""

    def _read_heres(self) -> None:
        for word, operator, command in self.heres:
            indent = r"\t*" if operator == "<<-" else ""
            mark = re.compile(rf"^{indent}{re.escape(word)}(?:\n|\Z)|\Z", re.MULTILINE)
            if end := mark.search(self.text, self.at):
                command.here = self.text[self.at : end.start()].removesuffix("\n")
                self.at = end.end()
        self.heres.clear()


def _without_marks(found: re.Match[str]) -> str:
    """Return the text that a quoted string or an escaped character represents."""
    if found["double"] is not None:
        return _ESCAPED.sub(lambda one: one[1] or "", found["double"])
    return found["single"] or (found["escaped"] or "").strip("\n")


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
    """Yield the commands in a text that is passed to a shell."""
    if program(command) == "eval":
        yield from _Reader(" ".join(command.words[1:])).read()
    elif program(command) in SHELLS:
        options = [*takewhile(lambda word: word.startswith("-"), command.words[1:])]
        takes_script = any(_is_letter("c", word) for word in options)
        script = command.words[len(options) + 1 : len(options) + 2] if takes_script else []
        yield from _Reader("".join(script) or command.here).read()


def first_barred(text: str, patterns: Collection[Pattern]) -> Barred | None:
    """Return the first command that matches a pattern. Never raises."""
    for command in commands(text):
        given = _spoken(command)
        for pattern in patterns:
            if _fits(pattern, given, command):
                return Barred(pattern, command.text)
    return None


def _spoken(command: Command) -> list[str]:
    """Return the words with a normalised program name and no options before the subcommand."""
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
    """Return whether the word contains the option, as `-rf` contains `-f`."""
    is_letter = len(option) == len("-x") and _is_letter(option[1], word)
    return word == option or word.startswith(f"{option}=") or is_letter


def _is_letter(letter: str, word: str) -> bool:
    return word[:1] == "-" and word[1:].isalpha() and letter in word


def _is_alone(given: Sequence[str]) -> bool:
    """Return whether the command is given neither a program to run nor, for a shell, a script."""
    is_shell = given[0] in SHELLS
    return all(
        word.startswith("-")
        and word not in _GIVES_CODE
        and not (is_shell and _is_letter("c", word))
        for word in given[1:]
    )


_OPENER = re.compile(
    r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|`[^`]*`|<<<+|[\w)]<<(?!['"])"""
    r"""|<<(?P<dash>[-~]?)(?:[ \t]*(?P<quote>['"])(?P<quoted>[^'"\n]{1,60})(?P=quote)"""
    r"""|\\?(?P<bare>[A-Z_]{1,60}\b)|[ \t]+(?P<usual>(?:EOF|END)\b)(?![;,]))"""
)


@dataclass(frozen=True, slots=True)
class Heredoc:
    word: str
    is_indented: bool = False  # its end mark may be indented

    def is_closed_by(self, line: str) -> bool:
        return (line.lstrip() if self.is_indented else line) == self.word


def heredocs(line: str) -> tuple[Heredoc, ...]:
    """Return the here-documents in the order of their texts."""
    found = _OPENER.finditer(line) if "<<" in line else ()
    words = ((one["quoted"] or one["bare"] or one["usual"], bool(one["dash"])) for one in found)
    return tuple(Heredoc(word, is_indented) for word, is_indented in words if word)
