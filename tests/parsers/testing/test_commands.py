from check_rows import table_of

from react_agent.parsers.testing.commands import Runner, only_runs_tests, runner_of, runs_tests


@table_of(
    "line",
    [
        "pytest",
        "cd x && pytest -q | tail -5",
        "python3 -m unittest -q\nfor x in a b; do echo $x; done",
        "PYTHONPATH=. python test_foo.py",
        "python tests/test_x.py",
        "python manage.py test app",
        "python -m coverage run -m pytest",
        "coverage run -m unittest",
        "python -c 'import unittest; unittest.main(\"tests\")'",
        "bash -c 'pytest -q'",
        "npm run test:unit",
        "node --test",
        "bundle exec rspec",
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
        "cat tests/test_x.py",
        "git add tests/test_x.py",
        "echo pytest",
        "pytest --version",
        "python -m coverage report",
        "python setup.py build",
        "make -n test",
        "go build ./...",
    ],
)
def test_runs_none(line: str) -> None:
    assert not runs_tests(line)


@table_of(
    "command",
    ["pytest", "PYTHONPATH=src python3.12 -m unittest\n", "make check", "cargo test --all"],
)
def test_its_exit_code_is_the_tests(command: str) -> None:
    assert only_runs_tests(command)


@table_of(
    "command",
    [
        "pytest -q | tail -3",
        "pytest; git stash pop",
        "pytest > log",
        "python3 -m unittest -q\nls",
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
        ("cd x && .venv/bin/pytest | tail -5", Runner.PYTEST),
        ("PYTHONPATH=. timeout 60 python3 -m pytest", Runner.PYTEST),
        ("python -m unittest -v", Runner.UNITTEST),
        ("python manage.py test app", Runner.UNITTEST),
        ("./tests/runtests.py", Runner.UNITTEST),
        ("python -W error -m pytest", Runner.PYTEST),
        ("cargo test", Runner.OTHER),
        ("go test ./...", Runner.GO),
        ("make", Runner.MAKE),
        ("pip install pytest", Runner.OTHER),
        ("go build", Runner.OTHER),
        ("", Runner.OTHER),
    ],
)
def test_the_runner_of_a_line(line: str, runner: Runner) -> None:
    assert runner_of(line) is runner
