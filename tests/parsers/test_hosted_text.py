from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.forge_markdown import readable


@given(st.text(alphabet="`->[]()a\n ~", max_size=60))
def test_leaves_text_without_comments(text: str) -> None:
    assert readable(text) == text.strip("\n")
