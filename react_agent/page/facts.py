"""What is told of a run before its steps: how it came out, what it took, how it was run."""

from collections.abc import Iterator

from react_agent.loop.state import OUTCOME
from react_agent.loop.stop import Stop
from react_agent.page.markup import Markup, join, tag, text
from react_agent.page.numbers import dollars, short, time
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import HEADER
from react_agent.runs.history import Story

_NOT_TOLD = (HEADER, "prompt")
RESULTS = ("branch", "diff", "tests")  # events at the end of a run


def title(story: Story) -> str:
    return title_of(story.objective) or "a run"


def outcome(story: Story) -> Markup:
    """A word, which looks good or bad, and why."""
    word, looks = how_it_ended(story)
    reason = story.state.stop_reason if story.state.stop is not Stop.CONCLUDED else ""
    return tag(
        "p", tag("span", word, class_=f"mark {looks}"), *([" ", text(reason)] if reason else [])
    )


def how_it_ended(story: Story) -> tuple[str, str]:
    """And the class that it looks by."""
    stop = story.state.stop
    if stop is None:
        return "not at its end", "open"
    ending = story.state.result.get(OUTCOME, stop)
    return ending.replace("_", " "), "resolved" if ending == Stop.CONCLUDED else "failed"


def numbers(story: Story) -> Iterator[tuple[str, str]]:
    spent = story.state.spent
    yield "Steps", f"{len(story.scenes):,}"
    yield "Tokens", short(spent.prompt_tokens + spent.reply_tokens)
    yield "Cost", dollars(spent.money)
    yield "Time", time(spent.seconds)


def facts(story: Story) -> Markup:
    rows = [*numbers(story), ("Model", story.header.get("model", "")), ("Began", date(story.began))]
    rows += [(name.capitalize(), story.state.result.get(name, "")) for name in RESULTS]
    shown = (tag("div", tag("dt", name), tag("dd", value)) for name, value in rows if value)
    return join(tag("dl", *shown, class_="facts"), _how(story))


def date(began: str) -> str:
    return began[:16].replace("T", " ")


def _how(story: Story) -> Markup:
    """The lines before the objective."""
    told = {name: value for name, value in story.header.items() if name not in _NOT_TOLD}
    if not told:
        return Markup("")
    rows = (join(tag("dt", text(name)), tag("dd", text(value))) for name, value in told.items())
    return tag("details", tag("summary", "How it was run"), tag("dl", *rows), class_="about")
