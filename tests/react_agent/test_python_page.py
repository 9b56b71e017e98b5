"""docs/python.md and examples/: what they show is run, and typed, and public."""

import ast
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import FakeEndpoint

import react_agent
from react_agent import api
from react_agent.runs.run_folder import every

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PRINTED = {
    "own_tool": (
        "1. explain: one round of a stopwatch\n"
        "2. replace: changed README.md (+2 -0)\n"
        "concluded: react-agent/the-readme-does-not-say-what-a-"
    ),
    "own_model": "\ngave_up: I give up because I am a line of Python.\n",
    "own_guard": "stuck: it writes LICENSE\n",
}


@pytest.fixture(scope="module")
def page() -> str:
    return (ROOT / "docs/python.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", EXAMPLES / f"{name}.py"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert PRINTED[name] in done.stdout


@pytest.mark.slow
def test_types_hold_for_who_uses_it(tmp_path: Path) -> None:
    """As a wheel has them: type checkers do not see where folders of a checkout are mapped to."""
    package = Path(react_agent.__path__[0])
    assert (package / "py.typed").is_file()
    if package.is_relative_to(ROOT):
        links = tmp_path / "react_agent"
        links.mkdir()
        for place in (*package.iterdir(), *(ROOT / name for name in ("tools", "parsers", "eval"))):
            (links / place.name).symlink_to(place)
        untyped = "[mypy]\n[mypy-gitdb.*,xllamacpp.*]\nignore_missing_imports = True\n"
        (tmp_path / "mypy.ini").write_text(untyped)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from react_agent import Solver, nonsense\nSolver(model=1)\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mypy", "--strict", EXAMPLES, wrong],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    *found, _ = done.stdout.splitlines()
    assert [line.rpartition("[")[2] for line in found] == ["attr-defined]", "arg-type]"], done


def test_examples_use_public_names_alone() -> None:
    for example in EXAMPLES.glob("*.py"):
        tree = ast.parse(example.read_text(encoding="utf-8"))
        ours = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = {
            alias.name for node in ours if node.module == "react_agent" for alias in node.names
        }
        assert names <= {*react_agent.__all__}
        assert not [node.module for node in ours if (node.module or "").startswith("react_agent.")]


def test_what_is_public_is_listed_once() -> None:
    tree = ast.parse(Path(str(api.__file__)).read_text(encoding="utf-8"))
    imported = [
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    ]
    own = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    imported += [name for name in own if not name.startswith("_")]
    assert sorted(imported) == sorted(react_agent.__all__) == dir(react_agent)
    assert all(getattr(react_agent, name) is getattr(api, name) for name in react_agent.__all__)


def test_no_public_name_is_that_of_a_module(sources: dict[str, str]) -> None:
    """It would be the one or the other, by what was imported first."""
    modules = {name.removeprefix("react_agent.") for name in sources}
    assert modules & {*react_agent.__all__} == set()


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="module 'react_agent' has no attribute 'nonsense'"):
        _ = react_agent.nonsense  # type: ignore[attr-defined]


def test_an_import_costs_nothing() -> None:
    ask = "import react_agent, sys; print(sum(name.startswith('react_') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-P", "-c", ask], stdout=subprocess.PIPE, text=True)
    assert done.stdout == "1\n"


@pytest.mark.checkout
def test_the_page_tells_of_all_that_is_public(page: str) -> None:
    named = set(re.findall(r"\w+", "".join(re.findall(r"`[^`]*`", page))))
    assert {*react_agent.__all__} - named == set()


@pytest.mark.checkout
def test_the_page_shows_the_examples_or_is_run(
    page: str, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [text for name in PRINTED for text in [(EXAMPLES / f"{name}.py").read_text("utf-8")]]
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    own = [block for block in blocks if not any(block in text for text in shown)]
    assert len(own) == 2
    place = desk.repository
    place.joinpath("issue.md").write_text("The title is in lower case\n")
    config = Path(os.environ["XDG_CONFIG_HOME"], "react-agent/config.cfg")
    config.parent.mkdir(parents=True)
    monkeypatch.chdir(place)
    replies = ["I look.\nAction: list_files\n", "Conclusion: I give up because it is enough."]
    with FakeEndpoint(replies) as endpoint, redirect_stdout(io.StringIO()) as printed:
        config.write_text(
            f"[react_agent:model mine]\nspec = openai/x\nbase_url = {endpoint.url}/v1\n"
        )
        for block in own:
            exec(compile(block, "docs/python.md", "exec"), {})
    lines = printed.getvalue().splitlines()
    assert lines[0].startswith("gave_up  ")
    assert lines[1] == "1 list_files ok"
    assert lines[-2:] == ["gave_up 1 The title is in lower case", "   I look."]
    assert len(every(Path(os.environ["XDG_STATE_HOME"], "react-agent/runs"))) == 1
