import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.edits.replacement import Replacement, parse_replacements
from react_agent.parsers.values.unreadable import Unreadable

MEANT = Replacement("src/x.py", "old\n", "new\n")
OF_TEXT = Replacement("src/x.py", "old", "new", whole_lines=False)


@table_of(
    "text",
    [
        pytest.param("path: src/x.py\nold: old\nnew: new", id="fields"),
        pytest.param("file: src/x.py\nold: |\n  old\nnew: |\n  new", id="fields as in YAML"),
        pytest.param(
            "path: src/x.py\nsearch:\n```\nold\n```\nreplace:\n```\nnew\n```", id="fenced fields"
        ),
    ],
)  # fmt: skip
def test_reads_fields(text: str) -> None:
    assert parse_replacements(text) == (MEANT,)


@table_of(
    "text",
    [
        pytest.param('{"path": "src/x.py", "old_str": "old", "new_str": "new"}', id="plain"),
        pytest.param('{"file_path": "src/x.py", "old_string": "old", "new_string": "new"}', id="2"),
        pytest.param('{"file": "src/x.py", "search": "old", "replace": "new"}', id="3"),
        pytest.param('{"path": "src/x.py", "old": ["old"], "new": ["new"]}', id="lists of lines"),
        pytest.param(
            '```json\n{"path": "src/x.py", "edits": [{"old": "old", "new": "new"}]}\n```',
            id="edits",
        ),
    ],
)
def test_reads_objects(text: str) -> None:
    assert parse_replacements(text) == (OF_TEXT,)


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"path":"x.py","old":"old","new":"new","replace_all":true}', True, id="JSON"),
        pytest.param('{"path":"x.py","old":"old","new":"new","replace_all":"no"}', False, id="no!"),
        pytest.param("path: x.py\nreplace all: yes\nold: old\nnew: new", True, id="fields"),
    ],
)
def test_reads_whether_all_are_meant(text: str, expected: bool) -> None:
    found = parse_replacements(text)
    assert isinstance(found, tuple)
    assert [one.all for one in found] == [expected]


def test_says_what_an_object_holds_besides() -> None:
    text = '{"path": "x.py", "old": "a", "new": "", "why": "because"}'
    assert parse_replacements(text) == (Replacement("x.py", "a", "", False, False, ("why",)),)


@table_of(
    ("text", "reason"),
    [
        pytest.param(
            '{"old_str": "a", "new_str": "b"}',
            "there is no path: name the file as path",
            id="an object without a path",
        ),
        pytest.param(
            '{"path": "x", "old_str": "a"}',
            "there is no new text: write it as new_str, empty to delete",
            id="an object without a new text",
        ),
        pytest.param(
            "old: a\nnew: b",
            "`new:` stands without `path:` and `old:` above it: write both",
            id="fields without a path",
        ),
        pytest.param(
            "path: x\nold: a",
            "there is an old text without a new one: write `new:` below it",
            id="fields without a new text",
        ),
    ],
)  # fmt: skip
def test_says_what_it_can_not_read(text: str, reason: str) -> None:
    assert parse_replacements(text) == Unreadable(reason)


@table_of("text", ["", "mend it", "{}", '{"path": "x", "edits": ["a"]}', "a: b"])
def test_other_text_has_none(text: str) -> None:
    assert parse_replacements(text) == ()


@given(
    st.text()
    | st.lists(st.sampled_from(["path: x.py", "old: ", "new: b", "x", "{", "```"])).map("\n".join)
)
def test_any_text_is_replacements_or_unreadable(text: str) -> None:
    assert isinstance(parse_replacements(text), tuple | Unreadable)
