"""A command line that was copied with the prompt in front of it: `$ ls`."""

import re

_PROMPT = re.compile(r"\$ +(?=\S)")


def without_prompt(command: str) -> str:
    """Only where every line has one: what stands between could be what a command printed."""
    lines = [line.lstrip() for line in command.strip().split("\n")]
    if not all(map(_PROMPT.match, lines)):
        return command
    return "\n".join(_PROMPT.sub("", line, count=1) for line in lines)
