"""Read the output of unittest, with or without -v. Django's runner uses the same format.

log    = (result | block | other)* "Ran " N " tests in " ... ("OK" | "FAILED") ["(" counts ")"]
result = name [NEWLINE description] " ... " [output NEWLINE] status
name   = METHOD " (" DOTTED ")" [subtest]            subtest = [" [" text "]"] [" (" values ")"]
status = "ok" | "FAIL" | "ERROR" | "skipped " REASON | "expected failure" | "unexpected success"
block  = "=" * 70 NEWLINE title NEWLINE ... "-" * 70 NEWLINE traceback
title  = ("FAIL" | "ERROR" | "UNEXPECTED SUCCESS") ": " (name | NAME)
traceback = ('  File "PATH", line N, in NAME' NEWLINE ["    " code] marks*)+ error

Data sets name a test by its description if it has one, as the official harness does. So a test is
found by its name and by its description. If a subtest fails, its test fails.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from react_agent.parsers.testing.report import (
    LONGEST,
    Failure,
    Report,
    Status,
    Statuses,
    cut_off,
    dedented,
    located,
    worse,
)
from react_agent.parsers.text.late_pattern import LatePattern

_RULE, _LINE = "=" * 70, "-" * 70
_TITLE = LatePattern(
    r"(?P<word>ERROR|FAIL|UNEXPECTED SUCCESS): (?P<name>\S+)(?: \((?P<of>[\w.]+)\))?(?P<more>.*)"
)
_RAN = LatePattern(r"Ran (\d+) tests? in .*")
_ENDED = LatePattern(r"(?:OK|FAILED|NO TESTS RAN)(?: \((?P<counts>.*)\))?")
_COUNT = LatePattern(r"([a-z ]+)=(\d+)")
_MARKS = LatePattern(r"[.sFExu]+")  # a character for each test, subtest or fixture
_FIXTURES = ("setUpClass", "tearDownClass", "setUpModule", "tearDownModule")
_NOT_LOADED = "unittest.loader._FailedTest"
_NAME = LatePattern(r" *(?P<name>[\w.<>\[\]-]+ \([\w.<>-]+\))(?P<more>$| .*)")
_JOINED = LatePattern(r"(?:.* \.\.\. )?(?P<last>\S+ \([\w.]+\) \.\.\. .*)")
_DOTS = " ... "
_STATUSES: Mapping[str, Status] = {
    "ok": Status.PASSED,
    "OK": Status.PASSED,
    "FAIL": Status.FAILED,
    "ERROR": Status.ERROR,
    "expected failure": Status.XFAIL,
    "unexpected success": Status.XPASS,
    "UNEXPECTED SUCCESS": Status.XPASS,
}
_FRAME = LatePattern(r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in .+| in .+)?')
_BETWEEN = LatePattern(
    r"\s*[\^~]+\s*|(?:Traceback \(most recent|During handling of the above"
    r"|The above exception was the direct cause|\s*\[Previous line repeated).*"
)


def read_unittest(text: str) -> Report | None:
    """Return the report, or None if unittest did not write the text."""
    lines = text.split("\n")
    failures = tuple(_failures(lines))
    ran = [int(found[1]) for line in lines if (found := _RAN.fullmatch(line.strip()))]
    if not ran:
        return cut_off(failures) if failures else None
    counts = Counter[str]()  # of all the runs in the log
    for line in lines:
        if (ended := _ENDED.fullmatch(line.strip())) and ended["counts"]:
            for word, number in _COUNT.pattern.findall(ended["counts"]):
                counts[word.strip()] += int(number)
    # a test of several subtests fails several times, and ran once; a fixture of a class is no test
    broken = {failure.id.partition(" ")[0] for failure in failures}
    broken = {name for name in broken if name.rpartition(".")[2] not in _FIXTURES}
    expected = counts["expected failures"]
    passed = max(sum(ran) - len(broken) - counts["skipped"] - expected, 0)
    marks = "".join(line for line in lines if _MARKS.fullmatch(line))
    if sum(ran) <= len(marks) <= sum(ran) + counts.total():  # what is skipped may be no test
        passed = marks.count(".")
    return Report(
        passed=passed,
        failed=counts["failures"] + counts["unexpected successes"],
        errors=counts["errors"],
        skipped=counts["skipped"],
        failures=failures,
        notes=(f"{expected} expected failures",) if expected else (),
    )


def _failures(lines: Sequence[str]) -> Iterator[Failure]:
    rules = [number for number, line in enumerate(lines) if line == _RULE]
    for start, end in zip(rules, [*rules[1:], len(lines)], strict=False):
        title = _TITLE.fullmatch(lines[start + 1]) if start + 1 < end else None
        if title:
            body = _body(lines[start + 2 : end])
            place, shown = read_traceback(body)
            is_error, last = title["word"] == "ERROR", start + 2 + len(body)
            yield Failure(_id(title), place, shown, is_error, start + 2, last)


def _body(lines: Sequence[str]) -> list[str]:
    """Return the lines between the first line of dashes and the one above the count of tests."""
    dashes = [number for number, line in enumerate(lines) if line == _LINE]
    counts = [at for at in dashes if _RAN.match("".join(lines[at + 1 : at + 2]))]
    last = counts[0] if counts else len(lines)
    first = dashes[0] + 1 if dashes and dashes[0] < last else 0
    body = lines[first:last]
    return [line for line in body if not line.startswith("ImportError: Failed to import test mod")]


def _id(title: re.Match[str]) -> str:
    name, of = title["name"], title["of"] or ""
    if not of or of.startswith(_NOT_LOADED):
        return name
    return (of if of.endswith(f".{name}") else f"{of}.{name}") + title["more"].rstrip()


def read_traceback(lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the last location in the repository, its last frames and the error below them."""
    frames, rest = list[tuple[str, str]](), list[str]()
    for line in lines:
        if found := _FRAME.fullmatch(line):
            frames.append((f"{found['path']}:{found['line']}", ""))
            rest = []
        elif frames and not rest and not frames[-1][1] and line.startswith("    "):
            frames[-1] = (frames[-1][0], line.strip())
        elif not _BETWEEN.fullmatch(line):
            rest.append(line)
    return located(frames, dedented(rest))


