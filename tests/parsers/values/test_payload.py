from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Fields, read_fields, unquoted

KEYS = st.from_regex(r"[a-z]{1,5}(_[a-z0-9]{1,5}){0,2}", fullmatch=True)
LINES = st.text(st.characters(exclude_characters="\n")).filter(lambda text: text == text.strip())


@table_of(
    ("text", "expected"),
    {
        "blanks": ("\nPath : a.py \r\n\n\nB:\n", (("path", "a.py"), ("b", ""))),
        "names": ("Start-Line: 1\nend line: 2", (("start_line", "1"), ("end_line", "2"))),
        "further colons": ("url: http://a:1/b", (("url", "http://a:1/b"),)),
        "text": ("a.py", ()),
        "a line without a key": ("path: a.py\nb.py", ()),
        "no blank behind the colon": ("Makefile:10", ()),
        "a sentence": ("a b c d: e", ()),
    },
)
def test_reads_fields(text: str, expected: Fields) -> None:
    assert read_fields(text) == expected


@table_of(
    ("text", "expected"),
    {
        "further lines": ("text: a\nb: c\n\n d", (("text", "a\nb: c\n\n d"),)),
        "below the key": ("text:\n\n  a\n b\n\n", (("text", "  a\n b"),)),
        "an indented key is text": ("text: a\n path: b", (("text", "a\n path: b"),)),
        "begins with another": ("other: a\npath: b", ()),
    },
)
def test_a_line_without_a_known_key_belongs_to_the_one_above(text: str, expected: Fields) -> None:
    assert read_fields(text, ("path", "text")) == expected


@settings(max_examples=25)
@given(st.lists(st.tuples(KEYS, LINES), min_size=1))
def test_reads_the_fields_that_are_written(fields: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{key}: {value}" for key, value in fields)
    assert read_fields(text) == tuple(fields)
    assert read_fields(text, {key for key, _ in fields}) == tuple(fields)


@table_of(
    ("text", "expected"),
    {
        "double": ('"a b"', "a b"),
        "empty": ('""', ""),
        "another kind within": ('"it\'s"', '"it\'s"'),
        "a quote": ('"', '"'),
        "two lines": ('"a\nb"', '"a\nb"'),
    },
)
def test_takes_one_pair_of_quotes_away(text: str, expected: str) -> None:
    assert unquoted(text) == expected
