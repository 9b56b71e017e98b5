"""How much a line says by itself: a definition, a value or an error says more than a mention."""

import re
from collections.abc import Sequence

_DEFINES = re.compile(
    r"\s*(?:export\s+|public\s+|async\s+|pub\s+)*"
    r"(?:def|class|func|function|fn|const|let|var|type|struct|interface|enum)\s+\w"
    r"|\s*[\w.\"'\[\]-]+\s*(?::\s*[\w\[\], .|\"']+)?=(?!=)\s*\S"
)
_FAILS = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Warning|Failure)\b\s*:|^E\s{2,}\S|^(?:FAILED|FAIL|ERROR)\b"
    r"|\b(?:error|fatal|panic|failed)\b\s*:"
)
_SETS = re.compile(r"\s*[\"']?[\w.-]+[\"']?\s*[:=]\s*\S")
_BELOW = 5  # lines of a traceback
DEFINES, FAILS, SETS, MENTIONS = 1.0, 0.9, 0.6, 0.0


def weight(line: str) -> float:
    if _FAILS.search(line):
        return FAILS
    if _DEFINES.match(line):
        return DEFINES
    return SETS if _SETS.match(line) else MENTIONS


def failure_below(lines: Sequence[str], at: int) -> int | None:
    """What went wrong at a place that a traceback names."""
    below = range(at, min(at + _BELOW, len(lines)))
    return next((line for line in below if weight(lines[line]) == FAILS), None)
