"""Whether the states of a procedure hang together: each is reached, and each comes to an end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from react_agent.parsers.settings.procedure import END, Phase
from react_agent.parsers.settings.procedure_lines import file_error

_MOST_EDGES = 10  # a judge answers with a digit


class Place(NamedTuple):
    phase: Phase
    line: int
    lines: Mapping[str, int]  # of its entries, by their keys

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


class _Wrong(NamedTuple):
    line: int
    expected: str
    found: str


def check(source: str, places: Sequence[Place]) -> None:
    """Raises ParseError for what is wrong first."""
    for wrong in (*_names(places), *_states(places), *_ways(places)):
        raise file_error(source, *wrong)


def _names(places: Sequence[Place]) -> Iterator[_Wrong]:
    seen = set[str]()
    for place in places:
        if place.phase.name in seen:
            yield _Wrong(place.line, "each state once", f"{place.phase.name!r} again")
        seen.add(place.phase.name)
        keys = [role.key for role in place.phase.roles]
        for key in dict.fromkeys(key for key in keys if keys.count(key) > 1):
            yield _Wrong(
                place.line_of(f"role {key}"), "each role of a state once", f"{key!r} again"
            )


def _states(places: Sequence[Place]) -> Iterator[_Wrong]:
    known = {place.phase.name for place in places} | {END}
    for place in places:
        yield from _edges(place, known)
        yield from _begin(place)
        yield from _judge(place)


def _edges(place: Place, known: set[str]) -> Iterator[_Wrong]:
    line, phase = place.line_of("next"), place.phase
    for name in phase.next:
        if name not in known:
            yield _Wrong(line, "a state that there is", repr(name))
    if len(phase.next) > _MOST_EDGES:
        yield _Wrong(line, f"at most {_MOST_EDGES} next states", str(len(phase.next)))
    if phase.next[-1] == phase.name:
        yield _Wrong(line, "another state as the last one, which is the way out", repr(phase.name))


def _begin(place: Place) -> Iterator[_Wrong]:
    phase = place.phase
    if phase.begin_role and phase.role(phase.begin_role) is None:
        names = ", ".join(role.key for role in phase.roles)
        yield _Wrong(
            place.line_of("begin role"), f"a role of {phase.name}: {names}", repr(phase.begin_role)
        )


def _judge(place: Place) -> Iterator[_Wrong]:
    phase = place.phase
    if len(phase.next) > 1 and not phase.judge:
        yield _Wrong(place.line_of("next"), "a `judge:` too, as there is a choice", "none")
    if len(phase.next) == 1 and phase.judge:
        expected = "two next states at least, for a judge to choose from"
        yield _Wrong(place.line_of("judge"), expected, "one")
    if len(phase.next) == 1 and len(phase.roles) > 1 + bool(phase.begin_query):
        expected = "two next states, as an only one is taken after the first turn"
        found = f"one, so that {phase.roles[-1].key} would never speak"
        yield _Wrong(place.line_of("next"), expected, found)


def _ways(places: Sequence[Place]) -> Iterator[_Wrong]:
    first = places[0].phase.name
    ahead = {place.phase.name: set(place.phase.next) for place in places}
    back = {name: {one for one in ahead if name in ahead[one]} for name in (*ahead, END)}
    reached, ending = _closure({first}, ahead), _closure({END}, back)
    for place in places:
        name = place.phase.name
        if name not in reached:
            yield _Wrong(place.line, f"a way from {first} to {name}", "none")
        if name not in ending:
            yield _Wrong(place.line_of("next"), f"a way from {name} to {END}", "none")


def _closure(start: set[str], edges: Mapping[str, set[str]]) -> set[str]:
    found, new = set(start), set(start)
    while new:
        new = {name for one in new for name in edges.get(one, ())} - found
        found |= new
    return found
