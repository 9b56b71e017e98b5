r"""What pytest printed, in its short, long and native styles.

log     = (section | other)* [counts]          section = "= " TITLE " =" block*
block   = "_ " TITLE " _" line*                TITLE = test | "ERROR at setup of" test | ...
summary = ("FAILED" | "ERROR") id [" - " message]
counts  = N WORD ("," N WORD)* " in " SECONDS "s"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.testing.python_frames import read_traceback
from react_agent.parsers.testing.report import Failure, Report, dedented, is_ours

_SECTION = re.compile(r"={2,} (?P<title>[^=].*?) ={2,}")
_BLOCK = re.compile(r"_+ (?P<title>.*[^_ ].*) _+")
_SUMMARY = re.compile(r"(?P<word>FAILED|ERROR) (?P<rest>\S.*)")
_COUNTS = re.compile(
    r"(?:=+ )?(?P<counts>(?:no tests ran|no tests collected|\d+ [a-z]+)(?:, (?:\d+ [a-z]+))*)"
    r" in [\d.]+s(?: \([\d:]+\))?(?: =+)?"
)
_COUNT = re.compile(r"(\d+) ([a-z]+)")
_PROGRESS = re.compile(r"(?:\S+\.py )?(?P<dots>[.FEsxXR]+)(?:\s+\[\s*\d+%\]|Timeout.*)?")
_SHORT_FRAME = re.compile(r"(?P<place>[^\s:][^:]*:\d+): in .+")
_LONG_PLACE = re.compile(r"(?P<place>[^\s:][^:]*:\d+):(?: \w[\w.]*)?\s*")
_WHEN = re.compile(r"ERROR (?:at (?:setup|teardown) of |collecting )")
_TROUBLE = re.compile(r"(?:ERROR: |INTERNALERROR> |(?:\w+Error|\w+) while loading conftest|E   )")
_HANGS = re.compile(r"Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!$")
_INTERRUPTED = re.compile(r"!+ Interrupted: \d+ errors? during collection !+")
_NOTES = ("deselected", "xfailed", "xpassed", "rerun")
_FRAMES = 3


@dataclass(frozen=True, slots=True)
class _Block:
    title: str
    lines: tuple[str, ...]
    first: int
    is_error: bool

    @property
    def name(self) -> str:
        return _WHEN.sub("", self.title)


def read_pytest(text: str) -> Report | None:
    """None for what no pytest wrote."""
    lines = text.split("\n")
    counts = [one["counts"] for line in lines if (one := _COUNTS.fullmatch(line.strip()))]
    failures = (*_failures(lines), *_hanging(lines))
    if counts:
        report = _counted(counts[-1], failures)
        if any(_INTERRUPTED.fullmatch(line) for line in lines):
            report = replace(report, notes=(*report.notes, "all others not run"))
        return report if report.ran or failures else replace(report, failures=_trouble(lines))
    partly = _from_progress(lines)
    found = failures or _trouble(lines)
    if not found and not partly.ran:
        return None
    return replace(partly, failures=found, is_whole=False)


def _counted(counts: str, failures: tuple[Failure, ...]) -> Report:
    by_word = {word.removesuffix("s"): int(number) for number, word in _COUNT.findall(counts)}
    return Report(
        passed=by_word.get("passed", 0),
        failed=by_word.get("failed", 0),
        errors=by_word.get("error", 0),
        skipped=by_word.get("skipped", 0),
        failures=failures,
        notes=tuple(f"{by_word[word]} {word}" for word in _NOTES if word in by_word),
    )


def _from_progress(lines: Sequence[str]) -> Report:
    found = [_PROGRESS.fullmatch(line.strip()) for line in lines]
    dots = "".join(one["dots"] for one in found if one)
    return Report(dots.count("."), dots.count("F"), dots.count("E"), dots.count("s"))


def _failures(lines: Sequence[str]) -> tuple[Failure, ...]:
    told = [one for line in lines if (one := _SUMMARY.fullmatch(line))]
    summary = [(one["word"], one["rest"]) for one in told if _is_id(one["rest"])]
    found = list[Failure]()
    for block in _blocks(lines):
        line = next((one for one in summary if _is_of(block, *one)), None)
        if line:
            summary.remove(line)
        found.append(_failure(block, line[1] if line else ""))
    return (*found, *(_told_only(word, rest) for word, rest in summary))


def _is_id(rest: str) -> bool:
    return "::" in rest or ".py" in rest or "/" in rest


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    section, title, first = "", "", 0
    for number, line in enumerate((*lines, "== end =="), 1):
        is_section = _SECTION.fullmatch(line) or _COUNTS.fullmatch(line)
        block = _BLOCK.fullmatch(line) if section else None
        if title and (is_section or block):
            yield _Block(title, tuple(lines[first : number - 1]), first, section == "ERRORS")
            title = ""
        if is_section:
            section = line.strip("= ") if line.strip("= ") in ("ERRORS", "FAILURES") else ""
        elif block:
            title, first = block["title"], number


def _is_of(block: _Block, word: str, rest: str) -> bool:
    if (word == "ERROR") != block.is_error:
        return False
    if block.title.startswith("ERROR collecting "):
        return rest == block.name or rest.startswith(f"{block.name} - ")
    tail = f"::{_with_colons(block.name)}"
    return rest.endswith(tail) or f"{tail} - " in rest


def _with_colons(name: str) -> str:
    start, bracket, parameters = name.partition("[")
    return start.replace(".", "::") + bracket + parameters


def _failure(block: _Block, told: str) -> Failure:
    place, shown = _condensed(block.lines)
    tail = _with_colons(block.name)
    if block.title.startswith("ERROR collecting "):
        name = block.name
    elif told:
        name = told[: told.index(f"::{tail}")] + f"::{tail}"
    else:
        name = _guessed(block, tail)
    last = block.first + len(block.lines)
    return Failure(name, place, shown, block.is_error, block.first, last)


def _guessed(block: _Block, tail: str) -> str:
    """The test's file is that of the first frame."""
    places = [place for line in block.lines if (place := _place(line)) and is_ours(place)]
    return f"{places[0].rpartition(':')[0]}::{tail}" if places else block.name


