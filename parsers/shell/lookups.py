"""Common read-only commands of a shell, as a call of the tool that does the same.

line   = lookup ["|" "head" [count]]
lookup = cat | head | tail -n +N | sed -n N,Np | ls | find -name | grep | rg

Each with its usual options only. Whatever else a line holds, it is to be run as it is written.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from getopt import GetoptError, gnu_getopt
from itertools import takewhile
from posixpath import join, normpath

_LONGEST = 2_000  # characters; what is longer does more than look
_MOST_FILES = 8  # that read_file shows at once
_HEAD = "10"  # lines that head shows unless another number is asked for
_PATH = re.compile(r"(?!-\Z)[\w.@/-](?:[\w.@+/ -]*[\w.@+/-])?")
_NAME = re.compile(r"[\w.*?\[\]+-]+")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_FROM = re.compile(r"\+(?P<start>[1-9][0-9]{0,8})")
_RANGE = re.compile(r"(?P<start>[1-9][0-9]{0,8})(?:,(?P<end>[1-9][0-9]{0,8}|\$))?p")
# What means something else in a basic regular expression than in an extended one.
_UNLIKE = re.compile(r"\\|\A\^?\*|(?<!\A)(?<!\[)\^|\$(?!\Z)|\[.*[(){}|+?]")
_ONLY_EXTENDED = re.compile(r"[(){}|+?]")
_NOT_BASIC = {"-E", "-P", "-F", "--extended-regexp", "--perl-regexp", "--fixed-strings"}
_SWITCHES = {
    "ignore_case": {"-i", "--ignore-case"},
    "whole_word": {"-w", "--word-regexp"},
    "literal": {"-F", "--fixed-strings"},
}
_SEARCHES = ["line-number", "ignore-case", "word-regexp", "fixed-strings", "regexp="]
_Options = Sequence[tuple[str, str]]
_SILENT = ("2>/dev/null", "2>&1")  # they change nothing that a model looks for
_LITERAL = re.compile(
    r"""'[^']*+'|"(?:[^"$`\\]++|\\[^$`\n])*+"|\\[^\n]|(?<!\S)(?:2>/dev/null|2>&1)(?!\S)"""
)
_ACTIVE = re.compile(r"""[$`()<>;&\n*?\[{'"\\]|(?<!\S)~""")
_COMMENT = re.compile(r"(?<!\S)#")
_READ_AS = 200  # characters of what it was read as


@dataclass(frozen=True, slots=True)
class Call:
    """Of one of our tools, that was written in the words of another program."""

    tool: str
    input: str
    said: str = ""  # what it was read as, where that is not what was written


class _DoubtError(Exception):
    """The line may do something else."""


@dataclass(frozen=True, slots=True)
class _Shown:
    paths: Sequence[str]
    start: int = 1
    end: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.start == 1 and self.end is None


def lookup(line: str, folder: str = "") -> Call | None:
    """The call that does what the line does in the folder. None: the line has to be run."""
    try:
        return _call(_pipeline(line.strip()) if len(line) <= _LONGEST else (), folder)
    except (_DoubtError, GetoptError):
        return None


def read_as(tool: str, text: str) -> Call:
    shown = ", ".join(text.split("\n"))
    short = shown if len(shown) <= _READ_AS else f"{shown[: _READ_AS - 3]}..."
    return Call(tool, text, f"read as {tool} {short}".rstrip())


def _pipeline(line: str) -> list[list[str]]:
    """The words of each command; none of them is expanded, and none redirected."""
    bare = _LITERAL.sub(lambda found: "_" * len(found[0]), line)
    if comment := _COMMENT.search(bare):
        bare = bare[: comment.start()].rstrip()
    _sure(not _ACTIVE.search(bare))
    found, at = list[list[str]](), 0
    for part in bare.split("|"):
        words = shlex.split(line[at : at + len(part)])
        found.append([word for word in words if word not in _SILENT])
        at += len(part) + 1
    _sure(all(found))
    return found


def _sure(holds: object) -> None:
    if not holds:
        raise _DoubtError


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    if found := pattern.fullmatch(text):
        return found
    raise _DoubtError


def _call(commands: Sequence[Sequence[str]], folder: str) -> Call:
    _sure(len(commands) in (1, 2))
    (name, *words), *filters = commands
    if name == "git" and words[:1] == ["grep"]:
        name = words.pop(0)
    head = None
    if filters:
        _sure(filters[0][0] == "head")
        head = _head(filters[0][1:])
        _sure(not head.paths)
    if name in _SHOWS:
        return _reading(_SHOWS[name](words), head, folder)
    _sure(name in _FINDS)
    return _FINDS[name](words, folder)  # these show no more than a few lines anyway


def _reading(shown: _Shown, head: _Shown | None, folder: str) -> Call:
    _sure(0 < len(shown.paths) <= _MOST_FILES)
    if head is not None:
        _sure(shown.is_whole and len(shown.paths) == 1)
        shown = _Shown(shown.paths, end=head.end)
    lines = "" if shown.is_whole else f":{shown.start}" + (f"-{shown.end}" if shown.end else "")
    paths = _placed(shown.paths, folder)
    return read_as("read_file", "\n".join(f"{path}{lines}" for path in paths))


