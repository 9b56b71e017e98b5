"""Procedures: what is written is read, and what is wrong is said with its line."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import (
    read_procedure,
)

KEYS = [
    "procedure: p",
    "state: a",
    "  role b:",
    "  next: a",
    "  next: 0 a, 1 end_state",
    "    task: x",
]


@given(st.text() | st.lists(st.sampled_from(KEYS) | st.text(max_size=9)).map("\n".join))
def test_any_text_is_a_procedure_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        procedure = read_procedure(text)
        assert read_procedure(procedure.text) == procedure
