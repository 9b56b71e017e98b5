r"""TAP, whoever wrote it, and what `node --test` prints in its own style.

TAP  = ["1.." N] (["not "] "ok " N " - " NAME ["# SKIP" | "# TODO"] details)* ("# " WORD N)*
details = NEWLINE "---" line* "..." | (NEWLINE "# " text)*
spec = ("test at " PLACE NEWLINE "✖ " NAME line*)* ("ℹ " WORD N)*
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from react_agent.parsers.testing.report import Failure, Report, dedented, is_ours

_COUNT = re.compile(r"[#ℹ] (?P<word>tests|pass|fail|cancelled|skipped|todo) (?P<number>\d+)")
_RESULT = re.compile(r"(?P<margin> *)(?P<not>not )?ok \d+(?: -)? (?P<name>.*)")
_PLAN = re.compile(r"1\.\.(?P<number>\d{1,9})(?: .*)?")
_DIRECTIVE = re.compile(r"(?:^| )# (?:skip|todo)\b", re.IGNORECASE)
_AT = re.compile(r"test at (?P<place>.+:\d+):\d+")
_CROSS = re.compile(r"✖ (?P<name>.*?)(?: \([\d.]+ms\))?")
_LOCATION = re.compile(r"\s*location: '(?P<place>.*:\d+):\d+'")
_STACK_PLACE = re.compile(r".*?\(?(?P<place>[^\s():]+:\d+):\d+\)?")
_KEY = re.compile(r"\s*(?P<key>\w+):.*")
_SHOWN = ("error", "expected", "actual")


def read_node(text: str) -> Report | None:
    """None for what neither `node --test` nor another writer of TAP wrote."""
    lines = text.split("\n")
    counts = {
        found["word"]: int(found["number"]) for line in lines if (found := _COUNT.fullmatch(line))
    }
    results = [found for line in lines if (found := _RESULT.fullmatch(line))]
    plans = [int(found["number"]) for line in lines if (found := _PLAN.fullmatch(line))]
    is_tap = bool(plans) or any(line.startswith("TAP version") for line in lines)
    if not counts and not (results and is_tap):
        return None
    failures = (*_tap(lines), *_spec(lines))
    all_top = [one for one in results if not one["margin"]]
    top = [one for one in all_top if not _DIRECTIVE.search(one["name"])]
    return Report(
        passed=counts.get("pass", sum(not one["not"] for one in top)),
        failed=counts.get("fail", sum(bool(one["not"]) for one in top)),
        errors=counts.get("cancelled", 0),
        skipped=counts.get("skipped", len(all_top) - len(top)) + counts.get("todo", 0),
        failures=failures,
        is_whole=bool(counts) or sum(plans) == len(all_top),
    )


def _tap(lines: Sequence[str]) -> Iterator[Failure]:
    for number, line in enumerate(lines, 1):
        found = _RESULT.fullmatch(line)
        if not found or not found["not"] or _DIRECTIVE.search(found["name"]):
            continue
        part = _details(lines[number:])
        if any("subtestsFailed" in one for one in part):
            continue  # the inner ones say why
        stack = [one["place"] for one in _places(part) if is_ours(one["place"])]
        declared = [one["place"] for line in part if (one := _LOCATION.fullmatch(line))]
        place = next(iter([*stack, *declared]), "")
        shown = dedented([line for key in _SHOWN for line in _of_key(part, key)])
        comment = list(takewhile(lambda one: one.startswith("# "), lines[number:]))
        shown = shown or dedented([line[1:] for line in comment])
        last = number + (len(part) or len(comment))
        yield Failure(found["name"], place, shown, False, number, last)


def _details(lines: Sequence[str]) -> Sequence[str]:
    if not lines or lines[0].strip() != "---":
        return ()
    ends = [at for at, line in enumerate(lines) if line.strip() == "..."]
    return lines[1 : ends[0]] if ends else lines[1:]


def _of_key(part: Sequence[str], key: str) -> list[str]:
    """The line of a key, and those below it that are indented more."""
    for at, line in enumerate(part):
        if (found := _KEY.fullmatch(line)) and found["key"] == key:
            margin = len(line) - len(line.lstrip())
            rest = [not one.strip() or one.startswith(" " * (margin + 1)) for one in part[at + 1 :]]
            return list(part[at : at + 1 + (rest.index(False) if False in rest else len(rest))])
    return []


def _places(part: Sequence[str]) -> Iterator[re.Match[str]]:
    for line in _of_key(part, "stack")[1:]:
        if found := _STACK_PLACE.fullmatch(line):
            yield found


def _spec(lines: Sequence[str]) -> Iterator[Failure]:
    starts = [number for number, line in enumerate(lines) if _AT.fullmatch(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        at = _AT.fullmatch(lines[start])
        name = _CROSS.fullmatch(lines[start + 1]) if start + 1 < end else None
        if at and name:
            part = [line for line in lines[start + 2 : end] if not line.startswith("ℹ ")]
            shown = dedented([line for line in part if not line.lstrip().startswith("at ")])
            yield Failure(name["name"], at["place"], shown, False, start + 1, end)
