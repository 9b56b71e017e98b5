"""What a model answered, from what a transcript holds of it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeGuard

from react_agent.errors import ModelError
from react_agent.loop.spent import whole_number
from react_agent.loop.state import ANSWER, ASKED, OVERFLOW
from react_agent.loop.steps import CONDENSED, condensed_in
from react_agent.models.contract import Completion, Usage, View, Why
from react_agent.parsers.answers.condensed import write_condensed
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_facts

_COUNTS = ("in", "out", "cached", "written")


def is_answer(entry: Entry) -> TypeGuard[Said | Event]:
    """To the prompt of a step; a guard may have written a step of its own."""
    if isinstance(entry, Said):
        return "by" not in entry.facts
    return isinstance(entry, Event) and entry.name == OVERFLOW


def overflown_again(event: Event) -> Completion:
    facts = read_facts(event.text)
    usage = Usage(whole_number(facts.get("prompt")), 0, is_estimate="estimated" in facts)
    return Completion("", Why.CONTEXT, usage=usage, window=window_again(facts))


def answered_again(behind: Sequence[Entry], number: int, view: View) -> Completion:
    """To the ask of this number behind a turn. Raises ModelError."""
    stretch = list(takewhile(lambda entry: not is_answer(entry), behind))
    asked = list(_events(stretch, ASKED))
    if number > len(asked):
        raise ModelError("the recorded run was asked nothing here")
    facts = read_facts(asked[number - 1])
    why = facts.get("why", Why.STOP)
    if why not in tuple(Why):
        raise ModelError(facts.get("said", ""))
    text = facts.get(ANSWER) or write_condensed(map(condensed_in, _events(stretch, CONDENSED)))
    estimate = Usage(estimate_tokens(view.text), estimate_tokens(text))
    return Completion(text, Why(why), usage=usage_again(facts) or estimate)


def usage_again(facts: Mapping[str, str]) -> Usage | None:
    """Without what it cost: to do it again costs nothing."""
    if "in" not in facts:
        return None
    prompt, reply, cached, written = (whole_number(facts.get(name)) for name in _COUNTS)
    return Usage(prompt, reply, cached, written, is_estimate="estimated" in facts)


def window_again(facts: Mapping[str, str]) -> int | None:
    return whole_number(facts.get("window")) or None


def _events(entries: Sequence[Entry], name: str) -> Iterator[str]:
    return (one.text for one in entries if isinstance(one, Event) and one.name == name)
