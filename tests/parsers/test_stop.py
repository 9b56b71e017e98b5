import pytest
from check_rows import table_of
from fuzz_words import replies
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.transcript.labels import CHINESE
from react_agent.parsers.turn.stop import StopScanner
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn

STEP = "I look.\nAction: grep\nAction Input: x\n"


def scanned(text: str, cuts: list[int]) -> tuple[str, bool]:
    scanner = StopScanner()
    ends = [*sorted({cut % (len(text) + 1) for cut in cuts}), len(text)]
    shown = ""
    for begin, end in zip([0, *ends], ends, strict=False):
        shown += scanner.feed(text[begin:end])
    return shown + scanner.finish(), scanner.stopped


@table_of(
    ("text", "shown", "stopped"),
    {
        "nothing to stop at": (STEP, STEP, False),
        "observation": (f"{STEP}Observation: 3", STEP, True),
        "two letters are text": (f"{STEP}Ob", f"{STEP}Ob", False),
        "decorated": (f"{STEP}**Observation 2:** 3", STEP, True),
        "behind a token": (f"{STEP}<|im_end|>Observation: 3", STEP, True),
        "first of all, indented": ("\n  Observation: y\nz", "\n", True),
        "a second turn": (
            f"{STEP}Thought: then\nAction: b\nAction Input: y\nThought: more",
            STEP,
            True,
        ),
        "not in a fence": (
            "Action: w\nAction Input: ```\nObservation: x\n```\nObservation: y",
            "Action: w\nAction Input: ```\nObservation: x\n```\n",
            True,
        ),
        "not in a here-document": (
            "Action: w\nAction Input: cat <<EOF\nObservation: x\nEOF\nObservation: y",
            "Action: w\nAction Input: cat <<EOF\nObservation: x\nEOF\n",
            True,
        ),
        "as far in as the reply": (
            "  Action: w\n  Action Input: x\n  Observation: y",
            "  Action: w\n  Action Input: x\n",
            True,
        ),
    },
)
def test_stops_and_shows_what_is_safe(text: str, shown: str, stopped: bool) -> None:
    assert scanned(text, []) == (shown, stopped)
    assert scanned(text, list(range(len(text)))) == (shown, stopped)


def test_stops_as_soon_as_the_label_is_whole() -> None:
    scanner = StopScanner()
    assert [scanner.feed(piece) for piece in ("x\nOb", "servation", ":")] == ["x\n", "", ""]
    assert scanner.stopped
    assert (scanner.feed(" more\n"), scanner.finish()) == ("", "")


def test_holds_nothing_back_that_can_be_no_label() -> None:
    scanner = StopScanner()
    pieces = ["I", " look", "\nOb", "viously", ", ", "no", "\n    Obs", "\nAct", "or", "\n```\nObs"]
    shown = ["I", " look", "\n", "Obviously", ", ", "no", "\n    Obs", "\n", "Actor", "\n```\nObs"]
    assert [scanner.feed(piece) for piece in pieces] == shown


def test_knows_the_labels_of_its_dialect() -> None:
    scanner = StopScanner(CHINESE)
    assert scanner.feed("操作: grep\n操作输入: x\n观察：y") == "操作: grep\n操作输入: x\n"
    assert scanner.stopped


@given(replies, st.lists(st.integers(0)))
def test_it_does_not_matter_where_a_stream_is_split(text: str, cuts: list[int]) -> None:
    assert scanned(text, cuts) == scanned(text, [])


@given(replies)
@example("Action: A\nAction Input:\n</think>Thought:\nObservation:")
@example("Action: A\nAction Input:</think>\nObjective:")
@example("Action:\nObs\nThought:")
def test_what_is_shown_is_a_beginning_and_reads_like_the_whole(text: str) -> None:
    shown, stopped = scanned(text, [])
    why = "stop" if stopped else None
    assert text.startswith(shown)
    assert _gist(parse_turn(shown, why=why)) == _gist(parse_turn(text, why=why))


def _gist(turn: Turn) -> tuple[Kind, str, str, str, str]:
    return turn.kind, turn.thought, turn.action, turn.input, turn.conclusion


@table_of(
    ("text", "shown"),
    {
        "a here-document in CRLF": (
            "Action: w\r\nAction Input: cat <<EOF\r\nObservation: x\r\nEOF\r\nObservation: y",
            "Action: w\r\nAction Input: cat <<EOF\r\nObservation: x\r\nEOF\r\n",
        ),
        "at the end of a line that began in reasoning": (
            "<think>x\n</think>Observation: y\nmore",
            "<think>x\n</think>Observation: y",
        ),
        "at the end of a line with a lone tag": ("x\n</think>Observation: y\nmore", "x\n"),
    },
)
def test_stops_where_nothing_more_can_count(text: str, shown: str) -> None:
    assert scanned(text, []) == (shown, True)
    assert scanned(text, list(range(len(text)))) == (shown, True)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        pytest.param(["  Obs", "ession"], ["", "  Obsession"], id="behind blanks, first of all"),
        pytest.param(
            ["</", 117 * "x", "x"], ["", "", f"</{118 * 'x'}"], id="a tag, up to a length"
        ),
    ],
)
def test_holds_back_what_may_still_stop_it(pieces: list[str], shown: list[str]) -> None:
    scanner = StopScanner()
    assert [scanner.feed(piece) for piece in pieces] == shown


@table_of(
    ("text", "is_open", "has_acted"),
    [
        pytest.param(" I look", False, False, id="prose"),
        pytest.param("<think>\nhm", True, False, id="reasoning"),
        pytest.param("so\n```\nx", True, False, id="a fence in a thought"),
        pytest.param("Action: w\nAction Input: cat <<E\nx", True, True, id="a here-document"),
        pytest.param("x\nConclusion: y", False, False, id="a conclusion"),
    ],
)
def test_tells_what_is_open_while_more_may_come(text: str, is_open: bool, has_acted: bool) -> None:
    scanner = StopScanner()
    scanner.feed(text)
    assert (scanner.is_open, scanner.has_acted) == (is_open, has_acted)
    scanner.feed("\n")
    assert (scanner.is_open, scanner.has_acted) == (is_open, has_acted)
