"""What the product is built on is really used: called where it is imported, or started.

`pytest -m check -s tests/test_libraries.py` lists where.
"""

import ast
import configparser
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from check_rows import table_of

pytestmark = pytest.mark.check

# What has to be called; of any other requirement, something of the module with its name.
CALLED = {"gitpython": "git.Repo", "genai-prices": "genai_prices"}
# What is listed with it, and isn't enough.
ALSO = {"gitpython": "gitdb"}
STARTED = "pytest"
NAMED = ("anthropic", "openai", "regex", "gitpython", "unidiff", "pytest")


def places(requirement: str, sources: dict[str, str]) -> list[str]:
    """Where it is called or started; empty if it is only imported, or only listed."""
    called = list(_places(CALLED.get(requirement, requirement), sources))
    return [*called, *_places(ALSO.get(requirement, ""), sources)] if called else []


def _places(whole: str, sources: dict[str, str]) -> Iterator[str]:
    root = re.compile(rf"\b{whole.partition('.')[0]}\b") if whole else None
    for module, source in sorted(sources.items()):
        if root and root.search(source):
            used = _started(source) if whole == STARTED else _called(source, root)
            named = ((line, name) for line, name in used if f"{name}.".startswith(f"{whole}."))
            yield from (f"{module}:{line} {name}" for line, name in named)


def _called(source: str, root: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Each call of something imported from there, by its whole name: `gitdb.db.GitDB`."""
    tree = ast.parse(source)
    imported = {name: whole for name, whole in _imported(tree) if root.match(whole)}
    for node in ast.walk(tree) if imported else ():
        if isinstance(node, ast.Call):
            first, *rest = ast.unparse(node.func).split(".")
            if first in imported:
                yield node.lineno, ".".join((imported[first], *rest))


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names by which a module knows things, and what they are elsewhere; none for types."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=test) if ast.unparse(test).endswith("TYPE_CHECKING"):
                continue
            case ast.Import(names):
                for one in names:
                    root = one.name.partition(".")[0]
                    yield (one.asname, one.name) if one.asname else (root, root)
            case ast.ImportFrom(module=str(module), names=names):
                yield from ((one.asname or one.name, f"{module}.{one.name}") for one in names)
        yield from _imported(node)


def _started(source: str) -> Iterator[tuple[int, str]]:
    """Command lines in which a Python is told to run it: `(python, "-m", "pytest")`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple | ast.List):
            words = [one.value if isinstance(one, ast.Constant) else None for one in node.elts]
            if any(pair == ("-m", STARTED) for pair in pairwise(words)):
                yield node.lineno, STARTED


@pytest.mark.parametrize("requirement", NAMED)
def test_it_is_used(requirement: str, sources: dict[str, str]) -> None:
    found = places(requirement, sources)
    print(requirement, *found, sep="\n  ")
    assert found, f"{requirement} is listed in setup.cfg, and nothing calls or starts it"


@pytest.mark.checkout
def test_each_requirement_is_used(sources: dict[str, str]) -> None:
    settings = configparser.ConfigParser()
    settings.read(Path(__file__).parents[1] / "setup.cfg", encoding="utf-8")
    names = [re.split("[<>=]", line)[0] for line in settings["options"]["install_requires"].split()]
    assert [name for name in names if not places(name, sources)] == []
    assert set(NAMED) - {STARTED} <= set(names)


@table_of(
    ("requirement", "source", "expected"),
    {
        "call": ("regex", "import regex\nregex.compile('a')", "m:2 regex.compile"),
        "later, by another name": (
            "unidiff",
            "def f():\n from unidiff.patch import PatchSet as P\n return P(a)",
            "m:3 unidiff.patch.PatchSet",
        ),
        "imported alone": ("regex", "import regex\n", ""),
        "so called": ("regex", "import re as regex\nregex.compile('a')", ""),
        "for types": ("regex", "if TYPE_CHECKING:\n import regex\nregex.compile('a')", ""),
        "git without Repo": ("gitpython", "import git\ngit.Git(a)", ""),
        "both": (
            "gitpython",
            "import git\nfrom gitdb.db import GitDB\nGitDB(a)\ngit.Repo(a)",
            "m:4 git.Repo, m:3 gitdb.db.GitDB",
        ),
        "started": ("pytest", "f((python, '-m', 'pytest'))", "m:1 pytest"),
        "not started": ("pytest", "f(['-m', 'unittest', 'pytest'])", ""),
    },
)
def test_tells_use_from_mention(requirement: str, source: str, expected: str) -> None:
    assert ", ".join(places(requirement, {"m": source})) == expected
