from fuzz_words import NASTY_LINES
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Close,
    Entry,
    Event,
    Objective,
    Reading,
    Said,
    Seen,
)
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_entry, write_transcript
from react_agent.parsers.turn.turn import Kind, Turn

BEGIN = Event(HEADER, VERSION)

texts = st.text(max_size=30) | st.lists(
    st.sampled_from(NASTY_LINES) | st.text(st.characters(), max_size=9), max_size=6
).map("\n".join)
words = st.text("abcdefgh", min_size=1, max_size=6)
facts = st.dictionaries(words, texts, max_size=3)
repairs = st.lists(texts, max_size=2).map(tuple)


def _turns(kind: Kind, *fields: st.SearchStrategy, **more: st.SearchStrategy) -> st.SearchStrategy:
    """Of these fields: `builds(Turn)` would fill in those of a named tuple that are left out."""
    given = st.fixed_dictionaries(more)
    return st.builds(lambda texts, others: Turn(kind, *texts, **others), st.tuples(*fields), given)


turns = st.one_of(
    _turns(Kind.ACTION, texts, texts, texts, repairs=repairs, fabricated=st.booleans()),
    _turns(Kind.CONCLUSION, texts, conclusion=texts, repairs=repairs),
    _turns(Kind.MALFORMED, texts, truncated=st.booleans(), problem=texts),
)
event_names = words | st.sampled_from(
    ["raw", "mended", "turn", "step", "started", "note", "left out"]
)
entries = st.one_of(
    st.builds(Event, event_names, texts),
    st.builds(Objective, texts, facts),
    st.builds(Said, turns, st.none() | texts, facts),
    st.builds(Seen, texts, facts),
)
runs = st.lists(entries, max_size=6).map(lambda others: (BEGIN, *others))


@given(runs)
def test_reads_back_what_it_writes(run: tuple[Entry, ...]) -> None:
    text = write_transcript(run)
    assert text == "".join(map(write_entry, run))
    assert read_transcript(text) == Reading(run)
    assert text.splitlines() == text.removesuffix("\n").split("\n")


@settings(max_examples=5)
@given(runs)
def test_every_prefix_is_some_entries_and_a_torn_one(run: tuple[Entry, ...]) -> None:
    data = write_transcript(run).encode()
    for size in range(len(data) + 1):
        prefix = data[:size].decode(errors="surrogateescape")
        reading = read_transcript(prefix)
        assert reading.entries == run[: len(reading.entries)]
        assert write_transcript(reading.entries) + reading.torn == prefix


def _without_facts(entry: Entry) -> Entry:
    match entry:
        case Objective(text):
            return Objective(text)
        case Said(turn, raw):
            return Said(turn, raw)
        case Seen(text):
            return Seen(text)
        case _:
            return entry


def _closes(line: str) -> bool:
    return line.startswith(tuple(f"%% {name}:" for name in Close))


@given(runs.filter(lambda run: not any(_closes(write_entry(entry)) for entry in run)))
def test_reads_a_file_whose_closing_lines_somebody_took_away(run: tuple[Entry, ...]) -> None:
    lines = write_transcript((*run, Event("end"))).removesuffix("\n").split("\n")
    text = "".join(f"{line}\n" for line in lines if not _closes(line))
    read = read_transcript(text)
    if not any(_may_follow_a_turn(entry) for entry in run):
        assert read == Reading((*map(_without_facts, run), Event("end")))
    assert read.torn == ""


def _may_follow_a_turn(entry: Entry) -> bool:
    """Without the line between them, such an event reads as part of the turn before it."""
    return isinstance(entry, Event) and entry.name in ("raw", "mended")


@given(runs)
def test_reads_a_file_that_an_editor_saved_with_crs_and_a_bom(run: tuple[Entry, ...]) -> None:
    text = write_transcript(run)
    assert read_transcript(text.replace("\n", "\r\n")) == Reading(run)
    assert read_transcript(f"\ufeff{text}") == Reading(run)


written_lines = entries.map(write_entry).flatmap(lambda text: st.sampled_from(text.split("\n")))
lines_of_people = st.sampled_from(NASTY_LINES) | written_lines


@given(st.lists(lines_of_people, max_size=20).map("\n".join))
def test_what_was_read_once_is_read_again(text: str) -> None:
    try:
        reading = read_transcript(f"{write_entry(BEGIN)}{text}")
    except ParseError:
        return
    assert read_transcript(write_transcript(reading.entries)) == Reading(reading.entries)


@given(st.sampled_from(NASTY_LINES), st.sampled_from([Objective, Seen]))
def test_no_text_of_the_world_begins_an_entry(
    line: str, entry: type[Objective] | type[Seen]
) -> None:
    run = (BEGIN, entry(f"x\n{line}\n{line}"), Event("stop", line))
    assert read_transcript(write_transcript(run)) == Reading(run)
