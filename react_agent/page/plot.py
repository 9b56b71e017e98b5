"""Format numbers for a page, and draw the charts of a run at the full width of the page."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil, floor, log10

from react_agent.page.markup import Markup, join, tag
from react_agent.parsers.text.counted import short
from react_agent.runs.history import Call, Part, Story
from react_agent.state.events import sentence
from react_agent.state.state import VIEW
from react_agent.state.steps import RETRACTED

NONE = "–"
_MARKS = 4  # marks on an axis besides 0


def dollars(cost: float | None) -> str:
    if cost is None:
        return NONE
    if 0 < cost < 0.0001:  # `g` would write an exponent
        return "<$0.0001"
    if cost >= 100:
        return f"${cost:,.0f}"
    return f"${cost:.2f}" if cost >= 0.0995 else f"${cost:.2g}"


def time(seconds: float) -> str:
    """Format seconds, as in `67 s`, `3.5 min` or `2.1 h`."""
    for size, unit in ((6000, "h"), (100, "min")):
        if seconds >= size:
            number = seconds / (3600 if unit == "h" else 60)
            return f"{number:.1f} {unit}" if number < 9.95 else f"{number:.0f} {unit}"
    return f"{seconds:.0f} s"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def axis_marks(most: float) -> list[float]:
    """Return evenly spaced round numbers, from 0 up to the first one that reaches `most`."""
    size = 10 ** floor(log10(most / _MARKS))
    step = next(size * part for part in (1, 2, 2.5, 5, 10) if size * part * _MARKS >= most)
    return [step * number for number in range(ceil(most / step) + 1)]


def svg(height: int, label: str, *inner: str, class_: str = "plot") -> Markup:
    told = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return tag("svg", *inner, class_=class_, height=str(height), **told)


def across(share: float) -> str:
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"


def below(top: int, labels: Sequence[tuple[float, str]]) -> Markup:
    """Return the labels under an axis. The labels at the ends do not extend beyond it."""
    ends = {0.0: "start", 1.0: "end"}
    return join(
        *(
            tag("text", words, x=across(share), y=top, text_anchor=ends.get(share, "middle"))
            for share, words in labels
        )
    )


def figure(heading: str, words: str, *inner: str, class_: str = "") -> Markup:
    head = tag("figcaption", tag("h2", heading), tag("p", words) if words else Markup(""))
    return tag("figure", head, *inner, class_=class_ or None)


_HIGH = 150  # pixels
_FINE = 1000  # heights within a path
_STEPS_MARKED = 12  # on the axis of steps, at most
_EACH = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Calls = Sequence[Call | None]


def chart(story: Story) -> Markup:
    """Return the chart of tokens, or an empty string if no model was called."""
    calls = [*(scene.call for scene in story.scenes), *([story.call] if story.pending else [])]
    asked = [call for call in calls if call]
    if not asked:
        return Markup("")
    parts = [part for part in Part if any(call.parts[part] for call in asked)]
    items = (tag("li", tag("i", class_=_colour(part)), part) for part in parts)
    marks, steps = join(*_marks(story, len(calls))), len(calls)
    each = next((one for one in _EACH if steps <= one * _STEPS_MARKED), steps)
    labels = [((at - 0.5) / steps, str(at)) for at in range(each, steps + 1, each)]
    axis = svg(18, "", below(13, labels), class_="axis")
    words = "The parts of each prompt; choose a step to go there"
    legend = tag("ul", *items, class_="legend")
    drawn = _prompts(calls, parts, marks)
    plot = tag("div", drawn, axis, class_="chart", data_steps=len(calls))
    shown = figure("Tokens", words, plot, legend, class_="steps")
    return tag("section", shown, aria_label="Tokens")


def _colour(part: Part) -> str:
    return f"p{list(Part).index(part)}"


def _prompts(calls: Calls, parts: Sequence[Part], marks: Markup) -> Markup:
    """Return the prompts as stacked areas. The top area is drawn first, the others over it."""
    stacks = []  # the heights of the parts: estimates, scaled to what was counted
    for call in calls:
        sums = list(accumulate(call.parts[part] for part in parts)) if call else [0] * len(parts)
        share = call.tokens / sums[-1] if call and sums[-1] else 0
        stacks.append([one * share for one in sums])
    heights = [stack[-1] for stack in stacks]
    ticks = axis_marks(max(heights) or 1)
    paths = (
        _area([stack[at] / ticks[-1] for stack in stacks], _colour(part))
        for at, part in reversed(list(enumerate(parts)))
    )
    first = next(filter(None, heights), 0)
    told = f"prompts of {short(first)} tokens at first, of {short(max(heights))} at most"
    return svg(_HIGH, told, _levels(ticks), _stretched(len(calls), *paths), marks)


def _stretched(steps: int, *paths: Markup) -> Markup:
    """Return an SVG that stretches the paths to the full width; each step is one unit wide."""
    box, size = f"0 0 {steps} {_FINE}", "100%"
    return tag("svg", *paths, viewBox=box, preserveAspectRatio="none", width=size, height=size)


def _area(shares: Sequence[float], looks: str) -> Markup:
    way = "".join(f"V{round(_FINE * (1 - share))}H{at}" for at, share in enumerate(shares, start=1))
    return tag("path", d=f"M0 {_FINE}{way}V{_FINE}Z", class_=looks)


def _levels(ticks: Sequence[float]) -> Markup:
    parts = []
    for one in ticks:
        y = _HIGH * (1 - one / ticks[-1])
        parts.append(tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid"))
        parts.append(tag("text", short(one), x=-8, y=y + 4, text_anchor="end"))
    return join(*parts)


def _marks(story: Story, steps: int) -> Iterator[Markup]:
    """Yield a mark wherever steps were compressed in the prompts or removed from them."""
    for at, scene in enumerate(story.scenes):
        names = {event.name for event in scene.before if sentence(event)}
        told = ["compressed"] if names & {*VIEW} else []
        told += ["taken back"] if RETRACTED in names else []
        x, looks = across(at / steps), "change back" if RETRACTED in names else "change"
        if told:
            title = tag("title", ", ".join(told))
            yield tag("line", title, x1=x, x2=x, y1=-6, y2=_HIGH, class_=looks)
