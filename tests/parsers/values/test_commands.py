import pytest
from check_rows import table_of

from react_agent.parsers.values.arguments import Named
from react_agent.parsers.values.commands import COMMANDS, PATCHES, named_text
from react_agent.parsers.values.unreadable import Unreadable


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"command": "ls -la"}', Named(("ls -la",)), id="object"),
        pytest.param('{"cmd": "ls", "timeout": 10}', Named(("ls",), ("timeout",)), id="more"),
        pytest.param('{"command": ["ls", "a b"]}', Named(("ls 'a b'",)), id="words"),
        pytest.param('{"command": ["bash", "-lc", "ls | wc"]}', Named(("ls | wc",)), id="shell"),
        pytest.param("command: ls -la", Named(("ls -la",)), id="field"),
        pytest.param("{'command': 'ls'}", Named(("ls",)), id="single quotes"),
        pytest.param('{"command": ""}', None, id="an empty one"),
        pytest.param('{"command": 3}', None, id="a number"),
        pytest.param('{"command": "a", "cmd": "b"}', None, id="two of them"),
        pytest.param('{"path": "a"}', None, id="another name"),
        pytest.param('[{"command": "a"}, {"command": "b"}]', None, id="two requests"),
        pytest.param("ls -la", None, id="a command"),
        pytest.param("{ ls; }", None, id="a group"),
        pytest.param("[ -f x ] && ls", None, id="a test"),
        pytest.param("command: ls\ncd x", None, id="several lines"),
        pytest.param("command: ls\ntimeout: 9", Named(("ls",), ("timeout",)), id="fields below"),
        pytest.param("timeout: 9\nls", None, id="a field without a command"),
        pytest.param("timeout: 9\nlimit: 3", None, id="fields without a command"),
        pytest.param("cmd: a\ncommand: b", None, id="two fields"),
        pytest.param(
            '{"command": "a',
            Unreadable("JSON, line 1: never closed: '\"a'; the text is '{\"command\": \"a'"),
            id="damaged",
        ),
    ],
)
def test_finds_the_command(text: str, expected: Named | Unreadable | None) -> None:
    assert named_text(text, COMMANDS) == expected


def test_finds_a_patch_and_says_what_was_left_out() -> None:
    found = named_text('{"patch": "--- a\\n+++ b", "explanation": "x"}', PATCHES)
    assert found == Named(("--- a\n+++ b",), ("explanation",))
    assert isinstance(found, Named)
    assert found.said == "read as --- a, +++ b; left out: explanation"
