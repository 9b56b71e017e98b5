"""Replies of models and text of the world: tests/scenarios/turns, one table a rule.

file  = comment* case*
case  = "== " name NEWLINE field*
field = name ": " words NEWLINE | name ":" NEWLINE ("|" [" " text] NEWLINE)*

Run as a program with --fill, it replaces the `?` of problems and repairs by what the reader says.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from react_agent.parsers import labels
from react_agent.parsers.labels import DEFAULT, Dialect, Label, dialect, generous
from react_agent.parsers.quoting import escape, quote_own, quote_world, unescape, unquote_world
from react_agent.parsers.stop import StopScanner
from react_agent.parsers.transcript_writer import turn_text
from react_agent.parsers.turn import Kind, Turn, parse_turn

FOLDER = Path(__file__).parents[1] / "scenarios" / "turns"
COLUMNS = 100
OPEN = "?"
WORDS = {"why", "refuses", "tools", "no-argument", "ended", "dialect", "again"}
WORDS |= {"turn", "action", "problem", "fabricated", "truncated"}
TEXTS = {"reply", "thought", "input", "conclusion", "repairs", "world", "quoted"}
UNBOUNDED = {"problem", "repairs"}
UNSEEN = "a tab, or a blank at the end: write <U+0009> or <U+0020>"
KINDS = "expected `reply` and `turn`, or `world` and `quoted`"


def _dialect(*words: str) -> Dialect:
    return dialect(dict(zip(Label, words, strict=True)))


DIALECTS = {
    **labels.DIALECTS,
    "german": _dialect("Ziel", "Gedanke", "Aktion", "Aktionseingabe", "Beobachtung", "Schluß"),
    "russian": _dialect("Цель", "Мысль", "Действие", "Ввод действия", "Наблюдение", "Вывод"),
    "japanese": _dialect("目的", "思考", "行動", "行動入力", "観察", "結論"),
    "french": _dialect("But", "Idée", "Action", "Entrée de l'action", "Observation", "Conclusion"),
}


class ScenarioError(Exception):
    """A file of scenarios is not written as its README says."""


@dataclass(slots=True)
class Case:
    name: str
    at: str
    fields: dict[str, list[str]] = field(default_factory=dict)

    def words(self, name: str) -> str:
        return " ".join(self.fields.get(name, ()))

    def text(self, name: str) -> str:
        return unescape("\n".join(self.fields.get(name, ())))

    @property
    def expected(self) -> Turn:
        return Turn(
            Kind(self.words("turn")),
            self.text("thought"),
            self.words("action"),
            self.text("input"),
            self.text("conclusion"),
            tuple(unescape(line) for line in self.fields.get("repairs", ())),
            fabricated=self.words("fabricated") == "yes",
            truncated=self.words("truncated") == "yes",
            problem=unescape(self.words("problem")),
        )

    @property
    def spoken(self) -> Dialect:
        return DIALECTS[self.words("dialect") or "english"]

    def read(self, text: str, *, spoken: Dialect, ended: str | None = None) -> Turn:
        tools = self.fields.get("tools")
        return parse_turn(
            text,
            dialect=spoken,
            tools=" ".join(tools).split() if tools else None,
            no_argument_tools=self.words("no-argument").split(),
            why=ended,
        )

    @property
    def turn(self) -> Turn:
        return self.read(self.text("reply"), spoken=self.spoken, ended=self.words("ended") or None)

    @property
    def is_open(self) -> bool:
        return OPEN in (self.fields.get("repairs", []) + self.fields.get("problem", []))

    @property
    def is_refusal(self) -> bool:
        return "refuses" in self.fields or self.words("turn") == Kind.MALFORMED


def parse_cases(name: str, text: str) -> list[Case]:
    cases: list[Case] = []
    current = ""
    for number, line in enumerate(text.split("\n"), 1):
        at = f"{name}:{number}"
        if line != line.rstrip() or "\t" in line:
            raise ScenarioError(f"{at}: {UNSEEN}")
        if line.startswith("== "):
            cases.append(Case(line[3:], at))
            current = ""
        elif line and not (line.startswith("#") and not cases):
            current = _take(cases, current, at, line)
        if len(line) > COLUMNS and current not in UNBOUNDED:
            raise ScenarioError(f"{at}: more than {COLUMNS} columns")
    _check(cases)
    return cases


def _take(cases: list[Case], current: str, at: str, line: str) -> str:
    """Add the line to its field, and say which field that is."""
    if not cases:
        raise ScenarioError(f"{at}: expected `== name` before any field")
    if line == "|" or line.startswith("| "):
        if current not in TEXTS:
            raise ScenarioError(f"{at}: a line of text below no field of text")
        cases[-1].fields[current].append(line[2:])
        return current
    return _take_field(cases[-1], at, line)


def _take_field(case: Case, at: str, line: str) -> str:
    name, colon, words = line.partition(":")
    if not colon or name not in WORDS | TEXTS:
        raise ScenarioError(f"{at}: expected a field, found {line!r}")
    if name in case.fields:
        raise ScenarioError(f"{at}: `{name}` again")
    if (name in TEXTS) is bool(words) or (words and words[0] != " "):
        raise ScenarioError(f"{at}: `{name}` is no field of this shape")
    case.fields[name] = [words[1:]] if words else []
    return name


def _check(cases: list[Case]) -> None:
    names: set[str] = set()
    for case in cases:
        if case.name in names:
            raise ScenarioError(f"{case.at}: the name {case.name!r} again")
        names.add(case.name)
        kinds = {"reply", "turn", "world", "quoted"} & case.fields.keys()
        if kinds not in ({"reply", "turn"}, {"world", "quoted"}):
            raise ScenarioError(f"{case.at}: {KINDS}")
        if "why" not in case.fields:
            raise ScenarioError(f"{case.at}: no `why`")
        if case.words("dialect") not in ("", *DIALECTS):
            raise ScenarioError(f"{case.at}: no such dialect")


FILES = sorted(FOLDER.glob("*.txt"))
CASES = {path.stem: parse_cases(path.name, path.read_text(encoding="utf-8")) for path in FILES}


def _params(present: str) -> list[object]:
    return [
        pytest.param(case, id=f"{stem}:{case.name}")
        for stem, cases in CASES.items()
        for case in cases
        if present in case.fields
    ]


@pytest.mark.parametrize("case", _params("reply"))
def test_reads_a_reply_as_its_scenario_says(case: Case) -> None:
    assert case.turn == case.expected


@pytest.mark.parametrize("case", _params("reply"))
def test_reads_the_turn_again_as_the_transcript_shows_it(case: Case) -> None:
    turn = case.turn
    if turn.kind is not Kind.MALFORMED:
        again = case.read(turn_text(turn), spoken=DEFAULT)
        assert (again == _as_shown(turn)) is not case.words("again").startswith("differs: ")


def _as_shown(turn: Turn) -> Turn:
    texts = {name: quote_own(getattr(turn, name)) for name in ("thought", "input", "conclusion")}
    return turn._replace(repairs=(), fabricated=False, **texts)


@pytest.mark.parametrize("case", _params("reply"))
def test_stops_where_the_reader_stops(case: Case) -> None:
    reply = case.text("reply")
    whole, was_stopped = _streamed(case, [reply])
    assert (whole, was_stopped) == _streamed(case, list(reply))
    ended = None if was_stopped else case.words("ended") or None
    assert _gist(case.read(whole, spoken=case.spoken, ended=ended)) == _gist(case.turn)


def _streamed(case: Case, chunks: list[str]) -> tuple[str, bool]:
    scanner = StopScanner(dialect=case.spoken)
    shown = "".join(scanner.feed(chunk) for chunk in chunks)
    return shown + scanner.finish(), scanner.stopped


def _gist(turn: Turn) -> tuple[str, ...]:
    return turn.kind, turn.thought, turn.action, turn.input, turn.conclusion


@pytest.mark.parametrize("case", _params("world"))
def test_quotes_what_the_world_says(case: Case) -> None:
    world, quoted = case.text("world"), case.text("quoted")
    assert quote_world(world) == quoted
    assert unquote_world(quoted) == world
    assert [line for line in quoted.split("\n")[1:] if generous(line)] == []


@pytest.mark.parametrize("stem", CASES)
def test_every_rule_has_refusals_and_readings(stem: str) -> None:
    refusals = sum(case.is_refusal for case in CASES[stem])
    assert min(refusals, len(CASES[stem]) - refusals) >= 3


def test_there_are_enough_scenarios_and_none_is_open() -> None:
    cases = [case for cases in CASES.values() for case in cases]
    assert len(cases) >= 250
    assert [case.at for case in cases if case.is_open] == []


WELL_WRITTEN = "# about\n\n== a\nwhy: b\nreply:\n| x\nturn: malformed\nproblem: y"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("why: b\n", "", "t:3: no `why`", id="no reason"),
        pytest.param("why: b", "why:", "t:4: `why` is no field of this shape", id="empty reason"),
        pytest.param("why", "how", "t:4: expected a field, found 'how: b'", id="unknown field"),
        pytest.param("why: b", "why: b\nwhy: c", "t:5: `why` again", id="field again"),
        pytest.param("| x", "|x", "t:6: expected a field, found '|x'", id="no blank"),
        pytest.param("reply:\n", "", "t:5: a line of text below no field of text", id="no field"),
        pytest.param("== a\n", "", "t:3: expected `== name` before any field", id="no name"),
        pytest.param("problem: y", "== a\nwhy: c", "t:8: the name 'a' again", id="name again"),
        pytest.param("| x", "| " + 99 * "x", "t:6: more than 100 columns", id="too long"),
        pytest.param("| x", "| x ", f"t:6: {UNSEEN}", id="blank at the end"),
        pytest.param("| x", "|\tx", f"t:6: {UNSEEN}", id="tab"),
        pytest.param("turn: malformed\n", "", f"t:3: {KINDS}", id="no turn"),
    ],
)
def test_says_where_a_file_is_not_well_written(old: str, new: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_cases("t", WELL_WRITTEN.replace(old, new, 1))
    assert str(caught.value) == message


def test_fills_in_what_is_open_and_nothing_else() -> None:
    text = "# ?\n\n== a\nwhy: ?\nreply:\n| ?\nturn: malformed\nthought:\n| ?\nproblem: ?\n"
    problem = parse_turn("?").problem
    assert filled(text) == text.replace("problem: ?", f"problem: {problem}")
    assert filled(text.replace("thought:\n| ?\n", "")) == text.replace("thought:\n| ?\n", "")


def filled(text: str) -> str:
    """The file with its open repairs and problems said, where all else is as expected."""
    lines = text.split("\n")
    for case in reversed(parse_cases("", text)):
        start = int(case.at.removeprefix(":"))
        if "reply" in case.fields and case.is_open and _agrees(case):
            end = next((n for n in range(start, len(lines)) if lines[n].startswith("== ")), None)
            lines[start:end] = _said_lines(lines[start:end], case.turn)
    return "\n".join(lines)


def _agrees(case: Case) -> bool:
    expected, turn = case.expected, case.turn
    said = turn._replace(repairs=expected.repairs, problem=expected.problem)
    return said == expected and bool(turn.repairs) is bool(expected.repairs)


def _said_lines(lines: list[str], turn: Turn) -> Iterator[str]:
    current = ""
    repairs = iter([f"| {escape(repair)}" for repair in turn.repairs])
    for line in lines:
        if not line.startswith("|"):
            current = line.partition(":")[0]
        if line == f"problem: {OPEN}":
            yield f"problem: {escape(turn.problem)}"
        elif current == "repairs" and line == f"| {OPEN}":
            yield from repairs
        else:
            yield line


if __name__ == "__main__" and sys.argv[1:] == ["--fill"]:
    for path in FILES:
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
