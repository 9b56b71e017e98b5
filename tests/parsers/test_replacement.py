import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.replacement import USAGE, Replacement, parse_replacements
from react_agent.parsers.unreadable import Unreadable

BLOCK = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"
MEANT = Replacement("src/x.py", "old\n", "new\n")
OF_TEXT = Replacement("src/x.py", "old", "new", whole_lines=False)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"src/x.py\n{BLOCK}", id="as it should be"),
        pytest.param(f"path: src/x.py\n{BLOCK}\n", id="a label"),
        pytest.param(f"File: `src/x.py`\n{BLOCK}\n", id="label and backticks"),
        pytest.param(f'"src/x.py"\n\n{BLOCK}', id="quotes"),
        pytest.param(f"**src/x.py**:\n{BLOCK}", id="bold"),
        pytest.param(f"# src/x.py\n{BLOCK}", id="a comment"),
        pytest.param(f"src/x.py\n```python\n{BLOCK}\n```\nDone.", id="a fence below the path"),
        pytest.param(f"```\nsrc/x.py\n{BLOCK}\n```", id="a fence around all"),
        pytest.param(f"```python src/x.py\n{BLOCK}\n```", id="a fence with the path"),
        pytest.param(f"```src/x.py\n{BLOCK}\n```", id="a fence with nothing else"),
        pytest.param(f"I mend it now.\n\nsrc/x.py\n{BLOCK}", id="prose"),
        pytest.param(BLOCK.replace("SEARCH", "SEARCH src/x.py"), id="the path in the mark"),
        pytest.param(f"src/x.py\n{BLOCK}".replace("\n", "\r\n"), id="CRLF"),
        pytest.param(
            "src/x.py\n<<<<< SEARCH\nold\n=====\nnew\n>>>>> REPLACE", id="five characters"
        ),
        pytest.param(
            "src/x.py\n<<<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>> REPLACE", id="mixed lengths"
        ),
        pytest.param(
            "src/x.py\n<<<<<<< ORIGINAL\nold\n=======\nnew\n>>>>>>> UPDATED", id="other words"
        ),
        pytest.param("src/x.py\n<<<<<<<\nold\n=======\nnew\n>>>>>>>", id="no words"),
        pytest.param(
            "src/x.py\n------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE", id="dashes"
        ),
        pytest.param("path: src/x.py\nold: old\nnew: new", id="fields"),
        pytest.param("file: src/x.py\nold: |\n  old\nnew: |\n  new", id="fields as in YAML"),
        pytest.param(
            "path: src/x.py\nsearch:\n```\nold\n```\nreplace:\n```\nnew\n```", id="fenced fields"
        ),
    ],
)  # fmt: skip
def test_reads_a_block_as_models_write_it(text: str) -> None:
    assert parse_replacements(text) == (MEANT,)


@pytest.mark.parametrize(
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


def test_reads_several_blocks_and_files() -> None:
    other = BLOCK.replace("old\n", "").replace("new\n", "")
    text = f"a.py\n{BLOCK}\n{other}\n\nb.py\nreplace all: yes\n{BLOCK}\n{BLOCK}"
    assert parse_replacements(text) == (
        Replacement("a.py", "old\n", "new\n"),
        Replacement("a.py", "", ""),
        Replacement("b.py", "old\n", "new\n", all=True),
        Replacement("b.py", "old\n", "new\n"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"x.py\nReplace all: yes\n{BLOCK}", True, id="above"),
        pytest.param(f"replace_all: true\nx.py\n{BLOCK}", True, id="above the path"),
        pytest.param(f"x.py\n{BLOCK}\n**replace all**: yes", True, id="below"),
        pytest.param(f"x.py\nreplace all: no\n{BLOCK}", False, id="no"),
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


RST = "doc.rst\n<<<<<<< SEARCH\nTitle\n=======\n=======\nHead\n=======\n>>>>>>> REPLACE"


def test_a_title_is_no_divider_where_the_marks_have_another_length() -> None:
    text = RST.replace("<<<<<<<", "<<<<<<<<").replace("=======\n=======", "=======\n========", 1)
    assert parse_replacements(text) == (
        Replacement("doc.rst", "Title\n=======\n", "Head\n=======\n"),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("mend it", f"there is no block: {USAGE}", id="prose"),
        pytest.param("", f"there is no block: {USAGE}", id="nothing"),
        pytest.param(BLOCK, f"there is no path above the block: {USAGE}", id="no path"),
        pytest.param(
            "x.py\n<<<<<<< SEARCH\nold\n=======\nnew",
            "the block of line 2 was cut off: it has no >>>>>>> REPLACE",
            id="cut off",
        ),
        pytest.param(
            f"x.py\n<<<<<<< SEARCH\nold\n=======\nnew\n{BLOCK}",
            f"the block of line 2 has no >>>>>>> REPLACE: {USAGE}",
            id="not closed",
        ),
        pytest.param(
            "x.py\n<<<<<<< SEARCH\nold\nnew\n>>>>>>> REPLACE",
            f"the block of line 2 has no ======= of its own: {USAGE}",
            id="no divider",
        ),
        pytest.param(
            RST,
            "in the block of line 2 any of lines 4, 5, 7 can be the divider: write its three "
            "marks with another number of characters, from 5 to 9, the same in all of them",
            id="several dividers",
        ),
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
            f"`new:` stands without a path and an old text: {USAGE}",
            id="fields without a path",
        ),
        pytest.param(
            "path: x\nold: a",
            f"there is an old text without a new one: {USAGE}",
            id="fields without a new text",
        ),
    ],
)  # fmt: skip
def test_says_what_it_can_not_read(text: str, reason: str) -> None:
    assert parse_replacements(text) == Unreadable(reason)


@given(
    st.text()
    | st.lists(st.sampled_from([*BLOCK.split("\n"), "x.py", "old: ", "{", "```"])).map("\n".join)
)
def test_any_text_is_blocks_or_unreadable(text: str) -> None:
    assert parse_replacements(text)


LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])).filter(
    lambda line: line[:1] not in "<=>+-"
)


@given(st.lists(LINE, max_size=4), st.lists(LINE, max_size=4))
def test_reads_back_the_lines_of_a_block(old: list[str], new: list[str]) -> None:
    lines = ("src/x.py", "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE")
    texts = ("".join(f"{line}\n" for line in part) for part in (old, new))
    assert parse_replacements("\n".join(lines)) == (Replacement("src/x.py", *texts),)