def _told_only(word: str, rest: str) -> Failure:
    name, _, message = rest.partition(" - ")
    return Failure(name, "", (message,) if message else (), word == "ERROR")


def _place(line: str) -> str:
    found = _SHORT_FRAME.fullmatch(line) or _LONG_PLACE.fullmatch(line)
    return found["place"] if found else ""


def _condensed(lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The last place in the repository; its last frames, and the lines of the error."""
    if any(line.startswith("Traceback (most recent call last)") for line in lines):
        native = read_traceback(lines)
        if native.place:
            return native.place, native.lines
    frames = [frame for frame in _frames(lines) if is_ours(frame[0])]
    errors = dedented([line[1:] for line in lines if line.startswith("E  ") or line == "E"])
    shown = [f"{place}: {code}".rstrip(": ") for place, code in frames[-_FRAMES:]]
    place = frames[-1][0] if frames else ""
    return place, (*shown, *(errors or dedented([line for line in lines if not _place(line)])))


def _frames(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Short: the place, then the code; long: the code behind `>`, and the place below it."""
    code = ""
    for line, after in zip(lines, (*lines[1:], ""), strict=False):
        if line.startswith(">"):
            code = line[1:].strip()
        elif found := _SHORT_FRAME.fullmatch(line):
            yield found["place"], after.strip() if after.startswith("    ") else ""
        elif found := _LONG_PLACE.fullmatch(line):
            yield found["place"], code
            code = ""


def _trouble(lines: Sequence[str]) -> tuple[Failure, ...]:
    """Why it could not begin."""
    at = [number for number, line in enumerate(lines, 1) if _TROUBLE.match(line)]
    if not at:
        return ()
    part = lines[at[0] - 1 :]
    place, shown = _condensed(part)
    told = tuple(line for line in part if _TROUBLE.match(line) and not line.startswith("E  "))
    lines_of_it = (*told[-8:], *(shown if place else ()))
    return (Failure("pytest could not run", place, lines_of_it, True, at[0], len(lines)),)


def _hanging(lines: Sequence[str]) -> tuple[Failure, ...]:
    """Where a test stood when pytest's faulthandler told so."""
    at = [number for number, line in enumerate(lines, 1) if _HANGS.search(line)]
    if not at:
        return ()
    calls = [line for line in lines[at[-1] :] if line.lstrip().startswith("File ")]
    ours = read_traceback(calls[::-1])
    return (Failure("a test that does not end", ours.place, ours.lines, True, at[-1], len(lines)),)
