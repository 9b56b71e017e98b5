"""A local repository that takes the place of a forge: issues and pull requests are files.

issues/12.md              the issue, as committed in the repository
FOLDER/pulls/1.md         a pull request: front matter between two lines of `---`, and its text
FOLDER/comments.md        the comments on issues and pull requests, one below the other
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.forges.contract import ForgeError, Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.tools import disk
from react_agent.tools.git.repository import branches, current_branch, file_at, find_base, top_of

_ME = "react-agent"
_PULL = re.compile(r"---\n((?:[a-z]+:[^\n]*\n)*)---\n(.*)", re.DOTALL)
_MOST_BYTES = 1_000_000


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
        found = read_front_matter(text)
        title = title_of(found.value("title")) or title_of(found.body)
        first, _, rest = found.body.lstrip().partition("\n")
        body = rest.lstrip("\n") if title_of(first) == title else found.body
        return Posted(number, title, body, labels=found.values("labels", "label", "tags"))

    def comments(self, number: int) -> Sequence[Remark]:
        return ()

    def propose(self, wanted: Wanted) -> Pull:
        known = branches(find_base(self._top))
        for branch in (wanted.branch, wanted.base):
            if branch not in known:
                raise ForgeError(f"{self._top} has no branch {branch}")
        names = (path.stem for path in (self._folder / "pulls").glob("*.md"))
        numbers = sorted(int(name) for name in names if re.fullmatch(r"[0-9]{1,6}", name))
        there = {number: self.pull(number) for number in numbers}
        same = (n for n, p in there.items() if (p.branch, p.state) == (wanted.branch, "open"))
        number = next(same, max(there, default=0) + 1)
        facts = {
            "title": " ".join(wanted.title.split()),
            "branch": wanted.branch,
            "base": wanted.base,
            "state": "open",
            "draft": "yes" if wanted.is_draft else "no",
        }
        lines = "".join(f"{name}: {fact}\n" for name, fact in facts.items())
        self._write(self._place(number), f"---\n{lines}---\n{wanted.body}")
        return self.pull(number)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        path = self._folder / "comments.md"
        kind = "Pull request" if is_pull else "Issue"
        before = _text(path, path.stat().st_size) if path.exists() else ""
        self._write(path, f"{before}# {kind} {number}\n\n{text.rstrip()}\n\n")
        return str(path)

    def fork(self) -> Hosted:
        raise ForgeError(f"{self._top} is a folder on this machine, and needs no fork")

    def pull(self, number: int) -> Pull:
        path = self._place(number)
        text = _text(path)
        found = _PULL.fullmatch(text)
        lines = (line.partition(":") for line in found[1].splitlines()) if found else ()
        facts = {name: fact.strip() for name, _, fact in lines}
        return Pull(
            number,
            str(path),
            facts.get("title", ""),
            found[2] if found else text,
            facts.get("branch", ""),
            facts.get("base", ""),
            facts.get("state", "open"),
            facts.get("draft") == "yes",
            _ME,
            source_url=str(self._top),
        )

    def threads(self, number: int) -> Sequence[Thread]:
        raise ForgeError(f"{self._top} is a folder on this machine: it has no reviews")

    def reply(self, number: int, thread: Thread, text: str) -> str:
        return self.comment(number, text, is_pull=True)

    def me(self) -> str:
        return _ME

    def _place(self, number: int) -> Path:
        return self._folder / "pulls" / f"{number}.md"

    def _write(self, path: Path, text: str) -> None:
        """Write the file atomically. Raises MachineError."""
        try:
            disk.mkdir(path.parent, parents=True, exist_ok=True)
            disk.write_over(path, text.encode(errors="replace"))
        except OSError as error:
            raise MachineError(f"can't write {path}: {error.strerror}") from None


def _text(path: Path, most: int = _MOST_BYTES) -> str:
    try:
        return disk.start_of(path, most).decode(errors="replace")
    except FileNotFoundError:
        raise ForgeError(f"there is no pull request {path.stem}: no {path}") from None
    except OSError as error:
        raise ForgeError(f"can't read {path}: {error.strerror}") from None
