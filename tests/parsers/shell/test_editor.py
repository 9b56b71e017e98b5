"""Edits in the words of other agents' tools."""

import json

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.call import Call
from react_agent.parsers.shell.editor import editor_call
from react_agent.parsers.values.unreadable import Unreadable


def call(tool: str, text: str) -> Call:
    return Call(tool, text, f"read as {tool} {text.split(chr(10))[0]}")


def marked(old: str, new: str) -> Call:
    """An object holds any text."""
    given_text = {"path": "x", "old_str": old, "new_str": new}
    return Call("replace", json.dumps(given_text), "read as replace x")


def block(old: str, new: str, path: str = "x.py") -> Call:
    return call("replace", f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE")


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"command": "view", "path": "x.py"}', call("read_file", "x.py"), id="view"),
        pytest.param('{"command": "view", "path": "x.py", "view_range": [1, 20]}',
            call("read_file", "x.py:1-20"), id="a range"),
        pytest.param('{"command": "view", "path": "x.py", "view_range": [30, -1]}',
            call("read_file", "x.py:30"), id="to the end"),
        pytest.param('{"command": "view", "path": "x.py", "view_range": [1, 2, 3]}',
            Unreadable("a view_range is two line numbers: [START, END]"), id="three numbers"),
        pytest.param("command: view\npath: x.py\nview_range: [1, 20]",
            call("read_file", "x.py:1-20"), id="fields"),
        pytest.param("command: view\npath: `x.py`\nview_range: 1-20",
            call("read_file", "x.py:1-20"), id="a range as one writes it"),
        pytest.param("view /a/x.py --view_range 1 20", call("read_file", "/a/x.py:1-20"),
            id="a command line"),
        pytest.param("view x.py --view_range=[5,9]", call("read_file", "x.py:5-9"), id="with ="),
        pytest.param("view x.py 5 9", call("read_file", "x.py:5-9"), id="numbers behind it"),
        pytest.param("view x.py 5", call("read_file", "x.py:5"), id="one number"),
        pytest.param("str_replace_editor view 'a b.py'", call("read_file", "a b.py"),
            id="its own name first"),
        pytest.param('```json\n{"command": "view", "path": "x.py"}\n```',
            call("read_file", "x.py"), id="a fence"),
        pytest.param('{"command": "create", "path": "x.py", "file_text": "a\\nb\\n"}',
            call("write_file", "x.py\na\nb\n"), id="create"),
        pytest.param("command: create\npath: x.py\nfile_text: a = 1\n\nb: int = 2",
            call("write_file", "x.py\na = 1\n\nb: int = 2"), id="create with fields"),
        pytest.param("create x.py\nprint(1)\n", call("write_file", "x.py\nprint(1)\n"),
            id="create with its text below"),
        pytest.param('{"command": "create", "path": "x.py", "file_text": ""}',
            call("write_file", "x.py\n"), id="an empty file"),
        pytest.param('{"command": "create", "path": "x.py"}',
            Unreadable("there is no file_text in it: what is the file to hold?"), id="no text"),
        pytest.param('{"command": "str_replace", "path": "x.py", "old_str": "a", "new_str": "b"}',
            block("a\n", "b\n"), id="str_replace"),
        pytest.param(
            '{"command": "str_replace", "path": "x.py", "old_str": "a\\n", "new_str": "b\\nc\\n"}',
            block("a\n", "b\nc\n"), id="ends of lines"),
        pytest.param('{"command": "str_replace", "path": "x.py", "old_str": "a"}',
            block("a\n", ""), id="no new text"),
        pytest.param(
            "command: str_replace\npath: x.py\nold_str: def f():\n    pass\nnew_str: def f():\n"
            "    return 1", block("def f():\n    pass\n", "def f():\n    return 1\n"),
            id="str_replace with fields"),
        pytest.param('str_replace x.py --old_str "a b" --new_str c', block("a b\n", "c\n"),
            id="str_replace in a line"),
        pytest.param('{"command": "str_replace", "path": "x.py", "new_str": "b"}',
            Unreadable("there is no old_str in it: which lines are to be replaced?"), id="no old"),
        pytest.param(
            '{"command": "str_replace", "path": "x", "old_str": "a\\n=======", "new_str": "b"}',
            marked("a\n=======", "b"), id="a mark in the old text"),
        pytest.param(
            '{"command": "str_replace", "path": "x", "old_str": "a", "new_str": ">>>>>>> main"}',
            marked("a", ">>>>>>> main"), id="a mark in the new text"),
        pytest.param('{"command": "insert", "path": "x.py", "insert_line": 3, "new_str": "  y"}',
            call("insert", "x.py\nafter line 3\n  y"), id="insert"),
        pytest.param(
            '{"command": "insert", "path": "x.py", "insert_line": "0", "insert_text": "y\\n"}',
            call("insert", "x.py\nafter line 0\ny\n"), id="insert at the beginning"),
        pytest.param('{"command": "insert", "path": "x.py", "insert_line": 3}',
            Unreadable("there is no insert_text in it: what is to be inserted?"), id="no text in"),
        pytest.param('{"command": "insert", "path": "x.py", "new_str": "y"}',
            Unreadable("insert_line must be a number: after which line? 0 is the beginning"),
            id="no line"),
        pytest.param('{"command": "undo_edit", "path": "x.py"}', call("undo", "x.py"), id="undo"),
        pytest.param("undo_edit x.py", call("undo", "x.py"), id="undo in a line"),
        pytest.param('{"command": "delete", "path": "x.py"}',
            Unreadable("there is no command 'delete': the commands are view, create, str_replace, "
                "insert, undo_edit"), id="another command"),
        pytest.param('{"command": "view"}', Unreadable("there is no path in it"), id="no path"),
        pytest.param('{"command": "view", "path": "x',
            Unreadable("JSON, line 1: this never ends: '\"x'; the text is "
                "'{\"command\": \"view\", \"path\": \"x'; write it anew with path, old_str and "
                "new_str"), id="cut"),
        pytest.param("ls -la", None, id="another line"),
        pytest.param("view", None, id="a bare command"),
        pytest.param("view x.py --colour red", None, id="an option that is not known"),
        pytest.param('["view", "x.py"]', None, id="a list"),
        pytest.param("", None, id="nothing"),
    ],
)  # fmt: skip
def test_reads_a_command(text: str, expected: Call | Unreadable | None) -> None:
    assert editor_call(text) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"target_file": "x.py", "old_string": "a", "new_string": "b"}',
            block("a\n", "b\n"), id="old and new"),
        pytest.param('{"file_path": "x.py", "content": "a\\n"}', call("write_file", "x.py\na\n"),
            id="a whole file"),
        pytest.param('{"path": "x.py", "insert_line": 2, "text": "a"}',
            call("insert", "x.py\nafter line 2\na"), id="a line"),
        pytest.param('{"path": "x.py", "edits": [{"old": "a"}]}',
            Call("replace", '{"path": "x.py", "edits": [{"old": "a"}]}', "read as replace x.py"),
            id="several edits"),
        pytest.param('{"command": "view", "path": "x.py"}', call("read_file", "x.py"), id="view"),
        pytest.param("path: x.py\ncontent: a\nb", call("write_file", "x.py\na\nb"), id="fields"),
        pytest.param('{"target_file": "x.py", "code_edit": "a"}', None, id="words for an edit"),
        pytest.param('{"old_string": "a", "new_string": "b"}',
            Unreadable("there is no path in it"), id="no path"),
        pytest.param('[{"path": "x.py"}]', None, id="a list"),
        pytest.param("", None, id="nothing"),
        pytest.param('{"path": "x', Unreadable("JSON, line 1: this never ends: '\"x'; the text is "
            "'{\"path\": \"x'; write it anew with path, old_str and new_str"), id="cut"),
    ],
)  # fmt: skip
def test_reads_an_edit(text: str, expected: Call | Unreadable | None) -> None:
    assert editor_call(text) == expected


