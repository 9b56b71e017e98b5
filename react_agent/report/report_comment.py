"""What a run that came to nothing says below its issue: short, without keys, nothing in it is live.

Words of the model and of the repository stand in blocks of code, where a forge sees no name to
call, no number to link and no HTML.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator

from react_agent.guards.points import refused_for
from react_agent.loop.concluding import refused
from react_agent.loop.state import State
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.report.going_on import forking, resuming
from react_agent.report.report_files import relevant
from react_agent.report.report_tried import hypothesis, tried
from react_agent.report.wishes import wishes
from react_agent.runs.outcome import Outcome

MOST_BYTES = 4_096
_WIDTH = 100
_FILES, _TRIED = 8, 10
_LOOKED_AT = 5_000  # characters of a part
_MARKS = re.compile(r"[`<>\n]")


def failure_comment(outcome: Outcome) -> str:
    """At most MOST_BYTES, in UTF-8."""
    state = outcome.state
    number, thought = hypothesis(state)
    parts = (
        _ended(outcome),
        _part("What it said at its end", [state.conclusion], 300),
        _part("Files that seem to matter", _files(state), 600, is_code=False),
        _part(f"Its last hypothesis (step {number})", [thought], 550),
        _part("What it tried", tried(state, _TRIED), 600),
        _part("Taken back", state.dead_ends, 200),
        _part("Still open", _open(outcome), 250),
        _part("Tools it wished for", _wishes(state), 100),
        _part("The change so far, which became no branch", _diff(outcome), 350),
        _part("To go on, where the run lies", _going_on(outcome), 300),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _ended(outcome: Outcome) -> str:
    state = outcome.state
    why = _plain(state.stop_reason, 160)
    steps = counted(len(state.steps), "step")
    return f"The agent did not solve this: `{outcome.stop}{f': {why}' if why else ''}`, {steps}."


def _part(title: str, lines: Iterable[str], most: int, *, is_code: bool = True) -> str:
    """Redacted as a whole, and then cut: half a key is no key to us, and one to others."""
    text = escape(redacted("\n".join(line for line in lines if line.strip())))[:_LOOKED_AT]
    if not text:
        return ""
    wrapped = [_wrapped(line) for line in text.split("\n")] if is_code else text.split("\n")
    shown = _fitting("\n".join(wrapped).split("\n"), most)
    body = textwrap.indent("\n".join(shown), "    ") if is_code else "\n".join(shown)
    return f"**{title}**\n\n{body}"


def _wrapped(line: str) -> str:
    return "\n".join(textwrap.wrap(line, _WIDTH, subsequent_indent="  ")) or line


def _fitting(lines: list[str], most: int) -> list[str]:
    shown = list[str]()
    for line in lines:
        most -= len(line.encode(errors="replace")) + 5
        if most < 0:
            return [*shown, "..."]
        shown.append(line)
    return shown


def _files(state: State) -> Iterator[str]:
    yield from (f"- `{_plain(one.path, 100)}`: {one.why}" for one in relevant(state)[:_FILES])


def _open(outcome: Outcome) -> list[str]:
    if outcome.open:
        return [point.text for point in outcome.open]
    before = refused(outcome.state)
    return refused_for(before.seen) if before else []


def _wishes(state: State) -> Iterator[str]:
    yield from (f"{wish.name} ({wish.times})" for wish in wishes([state]))


def _diff(outcome: Outcome) -> list[str]:
    return [] if outcome.branch else outcome.diff.split("\n")


def _going_on(outcome: Outcome) -> Iterator[str]:
    yield from filter(None, (resuming(outcome), forking(outcome)))


def _plain(text: str, most: int) -> str:
    """On one line, with no mark that would end what it stands in."""
    bare = escape(_MARKS.sub(" ", redacted(text))).strip()
    return bare if len(bare) <= most else f"{bare[: most - 1]}…"
