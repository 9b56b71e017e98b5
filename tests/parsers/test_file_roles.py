from collections.abc import Callable

import pytest
from check_rows import table_of

from react_agent.parsers.repo.file_roles import is_by_product, is_code, is_of_tests, is_scratch


def row(role: Callable[[str], bool], yes: str, no: str) -> object:
    return pytest.param(role, yes.split(), no.split(), id=role.__name__)


@table_of(
    ("role", "yes", "no"),
    [
        row(
            is_code, "a.py b/c.ts d.go e.rs f.cpp run.sh G.PY", "README.md setup.cfg a.json LICENSE"
        ),
        row(
            is_of_tests,
            "tests/data.json test_a.py src/a_test.go a.test.ts a-spec.js spec/a_spec.rb "
            "src/FooTest.java conftest.py pkg/__tests__/a.js tests/conftest.py",
            "src/a.py latest.py contest.py attest.go docs/test.md src/testimony.py Latest.java",
        ),
        row(
            is_scratch,
            "tmp.py tmp_1.py src/tmp2.txt temp.json scratch.txt debug.py debug_it.sh test.py "
            "repro.py repro_12.sh reproduce.py a.py.orig a.rej b.bak out.log x.py~ quick_test.py",
            "template.py tempo.py debugger.py src/test.py tests/repro.py catalog.py logs.py "
            "src/reproduce.py scratchpad/a.py report.py",
        ),
        row(
            is_by_product,
            "a/__pycache__/b.pyc .pytest_cache/README.md .coverage build/x.o x.egg-info/PKG-INFO "
            "node_modules/a/index.js",
            "builder/x.py src/a.py .github/workflows/a.yml",
        ),
    ],
)
def test_says_what_a_file_is_for(
    role: Callable[[str], bool], yes: list[str], no: list[str]
) -> None:
    assert [path for path in yes if not role(path)] == []
    assert [path for path in no if role(path)] == []
