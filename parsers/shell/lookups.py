"""Turn common read-only shell commands into calls of equivalent tools.

line   = lookup ["|" "head" [count]]
lookup = cat | head | tail -n +N | sed -n N,Np | ls | find -name | grep | rg

Only the usual options are supported. A line with anything else must be run as it is written.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from getopt import GetoptError, gnu_getopt
from itertools import takewhile
from posixpath import join, normpath

from react_agent.parsers.shell.line import commands
from react_agent.parsers.text.gist import clipped

_LONGEST = 2_000  # characters; a longer line does more than read
_MOST_FILES = 8  # files that read_file shows at once
_HEAD = "10"  # lines that head shows unless another number is asked for
_PATH = re.compile(r"(?!-\Z)[\w.@/-](?:[\w.@+/ -]*[\w.@+/-])?")
_NAME = re.compile(r"[\w.*?\[\]+-]+")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_FROM = re.compile(r"\+([1-9][0-9]{0,8})")
_RANGE = re.compile(r"([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8}|\$))?p")
# Parts that differ in meaning between basic and extended regular expressions.
_UNLIKE = re.compile(r"[\\(){}|+?]|\A\^?\*|(?<!\A)(?<!\[)\^|\$(?!\Z)")
_NOT_BASIC = {"-E", "-P", "-F", "--extended-regexp", "--perl-regexp", "--fixed-strings"}
_SWITCHES = {
    "ignore_case": {"-i", "--ignore-case"},
    "whole_word": {"-w", "--word-regexp"},
    "literal": {"-F", "--fixed-strings"},
}
_OF_GREP = ["line-number", "ignore-case", "word-regexp", "fixed-strings", "regexp=", "glob="]
_OF_GREP += ["recursive", "extended-regexp", "perl-regexp", "include="]
_OF_LS = ["all", "almost-all", "recursive", "human-readable"]
_WHOLE = {"cat": "nbu", "nl": "b:", "less": "NRSXF", "more": "", "bat": "np"}  # with options
_LITERAL = re.compile(
    r"""'[^']*+'|"(?:[^"$`\\]++|\\[^$`\n])*+"|\\[^\n]|(?<!\S)(?:2>/dev/null|2>&1)(?!\S)"""
)
_ACTIVE = re.compile(r"""[$`()<>;&\n*?\[{'"\\]|(?<!\S)~|\|\||\|\s*\Z""")
_COMMENT = re.compile(r"(?<!\S)#")
_READ_AS = 200  # characters of the line as it was read


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of our tools that was written as a shell command."""

    tool: str
    input: str
    said: str = ""  # how it was read, if that is not as it was written


def lookup(line: str, folder: str = "") -> Call | None:
    """Return the equivalent tool call in the folder, or None if the line must be run.

    The functions below raise ValueError or GetoptError if no tool call is equivalent.
    """
    try:
        return _call(line.strip(), folder) if len(line) <= _LONGEST else None
    except (ValueError, GetoptError):
        return None


def read_as(tool: str, text: str) -> Call:
    shown = clipped(text.replace("\n", ", "), _READ_AS)
    return Call(tool, text, f"read as {tool} {shown}".rstrip())


def _call(line: str, folder: str) -> Call:
    (name, *words), *filters = _pipeline(line)
    if name == "git" and words[:1] == ["grep"]:
        name = words.pop(0)
    head = ""
    if filters:
        [(filter_name, *filter_words)] = filters
        paths, head = _shown(filter_name, filter_words)
        _sure(filter_name == "head" and not paths)
    if name in _FINDS:  # these show no more than a few lines anyway
        return _FINDS[name](words, folder)
    paths, lines = _shown(name, words)
    _sure(0 < len(paths) <= _MOST_FILES and not (head and (lines or len(paths) > 1)))
    placed = _placed(paths, folder)
    return read_as("read_file", "\n".join(f"{path}{lines or head}" for path in placed))


def _pipeline(line: str) -> list[list[str]]:
    """Return each command's words. Raises ValueError if there is an expansion or redirection."""
    bare = _LITERAL.sub(lambda found: "_" * len(found[0]), line)
    if comment := _COMMENT.search(bare):
        bare = bare[: comment.start()].rstrip()
    _sure(not _ACTIVE.search(bare))
    return [command.words for command in commands(line)]


