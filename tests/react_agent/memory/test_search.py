"""Steps of a run, found by words."""

from pathlib import Path

from check_rows import table_of
from made_runs import made_of

from react_agent.memory.index import Memory
from react_agent.memory.recall import recalled
from react_agent.memory.search import search
from react_agent.parsers.transcript.entries import Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.parsers.values.targets import RecallRequest
from react_agent.state.steps import SHELVED, compressed_event
from react_agent.tools.context import Context


def _steps(memory: Memory, words: str) -> list[int]:
    return [found.step for found in search(memory, words, set()).found]


def test_what_holds_next_to_nothing_of_the_question_is_no_answer() -> None:
    near = "the retry limit of the client is seven"
    memory = made_of(near, *(f"of the file {at}" for at in range(5))).memory
    assert _steps(memory, "which retry limit of the client is it, of the file") == [1]


def test_steps_that_looked_back_and_replies_that_could_not_be_read_are_not_kept() -> None:
    made = made_of("alpha")
    made.add("again", "recall", "alpha", "step 1: alpha")
    made.state.take(Said(Turn(Kind.MALFORMED, "alpha beta", problem="no action")))
    made.state.take(Seen("Your reply could not be read: alpha"))
    assert (_steps(made.memory, "alpha"), _steps(made.memory, "beta")) == ([1], [])


@table_of(
    ("text", "words"),
    [
        ("def parse_date(text):", "parse date"),
        ("def parse_date(text):", "parsing of dates"),
        ("class DateParser:", "date parser"),
        ("import os.path_helper", "path_helper"),
        ("see src/net/client.py", "client.py"),
        ("wait 250ms", "250"),
        ("two retries", "retry"),
        ("MAX_SIZE = 1", "maximum"),
        ("naïve Bestände", "bestande"),
        ("退款金额不能超过订单总额", "订单"),
        ("lone \ud800 surrogate", "surrogate"),
    ],
)
def test_words_are_found_by_their_parts_and_stems(text: str, words: str) -> None:
    assert _steps(made_of("nothing of it", text).memory, words)[0] == 2


def test_a_line_far_down_is_found_with_its_number() -> None:
    lines = [f"filler {number}" for number in range(1, 400)]
    lines[278] = "LIMIT = 37"
    memory = made_of("\n".join(lines), "a limit of nothing").memory
    [best, *_] = search(memory, "limit 37", set()).found
    assert (best.step, dict(best.lines)[279]) == (1, "LIMIT = 37")


def test_how_it_failed_is_shown_with_the_place_that_is_asked_for() -> None:
    log = (
        "test_prices fails\nprices fail\nsrc/x.py:7: in test_prices\n    raise\nE   KeyError: 'eur'"
    )
    memory = made_of(f"{log}\nFAILED test_prices\nFAILED prices\nfailing prices").memory
    [best] = search(memory, "test_prices failure src x.py", set()).found
    assert dict(best.lines)[5] == "E   KeyError: 'eur'"


def test_the_number_of_a_line_is_not_what_it_holds() -> None:
    memory = made_of("x.py lines 37-37 of 90\n  41| something").memory
    assert search(memory, "41", set()).nowhere == ("41",)


def test_hidden_steps_are_not_found_and_named() -> None:
    hits = search(made_of("alpha", "alpha beta", "gamma").memory, "alpha beta omega", {2})
    assert ([one.step for one in hits.found], hits.above, hits.nowhere) == ([1], (2,), ("omega",))


def test_the_input_of_a_step_is_remembered_too() -> None:
    made = made_of("alpha")
    made.add("write", "write_file", "src/y.py\n" + "filler\n" * 200 + "OMEGA = 9\n", "written")
    [best] = search(made.memory, "omega", set()).found
    assert (best.step, dict(best.lines)[203]) == (2, "OMEGA = 9")  # below what it showed
    made.state.take(compressed_event(SHELVED, [2]))
    answer = recalled(made.memory, None, made.state, RecallRequest("omega"), Context(Path()))
    assert "; for some of its lines: 2:1-41]" in answer.text
