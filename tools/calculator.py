"""Arithmetic, worked out to the last digit."""

from react_agent.parsers.arithmetic import Undefined, calculated, written
from react_agent.parsers.errors import ParseError
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool


def _calculator(given: str, context: Context) -> Observation:
    lines = [line for line in given.split("\n") if line.strip()]
    if not lines:
        return failed("there is nothing to work out: write a sum, such as 2 * (3 + 4)")
    try:
        return Observation("\n".join(written(calculated(line)) for line in lines))
    except (ParseError, Undefined) as error:
        return failed(str(error))


CALCULATOR = Tool(
    "calculator",
    "work out arithmetic; input: a sum such as 29^0.23 or sqrt(2) * (1 + 5 % 3)",
    Kind.READ,
    _calculator,
)
