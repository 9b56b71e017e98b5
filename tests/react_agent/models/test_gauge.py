"""What a prompt weighs, and whether all of it was read."""

from check_rows import table_of

from react_agent.models.connection import Gauge
from react_agent.models.contract import Usage, View
from react_agent.parsers.text.tokens import estimate_tokens

TURN = "Thought: a\nAction: b\nAction Input: c\nObservation: " + "some words of it\n" * 150
STEP = estimate_tokens(TURN)


def _view(turns: int) -> View:
    return View("", "", (TURN,) * turns, "")


def test_leans_on_what_was_counted_last() -> None:
    gauge = Gauge()
    assert gauge.expected(_view(2)) == 2 * STEP
    assert gauge.settled(_view(2), Usage(500, 7), "x") == Usage(500, 7)
    assert gauge.expected(_view(3)) == 500 + STEP
    assert gauge.expected(_view(1)) == STEP  # it was compressed


@table_of(
    ("counted", "then", "now", "usage", "is_lost"),
    {
        "half of an estimate may be right": (0, 0, 8, int(STEP * 8 * 0.5), False),
        "less is not": (0, 0, 8, int(STEP * 8 * 0.3), True),
        "a small prompt": (0, 0, 2, 10, False),
        "grown by half of it": (4000, 8, 9, 4000 + STEP // 2, False),
        "not grown": (4096, 8, 9, 4096, True),
        "counted in another way": (4000, 8, 8, 3500, False),
        "shrunk": (4000, 8, 9, 2000, True),
        "only what was not in a cache": (4000, 8, 9, 42, False),
        "compressed": (4000, 9, 8, 3500, False),
    },
)
def test_notices_what_was_left_out(
    counted: int, then: int, now: int, usage: int, is_lost: bool
) -> None:
    gauge = Gauge()
    if counted:
        gauge.settled(_view(then), Usage(counted, 7), "x")
    assert bool(gauge.lost(_view(now), Usage(usage, 7))) == is_lost
    assert gauge.lost(_view(now), None) == 0


def test_a_script_that_weighs_less_than_it_seems_is_not_taken_for_lost() -> None:
    """Chinese is a good half of its estimate for some tokenizers."""
    gauge, text = Gauge(), "请检查这个函数的返回值是否正确，" * 400
    real = int(estimate_tokens(text) * 0.54)
    assert gauge.lost(View("", text, (), ""), Usage(real, 7)) == 0
    gauge.settled(View("", text, (), ""), Usage(real, 7), "x")
    assert gauge.lost(View("", text, (text,), ""), Usage(real * 2, 7)) == 0


def test_a_count_of_next_to_nothing_is_none() -> None:
    gauge = Gauge()
    assert gauge.settled(_view(4), Usage(1, 5), "x").is_estimate
    assert gauge.counted == 0
