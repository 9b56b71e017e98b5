"""HTML in which every text is text; numbers as pages write them."""

import json

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_attempts import HOSTILE

from react_agent.page.markup import Markup, data, join, tag, text, void, written
from react_agent.page.plot import axis_marks, dollars, time
from react_agent.parsers.text.counted import short
from react_agent.parsers.transcript.quoting import visible


@table_of(
    ("made", "expected"),
    {
        "text": (tag("p", "a < b"), "<p>a &lt; b</p>"),
        "both": (tag("p", Markup("<b>x</b>"), "&"), "<p><b>x</b>&amp;</p>"),
        "value": (tag("a", "x", href='"><script>'), '<a href="&quot;&gt;&lt;script&gt;">x</a>'),
        "_": (tag("i", class_="a", data_kind="b"), '<i class="a" data-kind="b"></i>'),
        "none": (tag("i", hidden="", id=None), '<i hidden=""></i>'),
        "number": (tag("rect", width=12.50, x=3), '<rect width="12.5" x="3"></rect>'),
        "no end": (void("input", type="search"), '<input type="search">'),
        "joined": (join("a", "", Markup("<br>"), between=" "), "a <br>"),
        "unseen": (text("\u202ea\x1b[0m"), "&lt;U+202E&gt;a&lt;U+001B&gt;[0m"),
        "again": (written('<U+202E>\u202e"'), '&lt;U+202E&gt;&lt;U+202E&gt;"'),
    },
)
def test_writes(made: Markup, expected: str) -> None:
    assert made == expected


@settings(max_examples=30)
@given(st.text())
@pytest.mark.parametrize("before", ["", HOSTILE])
def test_data_reads_back_and_ends_nothing(before: str, words: str) -> None:
    value = [visible(before + words)]
    made = data("x", value)
    start, end = '<script type="application/json" id="x">', "</script>"
    inner = made.removeprefix(start).removesuffix(end)
    assert json.loads(inner) == value
    assert not set("<>&\u2028\u2029") & set(inner)
    inner.encode()  # no lone surrogate is left


@table_of(
    ("made", "expected"),
    {
        "no tokens": (short(0), "0"),
        "hundreds": (short(950), "950"),
        "thousands": (short(12_345), "12.3k"),
        "millions": (short(1_234_567), "1.23M"),
        "no price": (dollars(None), "–"),
        "free": (dollars(0), "$0"),
        "nearly free": (dollars(0.00005), "<$0.0001"),
        "cents": (dollars(0.1), "$0.10"),
        "dear": (dollars(1234.5), "$1,234"),
        "seconds": (time(67), "67 s"),
        "minutes": (time(210), "3.5 min"),
        "hours": (time(9000), "2.5 h"),
    },
)
def test_counts(made: str, expected: str) -> None:
    assert made == expected


@table_of(
    ("most", "expected"),
    {
        "small": (0.23, [0, 0.1, 0.2, 0.3]),
        "one": (1, [0, 0.25, 0.5, 0.75, 1]),
        "large": (39_000, [0, 10_000, 20_000, 30_000, 40_000]),
    },
)
def test_marks_an_axis(most: float, expected: list[float]) -> None:
    assert axis_marks(most) == pytest.approx(expected)
