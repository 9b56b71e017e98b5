"""The file of a run's memory: made of the steps, and made again where it is not what they say."""

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of
from made_runs import Made

from react_agent.loop.steps import COMPRESSED, compressed_event
from react_agent.memory.search import search
from react_agent.memory.store import Memory, open_memory
from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn


def _made(*texts: str) -> Made:
    made = Made()
    made.state.take(Objective("mend it"))
    for text in texts:
        made.add("look", "read_file", "src/x.py", text)
    return made


def _open(place: Path | None, made: Made) -> Memory:
    return open_memory(place, lambda: made.state.steps)


def _steps(memory: Memory, words: str) -> list[int]:
    return [found.step for found in search(memory, words, set(), 100).found]


def _reopened(place: Path, made: Made, words: str) -> list[int]:
    memory = _open(place, made)
    try:
        return _steps(memory, words)
    finally:
        memory.close()


def test_it_is_taken_up_where_it_was(tmp_path: Path) -> None:
    place, made = tmp_path / "memory.sqlite", _made("alpha", "beta")
    _open(place, made).close()
    before = place.stat().st_ino
    made.add("look", "read_file", "src/x.py", "gamma")
    assert _reopened(place, made, "beta gamma") == [3, 2]
    assert place.stat().st_ino == before


def _cut(place: Path) -> None:
    os.truncate(place, place.stat().st_size // 2)


def _scrawl(place: Path) -> None:
    data = bytearray(place.read_bytes())
    data[: len(data) : 7] = b"x" * len(data[: len(data) : 7])
    place.write_bytes(data)


def _of_another_version(place: Path) -> None:
    database = sqlite3.connect(place)
    database.execute("PRAGMA user_version = 99")
    database.close()


def _without_words(place: Path) -> None:
    database = sqlite3.connect(place)
    database.execute("DROP TABLE words")
    database.close()


@pytest.mark.parametrize(
    "damage",
    [Path.unlink, _cut, _scrawl, _of_another_version, _without_words, lambda p: p.write_text("")],
)
def test_what_is_missing_or_damaged_is_made_again(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    place, made = tmp_path / "memory.sqlite", _made(*(f"word{at} alpha\n" * 50 for at in range(30)))
    _open(place, made).close()
    damage(place)
    assert _reopened(place, made, "word7") == [8]
    assert _reopened(place, made, "word29") == [30]


def test_what_a_person_changed_in_the_transcript_is_what_is_found(tmp_path: Path) -> None:
    place = tmp_path / "memory.sqlite"
    _open(place, _made("alpha", "beta", "gamma")).close()
    edited = _made("alpha", "delta")
    assert _reopened(place, edited, "beta gamma") == []
    assert _reopened(place, edited, "delta") == [2]


def test_what_the_prompt_leaves_out_since_is_still_what_was_stored(tmp_path: Path) -> None:
    place, made = tmp_path / "memory.sqlite", _made("alpha\n" * 50, "beta")
    _open(place, made).close()
    made.state.take(compressed_event(COMPRESSED, [1]))
    assert made.state.in_view == {2}
    memory = _open(place, made)
    memory.database.execute("UPDATE step SET seen = 'kept' WHERE number = 1")  # not made again
    memory.close()
    reopened = _open(place, made)
    assert (kept := reopened.step(1)) and kept.seen == "kept"
    reopened.close()


def test_a_file_that_is_damaged_meanwhile_harms_nothing(tmp_path: Path) -> None:
    place, made = tmp_path / "memory.sqlite", _made("alpha\n" * 500)
    memory = _open(place, made)
    memory.database.execute("DROP TABLE words")
    assert _steps(memory, "alpha") == [1]
    made.add("look", "read_file", "src/x.py", "beta")
    assert _steps(memory, "beta") == [2]
    memory.close()


def test_a_folder_that_is_not_there_harms_nothing(tmp_path: Path) -> None:
    assert _reopened(tmp_path / "no" / "memory.sqlite", _made("alpha"), "alpha") == [1]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
@pytest.mark.may_skip("the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_harms_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert _reopened(tmp_path / "memory.sqlite", _made("alpha"), "alpha") == [1]
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_what_holds_next_to_nothing_of_the_question_is_no_answer() -> None:
    near = "the retry limit of the client is seven"
    memory = _open(None, _made(near, *(f"of the file {at}" for at in range(5))))
    assert _steps(memory, "which retry limit of the client is it, of the file") == [1]
    memory.close()


def test_steps_that_looked_back_and_replies_that_could_not_be_read_are_not_kept() -> None:
    made = _made("alpha")
    made.add("again", "recall", "alpha", "step 1: alpha")
    made.state.take(Said(Turn(Kind.MALFORMED, "alpha beta", problem="no action")))
    made.state.take(Seen("Your reply could not be read: alpha"))
    memory = _open(None, made)
    assert (_steps(memory, "alpha"), _steps(memory, "beta")) == ([1], [])
    memory.close()


@table_of(
    ("text", "words"),
    [
        ("def parse_date(text):", "parse date"),
        ("def parse_date(text):", "parsing of dates"),
        ("def parse_date(text):", "parse_date"),
        ("class DateParser:", "date parser"),
        ("import os.path_helper", "path_helper"),
        ("see src/net/client.py", "client.py"),
        ("see src/net/client.py", "net client"),
        ("wait 250ms", "250"),
        ("raise UnknownUnitError", "unknown unit"),
        ("the timeout is reached", "timeouts"),
        ("two retries", "retry"),
        ("MAX_SIZE = 1", "maximum"),
        ("configured", "confi"),
        ("naïve Größe", "größe"),
        ("naïve Bestände", "bestande"),
        ("naive", "naïve"),
        ("退款金额不能超过订单总额", "订单"),
        ("設定ファイルを読む", "ファイル"),
        ("환불금액은", "환불금액"),
        ("lone \ud800 surrogate", "surrogate"),
        ('quotes " and * and (', 'quotes "*" ('),
        ("NEAR AND OR NOT", "NEAR NOT"),
    ],
)
def test_words_are_found_by_their_parts_and_stems(text: str, words: str) -> None:
    memory = _open(None, _made("nothing of it", text))
    assert _steps(memory, words)[0] == 2
    memory.close()


def test_a_line_far_down_is_found_with_its_number() -> None:
    lines = [f"filler {number}" for number in range(1, 400)]
    lines[278] = "LIMIT = 37"
    memory = _open(None, _made("\n".join(lines), "a limit of nothing"))
    [best, *_] = search(memory, "limit 37", set(), 3).found
    assert (best.step, dict(best.lines)[279]) == (1, "LIMIT = 37")
    memory.close()


def test_how_it_failed_is_shown_with_the_place_that_is_asked_for() -> None:
    log = (
        "test_prices fails\nprices fail\nsrc/x.py:7: in test_prices\n    raise\nE   KeyError: 'eur'"
    )
    memory = _open(None, _made(f"{log}\nFAILED test_prices\nFAILED prices\nfailing prices"))
    [best] = search(memory, "test_prices failure src x.py", set(), 2).found
    assert dict(best.lines)[5] == "E   KeyError: 'eur'"
    memory.close()


def test_the_number_of_a_line_is_not_what_it_holds() -> None:
    memory = _open(None, _made("x.py lines 37-37 of 90\n  41| something"))
    assert search(memory, "41", set(), 2).nowhere == ("41",)
    memory.close()


def test_hidden_steps_are_not_found_and_named() -> None:
    memory = _open(None, _made("alpha", "alpha beta", "gamma"))
    hits = search(memory, "alpha beta omega", {2}, 4)
    assert ([one.step for one in hits.found], hits.above, hits.nowhere) == ([1], (2,), ("omega",))
    memory.close()


def test_what_says_the_same_comes_after_what_says_something_else() -> None:
    memory = _open(None, _made("limit = 1", "the limit of it", "limit = 1"))
    assert _steps(memory, "limit") == [3, 2, 1]
    memory.close()


def test_the_input_of_a_step_is_remembered_too() -> None:
    made = _made("alpha")
    made.add("write", "write_file", "src/y.py\n" + "filler\n" * 200 + "OMEGA = 9\n", "written")
    memory = _open(None, made)
    [best] = search(memory, "omega", set(), 3).found
    assert (best.step, best.part.value, dict(best.lines)[202]) == (2, "input", "OMEGA = 9")
    memory.close()
