"""A run as it goes on, on terminals and elsewhere."""

import io
import re
from types import SimpleNamespace
from typing import Any

import pytest
from emulated import Terminal
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, ConsoleDimensions
from rich.text import Text
from waiting import see

from react_agent.cli.running import until_it_ends
from react_agent.cli.terminal.screen import Footer, Screen, console
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.turn.turn import Kind, Turn

ACTION = Turn(Kind.ACTION, "look", "grep", "x\ny", repairs=("a label was mended",))


def _added(text: str) -> Said:
    return Said(Turn(Kind.ACTION, "so", "add_task", text))


PLAN = (
    Objective("do it"),
    _added("0\nfind it\n- read\n- try"),
    Seen("added", {"kind": "plan", "tool": "add_task", "status": "ok"}),
    _added("0\nmend \x1b[2Jit"),
    Seen("added", {"kind": "plan", "tool": "add_task", "status": "ok"}),
    Said(Turn(Kind.ACTION, "so", "modify_task", "0.0.1 in_progress")),
    Seen("changed", {"kind": "plan", "tool": "modify_task", "status": "ok"}),
)
EVIL_TASK = (
    Said(Turn(Kind.ACTION, "so", "modify_task", "0.0 open")),
    Seen("changed", {"kind": "plan", "tool": "modify_task", "status": "ok"}),
    Said(Turn(Kind.ACTION, "so", "modify_task", "0.1 in_progress")),
    Seen("changed", {"kind": "plan", "tool": "modify_task", "status": "ok"}),
)


class Tty(io.StringIO):
    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.terminal.feed(text.replace("\n", "\r\n"))
        return super().write(text)


def on(terminal: Terminal, **options: bool) -> Screen:
    environ = {"TERM": "xterm"}  # on a dumb one nothing is drawn twice
    shown = Console(
        file=Tty(terminal), width=terminal.columns, height=24, _environ=environ, **options
    )
    return Screen(shown)


def shown_meanwhile(*entries: Entry, columns: int = 60) -> list[str]:
    terminal = Terminal(columns)
    screen = on(terminal, highlight=False)
    with screen.live():
        for entry in entries:
            screen.entry(entry)
        meanwhile = terminal.lines
    assert [line for line in terminal.lines if " 0 s" in line] == []
    assert terminal.has_cursor
    return meanwhile


FACTS = {"in": "12000", "out": "345", "cost": "0.0215"}


def test_below_it_stands_what_goes_on_and_what_it_costs() -> None:
    assert shown_meanwhile(Objective("do it"), Said(ACTION, facts=FACTS)) == [
        "Objective: do it",
        "",
        "%% step 1",
        "Thought: look",
        "Action: grep",
        "Action Input: x",
        "y",
        "%% mended: a label was mended",
        "",
        "step 1  grep x y  0 s",
        "12,345 tokens  0.0215 $  0 s",
    ]


def test_the_progress_of_a_plan_is_a_row() -> None:
    assert shown_meanwhile(*PLAN)[-4:-2] == ["", "plan: 0 of 4 done; now: try"]
    assert "plan: 0 of 4 done; now: mend <U+001B>[2Jit" in shown_meanwhile(*PLAN, *EVIL_TASK)


def test_it_counts_while_nothing_comes() -> None:
    terminal = Terminal(60)
    screen = on(terminal)
    screen.since -= 70
    with screen.live():
        screen.count(Objective("do it"))
        screen.began -= 3600
        see(lambda: "1:00:0" in terminal.text, 20)
        assert terminal.lines[-2].startswith("step 1  asking the model  ")
        assert terminal.lines[-1].startswith("0 tokens  1:00:0")


EVIL = "evil\x1b[2J\x1b]0;t\x07 \x9b2J\r\x08\u202e 日本語 e\u0301 \t.\n%% mine\n" * 3
TEXTS = st.sampled_from(["", "x", "many words of it " * 9, EVIL, "日本語" * 30, "a\n" * 40])
ENTRIES = st.one_of(
    st.builds(lambda text: Objective(text), TEXTS),
    st.builds(lambda *said: Said(Turn(Kind.ACTION, *said)), TEXTS, TEXTS, TEXTS),
    st.builds(lambda text: Seen(text), TEXTS),
    st.builds(Event, st.sampled_from(["note", "stop", "stuck", "hint"]), TEXTS),
    st.sampled_from(PLAN),
)
COUNTS = re.compile(r"^step |^plan: | 0 s")
SIZES = st.tuples(st.integers(2, 200), st.integers(1, 50), st.booleans())


