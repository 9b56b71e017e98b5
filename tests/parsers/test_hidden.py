import pytest

from react_agent.parsers.hidden import Alias, Hidden, Protocol, Redirect, read_hidden


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("alias read_file", Alias("read_file"), id="alias"),
        pytest.param("  alias   read_file\n", Alias("read_file"), id="blanks around"),
        pytest.param("alias", Alias(""), id="alias of nothing: refused by the registry"),
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
