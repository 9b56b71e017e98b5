"""Which words point at an issue or a pull request, and at which one."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.reference import Reference, read_reference

NAMES = st.builds("{}{}".format, st.sampled_from("aZ0_"), st.text("aZ0_.-", max_size=9))
PATHS = st.lists(NAMES, min_size=2, max_size=4).map("/".join)
HOSTS = st.sampled_from(["github.com", "git.example:8443", "127.0.0.1:1", "[::1]:9"])
REFERENCES = st.one_of(
    st.builds(Reference, st.integers(1, 9_999_999_999), PATHS | st.just(""), is_pull=st.booleans()),
    st.builds(
        Reference,
        st.integers(1, 9_999_999_999),
        PATHS,
        HOSTS,
        st.booleans(),
        st.sampled_from(["http", "https"]),
    ),
)


@given(REFERENCES)
def test_reads_back_what_it_says(reference: Reference) -> None:
    assert read_reference(str(reference)) == reference


@given(st.text() | st.text("/ab.-#!:@0", max_size=20).map("https://h.org/{}/issues/1".format))
def test_any_text_is_a_reference_or_none(text: str) -> None:
    found = read_reference(text)
    assert found is None or read_reference(str(found)) == found
