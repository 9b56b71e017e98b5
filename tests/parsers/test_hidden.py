import pytest
from check_rows import table_of

from react_agent.parsers.settings.hidden import Hidden, HiddenKind, filled, read_hidden, with_tools


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "  alias   read_file\n", Hidden(HiddenKind.ALIAS, "read_file"), id="blanks around"
        ),
        pytest.param(
            "protocol Write {input}.",
            Hidden(HiddenKind.PROTOCOL, "Write {input}."),
            id="a special line",
        ),
        pytest.param("command", Hidden(HiddenKind.COMMAND), id="the arguments of a program"),
        pytest.param(
            "code is art", Hidden(HiddenKind.REDIRECT, "code is art"), id="text begins like a kind"
        ),
    ],
)
def test_reads_how_a_tool_answers(text: str, expected: Hidden) -> None:
    assert read_hidden(text) == expected


@table_of(
    ("text", "given", "expected"),
    [
        pytest.param("Not {input}.", " a.py\nb.py", "Not a.py.", id="its first line"),
        pytest.param("Not {input|a file}.", "", "Not a file.", id="none, and something instead"),
        pytest.param("Not {input}.", "x" * 99, f"Not {'x' * 80}.", id="a long one"),
        pytest.param("Not {grep}.", "a.py", "Not {grep}.", id="a tool"),
    ],
)
def test_an_input_is_worked_in(text: str, given: str, expected: str) -> None:
    assert filled(text, given) == expected


def test_only_offered_tools_are_named() -> None:
    offered = {"grep": "`grep`"}
    assert with_tools("Use {grep}.", offered) == "Use `grep`."
    assert with_tools("No. Use {run}, 2.0. Or not.", offered) == "No. Or not."
