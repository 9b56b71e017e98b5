"""Change files by a patch: all of it or nothing."""

from react_agent.tools.context import Context
from react_agent.tools.edits.patched import patched
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool

_USAGE = (
    "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with @@ "
    "-START,COUNT +START,COUNT @@, their lines with a blank, - or + before them"
)


def _apply_patch(text: str, context: Context) -> Observation:
    return patched(text, context, _USAGE)


APPLY_PATCH = Tool(
    "apply_patch",
    "change, create, rename or delete files; input: a unified diff with --- a/PATH and +++ b/PATH, "
    "unchanged lines around each change, paths relative to the repository's root",
    Kind.WRITE,
    _apply_patch,
)
