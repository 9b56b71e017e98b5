"""Why a diff does not fit, with what the file really says there."""

from collections.abc import Mapping, Sequence

from react_agent.parsers.diff import Diff
from react_agent.tools.context import Limits
from react_agent.tools.misquoted import Quote, misquoted
from react_agent.tools.nearest_region import places

_MOST_PLACES = 10
_NOTHING = "nothing was changed"


def explained(diff: Diff, contents: Mapping[str, str], complaint: str, limits: Limits) -> str:
    for file in diff.files:
        lines = _lines(contents.get(file.old or "", ""))
        for count, hunk in enumerate(file.hunks, 1):
            which = f"hunk {count} of {file.name} (line {hunk.at} of the diff)"
            found = places(lines, hunk.old)
            if hunk.old and not found:
                quote = Quote("the diff", hunk.old, hunk.old_start - 1)
                return "\n".join(misquoted(which, quote, lines, limits.line_chars))
            if hunk.old and hunk.body[-1][:1] in ("+", "-") and not _at_end(lines, hunk.old):
                return _no_context(which)
            if found and hunk.old_start - 1 not in found:
                return _elsewhere(which, found)
    return f"git refuses the diff, {complaint}; {_NOTHING}"


def _lines(content: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    return lines if lines[-1] else lines[:-1]


def _at_end(lines: Sequence[str], quoted: Sequence[str]) -> bool:
    return list(lines[-len(quoted) :]) == list(quoted)


def _elsewhere(which: str, found: Sequence[int]) -> str:
    starts = ", ".join(str(at + 1) for at in found[:_MOST_PLACES])
    return (
        f"{which} has a wrong line number: what it quotes begins at line {starts}; write the right "
        f"one, or quote more lines; {_NOTHING}"
    )


def _no_context(which: str) -> str:
    return (
        f"{which} ends in a change, and so fits only at the end of the file: quote the unchanged "
        f"lines below the change too; {_NOTHING}"
    )
