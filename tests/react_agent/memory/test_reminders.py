"""Lines that come by themselves, because a Thought names a file or a symbol."""

import pytest
from check_rows import table_of
from made_runs import made_of

from react_agent.memory.index import Memory
from react_agent.memory.recall import reminders

FILE = """src/x.py lines 10-14 of 90
  10| import os
  11| from limits import TIMEOUT
  12| # the timeout of a call
  13| MAX_TRIES = 3
  14| TIMEOUT_S = 37"""
SEARCH = "2 matching lines in 2 of 9 files\nsrc/y.py:5: wait(TIMEOUT_S)\nsrc/z.py:8: print(1)"
LOG = "=== FAILURES ===\nsrc/x.py:40: in read_limits\n    raise\nE   KeyError: 'tries'\n1 failed"


@pytest.fixture
def memory() -> Memory:
    made = made_of()
    made.add("look", "read_file", "src/x.py:10-14", FILE)
    made.add("search", "grep", "wait", SEARCH)
    made.add("test", "run_tests", "", LOG)
    return made.memory


@table_of(
    ("thought", "most", "expected"),
    [
        ("TIMEOUT_S is too small", 1, ["step 1, src/x.py line 14: TIMEOUT_S = 37"]),
        (
            "TIMEOUT_S is too small",
            4,
            [
                "step 1, src/x.py line 14: TIMEOUT_S = 37",
                "step 2, src/y.py line 5: wait(TIMEOUT_S)",
            ],
        ),
        ("why does read_limits() fail?", 1, ["step 3, run_tests line 4: E   KeyError: 'tries'"]),
        ("src/x.py has the number of tries", 1, ["step 1, src/x.py line 13: MAX_TRIES = 3"]),
        ("timeouts are too small", 4, []),
        ("UNKNOWN_NAME and src/none.py", 4, []),
        ("TIMEOUT_S", 0, []),
    ],
)
def test_brings_the_best_lines(
    memory: Memory, thought: str, most: int, expected: list[str]
) -> None:
    assert reminders(memory, thought, set(), most) == expected


def test_brings_no_line_that_the_prompt_shows_anyway(memory: Memory) -> None:
    shown = "Observation: src/y.py\n   5| wait(TIMEOUT_S)\n"
    assert reminders(memory, "TIMEOUT_S is too small", set(), 4, shown) == [
        "step 1, src/x.py line 14: TIMEOUT_S = 37"
    ]


def test_brings_no_note_of_ours() -> None:
    made = made_of()
    made.add("search", "grep", "x", "src/x.py [3 more here]\n[9 lines below; next: src/x.py:10-19]")
    assert reminders(made.memory, "what else is in src/x.py?", set(), 4) == []
