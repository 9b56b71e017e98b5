"""A repository without a forge: issues are files in it, pull requests are folders of ours.

issues/12.md              in the repository, as committed: the issue
FOLDER/issues/12/1.md     the first comment on it
FOLDER/pulls/1/pull.md    a pull request: its facts, and its text
FOLDER/pulls/1/2.md       the second thing that was said about it, by us or by a person
FOLDER/pulls/1/2.1.md     the first answer to that

note = "---" NEWLINE (name ": " value NEWLINE)* "---" NEWLINE text | text
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.forges.contract import ForgeError, Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.tools import disk
from react_agent.tools.git.repository import branches, current_branch, file_at, find_base, top_of

_ME, _PERSON = "react-agent", "you"
_NOTE = re.compile(r"---\n((?:[a-z]+:[^\n]*\n)*)---\n(.*)", re.DOTALL)
_MOST_BYTES = 1_000_000


class Local:
    """Neither the person's files nor refs are changed: what is said is in a folder of ours."""

    def __init__(self, repository: Path, state: Path, rev: str = "HEAD") -> None:
        self._top = top_of(repository)
        self._rev = rev
        digest = hashlib.sha256(str(self._top).encode(errors="surrogateescape")).hexdigest()
        self._folder = state / "local" / f"{self._top.name}-{digest[:8]}"  # others have its name

    def repository(self) -> Hosted:
        branch = current_branch(self._top) or "HEAD"
        return Hosted(str(self._top), str(self._top), branch, can_push=True)

    def issue(self, number: int) -> Posted:
        path = f"issues/{number}.md"
        text = file_at(find_base(self._top, self._rev), path)
        if text is None:
            raise ForgeError(f"{self._top} has no {path} that is text and committed")
        found = read_front_matter(text)
        title = title_of(found.value("title")) or title_of(found.body)
        first, _, rest = found.body.lstrip().partition("\n")
        body = rest.lstrip("\n") if title_of(first) == title else found.body
        return Posted(number, title, body, path, labels=found.values("labels", "label", "tags"))

    def comments(self, number: int, is_pull: bool = False) -> Sequence[Remark]:
        return [_remark(path, note) for path, note in _notes(self._talk(number, is_pull))]

    def propose(self, wanted: Wanted) -> Pull:
        known = branches(find_base(self._top))
        for branch in (wanted.branch, wanted.base):
            if branch not in known:
                raise ForgeError(f"{self._top} has no branch {branch}")
        pulls = {number: self.pull(number) for number in self._numbers()}
        there = (n for n, p in pulls.items() if (p.branch, p.state) == (wanted.branch, "open"))
        number = next(there, max(pulls, default=0) + 1)
        note = _note_at(self._place(number)) if number in pulls else _Note({}, "")
        facts = {
            **note.facts,
            "title": wanted.title,
            "branch": wanted.branch,
            "base": wanted.base,
            "state": "open",
            "draft": "yes" if wanted.is_draft else "no",
        }
        _put(self._place(number), _Note(facts, wanted.body))
        return self.pull(number)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        return _put_next(self._talk(number, is_pull), "", text)

    def ask_for(self, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
        """It is written down: there is nobody to be told."""
        note = _note_at(self._place(number))
        asked = {"reviewers": ", ".join(reviewers), "labels": ", ".join(labels)}
        facts = {**note.facts, **{name: text for name, text in asked.items() if text}}
        _put(self._place(number), _Note(facts, note.text))

    def fork(self) -> Hosted:
        raise ForgeError(f"{self._top} is a folder on this machine, and needs no fork")

    def pull(self, number: int) -> Pull:
        path = self._place(number)
        note = _note_at(path)
        facts = note.facts
        return Pull(
            number,
            str(path),
            facts.get("title", ""),
            note.text,
            facts.get("branch", ""),
            facts.get("base", ""),
            facts.get("state", "open"),
            facts.get("draft") == "yes",
            _ME,
            source_url=str(self._top),
        )

    def threads(self, number: int) -> Sequence[Thread]:
        self.pull(number)
        folder = self._talk(number, is_pull=True)
        return [
            Thread(
                path.stem,
                tuple(_remark(*said) for said in ((path, note), *_notes(folder, f"{path.stem}."))),
                is_resolved=note.facts.get("resolved") == "yes",
            )
            for path, note in _notes(folder)
        ]

    def reply(self, number: int, thread: Thread, text: str) -> str:
        return _put_next(self._talk(number, is_pull=True), f"{thread.key}.", text)

    def me(self) -> str:
        return _ME

    def _talk(self, number: int, is_pull: bool) -> Path:
        return self._folder / ("pulls" if is_pull else "issues") / str(number)

    def _place(self, number: int) -> Path:
        return self._talk(number, is_pull=True) / "pull.md"

    def _numbers(self) -> Iterator[int]:
        for path in sorted((self._folder / "pulls").glob("*/pull.md")):
            if re.fullmatch(r"[0-9]{1,6}", path.parent.name):
                yield int(path.parent.name)


@dataclass(frozen=True, slots=True)
class _Note:
    facts: dict[str, str]
    text: str


def _note_at(path: Path) -> _Note:
    try:
        text = disk.start_of(path, _MOST_BYTES).decode(errors="replace")
    except FileNotFoundError:
        raise ForgeError(f"there is no pull request {path.parent.name}: no {path}") from None
    except OSError as error:
        raise ForgeError(f"can't read {path}: {error.strerror}") from None
    if not (found := _NOTE.fullmatch(text)):
        return _Note({}, text)
    lines = (line.partition(":") for line in found[1].splitlines())
    return _Note({name: fact.strip() for name, _, fact in lines}, found[2])


def _notes(folder: Path, prefix: str = "") -> list[tuple[Path, _Note]]:
    """Those numbered behind the prefix, in order; a person may have put some there."""
    pattern = re.compile(rf"{re.escape(prefix)}([0-9]{{1,6}})\.md")
    found = {}
    for path in folder.glob("*.md"):
        if number := pattern.fullmatch(path.name):
            found[int(number[1])] = (path, _note_at(path))
    return [found[number] for number in sorted(found)]


def _remark(path: Path, note: _Note) -> Remark:
    """What has no author was put there by whoever owns the repository."""
    author = note.facts.get("author", _PERSON)
    at = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    is_ours = author != _PERSON
    return Remark(author, note.text, "" if is_ours else "owner", at, is_ours, str(path))


def _written(note: _Note) -> bytes:
    facts = "".join(f"{name}: {' '.join(fact.split())}\n" for name, fact in note.facts.items())
    return f"---\n{facts}---\n{note.text}".encode(errors="replace")


def _put(path: Path, note: _Note) -> None:
    """Whole, or not at all."""
    try:
        disk.mkdir(path.parent, parents=True, exist_ok=True)
        disk.write_over(path, _written(note))
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from None


def _put_next(folder: Path, prefix: str, text: str) -> str:
    """Under the next number that is free, whoever else writes at the same time."""
    number = 1
    while True:
        path = folder / f"{prefix}{number}.md"
        try:
            disk.mkdir(folder, parents=True, exist_ok=True)
            disk.write_new(path, _written(_Note({"author": _ME}, text)))
            return str(path)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise MachineError(f"can't write {path}: {error.strerror}") from None
