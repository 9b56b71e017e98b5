r"""Which tests are asked for, as models ask.

input   = "log" [N ["-" N]] | object | fields | line*
line    = ["cd" folder "&&"] [command] (target | "-k" expression | "-m" marker | option)*
        | expression
command = ("pytest" | "python -m unittest" | "npm test" | "cargo test" | "go test" | ...)
target  = path ["::" name]* | dotted name
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from react_agent.parsers.testing.commands import TEST_COMMAND
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.values.arguments import PATH_NAMES, Argument, read_arguments, texts
from react_agent.parsers.values.commands import words
from react_agent.parsers.values.unreadable import Unreadable

_TARGETS = Argument(
    PATH_NAMES
    | {"", "test", "tests", "target", "targets", "selection", "nodeid", "nodeids", "name", "names"}
    | {"input", "module", "command", "cmd", "args", "arguments", "options"},
    texts,
    begins=True,
)
_KEYWORDS = Argument(
    {"k", "keyword", "expression", "filter", "pattern"},
    lambda value: (" ".join(texts(value) or ()),) if texts(value) else None,
    begins=True,
)
_LOG = LatePattern(
    r"log(?:[: ]+(?:lines? )?(?P<first>\d{1,7})(?:\s*(?:-|to|,)\s*(?P<last>\d{1,7}))?)?",
    re.IGNORECASE,
)
_ROOT = frozenset({"", "-", ".", "...", "./", "*", "./..."})
_EVERYTHING = _ROOT | {"all", "all tests", "all tests.", "everything", "none", "nothing", "n/a"}
_CD = LatePattern(r"cd\s+(?P<folder>\S+)\s*(?:&&|;)\s*(?P<rest>.+)")
_SHELL = LatePattern(r"\s(?:2>&1|[|;]|&&|\d?>).*")
_OTHER_COMMAND = LatePattern(
    r"(?:\S*/)?(?:python[\d.]*|pip[\d.]*|bash|sh|node|npm|npx|git|ls|cat|cd|grep|rg|find|sed|awk"
    r"|echo|rm|cp|mv|mkdir|head|tail|ruff|mypy|make|cargo|go|export|which|env|docker)(?: .*|$)"
)
_KEPT = LatePattern(r"-x|-v+|-l|-s|--exitfirst|--maxfail=\d+|-q+|--quiet|--verbose")
_WITH_VALUE = frozenset(
    {"-n", "-p", "-o", "-c", "-W", "-r", "-e", "--tb", "--timeout", "--rootdir", "--cov"}
    | {"--color", "--durations", "--maxfail", "--package", "--count", "--reporter"}
)
_KEYWORD_OPTIONS = frozenset({"-k", "-run", "--run", "-t", "--testNamePattern", "-g", "--grep"})
_COPIED = LatePattern(r"^(?:FAILED|ERROR)\s+|(?<=\S)\s+\([^()]*\)$")  # from what we show
_WITH_PARAMETERS = LatePattern(r"[^\s\[\"']+::[^\s\[\"']+\[.*\]")
_EXPRESSION = LatePattern(r"[\w() ]*\b(?:and|or|not) [\w() ]*")
_AROUND = LatePattern(r"\s*(?:#|//).*|^\s*(?:[-*•]\s+(?!-)|\d+[.)]\s+)")  # comments, list marks


@dataclass(frozen=True, slots=True)
class LogPart:
    first: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True)
class OtherCommand:
    text: str


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


def read_selection(text: str) -> Selection | LogPart | OtherCommand | Unreadable:
    lines = [line for line in text.strip().split("\n") if not line.lstrip().startswith("```")]
    bare = "\n".join(lines).strip(" \n`")
    if log := _LOG.fullmatch(bare):
        return LogPart(int(log["first"] or 1) or 1, int(log["last"]) if log["last"] else None)
    requests = read_arguments(bare, (_KEYWORDS, _TARGETS), "write paths or test ids, one a line")
    if isinstance(requests, Unreadable):
        return requests
    found = _Words()
    for request in requests:
        found.keywords += request.all(_KEYWORDS)
        found.left_out += request.left_out
    named = [one for request in requests for one in request.all(_TARGETS)]
    for line in named if requests else bare.split("\n"):
        if not found.take(line):
            return OtherCommand(line.strip())
    keywords = tuple(dict.fromkeys(filter(None, found.keywords)))
    return Selection(
        tuple(dict.fromkeys(found.targets)),
        " or ".join(f"({one})" for one in keywords) if len(keywords) > 1 else "".join(keywords),
        next(iter(found.markers), ""),
        tuple(dict.fromkeys(found.options)),
        tuple(dict.fromkeys(found.left_out)),
    )


@dataclass(slots=True)
class _Words:
    """What the lines so far have asked for."""

    targets: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def take(self, line: str) -> bool:
        """Whether it is no other command than to run tests."""
        bare, folder = (line if "::" in line else _AROUND.sub("", line)).strip(" \t`"), ""
        if inner := _CD.fullmatch(bare):
            folder, bare = inner["folder"], inner["rest"].strip()
        command = TEST_COMMAND.match(bare)
        if _EXPRESSION.fullmatch(bare):
            self.keywords.append(bare)
        elif command:
            rest = bare[command.end() :]
            shell = _SHELL.search(rest)
            self._take_words(rest[: shell.start()] if shell else rest, folder)
            self.left_out += [shell[0].strip()] if shell else []
        elif folder or _OTHER_COMMAND.fullmatch(bare):
            return False
        elif _WITH_PARAMETERS.fullmatch(copied := bare if "-k" in bare else _COPIED.sub("", bare)):
            self.targets.append(copied)
        elif bare.casefold().strip("\"'` ()") not in _EVERYTHING:
            self._take_words(copied, folder)
        return True

    def _take_words(self, text: str, folder: str) -> None:
        given = words(text)
        for word in given:
            name, equals, value = word.text.partition("=")
            if word.quoted or not word.text.startswith("-"):
                self.targets += _targets(word.text, folder)
            elif name in _KEYWORD_OPTIONS or name == "-m":
                following = value.strip("\"'") if equals else next((one.text for one in given), "")
                (self.markers if name == "-m" else self.keywords).append(following)
            elif re.fullmatch(r"-k\w.*", word.text):
                self.keywords.append(word.text[2:])
            elif _KEPT.fullmatch(word.text):
                self.options.append(word.text)
            elif word.text != "--":
                self.left_out.append(word.text)
                self.left_out += [one.text for one in islice(given, word.text in _WITH_VALUE)]


def _targets(text: str, folder: str) -> Iterator[str]:
    """Several in one word where commas part them; spaces are in parameters only."""
    for part in [text] if "[" in text else filter(None, text.split(",")):
        inside = posixpath.join(folder, part) if folder else part
        if inside not in _ROOT:
            yield inside
