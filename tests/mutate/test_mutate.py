"""What `./dev mutate` says before and after the mutants; mutmut itself is left out."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
CHANGE = """\
    turn.Turn.text
    - return a or b
    + return a and b
"""
OTHER = """\
    labels.plain
    - case 2:
    - return 3
"""


@pytest.fixture(autouse=True)
def _beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture
def explained(_beside: None) -> ModuleType:
    return importlib.import_module("explained")


@pytest.fixture
def mutants(_beside: None) -> ModuleType:
    return importlib.import_module("mutants")


def _read(explained: ModuleType, text: str) -> dict[object, int]:
    found = explained.read_explained(f"# Title\n\n## Survivors\n{text}", ("turn", "labels"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {}, id="none yet"),
        pytest.param("Words.\n", {}, id="words only"),
        pytest.param(f"\n{CHANGE}\nBoth are true.\n", {CHANGE: 5}, id="one"),
        pytest.param(f"{CHANGE}{OTHER}Words.", {CHANGE: 4, OTHER: 7}, id="two, explained together"),
        pytest.param(f"{CHANGE}\nA\n\n## B\n\n{OTHER}\nC\n", {CHANGE: 4, OTHER: 12}, id="two"),
    ],
)
def test_reads_what_is_explained(
    explained: ModuleType, text: str, expected: dict[str, int]
) -> None:
    found = _read(explained, text)
    assert {f"{change}\n": line for change, line in found.items()} == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(CHANGE, "line 4: `turn.Turn.text` has no explanation below it", id="at end"),
        pytest.param(
            f"{CHANGE}\n# B\nwords", "line 4: `turn.Turn.text` has no explanation below it", id="#"
        ),
        pytest.param("    - a\nwords", "line 4: expected a function above `- a`", id="no function"),
        pytest.param(
            "    gone.x\n    - a\nwords", "line 4: `gone` is no module that gets mutants", id="gone"
        ),
    ],
)
def test_refuses_a_list(explained: ModuleType, text: str, problem: str) -> None:
    with pytest.raises(ValueError) as caught:
        _read(explained, text)
    assert str(caught.value) == problem


WRITTEN = """\
class Turn:
    def text(self, a, b):
        # a comment
        return a or b

def plain(a):
    match a:
        case 1:
            return 2
        case 2:
            return 3
"""
GENERATED = """\
class Turn:
    @_mutmut_mutated(mutants)
    def text(self, a, b):
        # a comment
        return a or b
    def xǁTurnǁtext__mutmut_orig(self, a, b):
        # a comment
        return a or b
    def xǁTurnǁtext__mutmut_1(self, a, b):
        # a comment
        return a and b

def x_plain__mutmut_orig(a):
    match a:
        case 1:
            return 2
        case 2:
            return 3

def x_plain__mutmut_1(a):
    match a:
        case 1:
            return 2
"""


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param("xǁTurnǁtext__mutmut_1: killed", (4, CHANGE, "killed"), id="method"),
        pytest.param("x_plain__mutmut_1: survived", (10, OTHER, "survived"), id="function"),
        pytest.param("x_plain__mutmut_1: no tests", (10, OTHER, "survived"), id="no test at all"),
        pytest.param("x_plain__mutmut_1: segfault", (10, OTHER, "survived"), id="no verdict"),
        pytest.param("x_plain__mutmut_1: timeout", (10, OTHER, "timed out"), id="endless"),
        pytest.param("x_plain__mutmut_1: not checked", (10, OTHER, "not run"), id="not run"),
        pytest.param(
            "x_plain__mutmut_1: check was interrupted by user",
            (10, OTHER, "killed"),
            id="can't be imported",
        ),
    ],
)
def test_tells_a_mutant(
    mutants: ModuleType, tmp_path: Path, result: str, expected: tuple[int, str, str]
) -> None:
    module = "turn" if "Turn" in result else "labels"
    for folder, text in (("", WRITTEN), ("mutants", GENERATED)):
        file = tmp_path / folder / f"react_agent/parsers/{module}.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    [mutant] = mutants.read_mutants(f"    react_agent.parsers.{module}.{result}\n", tmp_path)
    assert (mutant.line, f"{mutant.change}\n", mutant.fate) == expected


@pytest.mark.checkout
def test_knows_its_modules() -> None:
    done = _mutate("nosuch")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("mutate: no module nosuch in the reply reader: labels, ")
    assert done.stderr.count("\n") == 1


@pytest.mark.checkout
def test_prints_its_usage() -> None:
    done = _mutate("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ./dev mutate [MODULE...]     of parsers/: labels, ")


def _mutate(word: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "mutate.py"), word]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
