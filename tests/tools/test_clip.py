from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.tools.clip import clip, clip_line
from react_agent.tools.context import Limits

SMALL = Limits(line_chars=40, output_chars=300)


def test_keeps_head_and_tail_and_says_what_it_left_out() -> None:
    assert clip("one\ntwo\n", SMALL) == "one\ntwo\n"
    text = "\n".join(f"line {number}" for number in range(100))
    shown = (
        "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n"
        "[... {} left out here: at most 300 characters are shown at once, {} ...]\n"
        "line 92\nline 93\nline 94\nline 95\nline 96\nline 97\nline 98\nline 99"
    ).format
    advice = "ask for less to see them"
    assert clip(text, SMALL) == shown("84 lines (670 characters)", advice)
    assert clip(text, SMALL, "filter it", 1000) == shown("about 1,670 bytes", "filter it")


@table_of(
    ("around", "expected"),
    {
        "head": (0, "0123456789…(+90 characters)"),
        "tail": (99, "(+90 characters)…0123456789"),
        "middle": (55, "(+50 characters)…0123456789…(+40 characters)"),
    },
)
def test_clips_a_line_around_what_matters(around: int, expected: str) -> None:
    assert clip_line("0123456789" * 10, 46, around) == expected


texts = st.lists(st.text("ab |", max_size=90), max_size=60).map("\n".join)
some_limits = st.builds(Limits, line_chars=st.integers(1, 90), output_chars=st.integers(1, 900))


@given(texts, some_limits)
def test_never_shows_more_than_the_limit(text: str, limits: Limits) -> None:
    assert len(clip(text, limits)) <= max(limits.output_chars, 260)


@example("\n" * 240 + "a" * 30, Limits(output_chars=1))
@given(texts, st.builds(Limits, output_chars=st.integers(1, 900)))
def test_clipping_twice_is_clipping_once(text: str, limits: Limits) -> None:
    once = clip(text, limits)
    assert clip(once, limits) == once
