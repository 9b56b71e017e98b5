"""`./dev mutate`: which mutants there are, which are chosen, and what is said about the figures."""

from collections.abc import Sequence
from pathlib import Path

import package_copy
import pytest
from by_hand import write
from check_rows import table_of
from figures import Fate
from mutants import Mutant, find_mutants, sample
from reached import Reached

import mutate

HERE = Path(__file__).parent
BODY = "def f(a, b):\n    "


@table_of(
    ("line", "expected"),
    [
        ("a(b == 1)", ["a((b != 1))", "a(b == 2)", "pass"]),
        ("return a <= b < a", ["return (a < b < a)", "return None"]),
        ("return a and not b", ["return (a or not b)", "return a and (b)", "return None"]),
        ("x = a + -b", ["x = (a - -b)"]),
        ("x = 'é' 'ö', a in b", ["x = '', a in b", "x = 'é' 'ö', (a not in b)"]),
        ("x = a if b else a", ["x = a if (not b) else a"]),
        ("x: 'int' = a is b", ["x: 'int' = (a is not b)"]),
        ("a += b", ["pass"]),
        ("if a: raise b", ["if (not a): raise b", "if a: pass"]),
        ("while a: break", ["while (not a): break", "while a: continue"]),
        ("for x in a: continue", ["for x in a: break"]),
        ("return (a ==\n        b)", ["return ((a != b))", "return None"]),
        ("'''Docstring.'''", []),
        ("x = f'{a == b}'", []),
    ],
)
def test_changes_a_line(line: str, expected: Sequence[str]) -> None:
    source = f"X = 1\n{BODY}{line}\n"
    changed = {mutant.apply(source) for mutant in find_mutants("m", source)}
    assert changed == {f"X = 1\n{BODY}{one}\n" for one in expected}


def test_names_the_function() -> None:
    source = "class A:\n def b(self):\n  def c():\n   x()\n  y()\n"
    found = [(one.function, one.line, one.lines) for one in find_mutants("m", source)]
    assert found == [("A.b.c", "x()", range(4, 5)), ("A.b", "y()", range(5, 6))]


def _mutants(module: str, numbers: range) -> list[Mutant]:
    source = "".join(f"def f{number}(a):\n    return a + {number}\n" for number in numbers)
    return list(find_mutants(module, source))


def test_chooses_the_same_lines_wherever_a_module_is_and_one_mutant_a_line() -> None:
    before = sample(_mutants("tools.git", range(100)), 20, seed=1)
    after = sample(_mutants("tools.git.git", range(50, 150)), 20, seed=1)
    assert len({mutant.place for mutant in before}) == 20
    stayed = {one.place for one in before if int(one.function[1:]) >= 50}
    assert stayed <= {one.place for one in after}
    assert sample(_mutants("tools.git", range(100)), 20, seed=2) != before


SETTINGS = """\
[options]
package_dir =
    react_agent = react_agent
    react_agent.tools = tools
[tool:pytest]
markers = checkout
    slow
    long
    live
[coverage:run]
branch = True
parallel = True
patch = subprocess
source_pkgs = react_agent
"""
SOURCE = """\
def larger(a, b):
    if a > b:
        return a
    return b

def never():
    return 1
"""
SIZE = "react_agent.tools.size"
TESTS = """\
import subprocess, sys
import pytest
from react_agent.tools.size import larger

@pytest.mark.parametrize("a", [1, 2])
def test_first(a):
    assert larger(a, 0) == a

def test_child():
    code = "from react_agent.tools.size import larger; assert larger(0, 1) == 1"
    subprocess.run([sys.executable, "-c", code], check=True)

def test_nothing():
    pass

def test_fails():
    assert larger(1, 2) == 1
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    files = {
        "setup.cfg": SETTINGS,
        "react_agent/__init__.py": "",
        "tools/__init__.py": "",
        "tools/size.py": SOURCE,
        "tests/test_size.py": TESTS,
        "examples/README.md": "",
    }
    write(tmp_path / "root", files)
    return package_copy.make(tmp_path / "root", tmp_path / "copy")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_planted_mutant_dies_by_the_tests_that_reach_it(copy: Path) -> None:
    passed = package_copy.measure(copy, (), 2)
    reached = Reached(copy, passed)
    name = "tests/test_size.py::test_"
    assert passed == {f"{name}{test}" for test in ("first[1]", "first[2]", "child", "nothing")}
    assert reached.coverage() == {"tools": 87.5, "react_agent": 100.0}
    # As if it had passed once: alone it fails without any mutant, so it notices none.
    reached = Reached(copy, {*passed, f"{name}fails"})
    mutants = list(find_mutants(SIZE, package_copy.sources(copy)[SIZE]))
    tried = mutate.try_all(copy, reached, [one for one in mutants if one.function == "larger"])
    assert {(one.mutant.line, one.mutant.becomes): (one.fate, one.last) for one in tried} == {
        ("if a > b:", "(a >= b)"): (Fate.SURVIVED, f"{name}first[2]"),
        ("if a > b:", "(not a > b)"): (Fate.KILLED, f"{name}first[1]"),
        ("return a", "return None"): (Fate.KILLED, f"{name}first[1]"),
        ("return b", "return None"): (Fate.KILLED, f"{name}child"),
    }
    assert package_copy.passing(copy, {f"{name}child", f"{name}fails"}, 1) == {f"{name}child"}
    assert package_copy.passing(copy, (), 1) == set()
    assert package_copy.sources(copy)[SIZE] == SOURCE
