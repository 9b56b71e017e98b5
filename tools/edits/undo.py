"""The `undo` tool: restore the edited files from the checkpoint taken before the edit."""

from collections.abc import Sequence
from dataclasses import replace

from react_agent.parsers.patch.reading.path_line import looks_like_path
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import edit_tool, report
from react_agent.tools.edits.edit import Change, Edit, FileState, exchange, state_of
from react_agent.tools.errors import ReactAgentError, WorkspaceError, told
from react_agent.tools.files.paths import Place, Refused, inside, unwrapped
from react_agent.tools.git.door import host_git
from react_agent.tools.git.objects import FILE, PROGRAM, objects_in
from react_agent.tools.git.workspace import checked_out
from react_agent.tools.observation import Observation, Status, failed

_NOTHING = "nothing was undone"
_LAST_FIRST = "empty input undoes the last edit, a second call the one before it"


def take_back(
    context: Context, tree_before: str, tree_after: str, paths: Sequence[str]
) -> Observation:
    """Restore all files of an edit. Restore none if one of them has changed since the edit."""
    now, before = dict[str, FileState | None](), dict[str, FileState | None]()
    try:
        for name in paths:
            state = state_of(Place(context.root, name))
            if isinstance(state, Refused):
                return failed(f"{state.reason}; {_NOTHING}", *paths)
            now[name], before[name] = state, _state_in(tree_before, name, state, context)
            after = _state_in(tree_after, name, state, context)
            if state and before[name] is None and after is None:
                reason = f"git ignores {name}, so its earlier content was not saved"
                return failed(f"{reason}; {_NOTHING}", *paths)
            if state != after:
                return failed(f"{name} has changed since the edit; {_NOTHING}", *paths)
    except ReactAgentError as error:
        return failed(f"{told(error)}; {_NOTHING}", *paths)
    changes = (Change(name if now[name] else None, name if before[name] else None) for name in now)
    edit = Edit(tuple(one for one in changes if one.name), now, before)
    if reason := exchange(context.root, now, before):
        return failed(f"{reason}; {_NOTHING}", *paths)
    return Observation(report(edit, (), context.limits, "taken back"), paths=tuple(paths))


def _state_in(tree: str, name: str, now: FileState | None, context: Context) -> FileState | None:
    """Return the state of a file in a checkpoint, or None if the checkpoint does not contain it."""
    git_dir = host_git(context.root)
    objects = objects_in(git_dir)
    entry = objects.find(tree, name)
    if entry is None:
        return None
    if entry.mode not in (FILE, PROGRAM):
        raise WorkspaceError(f"{name} was not a regular file")
    if tree == context.base:
        with checked_out(git_dir, [name]) as folder:
            data = disk.read_bytes(folder / name)
    else:
        data = objects.read(entry.id, "blob")
    mode, is_program = now.mode if now else None, entry.mode == PROGRAM
    if now is None or bool((now.mode or 0) & 0o100) != is_program:
        mode = 0o755 if is_program else None
    return FileState(data, mode)


def _undo(text: str, context: Context) -> Observation:
    last = context.last_edit
    if last is None:
        return failed("there is no edit to undo")
    asked = unwrapped(text.partition("\n")[0])
    place = inside(context.root, asked)
    is_of_it = isinstance(place, Place) and place.name in last.paths
    if looks_like_path(asked) and not is_of_it:
        edited = ", ".join(last.paths)
        return failed(f"the last edit changed {edited}, not {asked}; {_NOTHING}: {_LAST_FIRST}")
    answer = take_back(context, last.before, last.after, last.paths)
    if answer.status is not Status.OK:
        return answer
    return replace(answer, facts={"undid": str(last.step)})


UNDO = edit_tool(
    "undo",
    "undo the last edit; call it again to undo the one before it; takes no input",
    _undo,
    needs_input=False,
)
