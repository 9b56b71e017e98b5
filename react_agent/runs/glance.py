"""What a list tells of a run, out of the two ends of its transcript.

Where a run has come to its end, that is all that is read, however long it is. Of others the lines
are counted in which it notes what it spent.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from react_agent.errors import TranscriptError
from react_agent.loop.noted import SPENT
from react_agent.loop.spent import Spent, spent_text, whole_number
from react_agent.loop.stop import Stop
from react_agent.loop.transcript import is_held
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import HEADER, VERSION, Close
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.quoting import unescape, unquote_world
from react_agent.runs.run_folder import RunFolder
from react_agent.tools import disk

_START = 64 * 1024  # bytes: a header that holds a profile is long
_END = 16 * 1024  # what a run writes down at its end is rarely more
_TITLE = 20  # lines of an issue, of which one has its title
_LINE = re.compile(rb"^%% ([a-z ]+): ?(.*?)\r?$", re.MULTILINE)
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?%% " + f"{HEADER}: {VERSION}".encode() + rb"\r?\n")
_OBJECTIVE = b"\nObjective: "
_BEGAN = re.compile(rb"\n%% " + Close.OBJECTIVE.encode() + rb": .*")
_TOLD = ("stop", SPENT)
_COUNTED = ("turn", "step", "asked")  # lines with tokens, money and time in them


class Standing(StrEnum):
    """Of a run that has not ended in a way that it could write down."""

    RUNNING = "running"
    BROKEN_OFF = "broken_off"  # killed, or the machine went down
    UNREADABLE = "unreadable"


OUTCOMES: tuple[str, ...] = (*Stop, *Standing)


@dataclass(frozen=True, slots=True)
class Glance:
    folder: RunFolder
    outcome: str  # one of OUTCOMES
    title: str = ""
    repository: str = ""
    base: str = ""
    model: str = ""
    steps: int = 0
    money: float | None = None  # None: no price is known
    tokens: int = 0
    seconds: float = 0.0
    began: str = ""  # as it was written down: date and time

    @property
    def name(self) -> str:
        return self.folder.path.name

    @property
    def told(self) -> str:
        """Its outcome in words."""
        return self.outcome.replace("_", " ")


def glance(folder: RunFolder) -> Glance:
    """Raises nothing: one that can't be read is unreadable."""
    try:
        start = disk.start_of(folder.transcript, _START)
        if not _HEADER.match(start):
            return Glance(folder, Standing.UNREADABLE)
        head, _, issue = start.partition(_OBJECTIVE)
        noted = list(_lines(disk.end_of(folder.transcript, _END).partition(b"\n")[2]))
        last = _last(noted)
        if not {"stop", SPENT} <= last.keys():  # it goes on, or an older version wrote it
            noted = list(_lines(disk.read_bytes(folder.transcript)))
            last = {SPENT: _counted(noted), **_last(noted)}
        began = _BEGAN.search(issue)
        header = dict(_lines(head + began[0] if began else head))
        return _told(folder, header, _title(issue), last)
    except (OSError, TranscriptError):
        return Glance(folder, Standing.UNREADABLE)


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    for name, text in _LINE.findall(data):
        yield name.decode(), unescape(text.decode(errors="surrogateescape"))


def _last(noted: list[tuple[str, str]]) -> dict[str, str]:
    """The last of each, since it was taken up again."""
    found = dict[str, str]()
    for name, text in noted:
        found = {} if name == "resumed" else {**found, name: text} if name in _TOLD else found
    return found


def _counted(noted: list[tuple[str, str]]) -> str:
    spent = Spent()
    for name, text in noted:
        if name in _COUNTED:
            spent.add(read_facts(text))
    return spent_text(spent, sum(name == "step" for name, _ in noted))


def _title(issue: bytes) -> str:
    lines = issue.decode(errors="replace").split("\n")[:_TITLE]
    return title_of(unquote_world("\n".join(lines)))


def _told(
    folder: RunFolder, header: Mapping[str, str], title: str, last: Mapping[str, str]
) -> Glance:
    facts = read_facts(last[SPENT])
    spent = Spent()
    spent.add(facts)
    return Glance(
        folder,
        _outcome(last.get("stop", "").partition(" ")[0], folder),
        title,
        header.get("repository", ""),
        header.get("base", ""),
        header.get("model", ""),
        whole_number(facts.get("steps")),
        spent.money,
        spent.prompt_tokens + spent.reply_tokens,
        spent.seconds,
        read_facts(header.get(Close.OBJECTIVE, "")).get("at", ""),
    )


def _outcome(word: str, folder: RunFolder) -> str:
    if word in tuple(Stop):
        return word
    return Standing.RUNNING if is_held(folder.transcript) else Standing.BROKEN_OFF
