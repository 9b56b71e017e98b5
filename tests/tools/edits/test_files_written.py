"""An edit tool says which files it wrote: a checkpoint after it looks at no others."""

import pytest
from by_hand import files

from react_agent.profiles.toolbox import OURS
from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE, WRITE_FILE
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.registry import Tool

RENAME = "diff --git a/{0} b/{1}\nsimilarity index 100%\nrename from {0}\nrename to {1}\n"
NEW = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+new\n"
GONE = "--- a/{}\n+++ /dev/null\n@@ -1 +0,0 @@\n-two = 2\n"
BLOCK = "README\n<<<<<<< SEARCH\nread me\n=======\nread it\n>>>>>>> REPLACE\n"
EDITS = [
    pytest.param(REPLACE, BLOCK, id="replace"),
    pytest.param(REPLACE, BLOCK.replace("read me", "nowhere"), id="replace nothing"),
    pytest.param(APPLY_PATCH, RENAME.format("src/two.py", "b/2.py"), id="rename"),
    pytest.param(APPLY_PATCH, NEW.format("n/n.py") + GONE.format("src/two.py"), id="new and gone"),
    pytest.param(APPLY_PATCH, NEW.format("README/n.py"), id="below a file"),
    pytest.param(WRITE_FILE, "src/n.py\nn = 1\n", id="write a file"),
    pytest.param(WRITE_FILE, "README\nall else\n", id="write over a file"),
    pytest.param(WRITE_FILE, NEW.format("n.py"), id="write a patch"),
]


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    names = before.keys() | after.keys()
    return {name for name in names if before.get(name) != after.get(name)}


@pytest.mark.parametrize(("tool", "text"), EDITS)
def test_every_file_that_it_changes_is_named(made: Workspace, tool: Tool, text: str) -> None:
    context = Context(made.root, base=made.base.commit)
    before = files(made.root)
    seen = tool.call(text, context)
    assert seen.wrote == seen.paths
    assert changed(before, files(made.root)) == (set(seen.paths) if seen.status == "ok" else set())


def test_none_is_forgotten() -> None:
    """A sub-agent may run commands, so of `update_file` it is not known."""
    writing = {tool.name for tool in OURS.values() if tool.kind == "write"}
    assert {edit.values[0].name for edit in EDITS} == writing - {"update_file"}  # type: ignore[union-attr]
