"""Read a run and its nested runs for a page."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

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


def read_run(
    folder: RunFolder,
    redact: Redact,
    settings: Settings | None = None,
    place: str = "",
    deeper: int = _DEEPEST,
) -> RunData:
    """Read a run. `settings` are those that the run may have used. Raises TranscriptError."""
    found = read(folder.transcript)
    if not found.entries:
        raise TranscriptError(
            f"{folder.transcript} has no complete entry: there is nothing to show"
        )
    reading = Reading(tuple(without_secrets(one, redact) for one in found.entries), found.torn)
    run = story(reading)
    subs = {}
    for step in run.state.steps if deeper else ():
        within = RunFolder(folder.path / step.sub)
        if step.sub and within.transcript.is_file():
            with suppress(TranscriptError):  # the step itself tells the result
                at = f"{place}{step.number}."
                subs[step.number] = read_run(within, redact, settings, at, deeper - 1)
    patch = ""
    with suppress(OSError):  # none was made
        patch = disk.start_of_regular(folder.patch, _PATCH).decode(errors="replace")
    return RunData(
        run,
        prompts(folder.path, reading, settings),
        changes(folder, run.state, redact),
        redact(patch),
        subs,
        place,
    )
