"""No repair is silent, and nothing hangs on the words of one."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

import pytest
from cases import DEFECTS, case, cases
from check_rows import table_of
from patch_rows import Scenario, after, read_groups
from row import Defect

from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import Fix, Hunk, Line
from react_agent.parsers.patch.placing.placing import Placement, placed
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.source import ABSENT, Match, Source, source_of

SCENARIOS = [scenario for group in read_groups().values() for scenario in group]
QUICK = 20
LONG = 5_000
_OF_LINES = {Fix.LISTING, Fix.TRANSCRIPT_MARKS, Fix.BACKSLASHES, Fix.ENTITIES, Fix.BLANK_ENDS}
_OF_SPACES = {
    Fix.TRAILING_SPACES,
    Fix.SHIFTED,
    Fix.CHANGES_SHIFTED,
    Fix.CONTEXT_SHIFTED,
    Fix.TABS,
    Fix.SPACES,
    Fix.MISQUOTED,
    Fix.PUNCTUATION,
}


def _placements(
    text: str, files: Mapping[str, str]
) -> Iterator[tuple[Sequence[Hunk], Source, Placement]]:
    """Of each file whose hunks are found in it."""
    meant = named(read_changes(text, files).changes, files.keys())
    for one in () if isinstance(meant, Refused) else meant:
        hunks = one.change.hunks
        if one.old is not None and one.new is not None and one.change.whole is None and hunks:
            source = source_of(files[one.old])
            found = placed(hunks, source)
            if isinstance(found, Placement):
                yield hunks, source, found


def _silent(text: str, files: Mapping[str, str]) -> list[str]:
    """What differs between a hunk as it is written and as it is applied, and is not reported."""
    return [
        f"hunk {number + 1}: {what}"
        for hunks, source, found in _placements(text, files)
        for number, match in found.places
        if not hunks[number].everywhere
        for what in _unreported(
            hunks[number], match, source, {one.fix for one in found.repairs if one.hunk == number}
        )
    ]


def _unreported(hunk: Hunk, match: Match, source: Source, told: set[Fix]) -> Iterator[str]:
    if hunk.start not in (None, match.first + 1) and Fix.START not in told:
        yield "where it was found"
    if hunk.counts not in (None, (len(hunk.old), len(hunk.new))) and not told & {
        Fix.COUNTS,
        *_OF_LINES,
    }:
        yield "its counts"
    if any(not line.mark for line in match.lines) and Fix.UNMARKED not in told:
        yield "lines without a mark"
    old = [
        (line, at) for line, at in zip(match.lines, match.pairs, strict=True) if line.mark != "+"
    ]
    texts = [(line.text, source.lines[at]) for line, at in old if at != ABSENT]
    if any(text.rstrip("\r") != real.rstrip("\r") for text, real in texts) and not (
        told & {Fix.UNMARKED, *_OF_SPACES}
    ):
        yield "old lines that differ"
    if any(at == ABSENT for _, at in old) and not told & {Fix.ABSENT, Fix.ELIDED}:
        yield "old lines that are not there"
    there = {at for _, at in old if at != ABSENT}
    if len(there) < max(there) - min(there) + 1 and not told & {Fix.UNQUOTED, Fix.ELIDED}:
        yield "lines of the file that are not quoted"
    if _new(hunk.lines) != _new(match.lines) and not told & {*_OF_LINES, *_OF_SPACES}:
        yield "new lines that differ"
    kept = [line for line in hunk.lines if line.mark != "+"]
    if len(kept) != len(old) and not told & _OF_LINES:
        yield "old lines that are no longer there"


def _new(lines: Sequence[Line]) -> list[str]:
    return [line.text.removesuffix("\r") for line in lines if line.mark == "+"]


@table_of("defect", [pytest.param(one, id=one.name) for one in DEFECTS])
def test_no_repair_of_one_defect_is_silent(defect: Defect) -> None:
    one = case("silent", [defect], 0)
    assert _silent(one.patch, one.before) == []


def test_no_repair_is_silent() -> None:
    for one, _ in cases("silent", QUICK, 0.05):
        assert _silent(one.patch, one.before) == [], one.seed


@pytest.mark.long
def test_no_repair_of_many_is_silent(long_seed: int) -> None:
    for one, _ in cases(f"silent {long_seed}", LONG, 0.3):
        assert _silent(one.patch, one.before) == [], one.seed


def test_no_repair_of_a_scenario_is_silent() -> None:
    found = {one.name: _silent(one.patch, one.before) for one in SCENARIOS}
    assert {name: silent for name, silent in found.items() if silent} == {}


def test_no_decision_hangs_on_words(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = {one.name: _decision(one) for one in SCENARIOS}
    module: ModuleType = sys.modules["react_agent.parsers.patch.repair"]
    monkeypatch.setattr(module, "repairs_in_words", lambda repairs: tuple("x" for _ in repairs))
    monkeypatch.setattr(module, "problem_in_words", lambda *_: "x")
    assert {one.name: _decision(one) for one in SCENARIOS} == decided


def _decision(scenario: Scenario) -> object:
    done: Repaired | Refused = repair(scenario.patch, scenario.before)
    return None if isinstance(done, Refused) else after(done, scenario.before)
