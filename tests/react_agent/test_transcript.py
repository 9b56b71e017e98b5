"""The transcript file: whole entries, whatever happens."""

import errno
import os
from pathlib import Path

import pytest
from by_hand import files_of_at_most
from refusals import refusal

from react_agent.errors import MachineError, TranscriptError
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state import transcript as transcripts
from react_agent.state.transcript import NAME, Transcript

SAID = Said(Turn(Kind.ACTION, "look", "grep", "Action: x\n%% y\x0c\ud800"), facts={"n": "1"})
SEEN = Seen("Observation: no\nObservation: no\r\n%% step:", {"n": "1", "status": "ok"})


def opened(folder: Path) -> Transcript:
    folder.mkdir()
    return transcripts.create(folder / NAME, [Event("base", "f" * 40), Objective("do it")])


def test_every_prefix_of_the_file_is_a_run_that_can_be_taken_up(tmp_path: Path) -> None:
    transcript = opened(tmp_path / "run")
    transcript.append(SAID)
    transcript.append(SEEN)
    transcript.close()
    whole = transcript.path.read_bytes()
    for length in range(len(whole)):
        transcript.path.write_bytes(whole[:length])
        if b"\n" not in whole[:length]:
            with pytest.raises(TranscriptError, match="has no complete entry"):
                transcripts.reopen(transcript.path)
            continue
        again, reading = transcripts.reopen(transcript.path)
        again.append(Event("resumed"))
        again.close()
        assert transcripts.read(again.path).torn == ""
        entries = transcripts.read(again.path).entries
        assert entries[: len(reading.entries)] == reading.entries
        torn = [
            entry.text for entry in entries if isinstance(entry, Event) and entry.name == "torn"
        ]
        assert bool(torn) == bool(reading.torn)


BACK = Event("retracted", "steps=1 by=claim at=1 check=case of=x | I assumed that x is not there")


@pytest.mark.parametrize("length", range(1, 40, 13))
def test_steps_taken_back_without_the_step_in_their_place_are_torn(
    tmp_path: Path, length: int
) -> None:
    transcript = opened(tmp_path / "run")
    transcript.append(SAID, SEEN)
    before = transcript.path.read_bytes()
    transcript.append(BACK, SAID)
    transcript.close()
    half = len(before) + len(transcript.path.read_bytes()[len(before) :].split(b"\n")[0])
    transcript.path.write_bytes(transcript.path.read_bytes()[: half + length])
    again, reading = transcripts.reopen(transcript.path)
    again.close()
    assert reading.entries[-1] == SEEN
    assert again.path.read_bytes().startswith(before + b"%% torn: %% retracted: ")


def test_a_run_is_one_process_at_a_time(tmp_path: Path) -> None:
    transcript = opened(tmp_path / "run")
    with pytest.raises(TranscriptError, match=r"another process is working on the run .*/run$"):
        transcripts.reopen(transcript.path)
    transcript.close()
    transcripts.reopen(transcript.path)[0].close()


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    transcript = opened(tmp_path / "run")
    before = transcript.path.read_bytes()
    with files_of_at_most(len(before) + 20):
        told = refusal(MachineError, transcript.append, SAID)
    assert told == f"can't write {transcript.path}: {os.strerror(errno.EFBIG)}"
    assert transcript.path.read_bytes() == before
    transcript.append(SAID)
    assert transcripts.read(transcript.path).entries[-1] == SAID
