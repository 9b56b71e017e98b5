"""Replace pieces of files by search/replace blocks: all of them or none."""

from react_agent.parsers.block_marks import USAGE
from react_agent.tools.context import Context
from react_agent.tools.edits.patched import patched
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool


def _replace(text: str, context: Context) -> Observation:
    return patched(text, context, f"there is no block: {USAGE}")


REPLACE = Tool(
    "replace",
    "replace lines of files by blocks: the PATH on a line, <<<<<<< SEARCH, lines as they stand in "
    "the file, =======, the new lines, >>>>>>> REPLACE; several blocks and files at once",
    Kind.WRITE,
    _replace,
)
