"""Read the output of pytest, and its results file (JUnit XML, family xunit1).

log     = session*
session = ["= test session starts ="] result* [("= ERRORS =" | "= FAILURES =" | "= PASSES =" | ...)
          (block | other)*] [summary] [counts]
result  = id STATUS [" (" reason ")"] [PERCENT] | "[gw" N "]" [PERCENT] STATUS id | dots
block   = "_ " TITLE " _" line*        TITLE = test | "ERROR at setup of " test | ...
summary = "= short test summary info =" (STATUS id [" - " message] | subtest | other)*
subtest = "SUBFAILED" ["[" text "]"] ["(" values ")"] " " id [" - " message]
counts  = N WORD ("," N WORD)* " in " SECONDS "s"

Test statuses decide whether a patch passes, and a test can print anything. So a line counts only in
places where pytest itself writes, and only the last summary of a session counts. A report can also
be read from a truncated log, such as the output of `tail`.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from xml.etree import ElementTree

from react_agent.parsers.testing.report import (
    LONGEST,
    OTHERS_NOT_RUN,
    Failure,
    Report,
    Status,
    Statuses,
    cut_off,
    dedented,
    is_ours,
    located,
    worse,
)
from react_agent.parsers.testing.unittest_log import read_traceback
from react_agent.parsers.text.late_pattern import LatePattern

_START, _SUMMARY, _ERRORS = "test session starts", "short test summary info", "ERRORS"
_DETAILS = frozenset({_ERRORS, "FAILURES", "PASSES", "XFAILURES", "XPASSES"})
_BANNER = LatePattern(r"={2,} (?P<title>[^=].*?) ={2,}")
_BLOCK = LatePattern(r"_+ (?P<title>.*[^_ ].*) _+")
_WHEN = LatePattern(r"ERROR (?:at (?:setup|teardown) of |collecting )")
_WORD = "|".join(Status)
_SUMMED = LatePattern(rf"(?P<word>{_WORD}) (?P<rest>\S.*)")
_SUBTEST = LatePattern(r"SUBFAIL.*? (?P<rest>[^\s(\[]+?::.*)")
_FOLDED = LatePattern(r"\[\d+\] ")  # SKIPPED [2] path:line: reason
_WITH_PARAMETERS = LatePattern(r"(?P<id>[^\[]*\[.*?\])(?: - .*)?")
_ENDS = LatePattern(rf" (?P<word>{_WORD})(?= |$)")
_AFTER = LatePattern(r"(?: \(.*\))?(?: +\[ *\d+%\])? *")
_DEFINED_IN = LatePattern(r" <- \S+$")
_TRIED = 4  # words in a line that could be its status
_BY_WORKER = LatePattern(
    rf"\[gw\d+\](?: \[ *\d+%\])? (?P<word>{_WORD}) (?P<id>\S.*?)(?: <- \S+)? *"
)
_COUNTS = LatePattern(
    r"(?:=+ )?(?P<counts>(?:no tests ran|no tests collected|\d+ [a-z]+)(?:, \d+ [a-z ]+)*)"
    r" in [\d.]+s(?: \([\d:]+\))?(?: =+)?"
)
_COUNT = LatePattern(r"(\d+) ([a-z]+)")
_NOTES = ("deselected", "xfailed", "xpassed", "rerun")
_DOTS = LatePattern(r"(?:\S+\.py )?(?P<dots>[.FEsxXR]+)(?:\s+\[\s*\d+%\]|Timeout.*)?")
_PLACE = LatePattern(r"(?P<place>[^\s:][^:]*:\d+):(?: in .+| \w[\w.]*)?\s*")
_TROUBLE = LatePattern(
    r"(?:ERROR: |INTERNALERROR> |(?:\S+\.py|pytest): error: "
    r"|(?:\w+Error|\w+) while loading conftest|E   )"
)
_HANGS = LatePattern(r"Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!$")
_INTERRUPTED = LatePattern(r"!+ Interrupted: \d+ errors? during collection !+")
_XFAIL = "pytest.xfail"
_ENDED = ("failure", "error", "skipped")


@dataclass(slots=True)
class _Block:
    title: str
    first: int
    is_error: bool
    lines: list[str] = field(default_factory=list)

    @property
    def tail(self) -> str:
        """Return the id without the file, or the file if it can't be collected."""
        name = _WHEN.sub("", self.title)
        if self.title.startswith("ERROR collecting "):
            return name
        start, bracket, parameters = name.partition("[")
        return start.replace(".", "::") + bracket + parameters


@dataclass(slots=True)
class _Session:
    results: list[str] = field(default_factory=list)  # lines before all details
    blocks: list[_Block] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)


