"""Take an edit back: the files of it become what they were at the checkpoint before."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.parsers.labelled_path import looks_like_path
from react_agent.parsers.patch.line_diff import differing
from react_agent.tools.clip import clip
from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.accept_edit import edit_tool
from react_agent.tools.edits.edit import Change, Edit, Files, FileState, exchange, states
from react_agent.tools.edits.edit_report import lines_of, regions, report
from react_agent.tools.errors import ReactAgentError, WorkspaceError, told
from react_agent.tools.files.paths import Place, Refused, inside, unwrapped
from react_agent.tools.git.door import host_git, run_past_pipes, work_tree
from react_agent.tools.git.objects import is_known, objects_in
from react_agent.tools.observation import Observation, Status, failed, read_as

_NOTHING = "nothing was taken back"
_LAST_FIRST = "without input the last one is, and with another call the one before it"
_ONE_AT_A_TIME = "read without its input: each call takes one edit back"
_MOST_SHOWN = 20  # lines of what has changed since
_AROUND = 2
_EXECUTABLE = {"100644": False, "100755": True}  # the modes of regular files


def take_back(
    context: Context, tree_before: str, tree_after: str, paths: Sequence[str]
) -> Observation:
    """All of them or none; none either where one has changed since the edit."""
    try:
        now = states(context.root, paths)
        if isinstance(now, Refused):
            return failed(f"{now.reason}; {_NOTHING}", *paths)
        before = _kept(context, tree_before, now)
        after = _kept(context, tree_after, now)
    except ReactAgentError as error:
        return failed(f"{told(error)}; {_NOTHING}", *paths)
    if problem := "\n".join(_problem(now, before, after, context)):
        return failed(clip(problem, context.limits), *paths)
    return _taken_back(now, before, paths, context)


def _kept(context: Context, tree: str, now: Files) -> Files:
    """What a checkpoint holds of the files; what it lacks was not there."""
    find = _in_git if tree == context.base or not is_known(tree) else _in_objects
    return {name: _state(find(context.root, tree, name), name, now[name]) for name in now}


def _in_objects(root: Path, tree: str, name: str) -> tuple[str, bytes] | None:
    """Its mode, and what it holds."""
    objects = objects_in(host_git(root))
    entry = objects.find(tree, os.fsencode(name))
    if entry is None:
        return None
    is_file = entry.mode.decode() in _EXECUTABLE
    return entry.mode.decode(), objects.read(entry.id, "blob") if is_file else b""


def _in_git(root: Path, tree: str, name: str) -> tuple[str, bytes] | None:
    """The same of the base commit, whose files a checkout may have given other ends of lines."""
    git = work_tree(root)
    entry = git.run("ls-tree", "-z", "--full-tree", tree, "--", name).partition(b"\t")[0]
    mode = entry.decode().partition(" ")[0]
    is_file = mode in _EXECUTABLE
    data = run_past_pipes(root, git, "cat-file", "--filters", f"{tree}:{name}") if is_file else b""
    return (mode, data) if entry else None


def _state(found: tuple[str, bytes] | None, name: str, now: FileState | None) -> FileState | None:
    if found is None:
        return None
    kind, data = found
    if kind not in _EXECUTABLE:
        raise WorkspaceError(f"{name} was no regular file")
    mode = now.mode if now else None
    if now is None or bool((now.mode or 0) & 0o100) != _EXECUTABLE[kind]:
        mode = 0o755 if _EXECUTABLE[kind] else None
    return FileState(data, mode)


def _problem(now: Files, before: Files, after: Files, context: Context) -> Iterator[str]:
    for name, state in now.items():
        if state and before[name] is None and after[name] is None:
            yield f"git ignores {name}, so nothing of it was kept; {_NOTHING}"
        elif state is None or after[name] is None:
            if state is not after[name]:
                what = "is gone" if state is None else "is there again"
                yield f"{name} {what} since the edit; {_NOTHING}"
        elif state != after[name]:
            yield f"{name} has changed since the edit; {_NOTHING}"
            yield from _changed_since(name, after[name], state, context.limits)


def _changed_since(
    name: str, old: FileState | None, new: FileState, limits: Limits
) -> Iterator[str]:
    found = differing(lines_of(old), lines_of(new))
    if found:
        *_, start, end = found[0]
        span = start, min(end, start + _MOST_SHOWN)
        yield f"{name} says now, where it has changed first"
        yield from regions(lines_of(new), [span], _AROUND, limits.line_chars)


def _taken_back(now: Files, before: Files, paths: Sequence[str], context: Context) -> Observation:
    changes = [
        Change(name if now[name] else None, name if before[name] else None) for name in paths
    ]
    edit = Edit(tuple(one for one in changes if one.name), now, before)
    if edit.changes_nothing:
        return failed(f"{', '.join(paths)}: they are what they were before the edit", *paths)
    refused = exchange(context.root, now, before)
    if refused:
        return failed(f"{refused.reason}; {_NOTHING}", *paths)
    text = report(edit, (), context.limits, "taken back")
    return Observation(clip(text, context.limits), paths=tuple(paths))


def _undo(text: str, context: Context) -> Observation:
    last = context.last_edit
    if last is None:
        return failed("there is no edit to take back")
    asked = unwrapped(text.partition("\n")[0])
    if looks_like_path(asked) and not _is_of(asked, last.paths, context):
        edited = ", ".join(last.paths)
        return failed(f"the last edit was of {edited}, not of {asked}; {_NOTHING}: {_LAST_FIRST}")
    answer = take_back(context, last.before, last.after, last.paths)
    worked = answer.status is Status.OK
    if not worked:
        return answer
    said = "" if not asked or looks_like_path(asked) else _ONE_AT_A_TIME
    return read_as(said, replace(answer, facts={"undid": str(last.step)}))


def _is_of(asked: str, paths: Sequence[str], context: Context) -> bool:
    place = inside(context.root, asked)
    return isinstance(place, Place) and place.name in paths


UNDO = edit_tool(
    "undo",
    "take the last edit back, and with another call the one before it; it has no input",
    _undo,
    needs_input=False,
)
