"""A text has the terms of its tokens, however fast they are found."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.memory.terms import Terms, tokens

LIKE_CODE = st.text(alphabet="aB1_./-é退款 \n\t\0(=,'", max_size=80)


@given(LIKE_CODE | st.text())
def test_a_text_has_the_terms_of_its_tokens(text: str) -> None:
    terms = Terms()
    of_tokens = {term for token in tokens(text) for term in terms.of_token(token)}
    assert set(terms.of_text(text).split()) == of_tokens
