import pytest

from react_agent.parsers.mentions import mentions


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import a.b as c, d", ["a/b", "d"]),
        ("from a.b import c, d as e", ["a/b", "a/b/c", "a/b/d"]),
        ("from . import (x)", ["x"]),
        ("from ..a import x", ["a", "a/x"]),
        ("from a import (", ["a"]),
        ("import x from '../lib/y.js'", ["lib/y"]),
        ('#include "a/b.h"', ["a/b"]),
        ("use crate::a::b;", ["a/b"]),
        ("use", []),
    ],
)
def test_reads_what_a_line_takes_in(line: str, expected: list[str]) -> None:
    assert list(mentions(line)) == expected
