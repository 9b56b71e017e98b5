"""Which tests stand nearest to an edit, and what they say behind it."""

from dataclasses import replace

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import REPLACE
from react_agent.tools.edits.nearest_tests import nearest_tests
from react_agent.tools.git.workspace import Workspace

KNOWN = [
    "src/dates.py",
    "src/test_util.py",
    "tests/test_dates.py",
    "tests/deep/dates_test.py",
    "web/dates.test.js",
    "web/util.js",
]
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
    ("paths", "expected"),
    [
        pytest.param(
            ["src/dates.py"],
            ("tests/test_dates.py", "tests/deep/dates_test.py", "web/dates.test.js"),
            id="named after it",
        ),
        pytest.param(["tests/test_dates.py"], ("tests/test_dates.py",), id="a test itself"),
        pytest.param(["web/util.js"], ("src/test_util.py",), id="of another language"),
        pytest.param(["README.md"], (), id="none"),
        pytest.param([], (), id="nothing"),
    ],
)
def test_the_nearest_tests(paths: list[str], expected: tuple[str, ...]) -> None:
    assert nearest_tests(paths, KNOWN) == expected


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
