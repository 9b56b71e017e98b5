"""Tokens and cost, step by step: one path for each part of the prompts."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from react_agent.loop.events import sentence
from react_agent.loop.state import VIEW
from react_agent.loop.steps import RETRACTED
from react_agent.page.markup import Markup, join, tag
from react_agent.page.plot import across, axis_marks, below, dollars, figure, short, svg
from react_agent.parsers.transcript.entries import Event
from react_agent.runs.history import Call, Part, Story

_HIGH, _LOW = 150, 60  # pixels
_FINE = 1000  # heights within a path
_MARKS = 12  # on the axis of steps, at most
_EACH = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Calls = Sequence[Call | None]


def chart(story: Story) -> Markup:
    """None where no model was asked."""
    calls = [*(scene.call for scene in story.scenes), *([story.call] if story.pending else [])]
    asked = [call for call in calls if call]
    if not asked:
        return Markup("")
    parts = [part for part in Part if any(call.parts[part] for call in asked)]
    items = (tag("li", tag("i", class_=_colour(part)), part) for part in parts)
    drawn = (_prompts(calls, parts, _marks(story, len(calls))), _paid(calls), _axis(len(calls)))
    words = "What each prompt was made of, and what was paid by then; choose a step to go there"
    legend = tag("ul", *items, class_="legend")
    plot = tag("div", *drawn, class_="chart", data_steps=len(calls))
    shown = figure("Tokens", words, plot, legend, class_="steps")
    return tag("section", shown, aria_label="Tokens")


def _colour(part: Part) -> str:
    return f"p{list(Part).index(part)}"


def _prompts(calls: Calls, parts: Sequence[Part], marks: Markup) -> Markup:
    """What stands on top is drawn first, and the rest over it."""
    stacks = [_stack(call, parts) for call in calls]
    heights = [stack[-1] for stack in stacks]
    ticks = axis_marks(max(heights) or 1)
    paths = (
        _area([stack[at] / ticks[-1] for stack in stacks], _colour(part))
        for at, part in reversed(list(enumerate(parts)))
    )
    told = f"prompts of {short(heights[0])} tokens at first, of {short(max(heights))} at most"
    return svg(_HIGH, told, _levels(ticks, _HIGH, short), _stretched(len(calls), *paths), marks)


def _stack(call: Call | None, parts: Sequence[Part]) -> Sequence[float]:
    """Parts are estimates: together they are what was counted."""
    sums = list(accumulate(call.parts[part] for part in parts)) if call else [0] * len(parts)
    share = call.tokens / sums[-1] if call and sums[-1] else 0
    return [one * share for one in sums]


def _paid(calls: Calls) -> Markup:
    """Tokens where no price is known."""
    is_priced = any(call and call.spent.money for call in calls)
    each = (_price(call) if is_priced else _tokens(call) for call in calls)
    sums = list(accumulate(each))
    ticks = axis_marks(sums[-1] or 1)[::2]
    written: Callable[[float], str] = dollars if is_priced else short
    told = f"{written(sums[-1])} in all"
    area = _area([one / ticks[-1] for one in sums], "paid")
    return svg(_LOW, told, _levels(ticks, _LOW, written), _stretched(len(calls), area))


def _price(call: Call | None) -> float:
    return call.spent.money or 0 if call else 0


def _tokens(call: Call | None) -> float:
    return call.tokens + call.spent.reply_tokens if call else 0


def _stretched(steps: int, *paths: Markup) -> Markup:
    """As wide as there is room; a step is one unit."""
    box, size = f"0 0 {steps} {_FINE}", "100%"
    return tag("svg", *paths, viewBox=box, preserveAspectRatio="none", width=size, height=size)


def _area(shares: Sequence[float], looks: str) -> Markup:
    way = "".join(f"V{round(_FINE * (1 - share))}H{at}" for at, share in enumerate(shares, start=1))
    return tag("path", d=f"M0 {_FINE}{way}V{_FINE}Z", class_=looks)


def _levels(ticks: Sequence[float], high: int, written: Callable[[float], str]) -> Markup:
    return join(*(_level(high * (1 - one / ticks[-1]), written(one)) for one in ticks))


def _level(y: float, words: str) -> Markup:
    line = tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid")
    return join(line, tag("text", words, x=-8, y=y + 4, text_anchor="end"))


def _marks(story: Story, steps: int) -> Markup:
    """Where steps were taken out of the prompts."""
    return join(*(_mark(at / steps, scene.before) for at, scene in enumerate(story.scenes)))


def _mark(share: float, before: Sequence[Event]) -> Markup:
    names = {event.name for event in before if sentence(event)}
    told = ["compressed"] if names & {*VIEW} else []
    told += ["taken back"] if RETRACTED in names else []
    if not told:
        return Markup("")
    x, looks = across(share), "change back" if "taken back" in told else "change"
    title = tag("title", ", ".join(told))
    return tag("line", title, x1=x, x2=x, y1=-6, y2=_HIGH, class_=looks)


def _axis(steps: int) -> Markup:
    each = next((one for one in _EACH if steps <= one * _MARKS), steps)
    marks = [((at - 0.5) / steps, str(at)) for at in range(each, steps + 1, each)]
    return svg(18, "", below(13, marks), class_="axis")
