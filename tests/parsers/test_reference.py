"""Which words point at an issue or a pull request, and at which one."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.reference import Reference, read_reference

HUB, LAB = "github.com", "gitlab.com"


@table_of(
    ("text", "expected"),
    [
        pytest.param("#12", Reference(12), id="a number"),
        pytest.param(" #12\n", Reference(12), id="blanks around it"),
        pytest.param("!7", Reference(7, is_pull=True), id="a merge request"),
        pytest.param("psf/black#3", Reference(3, "psf/black"), id="another repository"),
        pytest.param("a/.github#3", Reference(3, "a/.github"), id="a name with a dot first"),
        pytest.param("https://github.com/a/b/issues/1", Reference(1, "a/b", HUB), id="GitHub"),
        pytest.param(
            "https://github.com/a/b/issues/1#issuecomment-99", Reference(1, "a/b", HUB), id="anchor"
        ),
        pytest.param("github.com/a/b/issues/1", Reference(1, "a/b", HUB), id="without a scheme"),
        pytest.param(
            "https://GitHub.com/a/b/pull/2/files?w=1", Reference(2, "a/b", HUB, True), id="pull"
        ),
        pytest.param(
            "https://api.github.com/repos/a/b/pulls/2", Reference(2, "a/b", HUB, True), id="the API"
        ),
        pytest.param(
            "https://git.example/api/v3/repos/a/b/issues/2",
            Reference(2, "a/b", "git.example"),
            id="an enterprise's API",
        ),
        pytest.param(
            "http://127.0.0.1:8080/a/b/issues/2",
            Reference(2, "a/b", "127.0.0.1:8080", scheme="http"),
            id="a port",
        ),
        pytest.param(
            "http://[::1]:80/a/b/issues/2",
            Reference(2, "a/b", "[::1]:80", scheme="http"),
            id="IPv6",
        ),
        pytest.param(
            "https://gitlab.com/a/b/c/-/issues/5", Reference(5, "a/b/c", LAB), id="GitLab"
        ),
        pytest.param(
            "https://gitlab.com/a/b/-/merge_requests/6/diffs#note_1",
            Reference(6, "a/b", LAB, True),
            id="a merge request's address",
        ),
        pytest.param(
            "https://codeberg.org/a/b/pulls/8",
            Reference(8, "a/b", "codeberg.org", True),
            id="Forgejo",
        ),
        pytest.param(
            "https://me:secret@github.com/a/b/issues/1", Reference(1, "a/b", HUB), id="a password"
        ),
        pytest.param("Issue #12", None, id="words"),
        pytest.param("#0", None, id="nought"),
        pytest.param("#012", None, id="a nought in front"),
        pytest.param("#12345678901", None, id="too large"),
        pytest.param("#１２", None, id="digits of another script"),
        pytest.param("src/issues/12", None, id="a folder"),
        pytest.param("a/b/../c#1", None, id="a way up"),
        pytest.param("-a/b#1", None, id="an option"),
        pytest.param("https://github.com/a/b/issues/new", None, id="no number"),
        pytest.param("https://github.com/a/../issues/1", None, id="a way up in an address"),
        pytest.param("https://github.com/a/issues/1", None, id="no name"),
        pytest.param("https://bücher.example/a/b/issues/1", None, id="a host that may be another"),
        pytest.param("ftp://github.com/a/b/issues/1", None, id="another scheme"),
        pytest.param("https://github.com/a/b/blob/main/x.py#L12", None, id="a line of code"),
        pytest.param("", None, id="nothing"),
    ],
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


@table_of("text", ["a/" * 40_000 + "#1", "https://a.b/" + "a/" * 40_000, "a" * 90_000])
def test_a_long_text_is_read_at_once(text: str) -> None:
    read_reference(text)
