import pytest
from check_rows import table_of

from react_agent.parsers.settings.hidden import (
    Alias,
    Hidden,
    How,
    Protocol,
    Redirect,
    Translated,
    filled,
    read_hidden,
    with_tools,
)


@table_of(
    ("text", "expected"),
    [
        pytest.param("alias read_file", Alias("read_file"), id="alias"),
        pytest.param("  alias   read_file\n", Alias("read_file"), id="blanks around"),
        pytest.param("alias", Alias(""), id="alias of nothing: refused by the registry"),
        pytest.param("command", Translated(How.COMMAND), id="the arguments of a program"),
        pytest.param(" shell ", Translated(How.SHELL), id="a command line"),
        pytest.param("editor", Translated(How.EDITOR), id="an editor"),
        pytest.param("code", Translated(How.CODE), id="a program"),
        pytest.param("code is art", Redirect("code is art"), id="text begins like a kind"),
        pytest.param("redirect No {run}.", Redirect("No {run}."), id="redirect"),
        pytest.param("You can't push.", Redirect("You can't push."), id="text only"),
        pytest.param("redirect alias of x", Redirect("alias of x"), id="text begins like an alias"),
        pytest.param("Alias of x", Redirect("Alias of x"), id="a word of the text"),
        pytest.param("aliased", Redirect("aliased"), id="one word"),
        pytest.param("a line\nand another", Redirect("a line\nand another"), id="two lines"),
        pytest.param("protocol Noted.", Protocol("Noted."), id="protocol"),
        pytest.param("", Redirect(""), id="nothing"),
    ],
)
def test_reads_how_a_tool_answers(text: str, expected: Hidden) -> None:
    assert read_hidden(text) == expected


@table_of(
    ("text", "given", "expected"),
    [
        pytest.param("Not {input}.", "a.py", "Not a.py.", id="an input"),
        pytest.param("Not {input}.", " a.py\nb.py", "Not a.py.", id="its first line"),
        pytest.param("Not {input|a file}.", "", "Not a file.", id="none, and something instead"),
        pytest.param("Not {input|a file}.", "a.py", "Not a.py.", id="one, and something instead"),
        pytest.param("Not {input}.", "", "Not .", id="none"),
        pytest.param("Not {input}.", "x" * 99, f"Not {'x' * 80}.", id="a long one"),
        pytest.param("Not {input}.", "{input}", "Not {input}.", id="the word itself"),
        pytest.param("Not {grep}.", "a.py", "Not {grep}.", id="a tool"),
    ],
)
def test_an_input_is_worked_in(text: str, given: str, expected: str) -> None:
    assert filled(text, given) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("Use {grep}.", "Use `grep`.", id="offered"),
        pytest.param("No. Use {run}, 2.0. Or not.", "No. Or not.", id="a sentence about another"),
        pytest.param("Use {run} or {grep}.", "", id="one of two"),
        pytest.param("Use {input|{}} {input}.", "Use {input|{}} {input}.", id="no tools"),
        pytest.param("A\nb {run}\nc.", "", id="a sentence over lines"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_only_offered_tools_are_named(text: str, expected: str) -> None:
    assert with_tools(text, {"grep": "`grep`"}) == expected
