from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.observation import Observation, Status, failed


@pytest.fixture
def root(tmp_path: Path, planted: Callable[..., Path]) -> Path:
    root = planted(
        {
            "setup.cfg": b"",
            "src/a.py": b'"""About."""\n\n\ndef f(x):\n    return x\n',
            "src/b.py": b"from src.a import f\n\n\nclass B:\n    def g(self): ...\n",
            "tests/test_a.py": b"from src.a import f\n",
            "x.js": b"class A {\n  f(a) {\n  }\n}\n",
            "README.md": b"# It\n",
            "data": b"\0",
        }
    )
    (root / "out").symlink_to(tmp_path)
    return root


def outlined(root: Path, text: str, limits: Limits | None = None) -> Observation:
    return OUTLINE.call(text, Context(root, limits or Limits()))


A = "src/a.py: 5 lines, 1 definition\n[About.]\ndef f(x)  4-5"
B = "src/b.py: 5 lines, 2 definitions\nclass B  4-5\n  def g(self)  5"


@table_of(
    ("text", "expected"),
    {
        "a range in quotes": ("`src/a.py: 1-359`", A),
        "object": ('{"path": "src/b.py"}', B),
        "two": ("src/a.py\nsrc/b.py", f"{A}\n\n{B}"),
    },
)
def test_outlines_files(root: Path, text: str, expected: str) -> None:
    assert outlined(root, text).text == expected


@table_of(
    ("text", "reason"),
    [
        ("", "there is no path: write the path of a file, several one per line"),
        ("src/aa.py", "src/aa.py does not exist; near it: src/a.py, src/b.py"),
        ("x.js", "x.js: only Python has an outline"),
        ("data", "data is binary: it has no outline"),
        ("out/x.py", "out/x.py is a symbolic link that leads out of the repository; only files in "
         "the repository can be accessed: write a path relative to its root"),
    ],
)  # fmt: skip
def test_says_why_there_is_none(root: Path, text: str, reason: str) -> None:
    assert outlined(root, text) == failed(reason)


def test_what_has_no_room_is_counted(root: Path) -> None:
    many = [f"class A{at}:\n    def f(self): ...\n" for at in range(200)]
    (root / "many.py").write_text("".join(many))
    shown = outlined(root, "many.py", Limits(output_chars=6_000)).text.split("\n")
    assert (shown[0], shown[-1]) == (
        "many.py: 400 lines, 400 definitions", "[200 nested definitions are not shown]"
    )  # fmt: skip
    least = outlined(root, "many.py", Limits(output_chars=1_000)).text
    assert least.endswith("more definitions are not shown]")


def test_an_empty_file_is_empty(root: Path) -> None:
    (root / "e.py").write_text("")
    assert outlined(root, "e.py").status is Status.EMPTY
