"""Tests that can't pass, put where the tests are that have to be fixed."""

from dataclasses import replace

from react_agent.eval.grading.test_files import test_files
from react_agent.eval.instance import Instance
from react_agent.tools.git.door import Git
from react_agent.tools.git.staging import names
from react_agent.tools.git.tree_edit import Held, edited, held, stored

_REGULAR = ("100644", "100755")
# In both styles, as runners know one or both; at the end, so that no line gets another number.
_TESTS = """

class Test{name}(__import__("unittest").TestCase):
    def test_{name}_equal(self):
        self.assertEqual(1, 2)

    def test_{name}_raised(self):
        raise AssertionError


def test_{name}_function():
    raise AssertionError
"""


def planted(git: Git, tree: str, instance: Instance, name: str) -> str:
    """The tree with tests that have this in their names in each of the files."""
    paths = names(git.run("ls-tree", "-r", "-z", "--name-only", tree))
    places = test_files(replace(instance, pass_to_pass=()), paths)
    there = held(git, tree, sorted(places))
    regular = {path: one for path, one in there.items() if one.mode in _REGULAR}
    return edited(git, tree, {path: _longer(git, one, name) for path, one in regular.items()})


def _longer(git: Git, file: Held, name: str) -> Held:
    text = git.run("cat-file", "blob", file.blob)
    return Held(file.mode, stored(git, text + _TESTS.format(name=name).encode()))
