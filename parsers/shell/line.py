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
    r"(?P<gap>(?:[ \t\r\f\v]++|\\\r?\n)++)"
    rf"|(?P<text>[^\s$<>()`&|;'\"\\0-9][^\s$<>()`&|;'\"\\]*+|{_ARITHMETIC})"
    r"|(?P<redirect>&>>?|[0-9]{0,9}(?:<<<|<<-?|<>|>>|>\||[<>]&?)(?!\())"
    r"|(?P<inner>[$<>]\(|`)"
    r"|(?P<end>\n|&&|\|[|&]?|;;?&?|&|[()])"
    r"|(?P<single>'[^']*+'?|\$'(?:\\.|[^'\\])*+'?)"
    r"|(?P<double>\$?\")"
    r"|(?P<escape>\\.)"
    r"|(?P<other>[0-9]++[^\s$<>()`&|;'\"\\]*+|.)",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"(?P<end>\")|(?P<inner>\$\((?!\()|`)|\\(?P<escaped>[$`\"\\\n])|(?P<text>[^\"$`\\]++|.)",
    re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*\])?\+?=")
_BEGIN_ANOTHER = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!"}
)
_DEEPEST = 8  # texts within a text, and commands that only start another
_SHOWN = 200  # characters of a command as it is written

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
# The options that take a word, and how many words stand before the command.
_WRAPPERS: dict[str, tuple[str, int]] = {
    "env": ("-u -C -S --unset --chdir", 0),
    "time": ("-f -o", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "nice": ("-n --adjustment", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("-i -o -e", 0),
    "command": ("", 0),
    "exec": ("-a", 0),
    "xargs": ("-n -I -L -P -d -E -s -a", 0),
    "sudo": ("-u -g -h -p -C -D", 0),
    "watch": ("-n", 0),
}
_RUNNERS = [[name, "run"] for name in ("uv", "poetry", "pipenv", "pdm", "hatch")]
_EXECUTES = ("-exec", "-execdir", "-ok", "-okdir")
_ASKS = ("-v", "-V")  # of `command`: it prints where a program is
_PROMPT = re.compile(r"\$ +(?=\S)")

Pattern = tuple[str, ...]

ALONE = "$"
_VERSION = re.compile(r"(?P<name>python|pip|pypy|ipython)[0-9][0-9.]*")
# The options before a subcommand that take a word.
_GLOBAL = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"),
    "pip": ("--log", "--proxy", "--timeout", "--retries", "--cache-dir", "--python"),
    "docker": ("-H", "--host", "-c", "--context", "--config", "-l"),
    "npm": ("--prefix", "-C", "-w"),
}
_GIVES_CODE = ("-c", "-m", "-s", "-e", "-h", "--help", "-V", "-VV", "--version")


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
    while reader.at < len(text):
        reader.read()
    return [one for one in reader.found if one.words]


@dataclass(slots=True)
class _Open:
    """A command that is being read."""

    command: Command
    start: int
    parts: list[str] = field(default_factory=list)  # of the word that is being read
    redirection: str = ""  # without its word


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    found: list[Command] = field(default_factory=list)  # in the order in which they begin
    heres: list[tuple[str, str, Command]] = field(default_factory=list)  # word, operator

    def read(self, closer: str = "", depth: int = _DEEPEST, *, is_fed: bool = False) -> None:
        """The commands up to the closer, which is taken."""
        now = self._begin(is_fed=is_fed)
        while piece := _PIECE.match(self.text, self.at):
            kind, text, start = piece.lastgroup, piece[0], self.at
            self.at = piece.end()
            if kind == "end" or text == closer:
                if text == ")" != closer:  # a pattern of `case`
                    now.parts.clear()
                    now.command.words.clear()
                self._end_command(now, start, text)
                if text == closer:
                    return
                now = self._after(now, text, depth)
            elif kind in ("gap", "redirect"):
                self._end_word(now)
                now.redirection = text if kind == "redirect" else now.redirection
            elif kind == "inner" and depth:
                now.parts.append("`...`" if text == "`" else f"{text}...)")
                self.read("`" if text == "`" else ")", depth - 1)
            elif kind == "double":
                self._quoted(now, depth)
            elif text[0] == "#" and not now.parts:
                self.at = self._line_end()
            else:
                now.parts.append(_plain(kind, text))
        self._end_command(now, self.at, "")

    def _begin(self, *, is_fed: bool) -> _Open:
        self.found.append(Command(is_fed=is_fed))
        return _Open(self.found[-1], self.at)

    def _after(self, before: _Open, operator: str, depth: int) -> _Open:
        words, is_piped = before.command.words, operator in ("|", "|&")
        if operator == "\n":
            self._read_heres()
            is_piped = not words and before.command.is_fed
        elif operator == "(" and depth:  # a group, the brackets of a function, or an array
            self.read(")", depth - 1, is_fed=not words and before.command.is_fed)
        return self._begin(is_fed=is_piped)

    def _quoted(self, now: _Open, depth: int) -> None:
        now.parts.append("")
        while piece := _QUOTED.match(self.text, self.at):
            self.at = piece.end()
            if piece["end"]:
                return
            if piece["inner"] and depth:
                now.parts.append("$(...)")
                self.read("`" if piece[0] == "`" else ")", depth - 1)
            else:
                now.parts.append((piece["escaped"] or piece[0]).removeprefix("\n"))

    def _end_word(self, now: _Open) -> None:
        if not now.parts:
            return
        word, command = "".join(now.parts), now.command
        now.parts.clear()
        if now.redirection:
            if now.redirection in ("<<", "<<-"):
                self.heres.append((word, now.redirection, command))
            command.is_fed |= "<" in now.redirection
            now.redirection = ""
        elif word in _BEGIN_ANOTHER and command.words[:1] in ([], ["function"]):
            command.words.clear()
            now.start = self.at
        elif command.words or not _ASSIGNMENT.match(word):
            command.words.append(word)

    def _end_command(self, now: _Open, end: int, operator: str) -> None:
        if operator == "(" and not now.command.words:  # the name of a function
            now.parts.clear()
        self._end_word(now)
        now.redirection = ""
        now.command.then = operator
        now.command.text = self.text[now.start : min(end, now.start + _SHOWN)].strip()

    def _read_heres(self) -> None:
        for word, operator, command in self.heres:
            lines = list[str]()
            while self.at < len(self.text):
                line = self.text[self.at : self._line_end()]
                self.at += len(line) + 1
                if (line.lstrip("\t") if operator == "<<-" else line) == word:
                    break
                lines.append(line)
            command.here = "\n".join(lines)
        self.heres.clear()

    def _line_end(self) -> int:
        end = self.text.find("\n", self.at)
        return end if end >= 0 else len(self.text)


def _plain(kind: str | None, text: str) -> str:
    if kind == "single":
        return text.removeprefix("$")[1:].removesuffix("'")
    return text[1:].removeprefix("\n") if kind == "escape" else text


def _seen_in(command: Command, depth: int) -> Iterator[Command]:
    yield command
    if depth:
        for inner in (*_started(command), *_handed(command)):
            yield from _seen_in(inner, depth - 1)


def _started(command: Command) -> Iterator[Command]:
    name, words = program(command), command.words
    if name == "find":
        yield from _executed(command)
    elif name in _WRAPPERS and not (name == "command" and words[1:2] and words[1] in _ASKS):
        rest = _after_options(words[1:], *_WRAPPERS[name])
        yield from _with(command, rest, is_fed=name == "xargs")
    elif words[:2] in _RUNNERS:
        yield from _with(command, _after_options(words[2:], "--with --python --extra", 0))


def _with(command: Command, words: list[str], *, is_fed: bool = False) -> Iterator[Command]:
    if words:
        yield replace(command, words=words, is_fed=command.is_fed or is_fed)


def _after_options(words: list[str], valued: str, before: int) -> list[str]:
    at, takes_word = 0, valued.split()
    while at < len(words):
        if words[at].startswith("-"):
            at += 2 if words[at] in takes_word else 1
        elif _ASSIGNMENT.match(words[at]):
            at += 1
        else:
            break
    return words[at + before :]


def _executed(command: Command) -> Iterator[Command]:
    words: list[str] | None = None
    for word in (*command.words, ";"):
        if words is not None and word in (";", "+", *_EXECUTES):
            yield from _with(command, words, is_fed=True)
            words = None
        if word in _EXECUTES:
            words = []
        elif words is not None:
            words.append(word)


def _handed(command: Command) -> Iterator[Command]:
    """The commands of the text that a shell is handed."""
    if program(command) == "eval":
        yield from _read(" ".join(command.words[1:]))
    elif program(command) in SHELLS:
        options = [*takewhile(lambda word: word.startswith("-"), command.words[1:])]
        takes_script = any("c" in word and not word.startswith("--") for word in options)
        script = command.words[len(options) + 1 : len(options) + 2] if takes_script else []
        yield from _read("".join(script) or command.here)


def first_barred(text: str, patterns: Collection[Pattern]) -> Barred | None:
    """Never raises."""
    for command in commands(text):
        given = tuple(_spoken(command))
        for pattern in patterns:
            if _fits(pattern, given, command):
                return Barred(pattern, command.text)
    return None


def _spoken(command: Command) -> Iterator[str]:
    """Its words, with one name for one program and without what comes before a subcommand."""
    name, rest = _plain_name(program(command)), command.words[1:]
    if name == "python" and len(rest) > 1 and rest[0] == "-m" and rest[1] in ("pip", "pip3"):
        name, rest = "pip", rest[2:]
    yield name
    valued, at = _GLOBAL.get(name), 0
    while valued and at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in valued else 1
    yield from rest[at:]


def _plain_name(name: str) -> str:
    found = _VERSION.fullmatch(name)
    return found["name"] if found else name


def _fits(pattern: Pattern, given: Sequence[str], command: Command) -> bool:
    if not pattern or not given or given[0] != pattern[0]:
        return False
    if pattern[1:] == (ALONE,):
        return _is_alone(given, command)
    subcommands = [word for word in pattern if not word.startswith("-")]
    options = [word for word in pattern if word.startswith("-")]
    after = given[len(subcommands) :]
    is_same = list(given[: len(subcommands)]) == subcommands
    return is_same and all(_has(option, after) for option in options)


def _has(option: str, after: Sequence[str]) -> bool:
    """Before a `--`; `-rf` has `-f`."""
    end = after.index("--") if "--" in after else len(after)
    return any(_is_option(option, word) for word in after[:end])


def _is_option(option: str, word: str) -> bool:
    if word == option or word.startswith(f"{option}="):
        return True
    is_letter = len(option) == len("-x") and word.startswith("-") and not word.startswith("--")
    return is_letter and word[1:].isalpha() and option[1] in word


def _is_alone(given: Sequence[str], command: Command) -> bool:
    is_shell = given[0] in SHELLS
    if command.is_fed:
        return False
    return all(
        word.startswith("-") and word != "-" and not _gives_code(word, is_shell=is_shell)
        for word in given[1:]
    )


def _gives_code(word: str, *, is_shell: bool) -> bool:
    letters = word[1:] if not word.startswith("--") else ""
    return word in _GIVES_CODE or (is_shell and letters.isalpha() and "c" in letters)
