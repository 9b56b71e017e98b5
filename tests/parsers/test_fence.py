from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.fence import unfenced


@given(st.text().filter(lambda text: "```" not in text))
def test_a_fence_keeps_what_it_holds(text: str) -> None:
    assert unfenced(f"```text\n{text}\n```") == text
