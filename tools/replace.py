"""Replace pieces of files by search/replace blocks: all of them or none."""

import re

from react_agent.parsers.block_marks import USAGE
from react_agent.parsers.replacement import parse_replacements
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, read_as
from react_agent.tools.patched import patched
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.replaced import replaced

_USAGE = f"there is no block: {USAGE}"
_DIFF = re.compile(r"^(?:--- \S|diff --git |@@ )", re.MULTILINE)


def _replace(text: str, context: Context) -> Observation:
    if _DIFF.search(text) and isinstance(parse_replacements(text), Unreadable):
        return read_as("read as a unified diff", patched(text, context, _USAGE))
    return replaced(text, context)


REPLACE = Tool(
    "replace",
    "replace lines of files by blocks: the PATH on a line, <<<<<<< SEARCH, lines as they stand in "
    "the file, =======, the new lines, >>>>>>> REPLACE; several blocks and files at once",
    Kind.WRITE,
    _replace,
)
