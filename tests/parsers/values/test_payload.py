from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import read_fields

KEYS = st.from_regex(r"[a-z]{1,5}(_[a-z0-9]{1,5}){0,2}", fullmatch=True)
LINES = st.text(st.characters(exclude_characters="\n")).filter(lambda text: text == text.strip())


@settings(max_examples=25)
@given(st.lists(st.tuples(KEYS, LINES), min_size=1))
def test_reads_the_fields_that_are_written(fields: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{key}: {value}" for key, value in fields)
    assert read_fields(text) == tuple(fields)
    assert read_fields(text, {key for key, _ in fields}) == tuple(fields)