def _placed(paths: Sequence[str], folder: str) -> list[str]:
    """None of them may be read as more than a path."""
    named = [_matched(_PATH, path)[0] for path in paths]
    return [normpath(join(folder, path)) for path in named] if folder else named


def _whole(short: str) -> Callable[[Sequence[str]], _Shown]:
    return lambda words: _Shown(gnu_getopt([*words], short)[1])


def _head(words: Sequence[str]) -> _Shown:
    """`head -20 x` is `head -n 20 x`."""
    spelled = [re.sub(r"\A-(?=\d)", "-n", word) for word in words]
    options, paths = gnu_getopt(spelled, "n:", ["lines="])
    counts = [value for _, value in options] or [_HEAD]
    _sure(len(counts) == 1)
    return _Shown(paths, end=int(_matched(_COUNT, counts[0])[0]))


def _tail(words: Sequence[str]) -> _Shown:
    """From some line on; what is counted from the end can't be said in lines."""
    options, paths = gnu_getopt([*words], "n:", ["lines="])
    _sure(len(options) == 1)
    return _Shown(paths, int(_matched(_FROM, options[0][1])["start"]))


def _sed(words: Sequence[str]) -> _Shown:
    options, rest = gnu_getopt([*words], "n")
    _sure(options and len(rest) == len(("script", "path")))
    found = _matched(_RANGE, rest[0])
    start = int(found["start"])
    if found["end"] == "$":
        return _Shown(rest[1:], start)
    end = int(found["end"] or start)
    _sure(end >= start)
    return _Shown(rest[1:], start, end)


def _ls(words: Sequence[str], folder: str) -> Call:
    long = ["all", "almost-all", "recursive", "human-readable"]
    _, paths = gnu_getopt([*words], "laAh1RFp", long)
    _sure(len(paths) <= 1)
    [path] = _placed(paths or ["."], folder)
    return read_as("list_files", "" if path == "." else path)


def _find(words: Sequence[str], folder: str) -> Call:
    folders = [*takewhile(lambda word: not word.startswith(("-", "(", "!")), words)]
    names = [*_names(iter(words[len(folders) :]))]
    paths = _placed(folders or ["."], folder)
    _sure(len(names) == 1)
    below = [] if "." in paths else [f"path: {path}" for path in paths]
    return read_as("find_file", "\n".join((_matched(_NAME, names[0])[0], *below)))


def _names(tests: Iterator[str]) -> Iterator[str]:
    for test in tests:
        value = next(tests, "") if test in ("-name", "-iname", "-type") else ""
        if test in ("-name", "-iname"):
            yield value
        else:
            _sure((test, value) in (("-type", "f"), ("-print", "")))


def _grep(words: Sequence[str], folder: str) -> Call:
    long = ["recursive", "extended-regexp", "perl-regexp", "include=", *_SEARCHES]
    options, rest = gnu_getopt([*words], "rRnHIiwFEPe:", long)
    is_basic = not _NOT_BASIC & {name for name, _ in options}
    return _search(options, rest, folder, _extended if is_basic else str)


def _rg(words: Sequence[str], folder: str) -> Call:
    options, rest = gnu_getopt([*words], "nHiwFe:g:", ["glob=", *_SEARCHES])
    return _search(options, rest, folder, str)


def _search(
    options: _Options, words: Sequence[str], folder: str, extended: Callable[[str], str]
) -> Call:
    """As an object: any pattern can be written in one."""
    given = [value for name, value in options if name in ("-e", "--regexp")]
    patterns, paths = (given, words) if given else (words[:1], words[1:])
    globs = [value for name, value in options if name in ("-g", "--glob", "--include")]
    _sure(len(patterns) == 1 and patterns[0].strip() and "\n" not in patterns[0])
    _sure(not any(glob.startswith("!") for glob in globs))
    placed, names = _placed(paths or ["."], folder), {name for name, _ in options}
    parts: dict[str, object] = {"pattern": extended(patterns[0])}
    parts |= {"path": placed} if placed != ["."] else {}
    parts |= {"include": globs} if globs else {}
    parts |= {key: True for key, spelled in _SWITCHES.items() if names & spelled}
    return Call("grep", json.dumps(parts, ensure_ascii=False), f"read as grep {parts['pattern']}")


def _extended(basic: str) -> str:
    r"""The same as an extended regular expression; of what has a backslash, only `\|` is read."""
    parts = basic.split(r"\|")
    _sure(not any(map(_UNLIKE.search, parts)))
    return "|".join(_ONLY_EXTENDED.sub(r"\\\g<0>", part) for part in parts)


_SHOWS: Mapping[str, Callable[[Sequence[str]], _Shown]] = {
    "cat": _whole("nbu"),
    "nl": _whole("b:"),
    "less": _whole("NRSXF"),
    "more": _whole(""),
    "bat": _whole("np"),
    "head": _head,
    "tail": _tail,
    "sed": _sed,
}
_FINDS: Mapping[str, Callable[[Sequence[str], str], Call]] = {
    "ls": _ls,
    "dir": _ls,
    "find": _find,
    "grep": _grep,
    "rg": _rg,
}
