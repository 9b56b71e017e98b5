"""The two tools of the textbook example: a calculator and an encyclopedia that works offline."""

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.textbook import calculated, nearest, read_fact_file, written
from react_agent.tools import disk, package_data
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_ALSO = 3  # other titles that are named
_QUESTION = 200  # characters


def _calculator(given: str, context: Context) -> Observation:
    lines = [line for line in given.split("\n") if line.strip()]
    if not lines:
        return failed("there is nothing to calculate: write a sum, such as 2 * (3 + 4)")
    try:
        return Observation("\n".join(written(calculated(line)) for line in lines))
    except ParseError as error:
        return failed(str(error))


def _lookup(given: str, context: Context) -> Observation:
    question = clip_line(" ".join(given.split()), _QUESTION)
    if not question:
        return failed("nothing to look up was given: write a question or a name")
    if context.facts:
        text = disk.read_text(context.facts, errors="replace")
    else:
        text = package_data.text("react_agent.tools", "facts.txt")
    entries = read_fact_file(text)
    found = nearest(question, entries)
    if not found:
        text = f"no information about {question!r} in {counted(len(entries), 'entry')}"
        return Observation(text, Status.EMPTY)
    also = ", ".join(other.title for other in found[1:][:_ALSO])
    lines = (found[0].title, found[0].text, f"(see also: {also})" if also else "")
    return Observation("\n".join(line for line in lines if line))


CALCULATOR = Tool(
    "calculator",
    "do arithmetic; input: a sum such as 29^0.23 or sqrt(2) * (1 + 5 % 3)",
    Kind.READ,
    _calculator,
)
LOOKUP = Tool(
    "lookup",
    "look up a fact in the encyclopedia; input: a name or a short question",
    Kind.SEARCH,
    _lookup,
)
