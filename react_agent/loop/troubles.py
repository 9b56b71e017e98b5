"""`%% stuck: pattern=cycle steps=4-9 answer=hint`: where a run goes round, and what was done."""

from collections.abc import Iterable
from dataclasses import dataclass

from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import (
    read_facts,
    read_numbers,
    write_facts,
    write_numbers,
)

STUCK = "stuck"  # the event
HINT, DEMOTE, BACK, STOP = ANSWERS = ("hint", "demote", "back", "stop")
_MOST = 10**6  # steps of a run


@dataclass(frozen=True, slots=True)
class Trouble:
    pattern: str
    steps: tuple[int, ...]
    answer: str
    at: int  # steps that there were then


def trouble_event(pattern: str, steps: Iterable[int], answer: str) -> Event:
    facts = {"pattern": pattern, "steps": write_numbers(steps), "answer": answer}
    return Event(STUCK, write_facts(facts))


def read_trouble(text: str, at: int) -> Trouble:
    """What a person has made of it is read as far as it can be."""
    facts = read_facts(text)
    numbers = read_numbers(facts.get("steps", ""), at or _MOST)
    return Trouble(facts.get("pattern", ""), numbers, facts.get("answer", ""), at)
