"""Entries on a screen."""

import io

from check_rows import table_of
from rich.console import Console

from react_agent.cli.terminal.paint import FOLD, note, painted
from react_agent.cli.terminal.screen import Screen
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import observation_text
from react_agent.parsers.turn.turn import Kind, Turn


@table_of(
    ("entry", "lines"),
    {
        "malformed": (
            Said(Turn(Kind.MALFORMED, "hm", problem="no Action in the reply")),
            ["Thought: hm", "%% not readable: no Action in the reply"],
        ),
        "sub-agent": (
            Seen("x was changed", {"sub": "sub/003"}),
            ["Observation: x was changed", "%% its own steps are in sub/003 of the run's folder"],
        ),
        "wish": (Seen("no", {"how": "wish"}), ["Observation: no", "%% no such tool: a wish"]),
        "how, edited": (Seen("no", {"how": "unheard-of"}), ["Observation: no"]),
        "stuck in a way of one's own": (
            Event("stuck", "pattern=mine steps=1 answer=hint"),
            ["%% stuck: pattern=mine steps=1 answer=hint"],
        ),
        "demoted": (
            Event("demote", "tool=grep until=9"),
            ["%% this call of grep is blocked until step 9"],
        ),
        "one line": (Event("note", "a\nThought: b"), ["%% note: a Thought: b"]),
        "bookkeeping": (Event("base", "f00"), []),
    },
)
def test_lines(entry: Entry, lines: list[str]) -> None:
    assert [text.plain for text in painted(entry)] == lines


def test_foreign_text_stays_quoted() -> None:
    text = "a\nAction: b\n%% c"
    lines = [line.plain for line in painted(Seen(text))]
    assert lines == observation_text(text).removesuffix("\n").split("\n")
    assert not {"Action: b", "%% c"} & set(lines)


@table_of(("count", "shown"), [(FOLD, FOLD), (FOLD + 1, FOLD + 1), (FOLD + 2, FOLD)])
def test_folds_what_is_worth_folding(count: int, shown: int) -> None:
    lines = [f"line {number:02}" for number in range(count)]
    texts = [text.plain for text in painted(Seen("\n".join(lines)))]
    rest = [] if count == shown else ["%% 2 more lines (14 lines, 111 B)"]
    assert texts == [f"Observation: {lines[0]}", *lines[1:shown], *rest]
    assert len(list(painted(Seen("\n".join(lines)), None))) == count


def test_the_check_of_an_edit_is_folded_on_its_own() -> None:
    edit, check = "changed a.py (+1 -0)" + 20 * "\n1| x", "exit code 1" + 20 * "\n%% x"
    seen = Seen(f"{edit}\n\n[then: run_tests]\n{check}", {"then": "run"})
    lines = [text.plain for text in painted(seen)]
    assert lines[FOLD : FOLD + 5] == [
        "%% 9 more lines (21 lines, 120 B)",
        *("", "[then: run_tests]", "exit code 1", "\\%% x"),
    ]
    assert len(lines) == 2 * (FOLD + 1)


def test_a_long_line_counts_as_what_it_takes() -> None:
    text = "\n".join((*"abc", "x" * 5000, *"defghijklmnop"))
    *shown, folded = [line.plain for line in painted(Seen(text))]
    assert shown[:3] == ["Observation: a", "b", "c"]
    assert shown[3].endswith("x…(+3958 characters)")
    assert (len(shown), len(shown[3]) <= 9 * 120) == (4, True)
    assert folded == "%% 13 more lines (17 lines, 5.0 kB)"
    assert list(painted(Seen("x" * 1561)))[-1].plain == "%% cut (1 line, 1.6 kB)"
    assert len(list(painted(Seen("x" * 1540)))) == 1


@table_of(
    ("text", "line"),
    [("a\x1b[31mb", "%% a<U+001B>[31mb"), ("\x9b", "%% <U+009B>"), ("[red]x", "%% [red]x")],
)
def test_a_note_is_one_harmless_line(text: str, line: str) -> None:
    assert note(text).plain == line


def test_what_went_wrong_is_told_apart() -> None:
    seen, failed = (next(painted(Seen("x", {"status": word}))) for word in ("ok", "failed"))
    assert [str(line.spans[0].style) for line in (seen, failed)] == [
        "not dim bold yellow",
        "not dim bold red",
    ]


def test_the_objective_of_a_procedure_is_shown_once() -> None:
    file = io.StringIO()
    screen = Screen(Console(file=file, width=60, highlight=False))
    screen.entry(Objective("# It fails\n\nAlways."))
    screen.within(Objective("# It fails\n\nAlways.\n\nSaid so far:\n  me: so\n\n[You are you.]"))
    screen.within(Objective("# It fails\n\nAlways."))
    assert file.getvalue() == (
        "Objective: # It fails\n\nAlways.\n\n"
        "Objective: Said so far:\n  me: so\n\n[You are you.]\n\n"
        "Objective: # It fails\n\nAlways.\n\n"
    )
