"""What a model writes to find a step again, and what it means."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.recall import parse_recall_request


@given(st.text())
def test_any_text_asks_for_something_or_is_refused(text: str) -> None:
    request = parse_recall_request(text)
    assert isinstance(request, Unreadable) or bool(request.query) != bool(request.places)
