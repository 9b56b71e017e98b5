"""Read the selection of tests that a model requests.

input   = "log" [start ["-" end]] | object | fields | line*
line    = [command] (target | "-k" expression | "-m" marker | option)*
command = ("pytest" | "python -m unittest" | "npm test" | "cargo test" | "go test" | ...)
target  = path ["::" name]* | dotted name
"""

import re
from dataclasses import dataclass, field
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
)
_KEYWORD_OPTIONS = frozenset({"-k", "-run", "--run", "-t", "--testNamePattern", "-g", "--grep"})
_COPIED = LatePattern(r"^(?:FAILED|ERROR)\s+|(?<=\S)\s+\([^()]*\)$")  # as observations show it
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
    found = _Words(keywords=[*every(requests, _KEYWORDS)], left_out=[*left_out(requests)])
    for line in every(requests, _TARGETS) if requests else bare.split("\n"):
        found.take(line.strip(" \t`"))
    targets, options, others = (
        tuple(dict.fromkeys(words)) for words in (found.targets, found.options, found.left_out)
    )
    keywords = [*dict.fromkeys(filter(None, found.keywords))]
    several = " or ".join(f"({one})" for one in keywords)
    keyword = several if len(keywords) > 1 else "".join(keywords)
    return Selection(targets, keyword, "".join(found.markers[:1]), options, others)


@dataclass(slots=True)
class _Words:
    """The selection requested by the lines read so far."""

    targets: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        copied = line if "-k" in line else _COPIED.sub("", line)
        if command := TEST_COMMAND.match(line):
            rest = line[command.end() :]
            shell = _SHELL.search(rest)
            self._take_words(rest[: shell.start()] if shell else rest)
            self.left_out += [shell[0].strip()] if shell else []
        elif _WITH_PARAMETERS.fullmatch(copied):
            self.targets.append(copied)
        elif line.casefold().strip("\"'` ()") not in _EVERYTHING:
            self._take_words(copied)

    def _take_words(self, text: str) -> None:
        given = words(text)
        for word in given:
            name, equals, value = word.text.partition("=")
            if word.quoted or not word.text.startswith("-"):
                # commas separate targets; those within brackets belong to parameters
                parts = [word.text] if "[" in word.text else word.text.split(",")
                self.targets += [part for part in parts if part not in _ROOT]
            elif name in _KEYWORD_OPTIONS or name == "-m":
                following = value.strip("\"'") if equals else next((one.text for one in given), "")
                (self.markers if name == "-m" else self.keywords).append(following)
            elif _KEPT.fullmatch(word.text):
                self.options.append(word.text)
            elif word.text != "--":
                self.left_out.append(word.text)
                self.left_out += [one.text for one in islice(given, word.text in _WITH_VALUE)]
