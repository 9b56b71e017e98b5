"""What a change consists of, read from the objects of git: no work tree is needed for it."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from react_agent.parsers.git_diff import FileDiff, read_git_diff
from react_agent.tools.git.changes import DIFF, MOST_S
from react_agent.tools.git.door import Git
from react_agent.tools.git.objects import ObjectError, Objects, is_known, objects_in
from react_agent.tools.git.staging import names
from react_agent.tools.git.workspace import Workspace

LARGEST = 1_000_000  # bytes of a file that is looked into
_SIDES = ("--src-prefix=a/", "--dst-prefix=b/")


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tree, and the commit that it is compared with."""

    git: Git
    objects: Objects
    base: str
    tree: str

    def changes(self) -> tuple[FileDiff, ...]:
        """By files, without the lines around; a file that was moved is one."""
        how = ("--unified=0", "--find-renames", *_SIDES)
        told = self.git.run(*DIFF, *how, self.base, self.tree, deadline_s=MOST_S)
        return read_git_diff(told.decode(errors="surrogateescape"))

    def files(self) -> list[str]:
        return names(self.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", self.tree))

    def mentions(self, word: str) -> list[str]:
        """The files that hold this word."""
        how = ("-l", "-z", "-I", "--full-name", "-w", "-F", "-e", word)
        answer = self.git.ask("grep", *how, self.tree)
        return [name.removeprefix(f"{self.tree}:") for name in names(answer.out)]

    def now(self, path: str) -> bytes | None:
        return self._held(self.tree, path)

    def before(self, path: str) -> bytes | None:
        return self._held(self.base, path)

    def _held(self, tree: str, path: str) -> bytes | None:
        """None of what is not there, or too large to be looked into."""
        if not is_known(tree):
            return self._asked(tree, path)
        try:
            found = self.objects.find(self.objects.tree_of(tree), os.fsencode(path))
            return self.objects.read(found.id, "blob", LARGEST) if found else None
        except ObjectError:
            return None

    def _asked(self, tree: str, path: str) -> bytes | None:
        """Where ids are those of SHA-256."""
        size = self.git.ask("cat-file", "-s", f"{tree}:{path}")
        if size.code or int(size.out) > LARGEST:
            return None
        return self.git.ask("cat-file", "blob", f"{tree}:{path}").out


def between(workspace: Workspace) -> Callable[[str, str], Sequence[str]]:
    """The files in which two checkpoints differ; none where one of them is not known here."""

    objects = objects_in(workspace.git_dir)

    def differing(before: str, after: str) -> list[str]:
        try:
            trees = objects.tree_of(before), objects.tree_of(after)
            return [os.fsdecode(one.path) for one in objects.differences(*trees)]
        except ObjectError:
            return []

    return differing
