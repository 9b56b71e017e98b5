"""Several patterns that are asked for at once, one a line; what else is said holds for each.

searches = (["also:"] pattern NEWLINE)+ ("path:" glob NEWLINE | "context:" number NEWLINE)*
"""

import re

from react_agent.parsers.values.named_search import field_search, object_search
from react_agent.parsers.values.searches import is_setting

_ALSO = re.compile(r"\s*(?:also|and|or|patterns?|quer(?:y|ies))\s*:\s+(?=\S)", re.IGNORECASE)


def searches(text: str) -> tuple[str, ...]:
    """One text for each pattern; the text itself where there is only one."""
    lines = [line for line in text.split("\n") if line.strip()]
    settings = [line for line in lines if is_setting(line)]
    patterns = [line for line in lines if not is_setting(line)]
    if len(patterns) < 2 or object_search(text) or field_search(text):
        return (text,)
    bare = dict.fromkeys(_ALSO.sub("", pattern, count=1) for pattern in patterns)
    return tuple("\n".join((pattern, *settings)) for pattern in bare)
