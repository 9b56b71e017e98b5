"""./dev size: what is counted, and that its limits only go down by themselves."""

import json
from pathlib import Path

import pytest
import sizes
from by_hand import write
from check_rows import table_of


@table_of(
    ("source", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param('"""A\nmodule."""\n# a remark\n\nx = 1  # one\n', 3, id="a module"),
        pytest.param('def f():\n    """Does."""\n    return 1\n', 7, id="a function"),
        pytest.param('class C:\n    "One."\n\n    x = "two"\n', 6, id="a class"),
        pytest.param('x = 1\n"no docstring"\n', 4, id="another string"),
        pytest.param("x = (\n    1\n)\n", 5, id="more lines, as many tokens"),
        pytest.param("x = f\"{a}{f'{b}'}\" + y\n", 5, id="an f-string is one"),
        pytest.param('x = f"{a + b}{c}"\n', 3, id="whatever it holds"),
    ],
)
def test_counts_tokens(source: str, tokens: int) -> None:
    assert sizes.tokens_in(source) == tokens


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "parsers/__init__.py": "",
        "parsers/one.py": "x = 1\n",
        "parsers/__pycache__/one.py": "x = 1\n",
        "tools/__init__.py": "x = 1\n",
        "tools/facts.txt": "a\nb\n",
        "react_agent/page/__init__.py": "\n",
        "eval/bundled/__init__.py": "def f():\n    return 1\n",
        "eval/bundled/set.jsonl": "{}\n",
        "eval/bundled/issues/1.md": "An issue.\n",
        "tests/test_one.py": "x = 1\ny = 2\n",
        "tests/data/one.txt": "x\n",
        "tests/size/limits.json": "",
        "README.md": "Three words here.\n",
        "CONTRIBUTING.md": "Do.\n",
        "docs/a.md": "One two.\n",
        "docs/deep/b.md": "Three.\n",
        "CHANGELOG.md": "Not counted.\n",
    }
    write(tmp_path, files)
    (tmp_path / sizes.LIMITS).unlink()
    return tmp_path


def _floor(lines: int, tokens: int, modules: int, others: int) -> dict[str, int]:
    names = ("lines", "tokens", "modules", "lines of other files")
    return dict(zip(names, (lines, tokens, modules, others), strict=True))


SIZES = {
    "parsers": _floor(1, 3, 1, 0),
    "tools": _floor(1, 3, 1, 2),
    "react_agent": _floor(1, 0, 0, 0),
    "eval": _floor(2, 7, 1, 0),
    "tests": {"lines": 2},
    "documents": {"words": 7, "pages": 4},
}


def test_measures(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sizes.sizes_of(root) == SIZES
    assert sizes.main([], root) == 0
    shown = capsys.readouterr().out
    assert "\nall              5      13        3                     2\n" in shown
    assert shown.endswith("\ntests: 2 lines of Python\ndocuments: 7 words on 4 pages\n")
    assert not (root / sizes.LIMITS).exists()


def test_limits_go_down_by_themselves_and_up_when_asked(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def limits() -> object:
        return json.loads((root / sizes.LIMITS).read_text())

    assert sizes.main(["--check"], root) == 1  # a limit that is missing allows nothing
    assert sizes.main(["--raise"], root) == 0
    assert sizes.main(["--check"], root) == 0
    assert limits() == SIZES

    (root / "parsers/one.py").write_text("x = 1\ny = 2\n")
    (root / "tools/facts.txt").write_text("a\n")
    capsys.readouterr()
    assert sizes.main(["--check"], root) == 1
    assert capsys.readouterr().err.splitlines() == [
        "parsers: 2 lines, 1 more than tests/size/limits.json allows",
        "parsers: 6 tokens, 3 more than tests/size/limits.json allows",
        sizes.ADVICE,
    ]
    assert sizes.main(["--write"], root) == 1
    assert limits() == SIZES | {"tools": _floor(1, 3, 1, 1)}
    assert sizes.main(["--raise"], root) == 0
    assert limits() == SIZES | {"parsers": _floor(2, 6, 1, 0), "tools": _floor(1, 3, 1, 1)}
    assert sizes.main(["--check"], root) == 0
