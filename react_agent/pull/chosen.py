"""What of a run's change becomes the branch: litter dropped, ends of lines and modes mended.

What is dropped is said, and why. A key in code can't be dropped: the branch stays on this machine.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from react_agent.guards.litter import Around, is_named_in, litter
from react_agent.loop.state import State
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.file_roles import is_code, is_data, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.pull.keys import can_be_left_out, held_by, is_of_one_machine, keys_in, shown
from react_agent.tools.git.change import Proposed, proposed, show
from react_agent.tools.git.objects import Entry
from react_agent.tools.git.workspace import Workspace

_FILE, _PROGRAM, _LINK = "100644", "100755", "120000"
_MODES = ("chmod", "mode 1007")
_PARTS = LatePattern(r"[;&|]|\n(?!(?:old|new) )")


@dataclass(frozen=True, slots=True)
class Dropped:
    path: str
    why: str

    def __str__(self) -> str:
        return f"{shown(self.path)} {self.why}"


@dataclass(slots=True)
class Chosen:
    tree: str  # what the branch is to hold
    patch: bytes = b""  # from the base to it
    stat: str = ""
    paths: tuple[str, ...] = ()  # of all that is changed
    there: tuple[str, ...] = ()  # of these, what is not deleted
    dropped: list[Dropped] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # why it must not be sent anywhere

    def take(self, workspace: Workspace, tree: str) -> None:
        self.tree = tree
        self.patch, self.stat = show(workspace, tree)


def chosen(workspace: Workspace, state: State, tree: str) -> Chosen:
    made = Chosen(tree)
    made.take(workspace, tree)
    files = _files(made.patch)
    made.dropped = list(_dropped(workspace, state, tree, files))
    gone = {one.path for one in made.dropped}
    kept = [one for one in files if one.path not in gone]
    made.refused = [f"{key}" for one in kept for key in keys_in(one)]
    edits = _as_before(workspace, files, gone) | _mended(workspace, state, tree, kept)
    if edits:
        made.take(workspace, workspace.store.with_files(tree, edits))
    made.paths = tuple(dict.fromkeys(one.path for one in kept))
    made.there = tuple(dict.fromkeys(one.new for one in kept if one.new))
    return made


def _files(patch: bytes) -> tuple[FileDiff, ...]:
    return read_git_diff(os.fsdecode(patch))


def _dropped(
    workspace: Workspace, state: State, tree: str, files: tuple[FileDiff, ...]
) -> Iterator[Dropped]:
    holding = proposed(workspace, tree)
    title = title_of(state.objective or "")
    around = Around(files, title, state.wrote, holding.mentions, holding.files)
    for one in files:
        if not one.new:
            continue
        if why := litter(one, around) or _unwanted(one, around, holding):
            yield Dropped(one.new, why)


def _unwanted(one: FileDiff, around: Around, holding: Proposed) -> str:
    if one.mode == _LINK and one.old_mode != _LINK and _leads_out(one, holding):
        return "is a link that leads out of the repository"
    if one.old or not can_be_left_out(one):
        return ""
    if key := next(keys_in(one), None):
        return held_by(key)
    is_meant = is_named_in(one.new, around.title)
    return "" if is_meant or not is_of_one_machine(one.new) else "is for one machine alone"


def _leads_out(one: FileDiff, holding: Proposed) -> bool:
    target = PurePosixPath(os.fsdecode(holding.now(one.new) or b""))
    depth = len(PurePosixPath(one.new).parts) - 1
    for part in target.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return target.is_absolute() or ".git" in target.parts


def _as_before(
    workspace: Workspace, files: tuple[FileDiff, ...], gone: set[str]
) -> dict[str, Entry | None]:
    """A new file is not there; one that was moved is again where it was."""
    names = [name for one in files if one.path in gone for name in (one.old, one.new) if name]
    before = workspace.store.at(workspace.base.commit, names)
    return {name: before.get(name) for name in names}


def _mended(
    workspace: Workspace, state: State, tree: str, files: list[FileDiff]
) -> dict[str, Entry | None]:
    there = [one for one in files if one.new]
    wrong = [one for one in there if _lacks_end(one) or _mode(one, state) != one.mode]
    now = workspace.store.at(tree, [one.new for one in wrong])
    edits = dict[str, Entry | None]()
    for one in wrong:
        blob = _ended(workspace, tree, one) if _lacks_end(one) else now[one.new].id
        edits[one.new] = Entry(_mode(one, state).encode() or now[one.new].mode, blob)
    return edits


def _lacks_end(one: FileDiff) -> bool:
    """A text of ours: data may be meant to end like this."""
    is_for_tests = is_of_tests(one.new) and not is_code(one.new)
    is_meant = not one.old and (is_data(one.new) or is_for_tests)
    return one.is_unended and one.mode != _LINK and not is_meant


def _ended(workspace: Workspace, tree: str, one: FileDiff) -> str:
    data = workspace.store.file(tree, one.new) or b""
    return workspace.store.store("blob", data + (b"\r\n" if b"\r\n" in data else b"\n"))


def _mode(one: FileDiff, state: State) -> str:
    """A bit that nobody meant is as it was; of a new file, as its first line says."""
    if {one.old_mode, one.mode} - {_FILE, _PROGRAM, ""} or one.old_mode == one.mode:
        return one.mode
    is_program = any(line.text.startswith("#!") for line in one.added if line.number == 1)
    if _is_meant(one.new, state) or (not one.old and is_program):
        return one.mode
    if one.old and one.old_mode:
        return one.old_mode
    return _FILE if not one.old else one.mode


def _is_meant(path: str, state: State) -> bool:
    """A step spoke of its mode: a command with its name, or a patch."""
    name = PurePosixPath(path).name
    given = (step.said.turn.input for step in state.standing)
    parts = (part for text in given for part in _PARTS.pattern.split(text) if name in part)
    return any(word in part for part in parts for word in _MODES)
