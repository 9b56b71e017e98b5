"""Read the selection of tests that a model requests.

input   = "log" [start ["-" end]] | object | fields | line*
line    = [command] (target | "-k" expression | "-m" marker | option)*
command = ("pytest" | "python -m unittest" | "npm test" | "cargo test" | "go test" | ...)
target  = path ["::" name]* | dotted name
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from react_agent.parsers.testing.commands import TEST_COMMAND
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import (
    ALL_LINES,
    PATH_NAMES,
    SPAN,
    Argument,
    Span,
    Unreadable,
    every,
    left_out,
    read_arguments,
    span_in,
    texts,
)
from react_agent.parsers.values.commands import words

_TARGETS = Argument(
    PATH_NAMES
    | {"", "test", "tests", "target", "targets", "selection", "nodeid", "nodeids", "name", "names"}
    | {"input", "module", "command", "cmd", "args", "arguments", "options"},
    texts,
    begins=True,
)
_KEYWORDS = Argument({"k", "keyword", "expression", "filter", "pattern"}, texts, begins=True)
_LOG = LatePattern(rf"log(?:[: ]+(?:lines? )?{SPAN})?", re.IGNORECASE)
_ROOT = frozenset({"", "-", ".", "...", "./", "*", "./..."})
_EVERYTHING = _ROOT | {"all", "all tests", "all tests.", "everything", "none", "nothing", "n/a"}
_SHELL = LatePattern(r"\s(?:2>&1|[|;]|&&|\d?>).*")
_KEPT = LatePattern(r"-x|-v+|-l|-s|--exitfirst|--maxfail=\d+|-q+|--quiet|--verbose")
_WITH_VALUE = frozenset(
    {"-n", "-p", "-o", "-c", "-W", "-r", "-e", "--tb", "--timeout", "--rootdir", "--cov"}
    | {"--color", "--durations", "--maxfail", "--package", "--count", "--reporter"}
    | {"--deselect", "--ignore", "--ignore-glob"}
)
_KEYWORD_OPTIONS = frozenset({"-k", "-run", "--run", "-t", "--testNamePattern", "-g", "--grep"})
_MOVED = LatePattern(r"cd\s+\S+\s*(?:&&|;)\s*")
_COPIED = LatePattern(r"^(?:FAILED|ERROR)\s+|(?<=\S)(?:\s+\([^()]*\)){1,2}$")  # as it is shown
_WITH_PARAMETERS = LatePattern(r"[^\s\[\"']+::[^\s\[\"']+\[.*\]")


@dataclass(frozen=True, slots=True)
class Selection:
    targets: tuple[str, ...] = ()
    keyword: str = ""
    marker: str = ""
    options: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        return not (self.targets or self.keyword or self.marker)


def read_selection(text: str) -> Selection | Span | Unreadable:
    lines = [line for line in text.strip().split("\n") if not line.lstrip().startswith("```")]
    bare = "\n".join(lines).strip(" \n`")
    if log := _LOG.fullmatch(bare):
        return span_in(log) if log["start"] else ALL_LINES
    requests = read_arguments(bare, (_KEYWORDS, _TARGETS), "write paths or test ids, one per line")
    if isinstance(requests, Unreadable):
        return requests
    parts = [("keyword", one) for one in every(requests, _KEYWORDS)]
    parts += [("left_out", one) for one in left_out(requests)]
    for line in every(requests, _TARGETS) if requests else bare.split("\n"):
        parts += _parts(line.strip(' \t`"'))
    targets, keywords, markers, options, others = (
        tuple(dict.fromkeys(part for kind, part in parts if kind == one and part))
        for one in ("target", "keyword", "marker", "option", "left_out")
    )
    several = " or ".join(f"({one})" for one in keywords)
    keyword = several if len(keywords) > 1 else "".join(keywords)
    return Selection(targets, keyword, "".join(markers[:1]), options, others)


def _parts(line: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a line, each as a pair of its kind and its text."""
    if moved := _MOVED.match(line):
        yield "left_out", moved[0].strip()
        line = line[moved.end() :]
    copied = line if "-k" in line else _COPIED.sub("", line)
    if command := TEST_COMMAND.match(line):
        rest = line[command.end() :]
        shell = _SHELL.search(rest)
        yield from _words(rest[: shell.start()] if shell else rest)
        yield "left_out", shell[0].strip() if shell else ""
    elif _WITH_PARAMETERS.fullmatch(copied):
        yield "target", copied
    elif line.casefold().strip("\"'` ()") not in _EVERYTHING:
        yield from _words(copied)


def _words(text: str) -> Iterator[tuple[str, str]]:
    given = words(text)
    for word in given:
        name, equals, value = word.text.partition("=")
        if word.quoted or not word.text.startswith("-"):
            # commas separate targets; those within brackets belong to parameters
            parts = [word.text] if "[" in word.text else word.text.split(",")
            yield from (("target", part) for part in parts if part not in _ROOT)
        elif name in _KEYWORD_OPTIONS or name == "-m":
            following = value.strip("\"'") if equals else next((one.text for one in given), "")
            yield "marker" if name == "-m" else "keyword", following
        elif _KEPT.fullmatch(word.text):
            yield "option", word.text
        elif word.text != "--":
            yield "left_out", word.text
            yield from (("left_out", one.text) for one in islice(given, word.text in _WITH_VALUE))
