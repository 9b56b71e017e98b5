"""Calls by the names of other agents' tools, in what models write below them."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.hidden import HiddenKind
from react_agent.parsers.shell.line import commands
from react_agent.parsers.shell.lookups import Call
from react_agent.parsers.shell.tool_aliases import Meant, fed_to_python, meant
from react_agent.parsers.values.arguments import Unreadable


def run(line: str) -> Call:
    return Call("run", line, f"read as run {', '.join(line.split(chr(10)))}".rstrip())


def read(text: str) -> Call:
    return Call("read_file", text, f"read as read_file {', '.join(text.split(chr(10)))}")


@table_of(
    ("name", "text", "call"),
    [
        pytest.param("cat", '"cat src/x.py"', read("src/x.py"), id="a quoted line"),
        pytest.param("cat", '{"command": "cat x | head -3"}', read("x:1-3"), id="a command"),
        pytest.param("cat", "x:10-20", Call("read_file", "x:10-20"), id="lines"),
        pytest.param("cat", "x\ny:1-9", Call("read_file", "x\ny:1-9"), id="a file a line"),
        pytest.param("cat", '{"path": "x"}', Call("read_file", '{"path": "x"}'), id="an object"),
    ],
)
def test_the_first_call_of_a_program(name: str, text: str, call: Call) -> None:
    calls = meant(HiddenKind.COMMAND, name, text)
    assert isinstance(calls, Meant)
    assert calls.calls[0] == call


@table_of(
    ("name", "text", "line"),
    [
        pytest.param("cat", "cat x | wc -l", "cat x | wc -l", id="a whole line"),
        pytest.param("cat", '"my file" -A', 'cat "my file" -A', id="quotes of an argument"),
        pytest.param("git_log", "--all", "git log --all", id="a command of git"),
        pytest.param("blame", "a/b.py", "git blame a/b.py", id="a blamed file"),
    ],
)
def test_the_line_of_a_program(name: str, text: str, line: str) -> None:
    calls = meant(HiddenKind.COMMAND, name, text)
    assert isinstance(calls, Meant)
    assert (calls.line, calls.calls[-1]) == (line, run(line))


@table_of(
    ("text", "line", "looks"),
    [
        pytest.param('"pytest -q"', "pytest -q", (), id="quotes"),
        pytest.param('{"command": ["a", "b c"]}', "a 'b c'", (), id="words"),
        pytest.param('{"command": ["bash", "-lc", "sed -n 1,5p x"]}', "sed -n 1,5p x",
            (read("x:1-5"),), id="a look in bash -lc"),
    ],
)  # fmt: skip
def test_a_line_for_a_shell_is_run_where_that_is_possible(
    text: str, line: str, looks: tuple[Call, ...]
) -> None:
    assert meant(HiddenKind.SHELL, "bash", text) == Meant((Call("run", line), *looks), line)


def test_a_program_looks_in_its_folder_first() -> None:
    calls = meant(HiddenKind.COMMAND, "cat", "x", "sub")
    assert isinstance(calls, Meant)
    assert (calls.here, calls.calls[0]) == (read("sub/x"), Call("read_file", "x"))


NO_EDIT = Unreadable("no edit found: write the path, the old lines and the new lines")
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b"


def editor(tool: str, parts: str, path: str = "x.py") -> Call:
    return Call(tool, parts, f"read as {tool} {path}")


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"command": "view", "path": "x.py", "view_range": [30, -1]}',
            editor("read_file", '{"path": "x.py", "view_range": [30, -1]}'), id="a range"),
        pytest.param("command: view\npath: `x.py`\nview_range: 1-20",
            editor("read_file", '{"path": "x.py", "view_range": "1-20"}'), id="fields"),
        pytest.param("command: create\npath: x.py\nfile_text: a = 1\n\nb: int = 2",
            editor("write_file", '{"path": "x.py", "file_text": "a = 1\\n\\nb: int = 2"}'),
            id="create with fields"),
        pytest.param('{"command": "str_replace", "path": "x.py", "old_str": "a"}',
            editor("replace", '{"path": "x.py", "old_str": "a", "new_str": ""}'), id="no new text"),
        pytest.param('{"command": "view", "path": "x',
            Unreadable("JSON, line 1: never closed: '\"x'; the text is "
                "'{\"command\": \"view\", \"path\": \"x'; write it again with path, old_str and "
                "new_str"), id="cut"),
        pytest.param("ls -la", NO_EDIT, id="another line"),
        pytest.param('["view", "x.py"]', NO_EDIT, id="a list"),
        pytest.param('{"file_path": "x.py", "content": "a\\n"}',
            Call("write_file", '{"file_path": "x.py", "content": "a\\n"}'), id="a whole file"),
        pytest.param(f"```diff\n{DIFF}\n```", Call("apply_patch", f"```diff\n{DIFF}\n```"),
            id="a diff"),
        pytest.param('{"target_file": "x.py", "code_edit": "a"}', NO_EDIT, id="words for an edit"),
    ],
)  # fmt: skip
def test_reads_an_edit(text: str, expected: Call | Unreadable) -> None:
    meaning = Meant((expected,)) if isinstance(expected, Call) else expected
    assert meant(HiddenKind.EDITOR, "edit", text) == meaning


NO_CODE = Unreadable("no code given: write a Python program")


def code(text: str, mark: str = "EOF") -> Call:
    line = f"python3 - <<'{mark}'\n{text}\n{mark}"
    return Call("run", line, "read as run python3, with this code")


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"code": "print(\'a\')\\n"}', code("print('a')"), id="an object"),
        pytest.param("EOF = EOF_1", code("EOF = EOF_1", "EOF_2"), id="two marks in it"),
        pytest.param("src/a.py", run("python3 src/a.py"), id="only a script"),
        pytest.param("python3 -m pytest", run("python3 -m pytest"), id="its own name"),
        pytest.param("```\n\n```", NO_CODE, id="nothing in a fence"),
        pytest.param('{"code": "x',
            Unreadable("JSON, line 1: never closed: '\"x'; the text is '{\"code\": \"x'"),
            id="cut"),
    ],
)  # fmt: skip
def test_reads_code(text: str, expected: Call | Unreadable) -> None:
    meaning = Meant((expected,)) if isinstance(expected, Call) else expected
    assert meant(HiddenKind.CODE, "python", text) == meaning


@given(
    st.text() | st.lists(st.sampled_from(["EOF", "_1", "\n", "'", "$x", "`", "\\"])).map("".join)
)
def test_code_can_not_end_its_here_document(text: str) -> None:
    [command] = commands(fed_to_python(text))
    assert command.words == ["python3", "-"]
    assert command.here == text.removesuffix("\n")