@settings(max_examples=40)
@given(st.lists(st.one_of(ENTRIES, SIZES), max_size=30), st.booleans())
def test_no_row_that_counts_stays_whatever_becomes_of_the_terminal(
    happening: list[Entry | tuple[int, int, bool]], fills_again: bool
) -> None:
    """We may be late to know of its width."""
    terminal = Terminal(80, fills_again=fills_again)
    screen = on(terminal)
    with screen.live():
        for one in happening:
            if isinstance(one, tuple):
                columns, height, is_known = one
                terminal.resize(columns)
                if is_known:
                    terminal.height = height
                    screen.console.size = ConsoleDimensions(columns, height)
            else:
                screen.entry(one)
    assert [line for line in terminal.lines if COUNTS.search(line)] == []
    assert (terminal.has_cursor, terminal.wraps, terminal.column) == (True, True, 0)


def test_no_terminal_no_rows_that_count() -> None:
    file = io.StringIO()
    screen = Screen(console(file))
    with screen.live():
        for entry in (Said(ACTION, facts=FACTS), Seen("x " * 100)):
            screen.entry(entry)
    assert file.getvalue() == (
        "%% step 1\nThought: look\nAction: grep\nAction Input: x\ny\n"
        f"%% mended: a label was mended\nObservation: {'x ' * 100}\n\n"
    )


def test_what_leaves_the_prompt_is_told() -> None:
    file = io.StringIO()
    screen = Screen(console(file))
    screen.entry(Event("compressed", "steps=1-3 stage=oldest"))
    screen.entry(Event("shelved", "steps=1 stage=history"))
    assert file.getvalue() == "%% from here on, prompts leave out what steps 1-3 showed\n"


@pytest.mark.parametrize(
    ("name", "value"), [("CI", "true"), ("REACT_AGENT_PLAIN", "1"), ("TERM", "dumb")]
)
def test_where_nothing_is_drawn_twice(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    terminal = Terminal(80)
    screen = Screen(console(Tty(terminal)))
    with screen.live():
        screen.entry(Said(ACTION))
        screen.entry(Seen("x"))
    assert terminal.redrawn == 0
    assert terminal.lines[0] == "%% step 1"


def test_plain_lines_are_not_wrapped_and_have_no_colours() -> None:
    file = Tty(Terminal(40))
    Screen(console(file, plain=True)).entry(Seen("many words " * 10))
    assert file.getvalue() == f"Observation: {'many words ' * 10}\n\n"


@given(st.lists(st.text(st.sampled_from(" ab\t\n\r\x1b\x85\u2028\u200b\u202eé漢😀")), min_size=1))
def test_lines_that_are_not_laid_out_look_as_if_they_were(lines: list[str]) -> None:
    ours, laid_out = io.StringIO(), io.StringIO()
    texts = [Text(line, style="bold red") for line in lines]
    shown: Any = console(ours, plain=True)
    Footer(shown, lambda columns: ()).print(*texts)
    plain = Console(file=laid_out, force_terminal=False)
    plain.print(*(Text(shown.shows(text.plain)) for text in texts), sep="\n", soft_wrap=True)
    assert ours.getvalue() == laid_out.getvalue()


def test_an_earlier_end_is_not_the_one_of_now() -> None:
    """A run that is taken up again has ended before."""
    screen = Screen(console(plain=True))
    for entry in (Objective("do it"), Event("stop", "interrupted by the keyboard")):
        screen.counted.take(entry)
    with screen.live():
        begun = screen.status.doing
    screen.count(Event("stop", "concluded by the model"))
    assert (begun, screen.status.doing) == ("making ready", "concluded: finishing")


def test_a_turn_that_is_broken_off_is_none_of_the_next_attempt() -> None:
    screen = Screen(console(plain=True))
    for entry in (Event(HEADER, VERSION), Objective("do it")):
        screen.count(entry)
        screen.within(entry)
    assert screen.status.step == "turn 1, step 1"
    screen.count(Event(HEADER, VERSION))
    assert screen.status.step == "step 1"


def test_a_line_that_was_typed_too_late_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    screen, around = Screen(console(plain=True)), SimpleNamespace(close=lambda: None)
    with until_it_ends(screen, around):  # type: ignore[arg-type]
        screen.keyboard.lines += ["look in units", "and hurry"]
    told = "%% the run ended before the model could read: look in units / and hurry\n"
    assert capsys.readouterr().out == told
