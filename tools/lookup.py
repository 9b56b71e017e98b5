"""Facts of a plain-text file, found by a question or a name: an encyclopedia without a network."""

import difflib

from react_agent.parsers.almanac import Entry, nearest, read_almanac
from react_agent.tools import disk, shipped
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_ALSO = 3  # other titles that are named
_QUESTION = 200  # characters


def _lookup(given: str, context: Context) -> Observation:
    question = clip_line(" ".join(given.split()), _QUESTION)
    if not question:
        return failed("there is nothing to look up: write a question or a name")
    entries = read_almanac(_text(context))
    found = nearest(question, entries)
    if not found:
        return Observation(_nothing(question, entries), Status.EMPTY)
    return Observation(_told(found[0], found[1:]))


def _text(context: Context) -> str:
    if context.facts:
        return disk.read_text(context.facts, errors="replace")
    return shipped.text("react_agent.tools", "facts.txt")


def _told(entry: Entry, others: list[Entry]) -> str:
    also = ", ".join(other.title for other in others[:_ALSO])
    lines = (entry.title, entry.text, f"(see also: {also})" if also else "")
    return "\n".join(line for line in lines if line)


def _nothing(question: str, entries: tuple[Entry, ...]) -> str:
    titles = {title.casefold(): title for entry in entries for title in entry.titles}
    near = difflib.get_close_matches(question.casefold(), titles, n=_ALSO)
    meant = f"; did you mean {', '.join(titles[name] for name in near)}?" if near else ""
    return f"nothing is known here of {question!r}, in {counted(len(entries), 'entry')}{meant}"


LOOKUP = Tool(
    "lookup",
    "find a fact in the encyclopedia at hand; input: a name, or a question in few words",
    Kind.SEARCH,
    _lookup,
)
