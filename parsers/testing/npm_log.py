r"""What jest, vitest and mocha printed.

jest   = ("  ● " NAME line*)* "Tests: " counts "total"
vitest = (" FAIL  " NAME line*)* "Tests  " counts
mocha  = N "passing" [N "pending"] [N "failing"] (N ") " NAME line*)*
"""

import re
from collections.abc import Iterator, Sequence

from react_agent.parsers.testing.report import Failure, Report, dedented, is_ours

_COUNTS = re.compile(r"\s*Tests:? {1,8}(?P<counts>\d+ .*)")
_COUNT = re.compile(r"(\d+) (failed|passed|skipped|todo|pending|passing|failing)")
_JEST = re.compile(r"  ● (?P<name>\S.*)")
_VITEST = re.compile(r"\s*FAIL {1,2}(?P<name>\S.* > .*|\S+ \[ .* \]|\S+\.\w+)")
_SUITE = re.compile(r"\s*(?:FAIL|PASS) {1,2}(?P<path>\S+\.\w+)(?: .*)?")
_MOCHA = re.compile(r"  \d+\) (?P<name>\S.*)")
_MOCHA_COUNT = re.compile(r"  \d+ (?:passing|pending|failing)(?: \(.*\))?")
_MOCHA_NAMES = re.compile(r" {5,}\S.*[^:]")
_END = re.compile(r"(?:Test Suites|Tests|Snapshots): .*|\s*Test Files .*|⎯{3,}.*|Summary of all .*")
_PLACE = re.compile(r"(?:\s*at .*?\(?|\s*❯ (?:.* )?)(?P<place>[^\s():]+:\d+)(?::\d+)?\)?")
_STACK = re.compile(r"\s*at .+")


def read_npm(text: str) -> Report | None:
    """None for what none of them wrote."""
    lines = text.split("\n")
    counts = [found["counts"] for line in lines if (found := _COUNTS.fullmatch(line))]
    if counts:
        return _report(counts[-1:], (*_jest(lines), *_vitest(lines)))
    mocha = [line for line in lines if _MOCHA_COUNT.fullmatch(line)]
    if mocha:
        return _report(mocha, tuple(_mocha(lines)))
    failures = (*_jest(lines), *_vitest(lines))
    return Report(failures=failures, is_whole=False) if failures else None


def _report(counts: Sequence[str], failures: tuple[Failure, ...]) -> Report:
    numbers = {word: int(number) for line in counts for number, word in _COUNT.findall(line)}
    return Report(
        passed=numbers.get("passed", numbers.get("passing", 0)),
        failed=numbers.get("failed", numbers.get("failing", 0)),
        errors=sum(failure.is_error for failure in failures),
        skipped=sum(numbers.get(word, 0) for word in ("skipped", "pending", "todo")),
        failures=failures,
    )


def _jest(lines: Sequence[str]) -> tuple[Failure, ...]:
    """It tells of a failure twice where there are many suites."""
    found, suite = dict[str, Failure](), ""
    for number, name, part in _parts(lines, _JEST):
        before = [one["path"] for line in lines[:number] if (one := _SUITE.fullmatch(line))]
        suite = before[-1] if before else ""
        is_error = name.startswith("Test suite failed")
        told = suite if is_error else f"{suite}: {name}" if suite else name
        found.setdefault(told, _failure(told, number, part, is_error))
    return tuple(found.values())


def _vitest(lines: Sequence[str]) -> tuple[Failure, ...]:
    if any(_JEST.fullmatch(line) for line in lines):
        return ()
    return tuple(
        _failure(name, number, part, " > " not in name)
        for number, name, part in _parts(lines, _VITEST)
        if any(line.strip() for line in part)
    )


def _parts(lines: Sequence[str], head: re.Pattern[str]) -> Iterator[tuple[int, str, Sequence[str]]]:
    """From each head to the next one, or to the counts: its number, its name, what follows."""
    name, first = "", 0
    for number, line in enumerate((*lines, "Tests: end"), 1):
        found = head.fullmatch(line)
        if name and (found or _END.fullmatch(line) or _SUITE.fullmatch(line)):
            yield first, name, lines[first : number - 1]
            name = ""
        if found:
            name, first = found["name"], number


def _mocha(lines: Sequence[str]) -> Iterator[Failure]:
    """Behind the counts; the name of the test goes on over deeper lines, up to a colon."""
    start = max(at for at, line in enumerate(lines) if _MOCHA_COUNT.fullmatch(line)) + 1
    for number, name, part in _parts(lines[start:], _MOCHA):
        names, rest = [name.removesuffix(":")], list(part)
        while rest and not name.endswith(":") and rest[0].strip():
            name = rest.pop(0)
            names.append(name.strip().removesuffix(":"))
        yield _failure(" ".join(names), start + number, rest, False)


def _failure(name: str, first: int, part: Sequence[str], is_error: bool) -> Failure:
    places = [found["place"] for line in part if (found := _PLACE.fullmatch(line))]
    ours = [place.removeprefix("./") for place in places if is_ours(place)]
    shown = dedented([line for line in part if not _STACK.fullmatch(line)])
    return Failure(name, next(iter(ours), ""), shown, is_error, first, first + len(part))
