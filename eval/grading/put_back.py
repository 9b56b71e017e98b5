"""The files by which a patch would be its own judge: they are the base's before the tests are run.

These are the files of the tests that a set names, what its test command names, what runners are
configured by, and what would be imported in the place of a runner. Not so where the fix of people
changes the same file: then the patch may have to.
"""

import os
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from react_agent.eval.grading.test_files import test_files
from react_agent.eval.instance import Instance
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.testing.repository import told_to_pytest
from react_agent.tools.git.objects import Objects

_OF_RUNNERS = frozenset(
    (
        *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"),
        *("manage.py", "runtests.py"),
    )
)
_IN_PART = frozenset(("setup.cfg", "tox.ini", "pyproject.toml"))
_IMPORTED = frozenset(("pytest", "_pytest", "pluggy", "unittest", "sitecustomize", "usercustomize"))
_WORD = re.compile(r"[^\s'\"=;&|<>()]+")


def judges(objects: Objects, base: str, tree: str, instance: Instance) -> list[str]:
    """Of the files that are not the same in the tree as at the base."""
    found = objects.differences(objects.tree_of(base), objects.tree_of(tree))
    paths = [os.fsdecode(one.path) for one in found]
    fixed = {path for file in read_git_diff(instance.patch) for path in (file.old, file.new)}
    changed = [path for path in paths if path not in fixed]
    own = _named(instance, changed)
    return [
        path
        for path in changed
        if path.rpartition("/")[2] in _OF_RUNNERS
        or path in own
        or _hides_a_runner(objects, base, path)
        or (path.rpartition("/")[2] in _IN_PART and _tells_other(objects, base, tree, path))
    ]


def _named(instance: Instance, changed: Sequence[str]) -> set[str]:
    """By the tests, and by the command: where the fix is known, as a command may name code."""
    words = frozenset(_WORD.findall(instance.test_command)) if instance.patch else ()
    found = {path for path in changed if path in words or f"./{path}" in words}
    return found | test_files(instance, changed)


def _hides_a_runner(objects: Objects, base: str, path: str) -> bool:
    """Unless the repository has one of its own."""
    top = PurePosixPath(path).parts[0]
    name = top.removesuffix(".py")
    return name in _IMPORTED and not objects.at(base, [name, f"{name}.py"])


def _tells_other(objects: Objects, base: str, tree: str, path: str) -> bool:
    before, after = (told_to_pytest(path, _text(objects, one, path)) for one in (base, tree))
    return before != after


def _text(objects: Objects, rev: str, path: str) -> str:
    return (objects.file(rev, path) or b"").decode(errors="replace")
