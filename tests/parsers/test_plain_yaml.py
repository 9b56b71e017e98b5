import contextlib

import pytest
from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.plain_yaml import MOST_CHARACTERS, Node, read_yaml

USUAL = """\
# what most look like
---
default_stages: [commit, push]   # both
exclude: >
  one
  two

  three
files: |-
  (?x)^(
      a|
      b
  )$
repos:
-   repo: https://example.org/x
    rev: v1.0
    hooks:
    -   id: "black"
        args: [--line-length, '100',
               "a\\tb",  # more
               it's]
    -   id: long
        name: over
          two lines
- repo: local
  hooks:
    - {id: flow, entry: 'it''s: one', always_run: true, none: , "q": [a, {b: c}], }
    -
      id: deeper
      nothing: ~
      args:
      - one
      -
      - - nested
...
"""
READ = {
    "default_stages": ["commit", "push"],
    "exclude": "one two\nthree\n",
    "files": "(?x)^(\n    a|\n    b\n)$",
    "repos": [
        {
            "repo": "https://example.org/x",
            "rev": "v1.0",
            "hooks": [
                {"id": "black", "args": ["--line-length", "100", "a\tb", "it's"]},
                {"id": "long", "name": "over two lines"},
            ],
        },
        {
            "repo": "local",
            "hooks": [
                {
                    "id": "flow",
                    "entry": "it's: one",
                    "always_run": "true",
                    "none": "",
                    "q": ["a", {"b": "c"}],
                },
                {"id": "deeper", "nothing": "", "args": ["one", "", ["nested"]]},
            ],
        },
    ],
}


@table_of(
    ("text", "expected"),
    [
        pytest.param(USUAL, READ, id="the usual"),
        pytest.param(USUAL.replace("\n", "\r\n"), READ, id="CRLF"),
        pytest.param("", "", id="nothing"),
        pytest.param("# a comment\n", "", id="a comment"),
        pytest.param("a word", "a word", id="a scalar"),
        pytest.param("\ufeffa: b", {"a": "b"}, id="a byte order mark"),
        pytest.param("a: b#c", {"a": "b#c"}, id="no comment"),
        pytest.param("a: http://x/y:z", {"a": "http://x/y:z"}, id="no pair"),
        pytest.param("'a b': c\n\"d\": e", {"a b": "c", "d": "e"}, id="quoted keys"),
        pytest.param("a: 'b\n  c'", {"a": "b c"}, id="a quote over two lines"),
        pytest.param('a: "b\\\n  c\\x41\\u00e9"', {"a": "bcAé"}, id="escapes"),
        pytest.param("a: >-\n  b\n    c\n  d\n", {"a": "b\n  c d"}, id="folded, deeper"),
        pytest.param("a: |+\n  b\n\n", {"a": "b\n\n"}, id="kept"),
        pytest.param("a: |\nb: c", {"a": "", "b": "c"}, id="an empty block"),
        pytest.param("a: []\nb: {}", {"a": [], "b": {}}, id="empty"),
        pytest.param("<x>: y", {"<x>": "y"}, id="a key of an array"),
    ],
)
def test_reads(text: str, expected: Node) -> None:
    assert read_yaml(text) == expected


PLAIN = "a value without anchor, alias or tag"


@table_of(
    ("text", "error"),
    [
        pytest.param("a: &x b", f"line 1: expected {PLAIN}, found 'a: &x b'", id="anchor"),
        pytest.param("a:\n- *x", f"line 2: expected {PLAIN}, found '*x'", id="alias"),
        pytest.param(
            "a: !!python/x y", f"line 1: expected {PLAIN}, found 'a: !!python/x y'", id="tag"
        ),
        pytest.param("[&a b]", f"line 1: expected {PLAIN}, found '&a b]'", id="anchor in brackets"),
        pytest.param(
            "<<: x", "line 1: expected each key once, and no merges, found '<<: x'", id="merge"
        ),
        pytest.param(
            "a:\n\tb: c",
            "line 2: expected an indent of blanks, not of tabs, found '\\tb: c'",
            id="tab",
        ),
        pytest.param(
            "a: b\na: c", "line 2: expected each key once, and no merges, found 'a: c'", id="twice"
        ),
        pytest.param(
            "a: b\n---\nc", "line 2: expected one document, found '---'", id="two documents"
        ),
        pytest.param("...\na", "line 2: expected one document, found 'a'", id="behind the end"),
        pytest.param(
            "a: [b",
            "line 1: expected what closes this bracket or quote, found 'the end'",
            id="an open bracket",
        ),
        pytest.param(
            "a:\n  'b\n\nc",
            "line 4: expected what closes this bracket or quote, found 'the end'",
            id="an open quote",
        ),
        pytest.param(
            "[a b c: d]", "line 1: expected ',' or ']', found ': d]'", id="a pair in a list"
        ),
        pytest.param(
            "{a: b, a: c}", "line 1: expected a key, once, and ':', found ': c}'", id="flow twice"
        ),
        pytest.param(
            "a: [b] c", "line 1: expected nothing more on this line, found 'c'", id="behind it"
        ),
        pytest.param(
            "a: b: c",
            "line 1: expected a value without ': ' in it, or quotes around it, found 'a: b: c'",
            id="a pair in a value",
        ),
        pytest.param(
            "a:\n  b: 1\n c: 2",
            "line 3: expected a key and ':' behind 0 blanks, found 'c: 2'",
            id="half an indent",
        ),
        pytest.param(
            "- [a]\n  - b\n",
            "line 2: expected '-' behind 0 blanks, found '- b'",
            id="a deeper item",
        ),
        pytest.param(
            "- a\nb: c",
            "line 2: expected the end, or a line that belongs to what is above it, found 'b: c'",
            id="a list and a key",
        ),
        pytest.param(
            "a: |2\n  b", f"line 1: expected {PLAIN}, found 'a: |2'", id="an indent in digits"
        ),
        pytest.param(
            'a: "\\q"',
            "line 1: expected an escape of YAML behind a backslash, found 'q\"'",
            id="no escape",
        ),
        pytest.param(
            "- " * 31 + "a", "line 1: expected no more than 30 levels, found '- a'", id="deep"
        ),
        pytest.param(
            "[" * 31, "line 1: expected no more than 30 levels, found '['", id="deep brackets"
        ),
        pytest.param(
            "a\n" * 5000,
            "expected at most 5,000 lines and 200,000 characters, found 5,001 and 10,000",
            id="long",
        ),
    ],
)
def test_refuses(text: str, error: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_yaml(text)
    assert str(caught.value) == error


MARKS = st.sampled_from(
    ["- ", "a: ", "[", "]", "{", "}", "'", '"', "\n", "  ", "#", ",", "|", "\\", ":"]
)


@given(st.one_of(st.text(max_size=100), st.lists(MARKS, max_size=30).map("".join)))
@example("a: [\n#")
def test_any_text_is_a_node_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        read_yaml(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "[",
        "'",
        '"',
        " ",
        "\\",
        ": ",
        "#",
        "- ",
        "a: ",
        "\n",
        "\na: ",
        "[\n",
        "'\n",
        "{a: ",
        ", ",
    ],
)
def test_takes_little_time_for_any_text(unit: str) -> None:
    """One that looked back again and again would take minutes, and be ended."""
    for head in ("", "a: ", "a: [", 'a: "', "a: |\n "):
        with contextlib.suppress(ParseError):
            read_yaml(head + unit * ((MOST_CHARACTERS - 9) // len(unit)))
