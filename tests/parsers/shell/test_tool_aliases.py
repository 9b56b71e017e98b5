"""Calls by the names of other agents' tools, in what models write below them."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.line import commands
from react_agent.parsers.shell.tool_aliases import fed_to_python


@given(
    st.text() | st.lists(st.sampled_from(["EOF", "_1", "\n", "'", "$x", "`", "\\"])).map("".join)
)
def test_code_can_not_end_its_here_document(text: str) -> None:
    [command] = commands(fed_to_python(text))
    assert command.words == ["python3", "-"]
    assert command.here == text.removesuffix("\n")
