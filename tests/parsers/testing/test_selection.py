from check_rows import table_of

from react_agent.parsers.testing.selection import LogPart, Selection, read_selection
from react_agent.parsers.values.arguments import Unreadable

X = ("tests/test_x.py",)


@table_of(
    ("text", "expected"),
    {
        "nothing": ("", Selection()),
        "the word of the description": ("nothing", Selection()),
        "a path": ("tests/test_x.py", Selection(X)),
        "a fence": ("```\ntests/test_x.py\n```", Selection(X)),
        "commas": ("tests/test_x.py, a.py", Selection((*X, "a.py"))),
        "blanks in parameters": (
            "tests/test_x.py::TestA::test_b[1 - 2]",
            Selection(("tests/test_x.py::TestA::test_b[1 - 2]",)),
        ),
        "quoted": (
            '"tests/test_x.py::test_b[1, 2]"',
            Selection(("tests/test_x.py::test_b[1, 2]",)),
        ),
        "a line that we showed": (
            "FAILED tests/test_x.py::test_b[a b]  (tests/test_x.py:8)",
            Selection(("tests/test_x.py::test_b[a b]",)),
        ),
        "a sub-test": ("a.B.test_c (i=0)", Selection(("a.B.test_c",))),
        "behind dashes": ("npm test -- a.test.js", Selection(("a.test.js",))),
        "a keyword": ("-k 'a and not b'", Selection(keyword="a and not b")),
        "two keywords": ("-k a\n-k b", Selection(keyword="(a) or (b)")),
        "a marker": ("-m slow", Selection(marker="slow")),
        "a whole command": (
            "python -m pytest -x tests/test_x.py -n 4 2>&1 | tail -5",
            Selection(X, options=("-x",), left_out=("-n", "4", "2>&1 | tail -5")),
        ),
        "an object": ('{"path": "tests/test_x.py", "k": "a"}', Selection(X, "a")),
        "a list in it": ('{"tests": ["a.py", "b.py"]}', Selection(("a.py", "b.py"))),
        "a command in it": ('{"command": "pytest a.py"}', Selection(("a.py",))),
        "what is not known is said": (
            '{"path": "a.py", "verbose": true}',
            Selection(("a.py",), left_out=("verbose",)),
        ),
        "fields": ("path: a.py\nkeyword: b", Selection(("a.py",), "b")),
        "the log": ("log", LogPart()),
        "in words": ("Log lines 5 to 9", LogPart(5, 9)),
        "from the first line": ("log 0", LogPart(1)),
        "damaged": (
            '{"path": "a',
            Unreadable(
                "JSON, line 1: never closed: '\"a'; the text is '{\"path\": \"a'; "
                "write paths or test ids, one per line"
            ),
        ),
    },
)
def test_reads_a_selection(text: str, expected: object) -> None:
    assert read_selection(text) == expected