AIDER = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"


V4A = "*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch"
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b"


@table_of(
    ("text", "tool"),
    [
        pytest.param(f"x.py\n{AIDER}", "replace", id="a block"),
        pytest.param(f"```python\nx.py\n{AIDER}\n```", "replace", id="in a fence"),
        pytest.param(f"x.py\n{AIDER}\n{AIDER}\nDone.", "replace", id="two"),
        pytest.param(V4A, "apply_patch", id="begin patch"),
        pytest.param(f"```diff\n{DIFF}\n```", "apply_patch", id="a diff"),
        pytest.param("x.py\na", None, id="nothing of the kind"),
    ],
)
def test_a_patch_is_for_the_tools_that_read_it(text: str, tool: str | None) -> None:
    expected = Call(tool, text, f"read as {tool}") if tool else None
    assert editor_call(text) == expected


PIECES = [
    *("view ", "create ", "str_replace ", "insert ", "x.py", "\n", "path: ", "old_str: ", "--"),
    *("=", "new_str: "),
    *("<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "```\n", '"', "{", "}", ":"),
    *("command: ", "insert_line: ", "3", "view_range: ", "-", "--view_range ", "'", "\x00", "["),
]  # fmt: skip
texts = st.text() | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(texts)
def test_never_raises(text: str) -> None:
    read = editor_call(text)
    assert read is None or isinstance(read, Call | Unreadable)


@given(texts, texts)
def test_a_block_has_one_of_each_mark_or_is_an_object(old: str, new: str) -> None:
    given_text = {"command": "str_replace", "path": "x", "old_str": old, "new_str": new}
    read = editor_call(json.dumps(given_text))
    if isinstance(read, Call) and not read.input.startswith("{"):
        lines = read.input.split("\n")
        marks = ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE")
        assert [lines.count(mark) for mark in marks] == [1, 1, 1]
