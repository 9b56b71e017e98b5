"""New lines that stand for others: `# ... existing code ...`."""

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.source import Source


def left_out(hunk: Hunk, source: Source) -> str:
    """Such a line that the hunk adds and the file has nowhere; empty if none."""
    dotted = [
        line.text
        for line in hunk.lines
        if line.mark == "+" and ("..." in line.text or "…" in line.text)
    ]
    if not dotted:
        return ""
    from react_agent.parsers.patch.reading.whole_file import stands_for_others

    there = {line.strip() for line in source.lines}
    found = (text for text in dotted if text.strip() not in there and stands_for_others(text))
    return next(found, "").strip()
