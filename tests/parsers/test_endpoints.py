import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.facts import read_endpoints, write_endpoints

LOCAL = "http://127.0.0.1:8000/v1"
HEADING = "# What react-agent learned of model endpoints. You may edit this file, or delete it.\n"

texts = st.text() | st.text("% :=#\n\r\t\x0c\x85\ud800<U+0A>25", max_size=8)
mappings = st.dictionaries(
    st.tuples(texts, texts), st.dictionaries(texts, texts, max_size=3), max_size=3
)


def test_an_endpoint_is_a_line() -> None:
    for base_url, facts, line in ((LOCAL, {}, f"{LOCAL} a%3A:"), ("", {"": ""}, "% %: %=")):
        endpoints = {(base_url, "a:" if base_url else ""): facts}
        assert write_endpoints(endpoints) == f"{HEADING}{line}\n"
        assert read_endpoints(f"{line}\n") == endpoints


def test_writes_them_in_order() -> None:
    endpoints = {("b", "m"): {"x": "1"}, ("a", "n"): {"z": "1", "y": "2"}, ("a", "m"): {}}
    assert write_endpoints(endpoints) == f"{HEADING}a m:\na n: z=1 y=2\nb m: x=1\n"
    assert write_endpoints({}) == HEADING


@table_of(
    ("text", "endpoints"),
    [
        pytest.param("# u m: x=1\n", {}, id="comment"),
        pytest.param("u m x=1\nu n: x=1\n", {("u", "n"): {"x": "1"}}, id="no colon"),
        pytest.param("u m: x=1\r\n", {("u", "m"): {"x": "1"}}, id="another editor's line ends"),
        pytest.param("u m: x=1\nu n", {("u", "m"): {"x": "1"}}, id="cut while it was written"),
    ],
)
def test_leaves_out_what_it_cannot_read(
    text: str, endpoints: dict[tuple[str, str], dict[str, str]]
) -> None:
    assert read_endpoints(text) == endpoints


@given(mappings)
def test_reads_the_endpoints_it_writes(endpoints: dict[tuple[str, str], dict[str, str]]) -> None:
    written = write_endpoints(endpoints)
    assert read_endpoints(written) == endpoints
    assert written.encode().decode().count("\n") == 1 + len(endpoints)
