"""What a run answers to the threads of a review, each once.

%% answered: n=2 at=https://host/owner/name/pull/7#r2
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from react_agent.address.threads import Kept, threads_of, waiting
from react_agent.address.voices import SIGNED, Voices
from react_agent.forges.contract import Forge, ForgeError, Thread
from react_agent.issue_to_pr.send import noted
from react_agent.loop.state import State
from react_agent.parsers.answers.labelled import read_answers
from react_agent.parsers.forge.safe_markdown import prose
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.runs.run_folder import RunFolder

ANSWERED = "answered"  # the event
_LONGEST = 4000  # characters of an answer
_FAULTS = 2  # after which the forge is left alone


@dataclass(frozen=True, slots=True)
class Answers:
    threads: Mapping[int, Kept]
    said: Mapping[int, str]  # by their numbers; those that nothing is said to are missing
    given: Collection[int] = ()  # before now

    @property
    def left(self) -> list[int]:
        return [number for number in self.threads if number not in self.said]


@dataclass(frozen=True, slots=True)
class Hidden:
    """What nobody may see."""

    secrets: Collection[str] = field(default=(), repr=False)
    places: Collection[str] = ()  # of this machine

    def off(self, text: str) -> str:
        for place in self.places:
            text = text.replace(place, "…")
        return redacted(text, self.secrets)


def answers_of(state: State, entries: Iterable[Entry], hidden: Hidden) -> Answers:
    """As they are posted, but for the signature."""
    threads = threads_of(state.threads)
    found = read_answers(state.conclusion, max(threads, default=0))
    said = {
        number: prose(hidden.off(found[number])[:_LONGEST]) for number in threads if number in found
    }
    return Answers(threads, said, frozenset(_given(entries)))


def _given(entries: Iterable[Entry]) -> Iterator[int]:
    for entry in entries:
        if isinstance(entry, Event) and entry.name == ANSWERED:
            number = read_facts(entry.text).get("n", "")
            if number.isascii() and number.isdecimal():
                yield int(number)


def signed(text: str, commit: str) -> str:
    by = f"react-agent, {commit[:10]}" if commit else "react-agent"
    return f"{text}\n\n{by}\n\n{SIGNED}"


def give(
    answers: Answers, folder: RunFolder, forge: Forge, number: int, voices: Voices, commit: str
) -> Iterator[str]:
    """A line each; raises ForgeError at the end, where some could not be given."""
    there = {thread.key: thread for thread in waiting(forge.threads(number), voices)}
    faults = list[ForgeError]()
    for at in sorted(answers.said.keys() - answers.given):
        why = _against(answers.threads[at], there, voices)
        if why:
            yield f"thread {at}: not answered, {why}"
            continue
        thread = there[answers.threads[at].key]
        try:
            address = forge.reply(number, thread, signed(answers.said[at], commit))
        except ForgeError as error:
            faults.append(error)
            if len(faults) == _FAULTS:
                break
        else:
            noted(folder, Event(ANSWERED, write_facts({"n": str(at), "at": address})))
            yield f"thread {at}: {address}"
    yield from (f"thread {at}: no answer, the Conclusion says nothing to it" for at in answers.left)
    if faults:
        raise faults[0]


def _against(kept: Kept, there: Mapping[str, Thread], voices: Voices) -> str:
    """Why it is not to be answered as it stands now."""
    thread = there.get(kept.key)
    if thread is None:
        return "it is settled, answered or gone"
    return "somebody has written to it meanwhile" if voices.said(thread) > kept.said else ""