def _sure(holds: object) -> None:
    if not holds:
        raise ValueError


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    if found := pattern.fullmatch(text):
        return found
    raise ValueError


def _placed(paths: Sequence[str], folder: str) -> list[str]:
    """Return the paths within the folder. Raises ValueError if one may be more than a path."""
    named = [_matched(_PATH, path)[0] for path in paths]
    return [normpath(join(folder, path)) for path in named] if folder else named


def _shown(name: str, words: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the files to show, and their lines in the syntax of read_file."""
    if name in _WHOLE:
        return gnu_getopt([*words], _WHOLE[name])[1], ""
    if name == "sed":
        options, [script, path] = gnu_getopt([*words], "n")
        start, end = _matched(_RANGE, script).groups(default="")
        _sure(options and (end in ("", "$") or int(end) >= int(start)))
        return [path], f":{start}" if end == "$" else f":{start}-{end or start}"
    _sure(name in ("head", "tail"))
    spelled = [re.sub(r"\A-(?=\d)", "-n", word) for word in words]  # `head -20 x`
    options, paths = gnu_getopt(spelled, "n:", ["lines="])
    [count] = [value for _, value in options] or [_HEAD]
    if name == "head":
        return paths, f":1-{_matched(_COUNT, count)[0]}"
    # a count from the end can't be given as lines
    return paths, f":{_matched(_FROM, count)[1]}"


def _ls(words: Sequence[str], folder: str) -> Call:
    _, paths = gnu_getopt([*words], "laAh1RFp", _OF_LS)
    [path] = _placed(paths or ["."], folder)
    return read_as("list_files", "" if path == "." else path)


def _find(words: Sequence[str], folder: str) -> Call:
    folders = [*takewhile(lambda word: not word.startswith(("-", "(", "!")), words)]
    tests, names = iter(words[len(folders) :]), list[str]()
    for test in tests:
        if test in ("-name", "-iname"):
            names.append(next(tests, ""))
        else:
            _sure(test == "-print" or (test == "-type" and next(tests, "") == "f"))
    [name] = names
    [path] = _placed(folders or ["."], folder)
    below = "" if path == "." else f"{path.rstrip('/')}/"
    return read_as("list_files", f"{below}**/{_matched(_NAME, name)[0]}")


def _grep(words: Sequence[str], folder: str) -> Call:
    options, rest = gnu_getopt([*words], "rRnHIiwFEPe:", _OF_GREP)
    is_basic = not any(name in _NOT_BASIC for name, _ in options)
    return _search(options, rest, folder, is_basic=is_basic)


def _search(
    options: Sequence[tuple[str, str]], words: Sequence[str], folder: str, *, is_basic: bool = False
) -> Call:
    """Return a search with a JSON object as its input, which can express any pattern."""
    given = [value for name, value in options if name in ("-e", "--regexp")]
    [pattern], paths = (given, words) if given else (words[:1], words[1:])
    globs = [value for name, value in options if name in ("-g", "--glob", "--include")]
    _sure(pattern.strip() and "\n" not in pattern and not (is_basic and _UNLIKE.search(pattern)))
    _sure(not any(glob.startswith("!") for glob in globs))
    placed, names = _placed(paths or ["."], folder), {name for name, _ in options}
    parts: dict[str, object] = {"pattern": pattern}
    parts |= {"path": placed} if placed != ["."] else {}
    parts |= {"include": globs} if globs else {}
    parts |= {key: True for key, spelled in _SWITCHES.items() if names & spelled}
    return Call("grep", json.dumps(parts, ensure_ascii=False), f"read as grep {parts['pattern']}")


_FINDS: Mapping[str, Callable[[Sequence[str], str], Call]] = {
    "ls": _ls,
    "dir": _ls,
    "find": _find,
    "grep": _grep,
    "rg": lambda words, folder: _search(*gnu_getopt([*words], "nHiwFe:g:", _OF_GREP), folder),
}
