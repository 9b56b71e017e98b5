from check_rows import table_of

from react_agent.parsers.testing.running import runs_tests


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
