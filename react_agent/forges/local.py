"""A local repository that takes the place of a forge: issues and pull requests are files.

issues/12.md              the issue, as committed in the repository
FOLDER/pulls/BRANCH.md    a pull request: its facts between two lines of `---`, and its text
FOLDER/comments.md        the comments on issues, one below the other
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from react_agent.forges.contract import ForgeError, Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.tools import disk
from react_agent.tools.errors import machine_error
from react_agent.tools.git.repository import current_branch, file_at, find_base, top_of

_ME = "react-agent"


class Local:
    """A repository on this machine. Its files and refs never change; we use a folder of our own."""

    def __init__(self, repository: Path, state: Path) -> None:
        self._top = top_of(repository)
        digest = hashlib.sha256(str(self._top).encode(errors="surrogateescape")).hexdigest()
        self._folder = state / "local" / f"{self._top.name}-{digest[:8]}"  # the name is not unique

    def repository(self) -> Hosted:
        branch = current_branch(self._top) or "HEAD"
        return Hosted(str(self._top), str(self._top), branch, can_push=True)

    def issue(self, number: int) -> Posted:
        path = f"issues/{number}.md"
        text = file_at(find_base(self._top), path)
        if text is None:
            raise ForgeError(f"{self._top} has no committed text file {path}")
        found = read_front_matter(text.removeprefix("\ufeff").replace("\r\n", "\n"))
        title = title_of(found.value("title")) or title_of(found.body)
        first, _, rest = found.body.lstrip().partition("\n")
        body = rest.lstrip("\n") if title_of(first) == title else found.body
        return Posted(number, title, body, labels=found.values("labels", "label", "tags"))

    def comments(self, number: int) -> Sequence[Remark]:
        return ()

    def propose(self, wanted: Wanted) -> Pull:
        path = self._folder / "pulls" / f"{wanted.branch}.md"
        title = " ".join(wanted.title.split())
        facts = f"title: {title}\nbranch: {wanted.branch}\nbase: {wanted.base}"
        facts += f"\ndraft: {'yes' if wanted.is_draft else 'no'}"
        with machine_error(f"can't write {path}"):
            disk.mkdir(path.parent, parents=True, exist_ok=True)
            disk.write_over(path, f"---\n{facts}\n---\n{wanted.body}".encode(errors="replace"))
        return Pull(
            0,
            str(path),
            title,
            wanted.body,
            wanted.branch,
            wanted.base,
            is_draft=wanted.is_draft,
            author=_ME,
            source_url=str(self._top),
        )

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        path = self._folder / "comments.md"
        with machine_error(f"can't write {path}"):
            disk.mkdir(path.parent, parents=True, exist_ok=True)
            disk.append_text(path, f"# Issue {number}\n\n{text.rstrip()}\n\n", errors="replace")
        return str(path)

    def fork(self) -> Hosted:
        raise ForgeError(f"{self._top} is a folder on this machine, and needs no fork")

    def pull(self, number: int) -> Pull:
        raise self._without_reviews()

    def threads(self, number: int) -> Sequence[Thread]:
        raise self._without_reviews()

    def reply(self, number: int, thread: Thread, text: str) -> str:
        raise self._without_reviews()

    def me(self) -> str:
        return _ME

    def _without_reviews(self) -> ForgeError:
        return ForgeError(f"{self._top} is a folder on this machine: it has no reviews")
