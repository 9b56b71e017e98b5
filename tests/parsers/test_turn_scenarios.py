"""Replies of models and text of the world: tests/scenarios/turns, one table a rule."""

import inspect

import pytest
from check_rows import EachRow, table_of
from refusals import refusal
from scenario_table import UNSEEN, ScenarioError
from turn_rows import FILES, KINDS, Case, gist, parse_cases

from react_agent.parsers.transcript.labels import DEFAULT, generous
from react_agent.parsers.transcript.quoting import quote_own, quote_world, unquote_world
from react_agent.parsers.transcript.writer import turn_text
from react_agent.parsers.turn import words
from react_agent.parsers.turn.stop import StopScanner
from react_agent.parsers.turn.turn import Kind, Turn

CASES = {path.stem: parse_cases(path.name, path.read_text(encoding="utf-8")) for path in FILES}


def _rows(stem: str, present: str) -> list[tuple[str, Case]]:
    return [(f"{stem}:{case.name}", case) for case in CASES[stem] if present in case.row.fields]


def _with(present: str) -> list[str]:
    return [stem for stem in CASES if _rows(stem, present)]


@pytest.mark.parametrize("stem", _with("reply"))
def test_reads_each_reply_as_its_row_says(stem: str, each_row: EachRow) -> None:
    def check(case: Case) -> None:
        assert case.turn == case.expected

    each_row(_rows(stem, "reply"), check)


@pytest.mark.parametrize("stem", _with("reply"))
def test_reads_each_turn_again_as_the_transcript_shows_it(stem: str, each_row: EachRow) -> None:
    def check(case: Case) -> None:
        turn = case.turn
        if turn.kind is not Kind.MALFORMED:
            again = case.read(turn_text(turn), spoken=DEFAULT)
            is_different = case.row.words("again").startswith("differs: ")
            assert (again == _as_shown(turn)) is not is_different

    each_row(_rows(stem, "reply"), check)


def _as_shown(turn: Turn) -> Turn:
    texts = {name: quote_own(getattr(turn, name)) for name in ("thought", "input", "conclusion")}
    return turn._replace(repairs=(), fabricated=False, **texts)


def test_no_decision_hangs_on_words(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for stem in CASES for _, case in _rows(stem, "reply")]
    decided = [_decision(case.turn) for case in cases]
    for name, found in vars(words).copy().items():
        if inspect.isfunction(found):
            monkeypatch.setattr(words, name, lambda *_, **__: "x")
        elif name.isupper() and isinstance(found, str):
            monkeypatch.setattr(words, name, "x")
    assert [_decision(case.turn) for case in cases] == decided


def _decision(turn: Turn) -> Turn:
    return turn._replace(repairs=("x",) * len(turn.repairs), problem="x" if turn.problem else "")


@pytest.mark.parametrize("stem", _with("reply"))
def test_stops_where_the_reader_stops(stem: str, each_row: EachRow) -> None:
    def check(case: Case) -> None:
        reply = case.row.text("reply")
        whole, was_stopped = _streamed(case, [reply])
        assert (whole, was_stopped) == _streamed(case, list(reply))
        ended = "stop" if was_stopped else case.ended
        assert gist(case.read(whole, spoken=case.spoken, ended=ended)) == gist(case.turn)

    each_row(_rows(stem, "reply"), check)


def _streamed(case: Case, chunks: list[str]) -> tuple[str, bool]:
    scanner = StopScanner(dialect=case.spoken)
    shown = "".join(scanner.feed(chunk) for chunk in chunks)
    return shown + scanner.finish(), scanner.stopped


@pytest.mark.parametrize("stem", _with("world"))
def test_quotes_what_the_world_says(stem: str, each_row: EachRow) -> None:
    def check(case: Case) -> None:
        world, quoted = case.row.text("world"), case.row.text("quoted")
        assert quote_world(world) == quoted
        assert unquote_world(quoted) == world
        assert [line for line in quoted.split("\n")[1:] if generous(line)] == []

    each_row(_rows(stem, "world"), check)


@table_of("stem", [*CASES])
def test_every_rule_has_refusals_and_readings(stem: str) -> None:
    refusals = sum(case.is_refusal for case in CASES[stem])
    assert min(refusals, len(CASES[stem]) - refusals) >= 3


def test_there_are_enough_scenarios() -> None:
    assert sum(map(len, CASES.values())) >= 250


WELL_WRITTEN = "# about\n\n== a\nwhy: b\nreply:\n| x\nturn: malformed\nproblem: y"


@table_of(
    ("old", "new", "message"),
    [
        pytest.param("why: b\n", "", "t:3: no `why`", id="no reason"),
        pytest.param("why: b", "why: b\nwhy: c", "t:5: `why` again", id="field again"),
        pytest.param("== a\n", "", "t:3: expected `== name` before any field", id="no name"),
        pytest.param("problem: y", "== a\nwhy: c", "t:8: the name 'a' again", id="name again"),
        pytest.param("| x", "|\tx", f"t:6: {UNSEEN}", id="tab"),
        pytest.param("turn: malformed\n", "", f"t:3: {KINDS}", id="no turn"),
    ],
)
def test_says_where_a_file_is_not_well_written(old: str, new: str, message: str) -> None:
    assert refusal(ScenarioError, parse_cases, "t", WELL_WRITTEN.replace(old, new, 1)) == message
