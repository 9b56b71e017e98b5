from fuzz_words import replies
from hypothesis import example, given
from hypothesis import strategies as st
from turn_rows import DIALECTS, gist

from react_agent.parsers.turn.stop import StopScanner
from react_agent.parsers.turn.turn import parse_turn


def scanned(text: str, cuts: list[int]) -> tuple[str, bool]:
    scanner = StopScanner()
    ends = [*sorted({cut % (len(text) + 1) for cut in cuts}), len(text)]
    shown = ""
    for begin, end in zip([0, *ends], ends, strict=False):
        shown += scanner.feed(text[begin:end])
    return shown + scanner.finish(), scanner.stopped


def test_knows_the_labels_of_its_dialect() -> None:
    scanner = StopScanner(DIALECTS["chinese"])
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
    assert gist(parse_turn(shown, why=why)) == gist(parse_turn(text, why=why))
