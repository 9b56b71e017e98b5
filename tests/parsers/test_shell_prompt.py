import pytest
from check_rows import table_of

from react_agent.parsers.shell_prompt import without_prompt


@table_of(
    ("command", "expected"),
    [
        pytest.param("$ ls -la", "ls -la", id="one line"),
        pytest.param(" $  ls\n$ pwd\n", "ls\npwd", id="all lines"),
        pytest.param("$ ls\nx.py", "$ ls\nx.py", id="what it printed below"),
        pytest.param("$x", "$x", id="a variable"),
        pytest.param("$ ", "$ ", id="a prompt only"),
        pytest.param("echo $ x", "echo $ x", id="further on"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_takes_a_prompt_away(command: str, expected: str) -> None:
    assert without_prompt(command) == expected
