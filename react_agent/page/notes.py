"""What happened between steps, in a sentence each; and what was special about a step."""

from collections.abc import Callable, Iterable, Mapping

from react_agent.guards.points import OPEN
from react_agent.guards.stuck import summary_line
from react_agent.loop.noted import COMMIT, REACH, SPENT, WROTE
from react_agent.loop.state import ASKED, OVERFLOW, VIEW
from react_agent.loop.steps import MAINTAINER, RETRACTED, reason_in
from react_agent.loop.troubles import STUCK
from react_agent.page.markup import Markup, join, tag, text, written
from react_agent.parsers.transcript.entries import Event, Facts
from react_agent.parsers.transcript.facts import read_facts, read_numbers, write_numbers
from react_agent.procedure.course import ENTERED, JUDGED
from react_agent.runs.history import left_out

_HEADER = ("profile", "repository", "model", "limits", "amended", "sandbox", "prompt", "about")
_FOOTER = (REACH, WROTE, COMMIT, SPENT)
_QUIET = frozenset((*_HEADER, *_FOOTER, "state"))  # the head of the page tells the same
_MOST = 10_000  # steps that an event may name


def notes(events: Iterable[Event], place: str) -> Markup:
    """`place` stands before the number of a step in its address."""
    told = [_note(event, place) for event in events if _is_told(event)]
    return tag("div", *told, class_="notes") if told else Markup("")


def _is_told(event: Event) -> bool:
    """A profile that shows the last steps only says so again before every prompt."""
    return event.name not in (*_QUIET, *VIEW) or bool(left_out(event))


def _note(event: Event, place: str) -> Markup:
    if sentence := left_out(event):
        return tag("p", _left_out(sentence, event, place), class_="note of-steps")
    said = _SENTENCES.get(event.name)
    inner = said(event.text, place) if said else text(f"{event.name}: {event.text}")
    return tag("p", inner, class_="note of-steps" if event.name == RETRACTED else "note")


def _left_out(sentence: str, event: Event, place: str) -> Markup:
    before, _, behind = sentence.partition("{steps}")
    inner = tag("q", written(reason_in(event.text))) if "{words}" in behind else ""
    told = behind.replace("{words}", "")
    return join(before.capitalize(), steps(event.text, place), told, inner)


def _retracted(given: str, place: str) -> Markup:
    reason = reason_in(given)
    return join("Taken back: ", steps(given, place), join(". ", written(reason)) if reason else "")


def _demoted(given: str, place: str) -> Markup:
    facts = read_facts(given)
    return text(f"This call of {facts.get('tool', '')} rests until step {facts.get('until', '')}.")


def _asked(given: str, place: str) -> Markup:
    facts = read_facts(given)
    tokens = f"{facts.get('in', '0')} tokens, and {facts.get('out', '0')} of an answer"
    return text(f"A model was asked to {facts.get('for', 'answer')}: {tokens}.")


def _overflow(given: str, place: str) -> Markup:
    size = read_facts(given).get("prompt", "")
    return text(f"The prompt did not fit{f': {size} tokens' if size else ''}.")


def _open(given: str, place: str) -> Markup:
    return join("Open at the Conclusion: ", text(given.partition(" ")[2]))


def _judged(given: str, place: str) -> Markup:
    facts = read_facts(given)
    way = f"{facts.get('state', '')} → {facts.get('to', '')}"
    return text(f"Judged: {way}{_by(facts)}")


def _entered(given: str, place: str) -> Markup:
    facts = read_facts(given)
    return text(f"State {facts.get('state', '')}{_by(facts)}")


def _by(facts: Facts) -> str:
    return f", by {facts['by']}" if "by" in facts else ""


def _said(words: str) -> Callable[[str, str], Markup]:
    return lambda given, place: join(f"{words}: ", text(given))


_SENTENCES: Mapping[str, Callable[[str, str], Markup]] = {
    RETRACTED: _retracted,
    "demote": _demoted,
    ASKED: _asked,
    OVERFLOW: _overflow,
    OPEN: _open,
    STUCK: lambda given, place: text(f"Stuck. {summary_line(given)}."),
    MAINTAINER: _said("From the maintainer"),
    "hint": _said("Hint"),
    "recalled": _said("From memory"),
    "resumed": _said("Taken up again"),
    "note": _said("Note"),
    ENTERED: _entered,
    JUDGED: _judged,
    "stop": lambda given, place: text(f"The end: {given.replace('_', ' ')}"),
}


def steps(given: str, place: str) -> Markup:
    """Those that an event names, as links."""
    numbers = read_numbers(read_facts(given.partition(" | ")[0]).get("steps", ""), _MOST)
    spans = (_span(one.split("-"), place) for one in write_numbers(numbers).split(",") if one)
    return join("step " if len(numbers) == 1 else "steps ", join(*spans, between=", "))


def _span(ends: Iterable[str], place: str) -> Markup:
    return join(*(tag("a", end, href=f"#step-{place}{end}") for end in ends), between="–")
