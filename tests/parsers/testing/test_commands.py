"""Which lines run tests, whose exit code is the tests', and the runner of each."""

from check_rows import table_of

from react_agent.parsers.testing.commands import only_runs_tests, runner_of, runs_tests

# Whether it runs tests, whether it does nothing else, the runner, the line.
ROWS = r"""
runs alone pytest | pytest
runs alone other | PYTHONPATH=. python test_foo.py
runs alone other | python tests/test_x.py
runs alone unittest | python manage.py test app
runs alone pytest | python -m coverage run -m pytest
runs alone unittest | coverage run -m unittest
runs alone pytest | bash -c 'pytest -q'
runs alone other | npm run test:unit
runs alone other | node --test
runs alone other | bundle exec rspec
runs alone make | make check
runs alone other | ./run_tests.sh
runs alone unittest | PYTHONPATH=src python3.12 -m unittest\n
runs alone other | cargo test --all
runs alone pytest | PYTHONPATH=. timeout 60 python3 -m pytest
runs alone unittest | python -m unittest -v
runs alone unittest | ./tests/runtests.py
runs alone pytest | python -W error -m pytest
runs alone other | cargo test
runs alone go | go test ./...
runs - pytest | cd x && pytest -q | tail -5
runs - unittest | python3 -m unittest -q\nfor x in a b; do echo $x; done
runs - unittest | python -c 'import unittest; unittest.main("tests")'
runs - pytest | pytest -q | tail -3
runs - pytest | pytest; git stash pop
runs - pytest | pytest > log
runs - unittest | python3 -m unittest -q\nls
runs - pytest | cd x && .venv/bin/pytest | tail -5
- - other |
- - other | pip install pytest
- - other | cat tests/test_x.py
- - other | git add tests/test_x.py
- - other | echo pytest
- - pytest | pytest --version
- - other | python -m coverage report
- - other | python setup.py build
- - make | make -n test
- - other | go build ./...
- - other | pytestify
- - make | make tests-clean
- - make | make
- - other | go build
"""


@table_of("row", ROWS.strip("\n").split("\n"))
def test_a_line(row: str) -> None:
    told, _, line = row.partition(" |")
    runs, alone, runner = told.split()
    line = line[1:].replace(r"\n", "\n")
    assert runs_tests(line) == (runs == "runs")
    assert only_runs_tests(line) == (alone == "alone")
    assert runner_of(line).name.lower() == runner
