"""A patch of a file of twelve lines, and what `apply_patch` says to a text."""

from collections.abc import Callable
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.observation import Observation

Files = Callable[[Path], dict[str, bytes]]
CHANGE = """\
--- a/src/x.txt
+++ b/src/x.txt
@@ -4,3 +4,4 @@
 line 4
-line 5
+five
+and a half
 line 6
"""


def patch(root: Path, text: str) -> Observation:
    return APPLY_PATCH.call(text, Context(root))
