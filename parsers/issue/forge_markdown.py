"""Make text from a forge readable for a model: remove hidden comments.

Code in fences and in backticks is not changed. A comment that is never closed is kept.
"""

import re

from react_agent.parsers.text.late_pattern import LatePattern

_PARTS = LatePattern(
    r"(?P<kept>^[ \t]*+(?P<fence>`{3,}|~{3,})[^`\n]*$.*?(?:^[ \t]*+(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|`[^`\n]{1,1000}`"
    r"|<!--(?!.*?-->).*)"
    r"|^[ \t]*+(?:<!--(?>.*?-->)[ \t]*+)++(?:\n|\Z)"  # lines with nothing else
    r"|<!--.*?-->",
    re.MULTILINE | re.DOTALL,
)


def readable(text: str) -> str:
    return _PARTS.sub(lambda part: part["kept"] or "", text.replace("\r\n", "\n")).strip("\n")
