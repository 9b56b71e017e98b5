"""Which words point at an issue or a pull request, and at which one."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.reference import Reference, read_reference

HUB, LAB = "github.com", "gitlab.com"


@table_of(
    ("text", "expected"),
    {
        "a number": ("#12", Reference(12)),
        "a merge request": ("!7", Reference(7, is_pull=True)),
        "another repository": ("psf/black#3", Reference(3, "psf/black")),
        "GitHub": ("https://github.com/a/b/issues/1", Reference(1, "a/b", HUB)),
        "the API": ("https://api.github.com/repos/a/b/pulls/2", Reference(2, "a/b", HUB, True)),
        "a port": (
            "http://127.0.0.1:8080/a/b/issues/2",
            Reference(2, "a/b", "127.0.0.1:8080", scheme="http"),
        ),
        "GitLab": ("https://gitlab.com/a/b/c/-/issues/5", Reference(5, "a/b/c", LAB)),
        "a password": ("https://me:secret@github.com/a/b/issues/1", Reference(1, "a/b", HUB)),
        "a folder": ("src/issues/12", None),
        "words": ("Issue #12", None),
        "a way up": ("a/b/../c#1", None),
        "an option": ("-a/b#1", None),
        "a way up in an address": ("https://github.com/a/../issues/1", None),
        "a host that may be another": ("https://bücher.example/a/b/issues/1", None),
        "a line of code": ("https://github.com/a/b/blob/main/x.py#L12", None),
    },
)
def test_reads_a_reference(text: str, expected: Reference | None) -> None:
    assert read_reference(text) == expected


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
