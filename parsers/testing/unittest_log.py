r"""What unittest printed; Django's runner writes the same.

log   = (block | other)* "Ran " N " tests in " ... verdict ["(" counts ")"]
block = "=" * 70 NEWLINE ("ERROR" | "FAIL") ": " NAME [" (" PLACE ")"] ... "-" * 70 traceback
"""

import re
from collections.abc import Iterator, Sequence

from react_agent.parsers.testing.python_frames import read_traceback
from react_agent.parsers.testing.report import Failure, Report

_BAR = "=" * 70
_LINE = "-" * 70
_TITLE = re.compile(
    r"(?P<word>ERROR|FAIL|UNEXPECTED SUCCESS): (?P<name>\S+)(?: \((?P<of>[\w.]+)\))?(?P<more>.*)"
)
_RAN = re.compile(r"Ran (\d+) tests? in .*")
_ENDED = re.compile(r"(?:OK|FAILED|NO TESTS RAN)(?: \((?P<counts>.*)\))?")
_COUNT = re.compile(r"([a-z ]+)=(\d+)")
_NOT_LOADED = "unittest.loader._FailedTest"


def read_unittest(text: str) -> Report | None:
    """None for what no unittest wrote."""
    lines = text.split("\n")
    failures = tuple(_failures(lines))
    ran = [int(found[1]) for line in lines if (found := _RAN.fullmatch(line.strip()))]
    if not ran:
        return Report(failures=failures, is_whole=False) if failures else None
    counts = _counts(lines)
    # a test of several sub-tests fails several times, and ran once
    broken = len({failure.id.partition(" ")[0] for failure in failures})
    skipped, expected = counts.get("skipped", 0), counts.get("expected failures", 0)
    return Report(
        passed=max(sum(ran) - broken - skipped - expected, 0),
        failed=counts.get("failures", 0) + counts.get("unexpected successes", 0),
        errors=counts.get("errors", 0),
        skipped=skipped,
        failures=failures,
        notes=(f"{expected} expected failures",) if expected else (),
    )


def _counts(lines: Sequence[str]) -> dict[str, int]:
    """Of all the runs in the log."""
    total = dict[str, int]()
    for line in lines:
        ended = _ENDED.fullmatch(line.strip())
        for word, number in _COUNT.findall((ended and ended["counts"]) or ""):
            total[word.strip()] = total.get(word.strip(), 0) + int(number)
    return total


def _failures(lines: Sequence[str]) -> Iterator[Failure]:
    bars = [number for number, line in enumerate(lines) if line == _BAR]
    ends = [*bars[1:], len(lines)]
    for start, end in zip(bars, ends, strict=False):
        title = _TITLE.fullmatch(lines[start + 1]) if start + 1 < end else None
        if title is None:
            continue
        body = _body(lines[start + 2 : end])
        found = read_traceback(body)
        is_error = title["word"] == "ERROR"
        last = start + 2 + len(body)
        yield Failure(_id(title), found.place, found.lines, is_error, start + 2, last)


def _body(lines: Sequence[str]) -> list[str]:
    """Behind the first line of dashes, up to the count of all."""
    rules = [number for number, line in enumerate(lines) if line == _LINE]
    start = rules[0] + 1 if rules else 0
    stops = [number for number in rules[1:] if _is_count(lines[number + 1 :])]
    body = lines[start : stops[0] if stops else len(lines)]
    return [line for line in body if not line.startswith("ImportError: Failed to import test mod")]


def _is_count(lines: Sequence[str]) -> bool:
    return bool(lines) and _RAN.fullmatch(lines[0].strip()) is not None


def _id(title: re.Match[str]) -> str:
    name, of = title["name"], title["of"] or ""
    if not of or of.startswith(_NOT_LOADED):
        return name
    dotted = of if of.endswith(f".{name}") else f"{of}.{name}"
    return dotted + title["more"].rstrip()
