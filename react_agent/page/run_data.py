"""Read a run, and the runs within it, for a page."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.parsers.transcript.entries import Reading
from react_agent.profiles.settings import Settings
from react_agent.runs.history import Prompts, Story, prompts, story
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.work_tree import changes
from react_agent.state.transcript import Redact, read, without_secrets
from react_agent.tools import disk

RESULTS = ("branch", "diff", "tests")  # events at the end of a run
_DEEPEST = 2  # runs within runs
_PATCH = 2_000_000  # bytes of a change that are shown


@dataclass(frozen=True, slots=True)
class RunData:
    story: Story
    prompts: Prompts
    changes: Mapping[int, str]  # git's diff of what each step wrote
    patch: str = ""  # the whole change
    subs: Mapping[int, "RunData"] = field(default_factory=dict)
    place: str = ""  # stands before the numbers of its steps: `7.` in the run within step 7


def read_run(folder: RunFolder, redact: Redact, settings: Settings | None = None) -> RunData:
    """Read a run. `settings` are those that it may have been made with. Raises TranscriptError."""
    return _told(folder, _How(redact, settings), "", _DEEPEST)


@dataclass(frozen=True, slots=True)
class _How:
    redact: Redact
    settings: Settings | None


def _told(folder: RunFolder, how: _How, place: str, deeper: int) -> RunData:
    reading = _without(read(folder.transcript), how.redact)
    if not reading.entries:
        raise TranscriptError(
            f"{folder.transcript} has no complete entry: there is nothing to show"
        )
    run = story(reading)
    subs = {}
    for step in run.state.steps if deeper else ():
        within = RunFolder(folder.path / step.sub)
        if step.sub and within.transcript.is_file():
            with suppress(TranscriptError):  # the step itself tells the result
                subs[step.number] = _told(within, how, f"{place}{step.number}.", deeper - 1)
    return RunData(
        run,
        prompts(folder.path, reading, how.settings),
        changes(folder, run.state, how.redact),
        how.redact(_patch(folder.patch)),
        subs,
        place,
    )


def _without(reading: Reading, redact: Redact) -> Reading:
    return Reading(tuple(without_secrets(one, redact) for one in reading.entries), reading.torn)


def _patch(path: Path) -> str:
    try:
        return disk.start_of_regular(path, _PATCH).decode(errors="replace")
    except OSError:  # none was made
        return ""
