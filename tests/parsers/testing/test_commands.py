from check_rows import table_of

from react_agent.parsers.testing.commands import Runner, only_runs_tests, runner_of, runs_tests


@table_of(
    "line",
    [
        "pytest",
        "cd x && pytest -q | tail -5",
        "pytest -q || true",
        "timeout 60 python -m pytest",
        "python3 -m unittest -q\nfor x in a b; do echo $x; done",
        "PYTHONPATH=. python test_foo.py",
        "python tests/test_x.py",
        "python manage.py test app",
        "python -m coverage run -m pytest",
        "coverage run -m unittest",
        "python -c 'import unittest; unittest.main(\"tests\")'",
        "uv run pytest",
        "bash -c 'pytest -q'",
        "npm test",
        "npm run test:unit",
        "npx jest",
        "node --test",
        "bundle exec rspec",
        "go test ./...",
        "./gradlew test",
        "make check",
        "./run_tests.sh",
    ],
)
def test_runs_tests(line: str) -> None:
    assert runs_tests(line)


@table_of(
    "line",
    [
        "",
        "pip install pytest",
        "grep -rn pytest .",
        "cat tests/test_x.py",
        "ls tests",
        "git diff tests",
        "git add tests/test_x.py",
        "echo pytest",
        "pytest --version",
        "python -m stopwatch",
        "python -m coverage report",
        "coverage report",
        "python setup.py build",
        "python -c 'import x'",
        "npm install",
        "make -n test",
        "go build ./...",
    ],
)
def test_runs_none(line: str) -> None:
    assert not runs_tests(line)


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


@table_of(
    ("line", "runner"),
    [
        ("pytest -q", Runner.PYTEST),
        ("cd x && .venv/bin/pytest | tail -5", Runner.PYTEST),
        ("PYTHONPATH=. timeout 60 python3 -m pytest", Runner.PYTEST),
        ("python -m unittest -v", Runner.UNITTEST),
        ("python manage.py test app", Runner.UNITTEST),
        ("./tests/runtests.py", Runner.UNITTEST),
        ("python -W error -m pytest", Runner.PYTEST),
        ("docker run image", Runner.OTHER),
        ("python -m tox", Runner.OTHER),
        ("npm test", Runner.OTHER),
        ("cargo test", Runner.OTHER),
        ("go test ./...", Runner.GO),
        ("make", Runner.MAKE),
        ("pip install pytest", Runner.OTHER),
        ("which pytest", Runner.OTHER),
        ("command -v pytest", Runner.OTHER),
        ("grep -rn 'go test' .", Runner.OTHER),
        ("cat tox.ini", Runner.OTHER),
        ("node x.js", Runner.OTHER),
        ("go build", Runner.OTHER),
        ("", Runner.OTHER),
    ],
)
def test_the_runner_of_a_line(line: str, runner: Runner) -> None:
    assert runner_of(line) is runner
