import pytest
from check_rows import table_of

from react_agent.parsers.repo.entry_points import entry_points


@table_of(
    ("name", "text", "expected"),
    [
        pytest.param(
            "setup.cfg", "[options.entry_points]\nconsole_scripts =\n  a = b:c\n", ("a = b:c",),
            id="setup.cfg",
        ),
        pytest.param(
            "pyproject.toml", '[project.scripts]\na = "b:c"', ("a = b:c",), id="pyproject"
        ),
        pytest.param(
            "pyproject.toml", '[tool.poetry.scripts]\na = "b:c"', ("a = b:c",), id="poetry"
        ),
        pytest.param(
            "package.json", '{"main": "x.js", "bin": {"a": "b.js"}, "scripts": {"test": "t"}}',
            ("main = x.js", "a = b.js", "npm run test"), id="package.json",
        ),
        pytest.param("package.json", '{"bin": "b.js"}', ("bin = b.js",), id="one bin"),
        pytest.param("package.json", "[]", (), id="no object"),
        pytest.param(
            "Makefile", ".PHONY: all\nCC := gcc\nall: x\n\techo: no\n%.o: c\ntest:\n",
            ("make all | test",), id="Makefile",
        ),
        pytest.param("Makefile", "", (), id="no target"),
        pytest.param("Cargo.toml", '[[bin]]\nname = "a"', ("bin = a",), id="Cargo"),
        pytest.param("Cargo.toml", "bin = 3", (), id="Cargo, no table"),
        pytest.param("setup.cfg", "broken", (), id="broken"),
        pytest.param("README.md", "x", (), id="says nothing"),
    ],
)  # fmt: skip
def test_reads_what_can_be_started(name: str, text: str, expected: tuple[str, ...]) -> None:
    assert entry_points(name, text) == expected
