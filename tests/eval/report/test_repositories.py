import pytest
from check_rows import table_of

from react_agent.eval.report.sections import short_names


@table_of(
    ("named", "expected"),
    [
        pytest.param(["o/n", "https://h/o/n.git"], ["o/n", "https://h/o/n.git"], id="no paths"),
        pytest.param(["/a/b/clock", "/a/b/ledger"], ["clock", "ledger"], id="the last part"),
        pytest.param(["/a/b/clock", "/c/b/clock"], ["a/b/clock", "c/b/clock"], id="as long as"),
        pytest.param(["/b/clock", "/c/b/clock"], ["/b/clock", "c/b/clock"], id="one in another"),
        pytest.param(["/a/b/clock", "b/clock", "clock"], ["a/b/clock", "b/clock", "clock"], id="n"),
        pytest.param(["/a/clock", "/a/clock"], ["clock", "clock"], id="the same"),
        pytest.param(["/", ""], ["/", ""], id="nothing to leave out"),
    ],
)
def test_calls_a_path_by_as_much_of_its_end_as_it_takes(
    named: list[str], expected: list[str]
) -> None:
    names = short_names(named)
    assert [names[one] for one in named] == expected
