from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.facts import read_endpoints, write_endpoints

texts = st.text() | st.text("% :=#\n\r\t\x0c\x85\ud800<U+0A>25", max_size=8)
mappings = st.dictionaries(
    st.tuples(texts, texts), st.dictionaries(texts, texts, max_size=3), max_size=3
)


@given(mappings)
def test_reads_the_endpoints_it_writes(endpoints: dict[tuple[str, str], dict[str, str]]) -> None:
    written = write_endpoints(endpoints)
    assert read_endpoints(written) == endpoints
    assert written.encode().decode().count("\n") == 1 + len(endpoints)
