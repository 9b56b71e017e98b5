r"""What the runners of JavaScript printed, and TAP, whoever wrote it.

jest    = ("  ● " NAME line*)* "Tests: " counts "total"
vitest  = (" FAIL  " NAME line*)* "Tests  " counts
mocha   = N "passing" [N "pending"] [N "failing"] (N ") " NAME line*)*
node    = ("test at " PLACE NEWLINE "✖ " NAME line*)* ("ℹ " WORD N)*
TAP     = ["1.." N] (["not "] "ok " N " - " NAME ["# SKIP" | "# TODO"] details)* ("# " WORD N)*
details = NEWLINE "---" line* "..." | (NEWLINE "# " text)*
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from react_agent.parsers.testing.report import (
    Failure,
    Report,
    blocks,
    cut_off,
    dedented,
    is_ours,
)
from react_agent.parsers.text.late_pattern import LatePattern

_TESTS = LatePattern(r"\s*Tests:? {1,8}(?P<counts>\d+ .*)")
_COUNT = LatePattern(r"(\d+) (failed|passed|skipped|todo|pending|passing|failing)")
_JEST = LatePattern(r"  ● (?P<name>\S.*)")
_VITEST = LatePattern(r"\s*FAIL {1,2}(?P<name>\S.* > .*|\S+ \[ .* \]|\S+\.\w+)")
_SUITE = LatePattern(r"\s*(?:FAIL|PASS) {1,2}(?P<path>\S+\.\w+)(?: .*)?")
_MOCHA = LatePattern(r"  \d+\) (?P<name>\S.*)")
_MOCHA_COUNT = LatePattern(r"  \d+ (?:passing|pending|failing)(?: \(.*\))?")
_END = LatePattern(
    r"(?:Test Suites|Tests|Snapshots): .*|\s*Test Files .*|⎯{3,}.*|Summary of all .*"
    rf"|{_SUITE.source.replace('?P<path>', '')}"
)
_PLACE = LatePattern(r"(?:\s*at .*?\(?|\s*❯ (?:.* )?)(?P<place>[^\s():]+:\d+)(?::\d+)?\)?")
_NO_EXPLANATION = LatePattern(r"\s*at .+|ℹ .*")
_NODE_COUNT = LatePattern(r"[#ℹ] (?P<word>tests|pass|fail|cancelled|skipped|todo) (?P<number>\d+)")
_NODE = LatePattern(r"test at (?P<place>.+:\d+):\d+")
_CROSS = LatePattern(r"✖ (?P<name>.*?)(?: \([\d.]+ms\))?")
_RESULT = LatePattern(r"(?P<margin> *)(?P<not>not )?ok \d+(?: -)? (?P<name>.*)")
_PLAN = LatePattern(r"1\.\.(?P<number>\d{1,9})(?: .*)?")
_DIRECTIVE = LatePattern(r"(?:^| )# (?:skip|todo)\b", re.IGNORECASE)
_LOCATION = LatePattern(r"\s*location: '(?P<place>.*:\d+):\d+'")
_STACK = LatePattern(r".*?\(?(?P<place>[^\s():]+:\d+):\d+\)?")
_KEY = LatePattern(r"(?P<margin>\s*)(?P<key>\w+):.*")
_SHOWN = ("error", "expected", "actual")


def read_node(text: str) -> Report | None:
    """None for what none of them wrote."""
    lines = text.split("\n")
    if counts := [found["counts"] for line in lines if (found := _TESTS.fullmatch(line))]:
        return _report(counts[-1:], _jest(lines) or _vitest(lines))
    if counts := [line for line in lines if _MOCHA_COUNT.fullmatch(line)]:
        return _report(counts, _mocha(lines))
    if failures := _jest(lines) or _vitest(lines):
        return cut_off(failures)
    return _tap(lines)


def _report(counts: Sequence[str], failures: Sequence[Failure]) -> Report:
    numbers = {
        word: int(number) for line in counts for number, word in _COUNT.pattern.findall(line)
    }
    return Report(
        passed=numbers.get("passed", numbers.get("passing", 0)),
        failed=numbers.get("failed", numbers.get("failing", 0)),
        errors=sum(failure.is_error for failure in failures),
        skipped=sum(numbers.get(word, 0) for word in ("skipped", "pending", "todo")),
        failures=tuple(failures),
    )


def _jest(lines: Sequence[str]) -> list[Failure]:
    """Where there are many suites it names a failure twice."""
    found = dict[str, Failure]()
    for first, head, part in blocks(lines, _JEST, _END):
        suites = (one["path"] for line in lines[:first][::-1] if (one := _SUITE.fullmatch(line)))
        suite, name = next(suites, ""), head["name"]
        is_error = name.startswith("Test suite failed")
        named = suite if is_error else f"{suite}: {name}" if suite else name
        found.setdefault(named, _failure(named, first, part, is_error))
    return list(found.values())


def _vitest(lines: Sequence[str]) -> list[Failure]:
    return [
        _failure(head["name"], first, part, " > " not in head["name"])
        for first, head, part in blocks(lines, _VITEST, _END)
        if any(line.strip() for line in part)
    ]


def _mocha(lines: Sequence[str]) -> list[Failure]:
    """Below the counts; the name of the test goes on over deeper lines, up to a colon."""
    start = max(at for at, line in enumerate(lines) if _MOCHA_COUNT.fullmatch(line)) + 1
    found = list[Failure]()
    for first, head, part in blocks(lines[start:], _MOCHA, _END):
        names, rest = [head["name"]], list(part)
        while rest and not names[-1].endswith(":") and rest[0].strip():
            names.append(rest.pop(0).strip())
        name = " ".join(one.removesuffix(":") for one in names)
        found.append(_failure(name, start + first, rest, False))
    return found


def _failure(name: str, first: int, part: Sequence[str], is_error: bool) -> Failure:
    places = (found["place"] for line in part if (found := _PLACE.fullmatch(line)))
    place = next(filter(is_ours, places), "").removeprefix("./")
    shown = dedented([line for line in part if not _NO_EXPLANATION.fullmatch(line)])
    return Failure(name, place, shown, is_error, first, first + len(part))


# --- TAP, and node's own style, which has the same counts


def _tap(lines: Sequence[str]) -> Report | None:
    counted = filter(None, map(_NODE_COUNT.fullmatch, lines))
    counts = {one["word"]: int(one["number"]) for one in counted}
    top = [one for line in lines if (one := _RESULT.fullmatch(line)) and not one["margin"]]
    plans = [int(found["number"]) for line in lines if (found := _PLAN.fullmatch(line))]
    is_tap = bool(plans) or any(line.startswith("TAP version") for line in lines)
    if not counts and not (top and is_tap):
        return None
    run = [one for one in top if not _DIRECTIVE.search(one["name"])]
    return Report(
        passed=counts.get("pass", sum(not one["not"] for one in run)),
        failed=counts.get("fail", sum(bool(one["not"]) for one in run)),
        errors=counts.get("cancelled", 0),
        skipped=counts.get("skipped", len(top) - len(run)) + counts.get("todo", 0),
        failures=(*_not_ok(lines), *_crossed(lines)),
        is_whole=bool(counts) or sum(plans) == len(top),
    )


def _not_ok(lines: Sequence[str]) -> Iterator[Failure]:
    for first, head, below in blocks(lines, _RESULT):
        if not head["not"] or _DIRECTIVE.search(head["name"]):
            continue
        details = list(takewhile(lambda line: line.strip() != "...", below))
        if not details or details[0].strip() != "---":
            details = list(takewhile(lambda line: line.startswith("# "), below))
            shown = dedented([line[1:] for line in details])
            yield Failure(head["name"], "", shown, False, first, first + len(details))
        elif not any("subtestsFailed" in line for line in details):  # the inner ones say why
            stack = (_STACK.fullmatch(line) for line in _of_key(details, "stack")[1:])
            ours = (one["place"] for one in stack if one and is_ours(one["place"]))
            declared = (one["place"] for line in details if (one := _LOCATION.fullmatch(line)))
            place = next(ours, "") or next(declared, "")
            shown = dedented([line for key in _SHOWN for line in _of_key(details, key)])
            yield Failure(head["name"], place, shown, False, first, first + len(details) - 1)


def _of_key(lines: Sequence[str], key: str) -> list[str]:
    """The line of a key, and those below it that are indented more."""
    found, deeper = list[str](), ""
    for line in lines:
        named = _KEY.fullmatch(line)
        if found and line.strip() and not line.startswith(deeper):
            break
        if found or (named and named["key"] == key):
            deeper = deeper or (f"{named['margin']} " if named else "")
            found.append(line)
    return found


def _crossed(lines: Sequence[str]) -> Iterator[Failure]:
    for first, head, part in blocks(lines, _NODE):
        if part and (name := _CROSS.fullmatch(part[0])):
            shown = _failure(name["name"], first, part[1:], False).lines
            yield Failure(name["name"], head["place"], shown, False, first, first + len(part))
