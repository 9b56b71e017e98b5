"""Values whose texts take no more than so much room."""

import pytest

from react_agent.eval.page.page import shortened


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        pytest.param(10**6, ["ok", "x" * 900, 3, None], id="fits"),
        pytest.param(
            500,
            [
                "ok",
                f"{'x' * 266}\n[... 500 characters are left out here ...]\n{'x' * 134}",
                3,
                None,
            ],
            id="the long one gives way",
        ),
    ],
)
def test_shortens(room: int, expected: list[object]) -> None:
    assert shortened(("ok", "x" * 900, 3, None), room) == expected
