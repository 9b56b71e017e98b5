"""Which tests stand nearest to an edit, and what they say behind it."""

from dataclasses import replace

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import REPLACE
from react_agent.tools.git.workspace import Workspace

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
