"""The threads of a review that wait for an answer: numbered, and as a header keeps them.

%% thread: n=2 key=1234 path=src/a.py line=12 said=1
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from react_agent.address.voices import Voices
from react_agent.forges.contract import Thread
from react_agent.loop.state import THREAD
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts

_DIGITS = 10
MOST = 30  # in one run; the next takes what is left


@dataclass(frozen=True, slots=True)
class Kept:
    """As much of one as an answer needs."""

    key: str
    path: str = ""
    line: int = 0
    said: int = 0  # remarks that count; where there are more now, they were not read


def waiting(threads: Iterable[Thread], voices: Voices) -> list[Thread]:
    return [one for one in map(voices.heard, threads) if voices.waits(one)]


def thread_events(threads: Iterable[Thread], voices: Voices) -> Iterator[Event]:
    for number, thread in enumerate(threads, 1):
        where = {"path": thread.path, "line": str(thread.line or "")}
        facts = {"n": str(number), "key": thread.key, **where, "said": str(voices.said(thread))}
        yield Event(THREAD, write_facts({name: value for name, value in facts.items() if value}))


def threads_of(header: Iterable[str]) -> Mapping[int, Kept]:
    """By their numbers; what a person has made unreadable is none."""
    found = dict[int, Kept]()
    for text in header:
        facts = read_facts(text)
        number, line, said = (_number(facts.get(name, "")) for name in ("n", "line", "said"))
        if number and facts.get("key"):
            found[number] = Kept(facts["key"], facts.get("path", ""), line, said)
    return found


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < _DIGITS else 0
