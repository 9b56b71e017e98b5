"""Where a reply is cut because it goes in circles, and where it must not be."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from turn_rows import FILES, parse_cases

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.turn.repetition import Repetition
from react_agent.parsers.turn.stop import StopScanner

DATA = Path(__file__).parents[1] / "data"
LEAD = "Thought: I look at the table of the file first, and change it then.\nAction: replace\n"
SENTENCE = "I should look at the balance directly after sorting by text. "
LINES = "    assert slug('a b') == 'a-b'\n    assert slug('') == ''\n    assert slug('é') == 'e'\n"
BLOCK = (
    "    # Fixed: ensure all values are strings\n"
    "    if not all(isinstance(value, str) for row in rows for value in row):\n"
    '        raise ValueError("All values must be strings")\n'
)
NUMBERS = ",".join(str(1326 + 3 * number) for number in range(400))
ROWS = "".join(f"    assert table[{row}][0] == {row * row}\n" for row in range(300))
MOST = 300  # tokens that a repetition may cost


def _kept(text: str) -> int | None:
    found = Repetition()
    found.feed(text)
    return found.kept


@table_of(
    ("again", "first"),
    {
        "a few letters": ("ab-" * 700, 60),
        "a sentence": (SENTENCE * 40, len(SENTENCE)),
        "a few lines": (LINES * 20, len(LINES)),
        "a block, as in a reply of the lab": (BLOCK * 4, len(BLOCK)),
        "a counting list": (NUMBERS, 60),
        "lines that count": (ROWS, 120),
        "empty lines": ("\n" * 3000, 60),
        "another script": ("計算する。" * 300, 60),
    },
)
def test_a_reply_is_kept_up_to_the_first_round(again: str, first: int) -> None:
    found = Repetition()
    text = LEAD + again
    used = next(at for at in range(1, len(text) + 1) if found.feed(text[at - 1]))
    assert found.kept is not None
    assert abs(found.kept - len(LEAD)) <= first
    assert estimate_tokens(text[len(LEAD) : used]) <= MOST or again.isspace()


@table_of(
    "text",
    {
        "said twice": SENTENCE * 2,
        "a table": "|---" * 20 + "|\n" + "|   " * 20,
        "a table of times": "".join(
            f"    ('{hour}:30', {hour * 60 + 30}),\n" for hour in (n * 7 % 24 for n in range(24))
        ),
        "rows of zeros": "        [0, 0, 0, 0, 0, 0, 0, 0, 0],\n" * 9,
    },
)
def test_what_is_meant_is_left_alone(text: str) -> None:
    assert _kept(LEAD + text) is None


def _scenarios() -> Iterator[str]:
    for path in FILES:
        for case in parse_cases(path.name, path.read_text(encoding="utf-8")):
            if "reply" in case.row.fields:
                yield case.row.text("reply")


def _recorded() -> Iterator[str]:
    """Replies that ask for something; what the reader reads of them."""
    for path in (*DATA.glob("replies*.jsonl"), *DATA.glob("lab/replies*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row.get("means", {}).get("kind") in ("action", "edit", "conclusion"):
                yield StopScanner().feed(row["reply"] + "\n")


def _patches() -> Iterator[str]:
    """Every third of those that models wrote."""
    with gzip.open(DATA / "model-patches.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from (json.loads(line)["raw"] for line in list(file)[::3])


@table_of("texts", [_scenarios, _recorded, _patches])
def test_no_good_reply_is_cut(texts: object) -> None:
    assert callable(texts)
    found = list(texts())
    assert len(found) > 150
    assert [text for text in found if _kept(text) is not None] == []


@given(st.text("ab1 \n", max_size=40), st.integers(1, 80), st.lists(st.integers(1, 200)))
def test_pieces_of_any_size_come_to_the_same(round_: str, times: int, sizes: list[int]) -> None:
    text = LEAD + round_ * times
    found, at = Repetition(), 0
    for size in (*sizes, len(text)):
        found.feed(text[at : at + size])
        at += size
    assert found.kept == _kept(text)
