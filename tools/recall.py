"""Find again what earlier steps showed: the run remembers what its prompt does not hold."""

from react_agent.parsers.recall_request import parse_recall_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.registry import Kind, Tool


def _recall(text: str, context: Context) -> Observation:
    if context.recall is None:
        return failed("nothing is remembered here but what stands above")
    request = parse_recall_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    said = f"left out: {', '.join(request.left_out)}" if request.left_out else ""
    return read_as(said, context.recall(request, context))


RECALL = Tool(
    "recall",
    "find again what earlier steps showed; input: words, or the number of a step (7, or 7:40-80 "
    "for lines of it)",
    Kind.READ,
    _recall,
)
