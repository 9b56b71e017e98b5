"""A unified diff made true in the work tree: all of it or nothing."""

from react_agent.parsers.diff import Diff
from react_agent.parsers.diff_text import parse_diff
from react_agent.parsers.diff_writer import write_diff
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip
from react_agent.tools.context import Context
from react_agent.tools.edit import Change, Edit, Files, states
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.keep import keep
from react_agent.tools.observation import Observation, failed
from react_agent.tools.patch_failure import explained
from react_agent.tools.patch_files import placed
from react_agent.tools.patch_readings import Reading, readings
from react_agent.tools.patch_trial import tried
from react_agent.tools.paths import Refused

_NOTHING = "nothing was changed"
_NO_CHANGE = f"the diff changes nothing: what it removes it adds again; {_NOTHING}"
_CUT_OFF = (
    "the diff looks cut off: its last hunk announces two or more lines that did not come, and ends "
    f"in a change; send all of it, with unchanged lines at the end; {_NOTHING}"
)


def patched(text: str, context: Context) -> Observation:
    diff = parse_diff(text)
    if isinstance(diff, Unreadable):
        return failed(f"{diff.reason}; {_NOTHING}")
    try:
        meant = placed(diff, context)
        if isinstance(meant, Refused):
            return failed(f"{meant.reason}; {_NOTHING}")
        edit = _edit(meant, context)
        return keep(edit, context) if isinstance(edit, Edit) else edit
    except ReactAgentError as error:
        return failed(str(error))
    except UnicodeEncodeError:
        return failed(f"the diff holds a character that no file can hold; {_NOTHING}")


def _edit(diff: Diff, context: Context) -> Edit | Observation:
    before, complaint = states(context.root, sorted(_names(diff))), ""
    if isinstance(before, Refused):
        return failed(f"{before.reason}; {_NOTHING}")
    contents = {name: state.text for name, state in before.items() if state}
    for reading in readings(diff, contents):
        patch = write_diff(reading.diff).encode(errors="surrogateescape")
        after = tried(patch, before, context.root)
        if not isinstance(after, str):
            return _of(reading, before, after)
        complaint = complaint or after
    if any(hunk.cut_off for file in diff.files for hunk in file.hunks):
        return failed(_CUT_OFF, *_names(diff))
    text = explained(diff, contents, complaint, context.limits)
    return failed(clip(text, context.limits), *_names(diff))


def _of(reading: Reading, before: Files, after: Files) -> Edit | Observation:
    changes = tuple(Change(file.old, file.new) for file in reading.diff.files)
    edit = Edit(changes, before, after, (reading.mended,) if reading.mended else ())
    return failed(_NO_CHANGE, *edit.names) if edit.changes_nothing else edit


def _names(diff: Diff) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for file in diff.files for name in file.names))
