"""The text of a model -> the changes it means, whichever way it writes them."""

from react_agent.parsers.patch.changes import Reading


def read_changes(text: str) -> Reading:
    raise NotImplementedError
