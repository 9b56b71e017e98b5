"""The model is shown the best changes, and asked which of them it would take."""

from collections.abc import Sequence

from react_agent.attempts.candidate import Candidate
from react_agent.loop.asking import Asking
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import Review, read_review
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits

REVIEW = "review"  # what a model is asked for
SYSTEM = """\
You review changes that were made for the same issue, each independent of the others. Say which
you would take: the one that does what the issue asks for, wholly and no more, where it belongs, and
breaks nothing. What could be measured, such as tests, does not tell them apart.

Answer in two lines:

Best: the number of a change
Reason: in one line, what it does better than the others

"""
_TAIL = "\nYour answer:\n"
_ANSWER = 400  # tokens
_CHARS_A_TOKEN = 3
_SHORTEST = 1_000  # characters of a change


def reviewed(changes: Sequence[Candidate]) -> Review | None:
    """By the model of the first of them, out of the budget of its run."""
    agent = changes[0].run.agent
    asking = Asking(agent.model, agent.transcript, agent.budget, agent.clock, is_over=True)
    answer, problem = asking(_view(changes, agent.budget.window), _ANSWER, REVIEW)
    return None if problem else read_review(answer, len(changes))


def _view(changes: Sequence[Candidate], window: int) -> View:
    objective = quote_world(changes[0].run.transcript.state.objective or "")
    issue = f"The issue:\n{clip(objective, Limits(output_chars=_shared(window, 4)))}\n\n"
    left = window - _ANSWER - estimate_tokens(SYSTEM + issue)
    most = max(_shared(left, len(changes) + 1), _SHORTEST)
    shown = (_shown(number, one, most) for number, one in enumerate(changes, 1))
    return View(SYSTEM, issue + "\n\n".join(shown), (), _TAIL)


def _shared(tokens: int, by: int) -> int:
    return max(tokens * _CHARS_A_TOKEN // by, _SHORTEST)


def _shown(number: int, one: Candidate, most: int) -> str:
    patch = clip(one.patch, Limits(output_chars=most))
    conclusion = " ".join(one.run.transcript.state.conclusion.split())
    return f"Change {number}. Its author says: {quote_world(conclusion)}\n{quote_world(patch)}"