def statuses_of_unittest(text: str) -> Statuses:
    reader = _Results()
    for before, line in pairwise(("", *text.split("\n"))):
        if len(line) <= LONGEST:
            reader.read(line.rstrip(), is_title=before.rstrip() == _RULE)
    return reader.found


class _Results:
    def __init__(self) -> None:
        self.found = dict[str, Status]()
        self._name = ""  # the test whose status is still to come
        self._description = ""
        self._is_described = False  # what follows the name is its description

    def read(self, line: str, *, is_title: bool) -> None:
        title = _TITLE.fullmatch(line) if is_title else None
        if title:
            self._name = ""
            if named := _NAME.fullmatch(line.partition(": ")[2]):
                self._add(named["name"], _STATUSES[title["word"]])
        elif named := _NAME.fullmatch(_last_of(line)):
            self._begin(named["name"], f"{named['more']} ")
        elif self._name and (status := _status(line)):
            self._end(status)
        elif self._name and self._is_described and _DOTS in f"{line} ":
            description, _, rest = f"{line} ".rpartition(_DOTS)
            status = _status(rest)
            self._description = description.strip() if status else line.partition(_DOTS)[0].strip()
            self._is_described = False
            self._end(status)

    def _begin(self, name: str, more: str) -> None:
        if more.startswith((" [", " (")):  # a subtest
            status = _status(more.rpartition(_DOTS)[2])
            if status and status.is_failure:
                self._add(name, status)
        elif more == " " or more.startswith(_DOTS):
            self._name, self._description, self._is_described = name, "", more == " "
            self._end(_status(more.removeprefix(_DOTS)))

    def _end(self, status: Status | None) -> None:
        if status:
            self._add(self._name, status)
            if self._description:
                self._add(self._description, status)
            self._name = ""

    def _add(self, name: str, status: Status) -> None:
        self.found[name] = worse(status, self.found.get(name))


def _last_of(line: str) -> str:
    """Return the last result in a line: before Python 3.11, a failed subtest's line has two."""
    joined = _JOINED.fullmatch(line) if line.count(_DOTS) > 1 else None
    return joined["last"] if joined else line


def _status(words: str) -> Status | None:
    bare = words.strip()
    return Status.SKIPPED if bare.startswith("skipped ") else _STATUSES.get(bare)
