"""Fences, and whether what stands in one is a diff."""

import re
from collections.abc import Sequence

from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.patch.git_header import begins_file
from react_agent.parsers.patch.hunk_header import is_hunk_header

HEADS = ("@@", "diff ", "Index: ", "--- ", "+++ ")  # what a header may begin with
_LANGUAGES = ("diff", "patch", "udiff")


def holds_diff(lines: Sequence[str], at: int, end: int) -> bool:
    return any(
        is_hunk_header(lines[n]) or begins_file(lines, n)
        for n in range(at, end)
        if lines[n].startswith(HEADS)
    )


def is_diff_fence(line: str) -> bool:
    fence = opening_fence(line)
    return fence is not None and is_for_diffs(fence)


def is_for_diffs(fence: Fence) -> bool:
    return re.split(r"[\s:]", fence.info, maxsplit=1)[0].lower() in _LANGUAGES


def fence_end(lines: Sequence[str], at: int, fence: Fence) -> int:
    while at < len(lines):
        other = opening_fence(lines[at])
        if other and other.mark == fence.mark and other.length >= fence.length:
            return at
        at += 1
    return at
