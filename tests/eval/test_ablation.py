"""Arms that lack something."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.errors import UsageError
from react_agent.eval.task import Arm
from react_agent.eval.without import arms

NOWHERE = Path("/nonexistent")
ARM = Arm("openai/gpt-6", budget={"steps": "9"})


def _named(without: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return {arm.name: arm.without for arm in arms(ARM, without, NOWHERE)}


@table_of(
    ("without", "expected"),
    [
        pytest.param(["hidden"], {"no-hidden": ("hidden",)}, id="one"),
        pytest.param(
            ["hidden, repair", "grep"],
            {"no-hidden": ("hidden",), "no-repair": ("repair",), "no-grep": ("grep",)},
            id="lists, and a tool",
        ),
        pytest.param(["hidden,,hidden"], {"no-hidden": ("hidden",)}, id="said twice"),
    ],
)
def test_arms(without: list[str], expected: dict[str, tuple[str, ...]]) -> None:
    assert _named(without) == {"plain": (), **expected}


def test_all_else_is_the_same() -> None:
    found = {(arm.model, arm.profile, arm.budget["steps"]) for arm in arms(ARM, ["gate"], NOWHERE)}
    assert found == {("openai/gpt-6", "issue", "9")}


@table_of(
    ("without", "expected"),
    [
        pytest.param([], "nothing to go without: say --without hidden,repair,TOOL,...", id="0"),
        pytest.param(
            [" , "], "nothing to go without: say --without hidden,repair,TOOL,...", id=","
        ),
        pytest.param(["magic"], "nothing is called 'magic': there are ", id="unknown"),
    ],
)
def test_what_there_is_not_is_said_before_anything_is_paid_for(
    without: list[str], expected: str
) -> None:
    with pytest.raises(UsageError) as error:
        _named(without)
    assert str(error.value).startswith(expected)
