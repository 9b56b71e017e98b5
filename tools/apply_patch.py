"""Change files by a unified diff: all of it or nothing."""

from react_agent.parsers.diff_text import parse_diff
from react_agent.parsers.named_text import PATCHES, NamedText, named_text
from react_agent.parsers.replacement import has_blocks
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.patched import patched
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.replaced import replaced

_NOTHING = "nothing was changed"


def _apply_patch(text: str, context: Context) -> Observation:
    match named_text(text, PATCHES):
        case NamedText() as named:
            return read_as(named.said, _patched(named.text, context))
        case Unreadable(reason):
            return failed(f"{reason}; {_NOTHING}")
        case _:
            return _patched(text, context)


def _patched(text: str, context: Context) -> Observation:
    if has_blocks(text) and isinstance(parse_diff(text), Unreadable):
        return read_as("read as SEARCH/REPLACE blocks", replaced(text, context))
    return patched(text, context)


APPLY_PATCH = Tool(
    "apply_patch",
    "change, create, rename or delete files; input: a unified diff with --- a/PATH and +++ b/PATH, "
    "unchanged lines around each change, paths relative to the repository's root",
    Kind.WRITE,
    _apply_patch,
)
