"""An edit after which a file no longer parses, or lint refuses it, is not kept; tests near it."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.observation import Observation, Status, failed

Files = Callable[[Path], dict[str, bytes]]
LONG = "".join(f"a{number} = {number}\n" for number in range(1, 61))


def changed(root: Path, name: str, old: str, new: str) -> Observation:
    block = f"{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
    return REPLACE.call(block, Context(root))


@pytest.mark.parametrize(
    ("name", "before", "pair", "expected"),
    [
        pytest.param(
            "f.py",
            "a = 1\nb = 2\n",
            ("b = 2", "b = (2"),
            "f.py would no longer parse, line 2: '(' was never closed; nothing was changed\n"
            "it would have become\n   1| a = 1\n   2| b = (2",
            id="Python",
        ),
        pytest.param(
            "f.json",
            '{"a": 1}\n',
            ('{"a": 1}', '{"a" 1}'),
            "f.json would no longer parse, line 1: Expecting ':' delimiter; nothing was changed\n"
            'it would have become\n   1| {"a" 1}',
            id="JSON",
        ),
        pytest.param(
            "f.toml",
            "[a]\r\nb = 1\r\n",
            ("b = 1", "b ="),
            "f.toml would no longer parse, line 2: Invalid value; nothing was changed\n"
            "it would have become\n   1| [a]\n   2| b =",
            id="TOML with CRLF",
        ),
        pytest.param(
            "f.py",
            f"a = 0\n{LONG}'''\nb = 1\n'''\n",
            ("a = 0\n", "a = '''0'''; '''\n"),
            "f.py would no longer parse, line 64: unterminated triple-quoted string literal "
            "(detected at line 64); nothing was changed\n"
            "it would have become\n   1| a = '''0'''; '''\n   2| a1 = 1\n   3| a2 = 2\n"
            " ...\n  62| '''\n  63| b = 1\n  64| '''",
            id="far from the change",
        ),
    ],
)
def test_shows_the_change_and_the_error(
    root: Path, files: Files, name: str, before: str, pair: tuple[str, str], expected: str
) -> None:
    (root / name).write_bytes(before.encode())
    original = files(root)
    assert changed(root, name, *pair) == failed(expected, name)
    assert files(root) == original


BAD_Y = "diff --git a/y.py b/y.py\n--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-y = 1\n+y = (1\n"


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n", id="changed"),
        pytest.param("--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n", id="deleted"),
        pytest.param("diff --git a/x.py b/z.py\nrename from x.py\nrename to z.py\n", id="renamed"),
    ],
)
def test_of_a_patch_all_files_are_kept_or_none(root: Path, files: Files, first: str) -> None:
    (root / "x.py").write_text("x = 1\n")
    (root / "x.py").chmod(0o750)
    (root / "y.py").write_text("y = 1\n")
    original = files(root)
    refused = APPLY_PATCH.call(first + BAD_Y, Context(root))
    assert refused.text.startswith("y.py would no longer parse, line 1: '(' was never closed")
    assert files(root) == original
    assert (root / "x.py").stat().st_mode & 0o777 == 0o750
    assert not (root / "new").exists()
    kept = APPLY_PATCH.call(first + BAD_Y.replace("(1", "3"), Context(root))
    assert (kept.status, (root / "y.py").read_text()) == (Status.OK, "y = 3\n")


def test_says_in_one_line_that_files_parse(root: Path) -> None:
    (root / "x.py").write_text("x = 1\n")
    patch = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    other = "--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+n = 1\n"
    assert APPLY_PATCH.call(patch, Context(root)) == Observation(
        "changed x.py (+1 -1)\n[x.py still parses]\nx.py\n   1| x = 2", paths=("x.py",)
    )
    patch = patch.replace("2", "3").replace("x = 1", "x = 2")
    assert (
        APPLY_PATCH.call(patch + other, Context(root)).text.split("\n")[1] == "[x.py, n.py parse]"
    )


@pytest.mark.parametrize(
    ("name", "others", "said"),
    [
        pytest.param(
            "src/f.py",
            {"src/f.py": "print 1\n"},
            "it was kept, as it did not before",
            id="did not parse before",
        ),
        pytest.param("src/f.py", {}, "", id="new"),
        pytest.param(
            "tests/data/f.py",
            {},
            "it was kept, as files of test data may be broken on purpose",
            id="new test data",
        ),
        pytest.param("tests/data/f.py", {"tests/data/f.py": "1\n"}, "", id="test data that parsed"),
    ],
)
def test_what_may_stay_though_it_does_not_parse(
    root: Path, name: str, others: dict[str, str], said: str
) -> None:
    for other, text in others.items():
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        (root / other).write_text(text)
    old = "".join(f"-{line}\n" for line in others.get(name, "").splitlines())
    source = f"a/{name}" if name in others else "/dev/null"
    seen = APPLY_PATCH.call(f"--- {source}\n+++ b/{name}\n@@ -1 +1 @@\n{old}+(\n", Context(root))
    assert (seen.status is Status.OK, (root / name).is_file()) == (
        bool(said),
        bool(said) or name in others,
    )
    assert said in seen.text


LINT = "grep -q good {path} || { echo {path} is bad; exit 1; }"


@pytest.mark.parametrize(
    ("lint", "before", "after", "kept"),
    [
        pytest.param(LINT, "good", "still good", True, id="passes"),
        pytest.param(LINT, "good", "bad", False, id="fails"),
        pytest.param(LINT, "bad", "worse", True, id="failed before"),
        pytest.param(
            f"grep -q good {{path}} && exit 127; {LINT}",
            "good",
            "bad",
            True,
            id="can not judge the old",
        ),
        pytest.param("false", "good", "bad", True, id="without a path"),
    ],
)
def test_the_repositorys_lint_command(
    root: Path, lint: str, before: str, after: str, kept: bool
) -> None:
    (root / "it's.txt").write_text(f"{before}\n")
    context = Context(root, commands={"lint": lint}, environment={"PATH": os.environ["PATH"]})
    block = f"it's.txt\n<<<<<<< SEARCH\n{before}\n=======\n{after}\n>>>>>>> REPLACE"
    seen = REPLACE.call(block, context)
    refused = failed(
        "the lint command refuses it's.txt, and did not before; nothing was changed; it says\n"
        "it's.txt is bad",
        "it's.txt",
    )
    shown = Observation(f"changed it's.txt (+1 -1)\nit's.txt\n   1| {after}", paths=("it's.txt",))
    assert seen == (shown if kept else refused)
    assert (root / "it's.txt").read_text() == (f"{after}\n" if kept else f"{before}\n")


def test_the_lint_command_runs_in_the_sandbox_and_what_it_changes_is_shown(root: Path) -> None:
    asked = []

    def sandbox(argv: object, cwd: Path) -> list[str]:
        asked.append((argv, cwd))
        return ["sh", "-c", "echo formatted > src/x.txt"]

    context = Context(root, commands={"lint": "fmt {path}"}, sandbox=sandbox)
    block = "src/x.txt\n<<<<<<< SEARCH\nline 1\n=======\nfirst\n>>>>>>> REPLACE"
    seen = REPLACE.call(block, context)
    assert [cwd for _, cwd in asked] == [root]
    assert seen.text == "changed src/x.txt (+1 -12)\nsrc/x.txt\n   1| formatted"


BLOCK = "src/one.py\n<<<<<<< SEARCH\none = 1\n=======\none = {}\n>>>>>>> REPLACE"
TEST = """\
import sys
import unittest

sys.path.insert(0, "src")
from one import one


class TestOne(unittest.TestCase):
    def test_one(self):
        self.assertEqual(one, 2)
"""


@pytest.mark.parametrize(
    ("value", "verdict"),
    [pytest.param(2, "1 passed", id="ok"), pytest.param(3, "1 failed", id="no")],
)
def test_an_edit_tells_what_they_say(made: Workspace, value: int, verdict: str) -> None:
    (made.root / "test_one.py").write_text(TEST)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(made.root.parent)}
    commands = {"test": "python3 -m unittest {selection}"}
    context = Context(made.root, environment=environment, commands=commands, tests_after_edit=True)
    text = REPLACE.call(BLOCK.format(value), context).text
    edit, _, tests = text.partition("[the tests nearest to it: test_one.py]\n")
    assert "changed src/one.py (+1 -1)" in edit
    assert verdict in tests
    quiet = replace(context, tests_after_edit=False)
    assert "nearest" not in REPLACE.call(BLOCK.format(9).replace("1\n=", f"{value}\n="), quiet).text
