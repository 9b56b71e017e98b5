import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.testing.selection import LogPart, OtherCommand, Selection, read_selection
from react_agent.parsers.values.arguments import Unreadable

X = ("tests/test_x.py",)


@table_of(
    ("text", "expected"),
    [
        pytest.param("", Selection(), id="nothing"),
        pytest.param("all tests.", Selection(), id="all"),
        pytest.param("nothing", Selection(), id="the word of the description"),
        pytest.param("pytest ./... .", Selection(), id="everything twice"),
        pytest.param("pytest", Selection(), id="a command alone"),
        pytest.param("python -m pytest -q .", Selection(options=("-q",)), id="a dot"),
        pytest.param("tests/test_x.py", Selection(X), id="a path"),
        pytest.param("`tests/test_x.py`", Selection(X), id="backticks"),
        pytest.param("```\ntests/test_x.py\n```", Selection(X), id="a fence"),
        pytest.param("tests/test_x.py, a.py", Selection((*X, "a.py")), id="commas"),
        pytest.param(
            "tests/test_x.py::TestA::test_b[1 - 2]",
            Selection(("tests/test_x.py::TestA::test_b[1 - 2]",)),
            id="blanks in parameters",
        ),
        pytest.param(
            '"tests/test_x.py::test_b[1, 2]"',
            Selection(("tests/test_x.py::test_b[1, 2]",)),
            id="quoted",
        ),
        pytest.param(
            "FAILED tests/test_x.py::test_b[a b]  (tests/test_x.py:8)",
            Selection(("tests/test_x.py::test_b[a b]",)),
            id="a line that we showed",
        ),
        pytest.param("a.B.test_c (i=0)", Selection(("a.B.test_c",)), id="a sub-test"),
        pytest.param("-k 'a and not b'", Selection(keyword="a and not b"), id="a keyword"),
        pytest.param("-k=a", Selection(keyword="a"), id="with an equals sign"),
        pytest.param("-k a\n-k b", Selection(keyword="(a) or (b)"), id="two keywords"),
        pytest.param("-m slow", Selection(marker="slow"), id="a marker"),
        pytest.param(
            "pytest -xvs tests/test_x.py", Selection(X, left_out=("-xvs",)), id="options in one"
        ),
        pytest.param(
            "python -m pytest -x tests/test_x.py -n 4 2>&1 | tail -5",
            Selection(
                X,
                options=("-x",),
                left_out=("-n", "4", "2>&1 | tail -5"),
            ),
            id="a whole command",
        ),
        pytest.param(
            "PYTHONPATH=. timeout 60 pytest tests/test_x.py", Selection(X), id="a wrapped command"
        ),
        pytest.param("python3 -m unittest a.b.C", Selection(("a.b.C",)), id="unittest"),
        pytest.param("go test ./... -run TestA", Selection(keyword="TestA"), id="go"),
        pytest.param("npm test -- a.test.js", Selection(("a.test.js",)), id="npm"),
        pytest.param('{"path": "tests/test_x.py", "k": "a"}', Selection(X, "a"), id="an object"),
        pytest.param('{"tests": ["a.py", "b.py"]}', Selection(("a.py", "b.py")), id="a list in it"),
        pytest.param('["a.py", "b.py"]', Selection(("a.py", "b.py")), id="only a list"),
        pytest.param('{"command": "pytest a.py"}', Selection(("a.py",)), id="a command in it"),
        pytest.param('{"command": "ls"}', OtherCommand("ls"), id="another command in it"),
        pytest.param(
            '{"path": "a.py", "verbose": true}',
            Selection(("a.py",), left_out=("verbose",)),
            id="what is not known is said",
        ),
        pytest.param("path: a.py\nkeyword: b", Selection(("a.py",), "b"), id="fields"),
        pytest.param("ls -la tests", OtherCommand("ls -la tests"), id="another command"),
        pytest.param("cd x && tox", OtherCommand("cd x && tox"), id="in another folder"),
        pytest.param("python x.py", OtherCommand("python x.py"), id="a program"),
        pytest.param("log", LogPart(), id="the log"),
        pytest.param("log 120-180", LogPart(120, 180), id="a part of it"),
        pytest.param("Log lines 5 to 9", LogPart(5, 9), id="in words"),
        pytest.param("log 0", LogPart(1), id="from the first line"),
        pytest.param(
            '{"path": "a',
            Unreadable(
                "JSON, line 1: never closed: '\"a'; the text is '{\"path\": \"a'; "
                "write paths or test ids, one per line"
            ),
            id="damaged",
        ),
    ],
)
def test_reads_a_selection(text: str, expected: object) -> None:
    assert read_selection(text) == expected


@settings(max_examples=25)
@given(st.text() | st.text(alphabet="-k:[](){}\"'`,.# a=b\n/|&>"))
def test_any_text_can_be_read(text: str) -> None:
    read_selection(text)
