r"""Which tests are asked for, as models ask: strictly first.

input     = "log" [N ["-" N]] | object | fields | line*
line      = [command] (target | "-k" expression | option)*
command   = ("pytest" | "python -m unittest" | "npm test" | "cargo test" | "go test" | ...)
target    = path ["::" name]* | dotted name
"""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.errors import ParseError
from react_agent.parsers.named_parts import Parts, read_named, read_object, texts
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.words import Word, words

_TARGETS = frozenset(
    {"", "path", "paths", "file", "files", "filepath", "filename", "test", "tests", "target"}
    | {"targets", "selection", "nodeid", "nodeids", "name", "names", "testpath", "testfile"}
    | {"testname", "testfiles", "testpaths", "input", "selector", "module"}
)
_KEYWORDS = frozenset({"k", "keyword", "expression", "expr", "filter", "pattern", "match"})
_COMMANDS = frozenset({"command", "cmd", "script", "args", "arguments", "options", "flags"})
_LOG = re.compile(
    r"(?:the )?(?:whole )?logs?(?:[: ]+(?:lines? )?(?P<first>\d{1,7})(?:\s*(?:-|–|\.\.|to|,| )\s*"
    r"(?P<last>\d{1,7})?)?)?",
    re.IGNORECASE,
)
_EVERYTHING = frozenset({"", ".", "./", "*", "all", "all tests", "everything", "none", "(none)"})
_EVERYTHING_TOO = frozenset({"null", "n/a", "the whole suite", "full", "any", "./...", "run", "-"})
_LAUNCHERS = re.compile(
    r"(?:\$ |> )?(?:\w+=\S*\s+)*(?:(?:uv|poetry|pipenv|hatch|pdm|rye) run\s+|time\s+|timeout \S+\s+"
    r"|xvfb-run\s+)*"
    r"(?:\S*python[\d.]*(?: -[A-Zubs]+)* -m (?:pytest|unittest(?: discover)?)"
    r"|(?:\S*/)?(?:pytest|py\.test)|\S*python[\d.]* \S*manage\.py test|(?:tox|nox)"
    r"|(?:npx |yarn |pnpm )?(?:jest|vitest(?: run)?|mocha)"
    r"|(?:npm|yarn|pnpm) (?:run )?(?:test|t)|cargo (?:nextest run|test)|go test|make (?:test|check)"
    r"|node --test|run_tests)(?=\s|$)"
)
_CD = re.compile(r"cd\s+(?P<folder>\S+)\s*(?:&&|;)\s*(?P<rest>.+)")
_SHELL = re.compile(r"\s(?:2>&1|[|;]|&&|\|\||\d?>)(?:\s.*|$)|\s\|\s.*")
_OTHER = re.compile(
    r"(?:\S*/)?(?:python[\d.]*|bash|sh|zsh|node|npm|npx|yarn|pnpm|pip[\d.]*|git|ls|cat|cd|grep|rg|find|sed"
    r"|awk|echo|rm|cp|mv|mkdir|touch|head|tail|ruff|mypy|flake8|black|make|cargo|go|tox|source|export"
    r"|which|pwd|env|sudo|docker|coverage)(?: .*|$)"
)
_KEPT = re.compile(r"-x|-v+|-l|-s|--exitfirst|--maxfail=\d+|-q+|--quiet|--verbose")
_WITH_VALUE = frozenset(
    {"-n", "-p", "-o", "-c", "-W", "-r", "--tb", "--timeout", "--rootdir", "--cov", "--color"}
    | {"--durations", "--maxfail", "-e", "-t", "--verbosity", "--package", "--count", "--reporter"}
)
_NAMES = frozenset({"-run", "--run", "-t", "--testNamePattern", "-g", "--grep"})
_COPIED = re.compile(r"^(?:FAILED|ERROR)\s+|(?<=\S)\s+\([^()]*\)$")  # from what we show
_WITH_PARAMETERS = re.compile(r"[^\s\[\"']+::[^\s\[\"']+\[.*\]")
_EXPRESSION = re.compile(r"[\w() ]*\b(?:and|or|not) [\w() ]*")
_PROSE = re.compile(r"\s*(?:#|//|- #).*")


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
    bare = _unfenced(text)
    if _is_everything(bare):
        return Selection()
    if log := _LOG.fullmatch(bare):
        first, last = log["first"], log["last"]
        return LogPart(int(first or 1) or 1, int(last) if last else None)
    try:
        requests = read_object(bare) or read_named(bare, _KEYWORDS | _COMMANDS | _TARGETS - {""})
    except ParseError as error:
        return Unreadable(f"{error}; write paths or test ids, one a line")
    if requests:
        return _joined([_of_parts(parts) for parts in requests])
    return _joined([_of_line(line) for line in bare.split("\n")])


