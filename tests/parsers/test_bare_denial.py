"""A denial in words that nothing else is known of."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.claims.vague_denial import bare_denial

DENIALS = [
    ("I see, the shop doesn't have a vat module. I correct the cart.", "module"),
    ("None of them is around. I make one.", ""),
    ("No retry of any kind.", ""),
    ("There isn't any code for a connection that drops, so I write it.", ""),
    ("OK. Such a helper was never written.", "helper"),
    ("Strange, the class is missing. Then I define it.", "class"),
    ("So the project lacks an uploader; I add one.", ""),
]
NO_DENIALS = [
    "It is there. I read it.",
    "Is there no such module?",
    "If there is no such module, I write one.",
    "There is no need to look further.",
    "No other file has it; this is the one.",
    "No test fails any more.",
    "There are no errors now.",
    "Nothing in src/ does that, I look in lib.",
    "There's no cache in this class.",
    "There is nothing else to do.",
    "The issue says the module is missing.",
    "Maybe it is not there at all.",
    "I make sure that no such file exists.",
    "I was wrong: it is not missing.",
]


@pytest.mark.parametrize(("thought", "kind"), DENIALS, ids=[row[0][:30] for row in DENIALS])
def test_a_denial(thought: str, kind: str) -> None:
    claim = bare_denial(thought)
    assert claim is not None
    assert (claim.names, claim.kind, claim.place) == ((), kind, "")


@table_of("thought", NO_DENIALS)
def test_no_denial(thought: str) -> None:
    assert bare_denial(thought) is None


@given(st.text())
def test_any_text(text: str) -> None:
    claim = bare_denial(text)
    assert claim is None or claim.names == ()
