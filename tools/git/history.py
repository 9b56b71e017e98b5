"""The history that a run may read: what its base commit rests on, and its own work on top."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import one_line
from react_agent.tools.files.paths import unwrapped
from react_agent.tools.git.door import Git, work_tree

ONLY = "only the history up to the commit this run starts from can be read"
DEADLINE_S = 30.0
FORMAT = "--format=%x00%H%x00%h%x00%ad%x00%an%x00%P%x00%s"
_FIELDS = 6
_REVISION = re.compile(r"(?P<start>(?i:[0-9a-f]{4,64})|HEAD|@|base)(?P<steps>(?:[~^]\d{0,4}){0,8})")
_ELSEWHERE = re.compile(
    r".*@\{.*|stash\b.*|(?:refs|origin|upstream|heads|tags|remotes)/.*|[A-Z]+_HEAD|FETCH_HEAD"
    r"|main|master|develop|trunk|v?\d+\.\d+[\w.]*"
)
_SHOWN = 60  # characters of what is no revision
_MOST_NEAR = 3
_WORD = re.compile(r"\w{3,}")
_FEWEST_DIGITS = 4


@dataclass(frozen=True, slots=True)
class History:
    git: Git
    head: str
    base: str  # the same, where none is known

    @property
    def starts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.head, self.base)))


@dataclass(frozen=True, slots=True)
class Entry:
    """A commit as a list shows it."""

    id: str
    short: str
    date: str
    author: str
    parents: int
    subject: str
    names: tuple[str, ...] = ()  # of the one file asked for: before and after, where it moved

    def line(self, note: str = "") -> str:
        said = f" ({note})" if note else ""
        return f"{self.short} {self.date} {one_line(self.author)}: {one_line(self.subject)}{said}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A commit that is asked about."""

    history: History
    context: Context
    entry: Entry
    room: int  # characters


def history_of(context: Context) -> History | Unreadable:
    git = work_tree(context.root)
    head, base = _id(git, "HEAD"), _id(git, context.base) if context.base else ""
    if not head and not base:
        return Unreadable("there is no commit yet, so there is no history to read")
    return History(git, head or base, base or head)


def commit_of(history: History, word: str, whole: str = "") -> str | Unreadable:
    """The id of the commit that a word of the model's means; no other word reaches git.

    `whole` is all that was written: of what is no revision, a subject may be near.
    """
    bare = unwrapped(word).strip("<>()[],;")
    shape = _REVISION.fullmatch(bare)
    if not shape:
        return _no_revision(history, bare, whole or bare)
    start = {"HEAD": history.head, "@": history.head, "base": history.base}.get(shape["start"])
    found = _id(history.git, (start or shape["start"]) + shape["steps"])
    if not found:
        return _not_found(history, bare, shape["start"] if not start else "")
    return found if is_readable(history, found) else Unreadable(f"{bare} is beyond it: {ONLY}")


def is_readable(history: History, commit: str) -> bool:
    git = history.git
    return any(
        git.ask("merge-base", "--is-ancestor", commit, start).code == 0 for start in history.starts
    )


def can_be_revision(word: str) -> bool:
    return _REVISION.fullmatch(unwrapped(word)) is not None


def is_elsewhere(word: str) -> bool:
    """Whether it is spelled like a branch, a tag, a stash or what a reflog holds."""
    return _ELSEWHERE.fullmatch(unwrapped(word)) is not None


def entries(git: Git, command: str, *args: str) -> list[Entry]:
    """Of `git log` or its like, with `-z`."""
    out = git.run(command, "-z", FORMAT, "--date=short", *args, deadline_s=DEADLINE_S)
    return list(_read(iter(os.fsdecode(out).split("\0"))))


def said_shallow(history: History) -> list[str]:
    answer = history.git.ask("rev-parse", "--is-shallow-repository")
    is_shallow = answer.out.strip() == b"true"
    return ["[this is a shallow clone: older commits are not here]"] if is_shallow else []


def count(history: History) -> int:
    return int(history.git.run("rev-list", "--count", *history.starts, deadline_s=DEADLINE_S))


def text_of(name: str) -> str:
    """What git printed, for showing: bytes that are no UTF-8 are replaced."""
    return os.fsencode(name).decode(errors="replace")


def _read(tokens: Iterator[str]) -> Iterator[Entry]:
    """Each commit begins with an empty token; a status and names may stand behind its subject."""
    token = next(tokens, None)
    while token == "":
        fields = [text_of(next(tokens, "")) for _ in range(_FIELDS)]
        if not fields[0]:
            return
        names = list[str]()
        token = next(tokens, None)
        while token:
            names = [next(tokens, "") for _ in range(2 if token.strip()[:1] in "RC" else 1)]
            token = next(tokens, None)
        commit, short, date, author, parents, subject = fields
        yield Entry(commit, short, date, author, len(parents.split()), subject, tuple(names))


def _id(git: Git, revision: str) -> str:
    answer = git.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    return "" if answer.code else answer.out.decode().strip()


def _no_revision(history: History, bare: str, whole: str) -> Unreadable:
    shown = clip_line(one_line(bare), _SHOWN)
    if is_elsewhere(bare) or bare.startswith("-"):
        return Unreadable(f"{shown} is beyond it: {ONLY} (write a commit's id, HEAD~3 or base)")
    near = _said_near(_by_subject(history, whole))
    return Unreadable(f"{shown} is no revision: write a commit's id, HEAD, HEAD~3 or base{near}")


def _not_found(history: History, bare: str, digits: str) -> Unreadable:
    if not digits:
        return Unreadable(f"{bare} is before the first of {counted(count(history), 'commit')}")
    near = _by_digits(history, digits.casefold())
    return Unreadable(f"no commit that can be read has the id {bare}: {ONLY}{_said_near(near)}")


def _said_near(near: Sequence[Entry]) -> str:
    return "".join(["; near it:", *(f"\n  {entry.line()}" for entry in near)]) if near else ""


def _by_digits(history: History, digits: str) -> list[Entry]:
    """Those whose ids begin alike, the more alike the nearer."""
    every = history.git.run("rev-list", *history.starts, deadline_s=DEADLINE_S).decode().split()
    for length in range(len(digits) - 1, _FEWEST_DIGITS - 1, -1):
        found = [commit for commit in every if commit.startswith(digits[:length])]
        if found:
            return entries(history.git, "log", "--no-walk=unsorted", *found[:_MOST_NEAR])
    return []


def _by_subject(history: History, text: str) -> list[Entry]:
    wanted = [f"--grep={word}" for word in _WORD.findall(text)[:8]]
    if not wanted:
        return []
    args = ("-F", "-i", "--all-match", *wanted, f"-n{_MOST_NEAR}", *history.starts, "--")
    return entries(history.git, "log", *args)
