"""The examples that the idea was first shown with, in the profile `classic`: done again, the same.

To record one anew: `react-agent solve OBJECTIVE --profile classic --model replay/FILE`.
"""

from pathlib import Path
from typing import Any

from check_rows import table_of

from react_agent.state.state import fold
from react_agent.state.transcript import read

BOOK = Path(__file__).parents[2] / "data" / "textbook"


@table_of(
    ("name", "tools", "last", "conclusion"),
    {
        "a power of an age": (
            "olivia-wilde",
            ["lookup", "lookup", "calculator"],
            "2.169459462491557",
            "29^0.23 is 2.169459462491557",
        ),
        "an average height": (
            "eurovision",
            ["lookup", "lookup", "calculator"],
            "165",
            "the average height is hers, 165 cm",
        ),
    },
)
def test_replays_with_no_difference(
    cli: Any, repository: Path, name: str, tools: list[str], last: str, conclusion: str
) -> None:
    state = fold(read(BOOK / f"{name}.txt").entries)
    assert [step.seen.facts["tool"] for step in state.steps] == tools
    assert state.steps[-1].seen.text == last
    assert conclusion in state.conclusion
    answer = cli("replay", str(BOOK / f"{name}.txt"), "--repo", str(repository))
    assert answer.code == 0, answer.out
    assert answer.out.endswith("3 steps, ended as concluded: every prompt as recorded\n")
