"""Read the output of cargo and of JavaScript test runners, and TAP output of any runner.

log     = (block | counts | other)*            counts: of cargo, jest, vitest, mocha
cargo   = "---- " NAME " stdout ----" line*           "test result: " ... N WORD (";" N WORD)*
        | "error[" CODE "]: " MESSAGE NEWLINE " --> " PLACE line*, up to an empty line
jest    = "  ● " NAME line*                           "Tests: " N WORD ("," N WORD)*
vitest  = " FAIL  " NAME line*                        "Tests  " N WORD ("|" N WORD)*
mocha   = N ") " NAME line*, below the counts         (N WORD NEWLINE)+
node    = ("test at " PLACE NEWLINE "✖ " NAME line*)* ("ℹ " WORD N)*
TAP     = ["1.." N] (["not "] "ok " N " - " NAME ["# SKIP" | "# TODO"] details)* ("# " WORD N)*
details = NEWLINE "---" line* "..." | (NEWLINE "# " text)*
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from react_agent.parsers.testing.report import Failure, Report, blocks, cut_off, dedented, is_ours
from react_agent.parsers.text.late_pattern import LatePattern

_COUNTS = LatePattern(
    r"\s*Tests:? {1,8}\d+ .*|test result: \w+\. .*"
    r"|  \d+ (?P<mocha>passing|pending|failing)(?: \(.*\))?"
)
_COUNT = LatePattern(
    r"(\d+) (failed|passed|skipped|todo|pending|passing|failing|ignored|filtered out)"
)
_SUITE = r"\s*(?:FAIL|PASS) {1,2}(?P<path>\S+\.\w+)(?: .*)?"
_SUITE_LINE = LatePattern(_SUITE)
_END = LatePattern(
    r"(?:Test Suites|Tests|Snapshots): .*|\s*Test Files .*|⎯{3,}.*|Summary of all .*"
    rf"|(?:failures:|test result: |successes:).*|{_SUITE.replace('?P<path>', '')}"
)
_CARGO = LatePattern(r"---- (?P<name>.+) stdout ----")
_COMPILER = LatePattern(
    r"(?P<name>error(?:\[E\d+\])?: (?!could not compile|test failed|aborting).+)"
)
_EMPTY = LatePattern("")
_JEST = LatePattern(r"  ● (?!Console$)(?P<name>\S.*)")  # what tests print is below `Console`
_VITEST = LatePattern(r"\s*FAIL {1,2}(?P<name>\S.* > .*|\S+ \[ .* \]|\S+\.\w+)")
_MOCHA = LatePattern(r"  \d+\) (?P<name>\S.*)")
_NODE = LatePattern(r"test at (?P<place>.+:\d+):\d+")
_CROSS = LatePattern(r"✖ (?P<name>.*?)(?: \([\d.]+ms\))?")
_PLACE = LatePattern(
    r"(?:\s*at .*?\(?|\s*❯ (?:.* )?|.*panicked at (?:.*, )?|\s*--> |\s*location: ')"
    r"(?P<place>[^\s(),':]+:\d+)(?::\d+)?[):']?"
)
_NO_EXPLANATION = LatePattern(
    r"\s*at .+|ℹ .*|\s*---|\s*(?:duration_ms|type|location|failureType|code|name|operator): .*"
)
_DETAILS_END = LatePattern(r"\s*(?:\.\.\.|stack: .*)")
_BACKTRACE = LatePattern(r"stack backtrace:|note: (?:run with|Some details)")
_LONGEST = 14  # lines of what a compiler says about one error
_NODE_COUNT = LatePattern(r"[#ℹ] (?P<word>tests|pass|fail|cancelled|skipped|todo) (?P<number>\d+)")
_RESULT = LatePattern(r"(?P<margin> *)(?P<not>not )?ok \d+(?: -)? (?P<name>.*)")
_PLAN = LatePattern(r"1\.\.(?P<number>\d{1,9})(?: .*)?")
_DIRECTIVE = LatePattern(r"(?:^| )# (?:skip|todo)\b", re.IGNORECASE)


def read_blocks(text: str) -> Report | None:
    """Return the report, or None if none of these runners wrote the text."""
    lines = text.split("\n")
    counted = [found for line in lines if (found := _COUNTS.fullmatch(line))]
    number = Counter[str]()
    for found in counted:
        for count, word in _COUNT.pattern.findall(found[0]):
            number[word] += int(count)
    mocha = _mocha(lines) if any(found["mocha"] for found in counted) else []
    failures = mocha or [*_cargo(lines)] or _jest(lines) or [*_vitest(lines)]
    if not counted:
        failures = failures or [*_compiled(lines)]
        return cut_off(failures) if failures else _tap(lines)
    filtered = number["filtered out"]
    return Report(
        passed=number["passed"] + number["passing"],
        failed=number["failed"] + number["failing"],
        errors=sum(failure.is_error for failure in failures),
        skipped=sum(number[word] for word in ("skipped", "pending", "todo", "ignored")),
        failures=tuple(failures),
        notes=(f"{filtered} filtered out",) if filtered else (),
    )


def _failure(name: str, first: int, part: Sequence[str], is_error: bool = False) -> Failure:
    places = (found["place"] for line in part if (found := _PLACE.fullmatch(line)))
    place = next(filter(is_ours, places), "").removeprefix("./")
    told = takewhile(lambda line: not _BACKTRACE.match(line), part)
    shown = dedented([line for line in told if not _NO_EXPLANATION.fullmatch(line)])
    return Failure(name, place, shown, is_error, first, first + len(part))


_TITLES = ("failures:", "successes:")


def _cargo(lines: Sequence[str]) -> Iterator[Failure]:
    title, at = "", 0
    for first, head, part in blocks(lines, _CARGO, _END):
        titles = (line for line in reversed(lines[at:first]) if line in _TITLES)
        title, at = next(titles, title), first
        if title != "successes:":  # which `--show-output` adds
            yield _failure(head["name"], first, part)


def _compiled(lines: Sequence[str]) -> Iterator[Failure]:
    for first, head, part in blocks(lines, _COMPILER, _EMPTY):
        if part and part[0].lstrip().startswith("--> "):  # many programs write `error: `
            yield _failure(head["name"], first, part[:_LONGEST], is_error=True)


def _jest(lines: Sequence[str]) -> list[Failure]:
    """Return each failure of jest once. If there are many suites, jest prints each one twice."""
    found = dict[str, Failure]()
    for first, head, part in blocks(lines, _JEST, _END):
        above = filter(None, map(_SUITE_LINE.fullmatch, lines[:first][::-1]))
        suite, name = next((one["path"] for one in above), ""), head["name"]
        is_error = name.startswith("Test suite failed")
        named = suite if is_error else f"{suite}: {name}" if suite else name
        found.setdefault(named, _failure(named, first, part, is_error))
    return list(found.values())


def _vitest(lines: Sequence[str]) -> Iterator[Failure]:
    for first, head, part in blocks(lines, _VITEST, _END):
        if any(line.strip() for line in part):
            yield _failure(head["name"], first, part, " > " not in head["name"])


def _mocha(lines: Sequence[str]) -> list[Failure]:
    """Read the failures below the counts. A test's name may span several lines, up to a colon."""
    start = max(at for at, line in enumerate(lines) if _COUNTS.fullmatch(line)) + 1
    found = list[Failure]()
    for first, head, part in blocks(lines[start:], _MOCHA, _END):
        names, rest = [head["name"]], list(part)
        while rest and not names[-1].endswith(":") and rest[0].strip():
            names.append(rest.pop(0).strip())
        name = " ".join(one.removesuffix(":") for one in names)
        found.append(_failure(name, start + first, rest))
    return found


def _tap(lines: Sequence[str]) -> Report | None:
    counts = Counter[str]()  # of all the runs in the log
    for count in filter(None, map(_NODE_COUNT.fullmatch, lines)):
        counts[count["word"]] += int(count["number"])
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
        details = [*takewhile(lambda line: not _DETAILS_END.fullmatch(line), below)]
        if not details or details[0].strip() != "---":
            details = [*takewhile(lambda line: line.startswith("# "), below)]
        elif any("subtestsFailed" in line for line in details):  # the failed subtests say why
            continue
        yield _failure(head["name"], first, [line.removeprefix("#") for line in details])


def _crossed(lines: Sequence[str]) -> Iterator[Failure]:
    for first, head, part in blocks(lines, _NODE):
        if part and (name := _CROSS.fullmatch(part[0])):
            shown = _failure(name["name"], first, part[1:]).lines
            yield Failure(name["name"], head["place"], shown, False, first, first + len(part))
