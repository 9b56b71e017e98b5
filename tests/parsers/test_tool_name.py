"""Names that no scenario of 07-names shows."""

from check_rows import table_of

from react_agent.parsers.turn.tool_name import Named, folded, read_name, says_none

TOOLS = ["grep", "read_file", "run", "[x]"]


@table_of(
    ("written", "expected"),
    {
        "an odd name, exactly": ("[x]", Named("[x]")),
        "escaped for Markdown": ("read\\_file", Named("read_file")),
        "prefix, and another case": ("tools.Read-File", Named("read_file")),
        "of a list": ("1. grep", Named("grep")),
        "a placeholder": ("<tool name>", None),
        "a call of a tool that nobody knows": ("fly(x)", Named("fly", "x")),
        "two keywords, a comma in quotes": (
            'grep(pattern="a, b", path=c)',
            Named("grep", "pattern: a, b\npath: c"),
        ),
        "two quoted ones have no names": ('grep("a", "b")', None),
        "two words that nobody knows": ("fly low(x)", None),
        "code beside it": ("grep `x y`", Named("grep", "x y")),
        "unknown to all, with a colon": ("fly: x", Named("fly", "x")),
        "with nothing": ("grep: none", Named("grep")),
        "two names": ("grep and run", None),
    },
)
def test_reads_a_name_and_what_is_beside_it(written: str, expected: Named | None) -> None:
    assert read_name(written, TOOLS) == expected


@table_of("written", ["", "**N/A**", "no action needed", "none - the answer is known"])
def test_knows_what_means_no_tool(written: str) -> None:
    assert says_none(written)


def test_folds_case_and_joints() -> None:
    assert folded("Read-the FILE_") == "read_the_file_"
