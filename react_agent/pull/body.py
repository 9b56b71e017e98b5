"""The text of a pull request: short, and what people ask first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from react_agent.loop.steps import Step
from react_agent.parsers.forge.safe_markdown import code, fenced, prose
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline, one_line
from react_agent.pull.automatic import Automatic
from react_agent.pull.tested import Compared
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits

MOST = 8_000  # bytes, without the steps
_PROBLEM, _CHANGE, _UNCERTAIN, _OPEN, _SAID = 2_000, 2_500, 1_200, 300, 150  # characters
_SHARES = (1.0, 0.7, 0.4, 0.2, 0.1, 0.05)  # of them
_MOST_TESTS, _MOST_OPEN, _MOST_CHECKS, _MOST_AUTOMATIC = 6, 6, 10, 10
_PATH = 60  # characters of its end
_STEPS = Limits(output_chars=12_000, line_chars=300)
_THOUGHT, _INPUT, _SEEN = 300, 120, 120  # characters


@dataclass(frozen=True, slots=True)
class Told:
    """What a body is made of; none of it is trusted but the numbers."""

    problem: str
    change: str = ""
    uncertain: str = ""
    tests: Sequence[Compared] = ()
    checkout: str = ""  # how the tests ended in a fresh checkout
    no_tests: str = ""  # why none were run
    checks: Sequence[str] = ()  # that the repository declares, a line each
    open: Sequence[str] = ()  # what the gate found
    closes: str = ""  # `#12`, `owner/name#12`
    number: int = 0
    steps: Sequence[Step] = ()  # empty: they are not shown
    places: Sequence[str] = ()  # of this machine, which nobody is told
    automatic: Sequence[Automatic] = ()


def body(told: Told) -> str:
    """Cut until it fits: what makes a text harmless adds to it."""
    tries = (_above(told, share) for share in _SHARES)
    above = next(filter(lambda text: len(text.encode()) <= MOST, tries), "")
    return _placeless("\n\n".join(filter(None, (above, _steps(told)))) + "\n", told.places)


def _placeless(text: str, places: Iterable[str]) -> str:
    for place in places:
        text = text.replace(place, "…") if len(place) > 1 else text
    return text


def _above(told: Told, share: float) -> str:
    parts = (
        prose(_short(told.problem, _PROBLEM * share), told.number),
        prose(_short(told.change, _CHANGE * share), told.number),
        _list("Runs automatically", _automatic(told)),
        _list("Tested", _tests(told, share)),
        _list("Uncertain", _uncertain(told, share)),
        f"Fixes {told.closes}" if told.closes else "",
    )
    return "\n\n".join(filter(None, parts))


def _short(text: str, most: float) -> str:
    text, room = text.strip(), round(most)
    return text if len(text) <= room else f"{text[:room].rpartition(' ')[0] or text[:room]} …"


def _list(title: str, items: Iterator[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join((f"**{title}**", "", *lines)) if lines else ""


def _automatic(told: Told) -> Iterator[str]:
    """Never cut with the rest: who merges the change has to see them."""
    for one in told.automatic[:_MOST_AUTOMATIC]:
        path = one.path if len(one.path) <= _PATH else f"…{one.path[-_PATH:]}"
        yield f"{code(path)}: {one.why}"
    if (more := len(told.automatic) - _MOST_AUTOMATIC) > 0:
        yield f"and {counted(more, 'more file')}"


def _tests(told: Told, share: float) -> Iterator[str]:
    for one in told.tests[-_MOST_TESTS:]:
        before, after = (prose(_short(said, _SAID * share)) for said in (one.before, one.after))
        parts = (
            f"before: {before}" if before else "",
            f"now: {after}" if after else "not run since the last change",
        )
        yield f"{code(_short(one.command, _SAID * share))}: " + "; ".join(filter(None, parts))
    if told.checkout:
        yield told.checkout
    if told.no_tests:
        yield told.no_tests
    for line in told.checks[:_MOST_CHECKS]:
        yield prose(_short(_headline(told, line, _OPEN), _SAID * share))


def _uncertain(told: Told, share: float) -> Iterator[str]:
    if told.uncertain:
        said = told.uncertain.replace("\n- ", "; ").removeprefix("- ")
        yield prose(_short(one_line(said), _UNCERTAIN * share), told.number)
    for point in told.open[:_MOST_OPEN]:
        yield prose(_short(_headline(told, point, _OPEN), _OPEN * share))


def _steps(told: Told) -> str:
    if not told.steps:
        return ""
    steps = "\n".join(_step(told, step) for step in told.steps)
    text = clip(steps, _STEPS, "the run keeps them all")
    summary = f"How it was made, in {counted(len(told.steps), 'step')}"
    return f"<details>\n<summary>{summary}</summary>\n\n{fenced(text)}\n\n</details>"


def _step(told: Told, step: Step) -> str:
    turn = step.said.turn
    return (
        f"{step.number}. {_headline(told, one_line(turn.thought), _THOUGHT)}\n"
        f"   {turn.action or 'no action'} {_headline(told, turn.input, _INPUT)}".rstrip()
        + "\n"
        f"   {step.status.value}: {_headline(told, step.seen.text, _SEEN)}"
    )


def _headline(told: Told, text: str, most: int) -> str:
    """Of a place that is cut in two, the first half would stay."""
    return headline(_placeless(text, told.places), most)
