"""What happened between steps, in a sentence each."""

from collections.abc import Iterable

from react_agent.loop.events import COMMIT, REACH, SPENT, WROTE, Sentence, sentence, steps_word
from react_agent.page.markup import Markup, join, tag, text, written
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_numbers

_HEADER = ("profile", "repository", "model", "limits", "amended", "sandbox", "prompt", "about")
_FOOTER = (REACH, WROTE, COMMIT, SPENT)
_QUIET = frozenset((*_HEADER, *_FOOTER, "state"))  # the head of the page tells the same


def notes(events: Iterable[Event], place: str) -> Markup:
    """`place` stands before the number of a step in its address."""
    said = (sentence(event) for event in events if event.name not in _QUIET)
    told = [_note(one, place) for one in said if one]
    return tag("div", *told, class_="notes") if told else Markup("")


def _note(said: Sentence, place: str) -> Markup:
    spans = (_span(one.split("-"), place) for one in write_numbers(said.steps).split(",") if one)
    begins = f"{said.before}{steps_word(said.steps)}"
    inner = (
        text(f"{begins[:1].upper()}{begins[1:]}"),
        join(*spans, between=", "),
        said.behind,
        tag("q", written(said.quote)) if said.quote else "",
    )
    return tag("p", join(*inner), class_="note of-steps" if said.steps else "note")


def _span(ends: Iterable[str], place: str) -> Markup:
    return join(*(tag("a", end, href=f"#step-{place}{end}") for end in ends), between="–")
