"""A tool of yours: python own_tool.py [MODEL [REPOSITORY]]

A tool is a function of what the model wrote as input. Without a model, replies are made up.
"""

import sys
import tempfile
from pathlib import Path

from react_agent import (
    Context,
    Kind,
    Observation,
    ScriptedModel,
    Solver,
    Tool,
    failed,
    make_repository,
)

ISSUE = "The README does not say what a lap is."
GLOSSARY = {
    "lap": "one round of a stopwatch",
    "split": "the time since the start, at the end of a lap",
}
REPLIES = (
    "What is a lap for us?\nAction: explain\nAction Input: lap\n",
    """That goes below the title.
Action: replace
Action Input: README.md
<<<<<<< SEARCH
# stopwatch
=======
# stopwatch

A lap is one round of a stopwatch.
>>>>>>> REPLACE
""",
    "That is all.\nConclusion: the README says what a lap is.\n",
)


def explain(given: str, context: Context) -> Observation:
    """`context` holds the workspace and its limits; this tool needs neither."""
    meaning = GLOSSARY.get(given.strip().lower())
    return Observation(meaning) if meaning else failed(f"no such word; there are {[*GLOSSARY]}")


EXPLAIN = Tool("explain", "what a term means; input: the term", Kind.READ, explain)


def main(model: str = "", repository: str = "") -> None:
    place = Path(repository or tempfile.mkdtemp(prefix="own-tool-"))
    if not repository:
        make_repository(place)
    outcome = Solver(model=model or ScriptedModel(REPLIES), tools=[EXPLAIN]).solve(ISSUE, place)
    for step in outcome.state.steps:
        print(f"{step.number}. {step.said.turn.action}: {step.seen.text.splitlines()[0]}")
    print(f"{outcome.stop}: {outcome.branch}")


main(*sys.argv[1:])
