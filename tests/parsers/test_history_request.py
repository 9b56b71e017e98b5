import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.history_request import HistoryRequest, parse_history_request

KNOWN = ("n", "S", "L", "grep", "i", "p")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", HistoryRequest(), id="nothing"),
        pytest.param("HEAD~3 src/x.py", HistoryRequest(("HEAD~3", "src/x.py")), id="words"),
        pytest.param(
            "git log -5 --oneline -p HEAD -- a.py 'b c.py' | head -3",
            HistoryRequest(("HEAD",), ("a.py", "b c.py"), (("n", "5"), ("p", ""))), id="shell",
        ),
        pytest.param(
            "-Sfoo -n3 --grep='a b' -L 1,2:x.py -i",
            HistoryRequest(
                options=(("S", "foo"), ("n", "3"), ("grep", "a b"), ("L", "1,2:x.py"), ("i", ""))
            ), id="values, glued and not",
        ),
        pytest.param(
            r"-S '\bfoo\.' --max-count 2", HistoryRequest(options=(("S", r"\bfoo\."), ("n", "2"))),
            id="backslashes stay",
        ),
        pytest.param("-S don't", HistoryRequest(options=(("S", "don't"),)), id="a lone quote"),
        pytest.param("-S", HistoryRequest(), id="no value"),
        pytest.param(
            "--format=%H --author me --graph x",
            HistoryRequest(("x",), left_out=("--format=%H", "--graph", "author me")), id="left out",
        ),
        pytest.param("--all --tags=x -g", HistoryRequest(beyond=("--all", "--tags=x", "-g")),
                     id="beyond"),
        pytest.param("```\n`abc def`\n```", HistoryRequest(("abc", "def")), id="fence, backticks"),
        pytest.param(
            "rev: abc\npath: 'a b.py'\nlines: 3-4\nlimit: 2",
            HistoryRequest(("abc",), ("a b.py:3-4",), (("n", "2"),)), id="fields",
        ),
        pytest.param(
            '{"path": "x.py", "commit": "abc", "start": 3, "end": 4, "why": "because"}',
            HistoryRequest(("abc",), ("x.py:3-4",), left_out=("why",)), id="object",
        ),
    ],
)  # fmt: skip
def test_reads(text: str, expected: HistoryRequest) -> None:
    assert parse_history_request(text, KNOWN) == expected


@given(st.text("-nSL '\"`{}[]:,/a1\n|") | st.text())
def test_reads_anything(text: str) -> None:
    parse_history_request(text, KNOWN)
