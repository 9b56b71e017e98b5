"""What is other in every run of a program, and what only looks like it."""

import pytest
from check_rows import table_of

from react_agent.parsers.text.printed import without_noise


@table_of(
    ("one", "other"),
    [
        pytest.param("at 2026-01-02T10:11:12Z", "at 2026-11-22 09:00:01,123", id="date and time"),
        pytest.param("01/Jan/2026:10:11:12", "22/Nov/2026:09:00:01", id="in a server's log"),
        pytest.param("3 passed in 0.12s", "3 passed in 12.5 s", id="how long it took"),
        pytest.param("pid=12", "pid=9999", id="pid"),
        pytest.param("<A at 0x7f00aa>", "<A at 0x7F99BB11>", id="address"),
        pytest.param("/tmp/tmpab1/x: no", "/private/var/folders/q/x: no", id="temporary folder"),
        pytest.param("tmpabc12x_ failed", "tmpzz9_yyq failed", id="temporary name"),
        pytest.param("built 10%", "built 99.5 %", id="share"),
        pytest.param(
            "id 1f2e3d4c-1111-2222-3333-123456789012",
            "id aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb",
            id="unique",
        ),
        pytest.param(
            "(Your reply was mended: a label was mended.)\nx", "x", id="words about the reply"
        ),
    ],
)
def test_it_is_noise(one: str, other: str) -> None:
    assert without_noise(one) == without_noise(other)


def test_a_count_is_none() -> None:
    assert without_noise("3 failed") != without_noise("2 failed")
