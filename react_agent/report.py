"""What a run found out, in Markdown: worth reading most when it failed."""

import textwrap
from collections import Counter
from collections.abc import Iterable

from react_agent.outcome import Outcome
from react_agent.parsers.facts import read_list
from react_agent.parsers.issue import title_of
from react_agent.parsers.quoting import escape
from react_agent.state import State
from react_agent.tools.registry import Kind

_MOST_FILES = 15


def report(outcome: Outcome) -> str:
    state = outcome.state
    parts = (
        f"# {title_of(state.objective or '')}",
        _ending(outcome),
        _section("What the agent said", [state.conclusion or _last_thought(state)]),
        _section(
            "Change", [f"Branch `{outcome.branch}`\n" if outcome.branch else "", outcome.diff]
        ),
        _section("Tests", [outcome.tests, _indented(outcome.tests_said)]),
        _section("Left out of the change", (f"- `{path}`" for path in outcome.left_out)),
        _section("Files it looked at or changed, most often first", _relevant(state)),
        _section("Tools it wished for", _wishes(state)),
    )
    return "\n\n".join(escape(part).strip() for part in parts if part) + "\n"


def _ending(outcome: Outcome) -> str:
    spent = outcome.state.spent
    cost = "" if spent.money is None else f", cost {spent.money:.4f}"
    why = f" ({outcome.state.stop_reason})" if outcome.state.stop_reason else ""
    return (
        f"Ended as `{outcome.stop}`{why}: {len(outcome.state.steps)} steps, "
        f"{spent.prompt_tokens} + {spent.reply_tokens} tokens, {spent.seconds:.0f} s{cost}."
    )


def _section(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(line for line in lines if line)
    return f"## {title}\n\n{body}" if body else ""


def _indented(text: str) -> str:
    """A block of code, in which nothing is Markdown or HTML."""
    return "\n" + textwrap.indent(text, "    ") if text else ""


def _last_thought(state: State) -> str:
    thoughts = [step.said.turn.thought for step in state.steps if step.said.turn.thought]
    return f"Its last thought: {thoughts[-1]}" if thoughts else ""


def _relevant(state: State) -> list[str]:
    counted = Counter(
        path
        for step in state.steps
        if step.seen.facts.get("kind") in (Kind.READ, Kind.WRITE)
        for path in read_list(step.seen.facts.get("paths", ""))
    )
    return [f"- `{path}` ({times})" for path, times in counted.most_common(_MOST_FILES)]


def _wishes(state: State) -> list[str]:
    wished = [step for step in state.steps if step.seen.facts.get("how") == "wish"]
    counted = Counter(step.said.turn.action for step in wished)
    return [f"- {name} ({times})" for name, times in counted.most_common()]
