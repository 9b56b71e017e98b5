from check_rows import table_of

from react_agent.parsers.testing.only_tests import only_runs_tests


@table_of(
    "command",
    [
        "pytest",
        "pytest -q tests/test_x.py::test_y",
        "python3 -m unittest -q",
        "python -m pytest tests",
        ".venv/bin/python -m pytest",
        ".venv/bin/pytest -x",
        "PYTHONPATH=src python3.12 -m unittest\n",
        "tox",
        "make check",
        "npm test",
        "npm run test",
        "cargo test --all",
        "go test ./...",
    ],
)
def test_its_exit_code_is_the_tests(command: str) -> None:
    assert only_runs_tests(command)


@table_of(
    "command",
    [
        "pytest -q | tail -3",
        "pytest; git stash pop",
        "pytest || true",
        "pytest > log",
        "cd src && pytest",
        "python3 -m unittest -q\nls",
        "ls tests/",
        "cat tests/test_x.py",
        "grep -rn pytest .",
        "pip install pytest",
        "git diff tests",
        "pytestify",
        "make tests-clean",
        "",
    ],
)
def test_its_exit_code_tells_nothing(command: str) -> None:
    assert not only_runs_tests(command)
