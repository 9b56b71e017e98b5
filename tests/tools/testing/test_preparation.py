"""The command that would make an environment for a project's tests."""

from collections.abc import Callable, Mapping
from pathlib import Path

from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent.tools.context import Context
from react_agent.tools.testing.probe import determined_by, prepare_line

Planted = Callable[[Mapping[str, bytes]], Path]
VENV = 'python3 -m venv "$VENV" && '
PIP = f'{VENV}"$VENV/bin/pip" install --quiet '
GROUPS = """
[dependency-groups]
test = ["hypothesis>=6; python_version > '3'", {include-group = "more"}, {include-group = "test"}]
more = ["freezegun"]
[project.optional-dependencies]
tests = ["x"]
docs = ["y"]
"""


def test_by_the_files_of_a_project(planted: Planted, each_row: EachRow) -> None:
    def line(files: dict[str, str]) -> str:
        texts = {name: text.replace("GROUPS", GROUPS) for name, text in files.items()}
        root = planted({name: text.encode() for name, text in texts.items()})
        return prepare_line(Context(root)).replace(PIP, "PIP ").replace(VENV, "VENV ")

    each_row(read_rows(FOLDER / "own/preparation.txt"), lambda row: row.check({"line": line}))


def test_another_lock_file_is_another_environment(planted: Planted) -> None:
    context = Context(planted({"uv.lock": b"1", "code.py": b""}))
    before = determined_by(context)
    (context.root / "code.py").write_text("x")
    assert determined_by(context) == before
    (context.root / "uv.lock").write_text("2")
    assert determined_by(context) != before
