"""A repository without a forge: issues are files in it, pull requests are folders of ours.

issues/12.md              in the repository, as committed: the issue
FOLDER/issues/12/1.md     the first comment on it
FOLDER/pulls/1/pull.md    a pull request: its title, branch and state, and its text
FOLDER/pulls/1/2.md       the second thing that was said about it, by us or by a person
FOLDER/pulls/1/2.1.md     the first answer to that
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.forges.contract import ForgeError, Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.forges.local_notes import Note, new_folder, note_at, notes_in, put, put_new, remark
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.tools.git.repository import branches, current_branch, file_at, find_base, top_of

_ME = "react-agent"
_PULL = "pull.md"


class Local:
    """Not the person's files nor refs are changed: what is said is kept in a folder of ours."""

    def __init__(self, repository: Path, state: Path, rev: str = "HEAD") -> None:
        self._top = top_of(repository)
        self._rev = rev
        self._folder = state / "local" / _name(self._top)

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
        body = _below(title, found.body)
        return Posted(number, title, body, path, labels=found.values("labels", "label", "tags"))

    def comments(self, number: int, is_pull: bool = False) -> Sequence[Remark]:
        folder = _pull_folder if is_pull else _issue_folder
        return tuple(remark(path, note) for path, note in notes_in(folder(self._folder, number)))

    def propose(self, wanted: Wanted) -> Pull:
        _check(self._top, wanted)
        number = _number_of(self._folder / "pulls", wanted.branch) or new_folder(
            self._folder / "pulls"
        )
        path = _pull_folder(self._folder, number) / _PULL
        before = note_at(path) or Note()
        put(path, Note({**before.facts, **_facts(wanted)}, wanted.body))
        return self.pull(number)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        folder = _pull_folder if is_pull else _issue_folder
        note = Note({"author": _ME}, text)
        return str(put_new(folder(self._folder, number), "", note))

    def ask_for(self, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
        """It is written down: there is nobody to be told."""
        path, note = _pull_note(self._folder, number)
        asked = {"reviewers": ", ".join(reviewers), "labels": ", ".join(labels)}
        put(path, replace(note, facts={**note.facts, **{k: v for k, v in asked.items() if v}}))

    def fork(self) -> Hosted:
        raise ForgeError(f"{self._top} is a folder on this machine, and needs no fork")

    def pull(self, number: int) -> Pull:
        path, note = _pull_note(self._folder, number)
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
        folder = _pull_note(self._folder, number)[0].parent
        return tuple(
            Thread(
                path.stem,
                tuple(remark(*said) for said in ((path, note), *notes_in(folder, f"{path.stem}."))),
                is_resolved=note.facts.get("resolved") == "yes",
            )
            for path, note in notes_in(folder)
        )

    def reply(self, number: int, thread: Thread, text: str) -> str:
        folder = _pull_note(self._folder, number)[0].parent
        return str(put_new(folder, f"{thread.key}.", Note({"author": _ME}, text)))

    def me(self) -> str:
        return _ME


def _name(top: Path) -> str:
    """Two repositories may be called alike."""
    digest = hashlib.sha256(str(top).encode(errors="surrogateescape")).hexdigest()
    return f"{top.name}-{digest[:8]}"


def _below(title: str, text: str) -> str:
    """A text without the title that stands above it."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip("\n") if title_of(first) == title else text


def _issue_folder(folder: Path, number: int) -> Path:
    return folder / "issues" / str(number)


def _pull_folder(folder: Path, number: int) -> Path:
    return folder / "pulls" / str(number)


def _pull_note(folder: Path, number: int) -> tuple[Path, Note]:
    path = _pull_folder(folder, number) / _PULL
    note = note_at(path)
    if note is None:
        raise ForgeError(f"there is no pull request {number}: no {path}")
    return path, note


def _number_of(pulls: Path, branch: str) -> int:
    """Of the open one for this branch; 0 if there is none."""
    for path in list(pulls.glob(f"*/{_PULL}")):
        facts = (note_at(path) or Note()).facts
        number = path.parent.name
        is_it = (facts.get("branch"), facts.get("state")) == (branch, "open")
        if is_it and number.isascii() and number.isdecimal():
            return int(number)
    return 0


def _check(top: Path, wanted: Wanted) -> None:
    base = find_base(top)
    for branch in (wanted.branch, wanted.base):
        if branch not in branches(base):
            raise ForgeError(f"{top} has no branch {branch}")


def _facts(wanted: Wanted) -> dict[str, str]:
    return {
        "title": wanted.title,
        "branch": wanted.branch,
        "base": wanted.base,
        "state": "open",
        "draft": "yes" if wanted.is_draft else "no",
    }