def _sessions(lines: Sequence[str]) -> list[_Session]:
    sessions, place, block = [_Session()], _START, None
    for number, line in enumerate(lines, 1):
        banner = _BANNER.fullmatch(line) if line.startswith("==") else None
        title = banner["title"] if banner else ""
        session = sessions[-1]
        if banner or (" in " in line and _COUNTS.fullmatch(line)):
            block = None
        if title == _START:
            sessions.append(_Session())
            place = title
        elif title == _SUMMARY:
            session.summary, place = [], title
        elif title in _DETAILS:
            place = title
        elif place in (_ERRORS, "FAILURES"):
            if found := _BLOCK.fullmatch(line):
                block = _Block(found["title"], number, place == _ERRORS)
                session.blocks.append(block)
            elif block:
                block.lines.append(line)
        elif place in (_START, _SUMMARY) and len(line) <= LONGEST:
            (session.results if place == _START else session.summary).append(line)
    return sessions


def _id(rest: str, known: Container[str]) -> str:
    """Return the id before the message. The result is certain only if the id is known."""
    ends = [len(rest), *(found.start() for found in re.finditer(" - ", rest))]
    for end in sorted(ends, reverse=True):
        if rest[:end] in known or _tail(rest[:end]) in known:
            return rest[:end]
    bare = rest[: min(ends)]
    found = _WITH_PARAMETERS.fullmatch(rest) if "[" in bare else None
    return (found["id"] if found else bare).rstrip()


def _tail(test_id: str) -> str:
    return test_id.partition("::")[2] or test_id


def statuses_of_pytest(text: str) -> Statuses:
    """Return the status of each id. A failure overrides a pass, for example a failed teardown."""
    found = dict[str, Status]()
    for session in _sessions(text.split("\n")):
        named = dict[str, Status]()
        for name, status in filter(None, map(_result, session.results)):
            named[name] = worse(status, named.get(name))
        for name, status in (*named.items(), *_summed(session.summary, named)):
            found[name] = worse(status, found.get(name))
    return found


def _result(line: str) -> tuple[str, Status] | None:
    if "::" not in line:
        return None
    if found := _BY_WORKER.fullmatch(line):
        return found["id"], Status(found["word"])
    for end in islice(_ENDS.pattern.finditer(line), _TRIED):
        name = _DEFINED_IN.sub("", line[: end.start()])
        if "::" in name and not name.startswith(" ") and _AFTER.fullmatch(line[end.end() :]):
            return name, Status(end["word"])
    return None


def _summed(lines: Sequence[str], known: Container[str]) -> Iterator[tuple[str, Status]]:
    for line in lines:
        if found := _SUMMED.fullmatch(line):
            if not _FOLDED.match(found["rest"]):
                yield _id(found["rest"], known), Status(found["word"])
        elif found := _SUBTEST.match(line):
            yield _id(found["rest"], known), Status.FAILED


def read_pytest(text: str) -> Report | None:
    """Return the report, or None if pytest did not write the text."""
    lines = text.split("\n")
    sessions = _sessions(lines)
    failures = tuple(_failures(sessions))
    stuck = _hanging(lines)
    counts = _ends(lines)
    if counts:
        report = _counted(", ".join(counts), (*failures, *stuck))
        if any(map(_INTERRUPTED.fullmatch, lines)):
            report = replace(report, notes=(*report.notes, OTHERS_NOT_RUN))
        has_begun = report.ran or report.failures
        return report if has_begun else replace(report, failures=_trouble(lines))
    results = (line for session in sessions for line in session.results)
    dots = "".join(one["dots"] for line in results if (one := _DOTS.fullmatch(line.strip())))
    so_far = Report(dots.count("."), dots.count("F"), dots.count("E"), dots.count("s"))
    partly = cut_off(failures, so_far)
    found = (*failures, *stuck) or _trouble(lines)
    return replace(partly, failures=found) if found or partly.ran else None


def _ends(lines: Sequence[str]) -> list[str]:
    """Return the counts of sessions in a row, or only the last if one ran within another."""
    counts, is_open, are_in_a_row = list[str](), False, True
    for line in lines:
        if found := _COUNTS.fullmatch(line.strip()):
            counts.append(found["counts"])
            are_in_a_row, is_open = are_in_a_row and is_open, False
        elif line.startswith("==") and (one := _BANNER.fullmatch(line)) and one["title"] == _START:
            are_in_a_row, is_open = are_in_a_row and not is_open, True
    return counts if are_in_a_row else counts[-1:]


def _counted(counts: str, failures: tuple[Failure, ...]) -> Report:
    by_word = Counter[str]()
    for number, word in _COUNT.pattern.findall(counts):
        by_word[word.removesuffix("s")] += int(number)
    return Report(
        passed=by_word["passed"],
        failed=by_word["failed"],
        errors=by_word["error"],
        skipped=by_word["skipped"],
        failures=failures,
        notes=tuple(f"{by_word[word]} {word}" for word in _NOTES if word in by_word),
    )