def _is_everything(text: str) -> bool:
    folded = text.casefold().strip(" .\"'`")
    return folded in _EVERYTHING or folded in _EVERYTHING_TOO or text in _EVERYTHING_TOO


def _unfenced(text: str) -> str:
    lines = [line for line in text.strip().split("\n") if not line.lstrip().startswith("```")]
    return "\n".join(lines).strip().strip("`").strip()


def _of_parts(parts: Parts) -> Selection | OtherCommand:
    keywords = parts.take(_KEYWORDS, texts)
    commands = [one for several in parts.take(_COMMANDS, texts) for one in several]
    targets = [one for several in parts.take(_TARGETS, texts) for one in several]
    found = _joined([_of_line(line) for line in (*commands, *targets)])
    if isinstance(found, OtherCommand):
        return found
    keyword = " ".join(one for several in keywords for one in several) or found.keyword
    left_out = (*found.left_out, *parts.names)
    return Selection(found.targets, keyword, found.marker, found.options, left_out)


def _joined(parts: Sequence[Selection | OtherCommand]) -> Selection | OtherCommand:
    for part in parts:
        if isinstance(part, OtherCommand):
            return part
    read = [part for part in parts if isinstance(part, Selection)]
    keywords = dict.fromkeys(part.keyword for part in read if part.keyword)
    return Selection(
        tuple(dict.fromkeys(target for part in read for target in part.targets)),
        " or ".join(f"({one})" for one in keywords) if len(keywords) > 1 else "".join(keywords),
        next((part.marker for part in read if part.marker), ""),
        tuple(dict.fromkeys(option for part in read for option in part.options)),
        tuple(dict.fromkeys(one for part in read for one in part.left_out)),
    )


def _of_line(line: str) -> Selection | OtherCommand:
    bare, folder = _PROSE.sub("", line) if "::" not in line else line, ""
    bare = re.sub(r"^\s*(?:[-*•]\s+(?!-)|\d+[.)]\s+)", "", bare).strip().strip("`").strip()
    if inner := _CD.fullmatch(bare):
        folder, bare = inner["folder"], inner["rest"].strip()
    if _EXPRESSION.fullmatch(bare):
        return Selection(keyword=bare)
    launcher = _LAUNCHERS.match(bare)
    if not launcher and (folder or _OTHER.fullmatch(bare)):
        return OtherCommand(line.strip())
    if _is_everything(bare):
        return Selection()
    rest = bare[launcher.end() :] if launcher else bare
    if not launcher:
        bare = _COPIED.sub("", rest) if "-k" not in rest else rest
        return (
            Selection((bare,))
            if _WITH_PARAMETERS.fullmatch(bare)
            else _of_words(list(words(bare)), folder)
        )
    shell = _SHELL.search(rest)
    found = _of_words(list(words(rest[: shell.start()] if shell else rest)), folder)
    dropped = (*found.left_out, *([shell[0].strip()] if shell else []))
    return Selection(found.targets, found.keyword, found.marker, found.options, dropped)


def _of_words(given: list[Word], folder: str) -> Selection:
    targets, options, left_out = list[str](), list[str](), list[str]()
    values = {"-k": "", "-m": ""}
    while given:
        word = given.pop(0)
        name, equals, value = word.text.partition("=")
        key = "-k" if name in _NAMES else name
        if word.quoted or not word.text.startswith("-"):
            targets += _targets(word.text, folder)
        elif key in values:
            values[key] = value.strip("\"'") if equals else given.pop(0).text if given else ""
        elif re.fullmatch(r"-k\w.*", word.text):
            values["-k"] = word.text[2:]
        elif _KEPT.fullmatch(word.text):
            options.append(word.text)
        elif word.text != "--":
            left_out.append(word.text)
            if word.text in _WITH_VALUE and given:
                left_out.append(given.pop(0).text)
    keyword, marker = values["-k"], values["-m"]
    return Selection(tuple(targets), keyword, marker, tuple(options), tuple(left_out))


def _targets(text: str, folder: str) -> list[str]:
    """Several in one word where commas part them; blanks stand only in parameters."""
    parts = [text] if "[" in text else [part for part in text.split(",") if part]
    inside = [posixpath.join(folder, part) if folder else part for part in parts]
    return [part for part in inside if not _is_everything(part)]
