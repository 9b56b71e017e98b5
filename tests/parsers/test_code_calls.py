"""Python code that is handed to a tool."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.call import Call
from react_agent.parsers.code_calls import code_call, fed_to_python
from react_agent.parsers.shell_line import read_line
from react_agent.parsers.unreadable import Unreadable

MIXED = Unreadable("commands and code can't be mixed: write lines of a shell, or code only")


def code(text: str, mark: str = "EOF") -> Call:
    line = f"python3 - <<'{mark}'\n{text}\n{mark}"
    return Call("run", line, "read as run python3, with this code")


def run(line: str) -> Call:
    return Call("run", line, f"read as run {', '.join(line.split(chr(10)))}")


@table_of(
    ("text", "expected"),
    [
        pytest.param("print(1)", code("print(1)"), id="code"),
        pytest.param("import x\nx.f()\n", code("import x\nx.f()"), id="two lines"),
        pytest.param('{"code": "print(\'a\')\\n"}', code("print('a')"), id="an object"),
        pytest.param("```python\nif 1:\n    f()\n```", code("if 1:\n    f()"), id="a fence"),
        pytest.param("x = 'EOF'", code("x = 'EOF'", "EOF_1"), id="its mark in it"),
        pytest.param("EOF = EOF_1", code("EOF = EOF_1", "EOF_2"), id="two marks in it"),
        pytest.param("-1 + 2", code("-1 + 2"), id="a number"),
        pytest.param("script.py --a b", run("python3 script.py --a b"), id="a script"),
        pytest.param("src/a.py", run("python3 src/a.py"), id="only a script"),
        pytest.param("-m pytest -q", run("python3 -m pytest -q"), id="a module"),
        pytest.param('-c "print(1)"', run('python3 -c "print(1)"'), id="-c"),
        pytest.param("python3 -m pytest", run("python3 -m pytest"), id="its own name"),
        pytest.param("!ls\n!pwd", run("ls\npwd"), id="commands of a notebook"),
        pytest.param("%%bash\nls\ncd a", run("ls\ncd a"), id="a cell of them"),
        pytest.param("x = 1\n!ls", MIXED, id="both"),
        pytest.param("%timeit f()", MIXED, id="a magic"),
        pytest.param("", None, id="nothing"),
        pytest.param("```\n\n```", None, id="nothing in a fence"),
        pytest.param('{"code": "x',
            Unreadable("JSON, line 1: this never ends: '\"x'; the text is '{\"code\": \"x'"),
            id="cut"),
    ],
)  # fmt: skip
def test_reads_code(text: str, expected: Call | Unreadable | None) -> None:
    assert code_call(text) == expected


@given(
    st.text() | st.lists(st.sampled_from(["EOF", "_1", "\n", "'", "$x", "`", "\\"])).map("".join)
)
def test_code_can_not_end_its_here_document(text: str) -> None:
    [command] = read_line(fed_to_python(text)).commands
    assert command.given == ("python3", "-")
    assert command.here == text.removesuffix("\n")


@given(st.text())
def test_never_raises(text: str) -> None:
    read = code_call(text)
    assert read is None or isinstance(read, Call | Unreadable)
