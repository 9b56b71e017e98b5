"""The target of a run's change, recorded in the header so that the change can be sent later.

%% target: url=https://host/owner/name.git into=main branch=react-agent/12-ranges issue=#12
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from react_agent.errors import UsageError
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, read_list, write_facts, write_list

TARGET = "target"  # the event
ISSUE = "issue"  # an event: `#12`, `OWNER/REPO#12`, or its address
PULL, DRY, DRAFT, FORK, COMMENT = "pull", "dry", "draft", "fork", "comment"  # words of a way


@dataclass(frozen=True, slots=True)
class Target:
    url: str  # of the remote, without credentials; empty: no forge, the local one
    into: str  # its branch that the change is for
    branch: str  # ours, there
    issue: str = ""  # that the change resolves: #12, OWNER/NAME#12 or an address
    pull: str = ""  # the number of the pull request whose review is answered
    phrase: str = ""  # that only starts us there; empty: the usual one
    way: tuple[str, ...] = ()  # how it is sent when the run has ended; empty: when a person says so

    @property
    def is_sent_or_shown(self) -> bool:
        """Whether a pull request is sent or shown at the end of the run."""
        return not {PULL, DRY}.isdisjoint(self.way)


def target_event(target: Target) -> Event:
    facts = {**asdict(target), "way": write_list(target.way)}
    return Event(TARGET, write_facts({name: value for name, value in facts.items() if value}))


def target_of(header: Mapping[str, str]) -> Target | None:
    """Return the target of a run's change, or None if it has none. Raises UsageError."""
    if TARGET not in header:
        return None
    facts = read_facts(header[TARGET])
    words = {one.name: facts.get(one.name, "") for one in fields(Target) if one.name != "way"}
    if not words["into"] or not words["branch"] or not (words["pull"] or "1").isdecimal():
        raise UsageError(f"`%% {TARGET}:` of the transcript can't be read: {header[TARGET]}")
    return Target(**words, way=tuple(read_list(facts.get("way", ""))))


def is_pull_wanted(header: Mapping[str, str]) -> bool:
    target = target_of(header)
    return target is not None and target.is_sent_or_shown