def _failures(sessions: Sequence[_Session]) -> Iterator[Failure]:
    blocks = [block for session in sessions for block in session.blocks]
    spoken = [line for session in sessions for line in (*session.results, *session.summary)]
    known = {block.tail for block in blocks} | {one[0] for one in map(_result, spoken) if one}
    summary = list[tuple[bool, str, str]]()
    for line in spoken:
        found = _SUMMED.fullmatch(line) if line.startswith(("FAILED ", "ERROR ")) else None
        if found and ("::" in found["rest"] or ".py" in found["rest"] or "/" in found["rest"]):
            name = _id(found["rest"], known)
            message = found["rest"][len(name) :].removeprefix(" - ")
            summary.append((found["word"] == "ERROR", name, message))
    for block in blocks:
        place, shown = explained(block.lines)
        same = (one for one in summary if one[0] == block.is_error and _tail(one[1]) == block.tail)
        if named := next(same, None):
            summary.remove(named)
        name = named[1] if named else _guessed(block)
        last = block.first + len(block.lines)
        yield Failure(name, place, shown, block.is_error, block.first, last)
    for is_error, name, message in summary:
        yield Failure(name, "", (message,) if message else (), is_error)


def _guessed(block: _Block) -> str:
    """Return the test's id, using the file of the first frame in the repository."""
    places = [one["place"] for line in block.lines if (one := _PLACE.fullmatch(line))]
    ours = next(filter(is_ours, places), "")
    is_file = block.title.startswith("ERROR collecting ") or not ours
    return block.tail if is_file else f"{ours.rpartition(':')[0]}::{block.tail}"


def explained(lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the last location in the repository, its last frames and the lines of the error."""
    if any(line.startswith("Traceback (most recent call last)") for line in lines):
        native = read_traceback(lines)
        if native[0]:
            return native
    errors = dedented([line[1:] for line in lines if line.startswith("E  ") or line == "E"])
    return located(
        _frames(lines), errors or dedented([line for line in lines if not _PLACE.fullmatch(line)])
    )


def _frames(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each location and its code: below it in short style, above it in long style."""
    code = ""
    for line, after in zip(lines, (*lines[1:], ""), strict=False):
        if line.startswith(">"):
            code = line[1:].strip()
        elif found := _PLACE.fullmatch(line):
            is_short = after.startswith("    ") and ": in " in line
            yield found["place"], after.strip() if is_short else code
            code = ""


def _trouble(lines: Sequence[str]) -> tuple[Failure, ...]:
    """Return the reason why pytest could not start."""
    at = [number for number, line in enumerate(lines, 1) if _TROUBLE.match(line)]
    if not at:
        return ()
    part = lines[at[0] - 1 :]
    place, shown = explained(part)
    words = tuple(line for line in part if _TROUBLE.match(line) and not line.startswith("E  "))
    explanation = (*words[-8:], *(shown if place else ()))
    return (Failure("pytest could not run", place, explanation, True, at[0], len(lines)),)


def _hanging(lines: Sequence[str]) -> tuple[Failure, ...]:
    """Return the location of a hanging test in the dump of pytest's faulthandler."""
    at = [number for number, line in enumerate(lines, 1) if _HANGS.search(line)]
    if not at or any(_COUNTS.fullmatch(line.strip()) for line in lines[at[-1] :]):  # it has ended
        return ()
    calls = [line for line in lines[at[-1] :] if line.lstrip().startswith("File ")]
    place, shown = read_traceback(calls[::-1])
    return (Failure("a test that does not end", place, shown, True, at[-1], len(lines)),)


class _WithoutDoctype(ElementTree.TreeBuilder):
    def doctype(self, *_: object) -> None:
        raise ValueError("no runner writes a document type")


def read_junit(data: bytes) -> Report | None:
    """Return the report, or None if pytest did not write it. Untrusted code may alter the file."""
    parser = ElementTree.XMLParser(target=_WithoutDoctype())
    try:
        parser.feed(data)
        cases = list(parser.close().iter("testcase"))
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    ended, failures = Counter[str](), list[Failure]()
    for case in cases:
        ends = {
            _XFAIL if one.get("type") == _XFAIL else one.tag: one.text or ""
            for one in case
            if one.tag in _ENDED
        }
        ended.update(tuple(ends) or ("passed",))
        for kind in {"failure", "error"} & ends.keys():
            place, lines = explained(ends[kind].split("\n"))
            failures.append(Failure(_id_of_case(case.attrib), place, lines, kind == "error"))
    return Report(
        ended["passed"],
        ended["failure"],
        ended["error"],
        ended["skipped"],
        tuple(sorted(failures, key=lambda one: not one.is_error)),
        (f"{ended[_XFAIL]} xfailed",) if ended[_XFAIL] else (),
    )


def _id_of_case(attributes: Mapping[str, str]) -> str:
    """Return the id. `tests.test_a.TestA` in tests/test_a.py means the class TestA of that file."""
    path, name, within = (attributes.get(key, "") for key in ("file", "name", "classname"))
    module = path.removesuffix(".py").replace("/", ".")
    if path and within and not f"{within}.".startswith(f"{module}."):  # inherited from that file
        parts = within.split(".")
        while len(parts) > 1 and parts[-1][:1].isupper():  # a class
            parts.pop()
        path, module = f"{'/'.join(parts)}.py", ".".join(parts)
    inner = within.removeprefix(module).strip(".").split(".")
    names = (*inner, "" if name == module else name)  # a file that can't be collected
    return "::".join(part for part in (path, *names) if part)
