"""An entry as a transcript keeps it: what was redacted is in no part of it."""

from collections.abc import Callable
from dataclasses import replace

from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen

Redact = Callable[[str], str]
# By which a run is found again.
_PLACES = frozenset(("run", "repository", "base", "branch", "tree"))


def without_secrets(entry: Entry, redact: Redact) -> Entry:
    match entry:
        case Event(name, text):
            return entry if name in _PLACES else replace(entry, text=redact(text))
        case Said(turn, raw, facts):
            return Said(
                turn._replace(
                    thought=redact(turn.thought),
                    action=redact(turn.action),
                    input=redact(turn.input),
                    conclusion=redact(turn.conclusion),
                    problem=redact(turn.problem),
                    repairs=tuple(map(redact, turn.repairs)),
                ),
                None if raw is None else redact(raw),
                facts,
            )
        case Objective(text, facts):
            return Objective(redact(text), facts)
        case Seen(text, facts):
            return Seen(redact(text), {name: redact(value) for name, value in facts.items()})
