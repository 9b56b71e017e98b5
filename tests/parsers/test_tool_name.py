import pytest
from check_rows import table_of

from react_agent.parsers.turn.tool_name import Named, folded, read_name, says_none

TOOLS = ["grep", "read_file", "run"]


@table_of(
    ("written", "expected"),
    [
        pytest.param("  Grep. ", Named("grep"), id="case, blanks and a full stop"),
        pytest.param("read\\_file", Named("read_file"), id="escaped for Markdown"),
        pytest.param("tools.Read-File", Named("read_file"), id="prefix, and another case"),
        pytest.param("1. grep", Named("grep"), id="of a list"),
        pytest.param("<tool name>", None, id="a placeholder"),
        pytest.param("None", None, id="none"),
    ],
)
def test_reads_a_name(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "expected"),
    [
        pytest.param("fly(x)", Named("fly", "x"), id="unknown to all"),
        pytest.param(
            'grep(pattern="a, b", path=c)',
            Named("grep", "pattern: a, b\npath: c"),
            id="two keywords, a comma in quotes",
        ),
        pytest.param('grep("a", "b")', None, id="two quoted ones have no names"),
        pytest.param("fly low(x)", None, id="two words that nobody knows"),
    ],
)
def test_reads_a_call(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "expected"),
    [
        pytest.param("grep, x", Named("grep", "x"), id="behind a comma"),
        pytest.param("grep `x y`", Named("grep", "x y"), id="code"),
        pytest.param("fly: x", Named("fly", "x"), id="unknown to all, with a colon"),
        pytest.param("grep: none", Named("grep"), id="with nothing"),
        pytest.param("grep and run", None, id="two names with and"),
    ],
)
def test_reads_an_argument_beside_a_name(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "tools", "expected"),
    [
        pytest.param("[x]", ["[x]"], Named("[x]"), id="an odd name, exactly"),
    ],
)
def test_asks_the_tools(written: str, tools: list[str] | None, expected: Named | None) -> None:
    assert read_name(written, tools) == expected


@table_of(
    ("written", "none"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param("**N/A**", True, id="bold"),
        pytest.param("no action needed", True, id="words"),
        pytest.param("none - the answer is known", True, id="behind a dash"),
    ],
)
def test_knows_what_means_no_tool(written: str, none: bool) -> None:
    assert says_none(written) is none


def test_folds_case_and_joints() -> None:
    assert folded("Read-the FILE_") == "read_the_file_"
