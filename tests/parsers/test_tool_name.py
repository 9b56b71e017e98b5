import pytest
from check_rows import table_of

from react_agent.parsers.turn.tool_name import Named, folded, read_name, says_none

TOOLS = ["grep", "read_file", "run"]


@table_of(
    ("written", "expected"),
    [
        pytest.param("grep", Named("grep"), id="exactly"),
        pytest.param("  Grep. ", Named("grep"), id="case, blanks and a full stop"),
        pytest.param("Read-File", Named("read_file"), id="hyphen"),
        pytest.param("read file", Named("read_file"), id="blank"),
        pytest.param("read\\_file", Named("read_file"), id="escaped for Markdown"),
        pytest.param("“grep”", Named("grep"), id="smart quotes"),
        pytest.param("functions.grep", Named("grep"), id="prefix"),
        pytest.param("tools.Read-File", Named("read_file"), id="prefix, and another case"),
        pytest.param("1. grep", Named("grep"), id="of a list"),
        pytest.param("1. 2. fly", None, id="of a list in a list"),
        pytest.param("fly", Named("fly"), id="unknown to all"),
        pytest.param("fly over", Named("fly over"), id="two words"),
        pytest.param("fly over trees", Named("fly over trees"), id="three words"),
        pytest.param("fly low over trees", None, id="too many words"),
        pytest.param("<tool name>", None, id="a placeholder"),
        pytest.param("<grep>", Named("grep"), id="a tool in angle brackets"),
        pytest.param("<fly", Named("fly"), id="half a placeholder"),
        pytest.param("None", None, id="none"),
        pytest.param("N/A (I am done)", None, id="none, and why"),
        pytest.param("", None, id="empty"),
        pytest.param("3", None, id="a number"),
    ],
)
def test_reads_a_name(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "expected"),
    [
        pytest.param("grep(x)", Named("grep", "x"), id="a word"),
        pytest.param("grep()", Named("grep"), id="nothing"),
        pytest.param("Grep[x]", Named("grep", "x"), id="square brackets"),
        pytest.param("fly(x)", Named("fly", "x"), id="unknown to all"),
        pytest.param("`grep(x)`", Named("grep", "x"), id="code"),
        pytest.param("**grep**(x)", Named("grep", "x"), id="bold name"),
        pytest.param("grep(x).", Named("grep", "x"), id="full stop behind it"),
        pytest.param("grep(x);", Named("grep", "x"), id="semicolon behind it"),
        pytest.param("grep( x )", Named("grep", "x"), id="blanks within"),
        pytest.param('grep("a b")', Named("grep", "a b"), id="quoted"),
        pytest.param("grep('a')", Named("grep", "a"), id="single quotes"),
        pytest.param("grep(pattern=x)", Named("grep", "x"), id="one keyword"),
        pytest.param(
            'grep(pattern="a, b", path=c)',
            Named("grep", "pattern: a, b\npath: c"),
            id="two keywords, a comma in quotes",
        ),
        pytest.param(
            "grep(a={x, y}, b=[1, 2])",
            Named("grep", "a: {x, y}\nb: [1, 2]"),
            id="commas in brackets",
        ),
        pytest.param("grep(a, b)", Named("grep", "a, b"), id="two words are one argument"),
        pytest.param('grep("a", "b")', None, id="two quoted ones have no names"),
        pytest.param('grep("a", b=1)', None, id="only one of them has a name"),
        pytest.param("grep(x", None, id="not closed"),
        pytest.param("grep(x]", None, id="closed by another"),
        pytest.param("fly low(x)", None, id="two words that nobody knows"),
        pytest.param("Read File(x)", Named("read_file", "x"), id="a tool of two words"),
        pytest.param("grep (x.py)", Named("grep", "x.py"), id="beside it"),
        pytest.param("grep ('search files')", Named("grep", "search files"), id="a quoted text"),
        pytest.param("grep (a=b)", Named("grep", "b"), id="a keyword beside it"),
    ],
)
def test_reads_a_call(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "expected"),
    [
        pytest.param("grep: x y", Named("grep", "x y"), id="behind a colon"),
        pytest.param("grep, x", Named("grep", "x"), id="behind a comma"),
        pytest.param("grep x", Named("grep", "x"), id="a word"),
        pytest.param("grep `x y`", Named("grep", "x y"), id="code"),
        pytest.param("`grep` x", Named("grep", "x"), id="the name is code"),
        pytest.param("**grep** x", Named("grep", "x"), id="the name is bold"),
        pytest.param("fly: x", Named("fly", "x"), id="unknown to all, with a colon"),
        pytest.param("grep: none", Named("grep"), id="with nothing"),
        pytest.param("grep and run", None, id="two names with and"),
        pytest.param("grep & run", None, id="two names"),
        pytest.param("grep for", Named("grep", "for"), id="one word does not tell"),
        pytest.param("grep some files right now", None, id="many plain words tell"),
        pytest.param("grep some files now", Named("grep", "some files now"), id="three may not"),
    ],
)
def test_reads_an_argument_beside_a_name(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of(
    ("written", "tools", "expected"),
    [
        pytest.param("Grep", None, Named("Grep"), id="no tools are known"),
        pytest.param("Grep", [], Named("Grep"), id="there are none"),
        pytest.param("Read-File", ["read_file", "read-file"], Named("Read-File"), id="two of them"),
        pytest.param("read-file", ["read_file", "read-file"], Named("read-file"), id="exactly one"),
        pytest.param("[x]", ["[x]"], Named("[x]"), id="an odd name, exactly"),
        pytest.param("tools.grep", ["tools.grep", "grep"], Named("tools.grep"), id="its prefix"),
    ],
)
def test_asks_the_tools(written: str, tools: list[str] | None, expected: Named | None) -> None:
    assert read_name(written, tools) == expected


@table_of(
    ("written", "none"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param("None.", True, id="none"),
        pytest.param("**N/A**", True, id="bold"),
        pytest.param("no action needed", True, id="words"),
        pytest.param("none: the answer is known", True, id="and why, behind a colon"),
        pytest.param("none - the answer is known", True, id="behind a dash"),
        pytest.param("none, as I said - so", True, id="behind a comma"),
        pytest.param("nonesuch", False, id="a word that begins like it"),
        pytest.param("grep", False, id="a tool"),
        pytest.param("grep, none", False, id="behind a tool"),
    ],
)
def test_knows_what_means_no_tool(written: str, none: bool) -> None:
    assert says_none(written) is none


def test_folds_case_and_joints() -> None:
    assert folded("Read-the FILE_") == "read_the_file_"
