"""The command that would make an environment for a project's tests."""

from collections.abc import Callable, Mapping
from pathlib import Path

from check_rows import table_of

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


@table_of(
    ("files", "line"),
    {
        "nothing": ({"README.md": ""}, ""),
        "uv": (
            {"uv.lock": "", "pyproject.toml": ""},
            f'{PIP}uv && UV_PROJECT_ENVIRONMENT="$VENV" "$VENV/bin/uv" sync --inexact '
            "--frozen --all-extras --no-install-project",
        ),
        "poetry": (
            {"poetry.lock": "", "pyproject.toml": ""},
            f'{VENV}python3 -m venv "$VENV/poetry" && "$VENV/poetry/bin/pip" install --quiet poetry'
            ' && VIRTUAL_ENV="$VENV" "$VENV/poetry/bin/poetry" install --no-root --all-extras',
        ),
        "files of requirements": (
            {"requirements.txt": "", "requirements/test.txt": "", "test_a.py": ""},
            f"{PIP}-r requirements.txt -r requirements/test.txt pytest",
        ),
        "groups and extras": (
            {"pyproject.toml": GROUPS, "tests/test_a.py": ""},
            f"{PIP}'hypothesis>=6; python_version > '\"'\"'3'\"'\"'' freezegun '.[tests]' pytest",
        ),
        "npm": (
            {"package.json": "{}", "package-lock.json": "{}", "a.test.js": ""},
            'mkdir "$VENV" && cp package.json package-lock.json "$VENV" && cd "$VENV" && '
            "npm pkg delete scripts && npm ci --no-audit --no-fund",
        ),
        "packages of npm beside a project in Python": (
            {"package-lock.json": "{}", "requirements.txt": ""},
            f"{PIP}-r requirements.txt",
        ),
        "extras": ({"setup.cfg": "[options.extras_require]\ndev = x\n"}, f"{PIP}'.[dev]'"),
        "no list": ({"pyproject.toml": "[dependency-groups]\ntest = 1\n"}, f"{PIP}."),
    },
)
def test_by_the_files_of_a_project(planted: Planted, files: dict[str, str], line: str) -> None:
    root = planted({name: text.encode() for name, text in files.items()})
    assert prepare_line(Context(root)) == line


def test_another_lock_file_is_another_environment(planted: Planted) -> None:
    context = Context(planted({"uv.lock": b"1", "code.py": b""}))
    before = determined_by(context)
    (context.root / "code.py").write_text("x")
    assert determined_by(context) == before
    (context.root / "uv.lock").write_text("2")
    assert determined_by(context) != before
