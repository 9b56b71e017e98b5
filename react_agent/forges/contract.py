"""The interface to a forge, which has issues and pull requests. Its texts are untrusted."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from react_agent.errors import ReactAgentError

MOST = 500  # comments, or rows of another list, that are read


class ForgeError(ReactAgentError):
    """A forge refused a request or did not answer. The message says what to do about it."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """A repository on a forge."""

    path: str  # OWNER/NAME, GROUP/SUBGROUP/NAME
    clone_url: str  # https, without credentials
    default_branch: str
    can_push: bool
    is_archived: bool = False  # nothing can be changed, opened or said there


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on an issue, a pull request or a line of code."""

    author: str
    body: str
    association: str = ""  # owner, member, collaborator, contributor, none; empty: not known
    at: str = ""  # ISO 8601
    is_bot: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """An issue on a forge."""

    number: int
    title: str
    body: str
    author: str = ""
    association: str = ""
    labels: tuple[str, ...] = ()
    is_open: bool = True
    comments: int = 0  # as the forge counts them; Forge.comments has the first MOST


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pull request that is to be opened or updated."""

    title: str
    body: str
    branch: str
    base: str
    is_draft: bool = False
    source: str = ""  # the fork that has the branch, as OWNER/NAME; empty: the repository itself


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request that exists on a forge."""

    number: int
    url: str
    title: str
    body: str
    branch: str
    base: str
    state: str = "open"  # or closed, merged
    is_draft: bool = False
    author: str = ""
    source: str = ""  # as in Wanted
    source_url: str = ""  # to clone it from; empty where it is gone


@dataclass(frozen=True, slots=True)
class Thread:
    """A review thread: on a line, on a file, or on the whole change."""

    key: str  # the forge's identifier
    remarks: tuple[Remark, ...]
    path: str = ""
    line: int = 0  # of the new file; 0: none, or no longer there
    hunk: str = ""  # the lines it is about, as a diff
    is_resolved: bool = False


class Forge(Protocol):
    """One repository on a forge. Every failure raises ForgeError."""

    def repository(self) -> Hosted: ...
    def issue(self, number: int) -> Posted: ...
    def comments(self, number: int) -> Sequence[Remark]:
        """Return the comments on an issue."""

    def propose(self, wanted: Wanted) -> Pull:
        """Open the pull request, or update the one that is open for this branch."""

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        """Post a comment and return its address. GitLab numbers pull requests separately."""

    def fork(self) -> Hosted:
        """Return the fork of the token's owner. If there is none, create it and wait for it."""

    def pull(self, number: int) -> Pull: ...
    def threads(self, number: int) -> Sequence[Thread]: ...
    def reply(self, number: int, thread: Thread, text: str) -> str:
        """Post a reply and return its address."""

    def me(self) -> str:
        """Return the login of the token's owner."""


_ANSWER = re.compile(r"> In reply to (\S+)\n\n")


def answer_to(thread: Thread, words: str) -> str:
    url = thread.remarks[0].url if thread.remarks else ""
    return f"> In reply to {url}\n\n{words}" if url else words


def gathered(found: Iterable[Thread]) -> tuple[Thread, ...]:
    """Return the threads, oldest first, with each quoting reply moved to the thread it answers."""
    threads: list[Thread] = []
    places: dict[str, int] = {}
    for thread in sorted(found, key=lambda one: _instant(one.remarks[0])):
        first = thread.remarks[0]
        answer = _ANSWER.match(first.body)
        at = places.get(answer[1]) if answer else None
        if answer is None or at is None:
            at = len(threads)
            threads.append(thread)
        else:
            said = replace(first, body=first.body[answer.end() :])
            remarks = sorted((*threads[at].remarks, said, *thread.remarks[1:]), key=_instant)
            threads[at] = replace(threads[at], remarks=tuple(remarks))
        places.update({said.url: at for said in thread.remarks if said.url})
    return tuple(threads[:MOST])


def said_before(remarks: Sequence[Remark], me: str, words: str) -> str:
    """Return the URL of our latest comment with this text, or "" if there is none."""
    ours = (one for one in reversed(remarks) if one.author == me)
    return next((one.url for one in ours if one.body.strip() == words.strip()), "")


def _instant(said: Remark) -> datetime:
    try:
        return datetime.fromisoformat(said.at).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.max.replace(tzinfo=UTC)
