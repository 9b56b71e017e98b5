"""Have one file edited as described, by a sub-agent whose tries stay out of the prompt."""

from react_agent.parsers.edit_request import read_edit_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.files.combined import refused
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Cause, Refused, inside, open_inside
from react_agent.tools.files.suggestions import near_paths
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool


def _update_file(text: str, context: Context) -> Observation:
    request = read_edit_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if context.delegate is None:
        return failed("nobody is here to do it for you: change the file yourself")
    place = inside(context.root, request.path)
    if isinstance(place, Refused):
        return refused(place)
    opened = open_inside(place)
    if not isinstance(opened, Refused):
        opened.close()
        return context.delegate(place.name, request.description, context)
    near = near_paths(place.name, file_list(context.root)) if opened.cause is Cause.MISSING else ()
    return refused(opened, f"; near it: {', '.join(near)}" if near else "")


UPDATE_FILE = Tool(
    "update_file",
    "have one existing file changed for you; input: its PATH on the first line, then in words what "
    "to change and why",
    Kind.WRITE,
    _update_file,
)
