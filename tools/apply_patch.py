"""Change files by a unified diff: all of it or nothing."""

from collections.abc import Mapping

from react_agent.parsers.diff import Diff
from react_agent.parsers.diff_text import parse_diff
from react_agent.parsers.diff_writer import write_diff
from react_agent.parsers.named_text import PATCHES, NamedText, named_text
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git import work_tree
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.patch_failure import explained
from react_agent.tools.patch_files import contents, placed
from react_agent.tools.patch_readings import Reading, readings
from react_agent.tools.patch_report import changes_nothing, report
from react_agent.tools.paths import Refused
from react_agent.tools.registry import Kind, Tool

_NOTHING = "nothing was changed"
_APPLY = ("apply", "--whitespace=nowarn", "-p1")
_NO_CHANGE = f"the diff changes nothing: what it removes it adds again; {_NOTHING}"
_CUT_OFF = (
    "the diff looks cut off: its last hunk announces two or more lines that did not come, and ends "
    f"in a change; send all of it, with unchanged lines at the end; {_NOTHING}"
)


def _apply_patch(text: str, context: Context) -> Observation:
    match named_text(text, PATCHES):
        case NamedText() as named:
            return read_as(named.said, _patched(named.text, context))
        case Unreadable(reason):
            return failed(f"{reason}; {_NOTHING}")
        case _:
            return _patched(text, context)


def _patched(text: str, context: Context) -> Observation:
    diff = parse_diff(text)
    if isinstance(diff, Unreadable):
        return failed(f"{diff.reason}; {_NOTHING}")
    try:
        meant = placed(diff, context)
        if isinstance(meant, Refused):
            return failed(f"{meant.reason}; {_NOTHING}")
        return _applied(meant, context)
    except ReactAgentError as error:
        return failed(str(error))
    except UnicodeEncodeError:
        return failed(f"the diff holds a character that no file can hold; {_NOTHING}")


def _applied(diff: Diff, context: Context) -> Observation:
    before, complaint = contents(diff, context), ""
    for reading in readings(diff, before):
        patch = write_diff(reading.diff).encode(errors="surrogateescape")
        checked = work_tree(context.root).ask(*_APPLY, "--check", "-", stdin=patch)
        if checked.code == 0:
            work_tree(context.root).run(*_APPLY, "-", stdin=patch)
            return _report(reading, before, context)
        complaint = complaint or _first_line(checked.err)
    if any(hunk.cut_off for file in diff.files for hunk in file.hunks):
        return failed(_CUT_OFF, *_names(diff))
    text = explained(diff, before, complaint, context.limits)
    return failed(clip(text, context.limits), *_names(diff))


def _report(reading: Reading, before: Mapping[str, str], context: Context) -> Observation:
    after, paths = contents(reading.diff, context), _names(reading.diff)
    if changes_nothing(reading.diff, before, after):
        return failed(_NO_CHANGE, *paths)
    first, *others = report(reading.diff, before, after, context.limits).split("\n")
    mended = [f"[{reading.mended}]"] if reading.mended else []
    text = "\n".join((first, *mended, *others))
    return Observation(clip(text, context.limits), paths=paths)


def _names(diff: Diff) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for file in diff.files for name in file.names))


def _first_line(complaint: str) -> str:
    return complaint.strip().split("\n")[0].removeprefix("error: ").removeprefix("fatal: ")


APPLY_PATCH = Tool(
    "apply_patch",
    "change, create, rename or delete files; input: a unified diff with --- a/PATH and +++ b/PATH, "
    "unchanged lines around each change, paths relative to the repository's root",
    Kind.WRITE,
    _apply_patch,
)
