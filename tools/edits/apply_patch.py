"""The tools `apply_patch`, `replace` and `write_file`.

`apply_patch` and `replace` write either all changes or none. `write_file` creates a file.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from react_agent.parsers.edits.edits import Edits, is_object, parse_file_text, parse_replacements
from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.line_diff import differing
from react_agent.parsers.patch.reading.blocks import USAGE
from react_agent.parsers.patch.reading.reader import NO_PATCH, read_changes
from react_agent.parsers.secrets.redaction import MARK
from react_agent.parsers.values.arguments import Named, Unreadable
from react_agent.parsers.values.commands import PATCHES, named_text
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import NOTHING, accept_edit, edit_tool
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.edits.repair_patch import RepoFiles, repaired
from react_agent.tools.edits.unmarked_edit import meant_place, whole_definitions
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files import paths
from react_agent.tools.files.file_list import listing
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import named

_PUT_IN = "the definition replaced the one with the same name"
_MOST = 4_000_000  # characters
_MOST_NOTES = 10  # of what was repaired
_EXECUTABLE, _PROGRAM, _FILE = 0o111, "100755", 0o644
_HINT = "write the PATH on the first line and the whole text of the file below it"
_BEGINS_PATCH = ("--- ", "diff --git ", "*** Begin Patch")
_EDITORS = ("replace", "apply_patch")


def work_files(context: Context) -> RepoFiles:
    return RepoFiles(context.root, lambda: listing(context).files, context.redact)


def _patched(text: str, context: Context, usage: str) -> Observation:
    """Apply the patch or the blocks in a text. Return `usage` if the text contains neither."""
    if len(text) > _MOST:
        many = f"the patch has {len(text):,} characters, and the limit is {_MOST:,}"
        return failed(f"{many}: write several; {NOTHING}")
    if is_object(text) and not parse_replacements(text):
        match named_text(text, PATCHES):
            case Named() as named:
                return read_as(named.said, _applied(named.text, context, usage))
            case Unreadable(reason):
                return failed(f"{reason}; {NOTHING}")
    return _applied(text, context, usage)


def _applied(text: str, context: Context, usage: str) -> Observation:
    files = work_files(context)
    try:
        roots = (str(context.root), os.path.realpath(context.root))
        edits = Edits(files, usage, roots)
        is_fenced = "```" in text or "~~~" in text
        # what a Python file in a fence leaves out stays, so definitions are looked for first
        found = _by_name(text, files, edits) if is_fenced else None
        found = found or repaired(text, files, lambda text, _: edits.edited(text))
        if not is_fenced and isinstance(found, Refused) and _is_unread(found):
            found = _by_name(text, files, edits) or found
        if isinstance(found, Refused):
            # an edit that can't be read is answered with the lines of the place that it means
            place = meant_place(text, files, context) if _is_unread(found) else ""
            return _refused("\n".join((*found.reasons, *([place] if place else []))), files)
        if found.repairs and not context.repair_input:
            repairs = "; ".join(found.repairs)
            return _refused(f"the edit does not match exactly ({repairs})", files)
        edit = _edit(found, files)
    except ReactAgentError as error:
        return failed(told(error))
    except UnicodeEncodeError:
        return failed(f"the patch contains a character that can't be stored in a file; {NOTHING}")
    if isinstance(edit, paths.Refused):
        return _refused(edit.reason, files)
    seen = accept_edit(edit, context)
    if seen.status is not Status.OK or not found.repairs:
        return seen
    return replace(seen, facts={**seen.facts, "mended": str(len(found.repairs))})


def _is_unread(found: Refused) -> bool:
    reason = "\n".join(found.reasons)
    return (USAGE in reason or NO_PATCH in reason) and "\n" not in reason


def _by_name(text: str, files: RepoFiles, edits: Edits) -> Repaired | Refused | None:
    """Return an edit for whole definitions without a patch. They are located by name."""
    patch = whole_definitions(text, files)
    found = repaired(patch, files, lambda text, _: edits.edited(text)) if patch else None
    if not isinstance(found, Repaired):
        return found
    return found._replace(repairs=(_PUT_IN, *found.repairs))


def _refused(reason: str, files: RepoFiles) -> Observation:
    first, newline, rest = reason.partition("\n")
    colon = ":" if first.endswith(":") else ""
    text = f"{first.removesuffix(':')}; {NOTHING}{colon}{newline}{rest}"
    return failed(text, *files.states)


def _edit(found: Repaired, files: RepoFiles) -> Edit | paths.Refused:
    after = dict[str, FileState | None]()
    for one in found.results:
        is_new = one.new is not None and one.new not in files.states
        place = target(files.root, one.new or "") if is_new else None
        if isinstance(place, paths.Refused):
            return place
        if one.old is not None:
            after[one.old] = None
    for one in found.results:
        if one.new is not None and one.text is not None:
            old = files.states[one.old] if one.old else None
            text = restored(one.text, old.text, files[one.old]) if old and one.old else one.text
            mode = _mode(one.mode, old.mode if old else None)
            after[one.new] = FileState(text.encode(errors="surrogateescape"), mode)
    notes = found.repairs[:_MOST_NOTES]
    if left := len(found.repairs) - len(notes):
        notes = (*notes, f"{left} more repairs")
    changes = tuple(Change(one.old, one.new) for one in found.results)
    names = dict.fromkeys(name for one in changes for name in (one.old, one.new) if name)
    return Edit(changes, {name: files.states.get(name) for name in names}, after, notes)


def restored(text: str, real: str, shown: str) -> str:
    """Return the text with its redacted lines replaced by the actual lines of the file.

    A line stays redacted if several look the same and it is unclear which of them was removed.
    """
    if shown == real or MARK not in text:
        return text
    old, new, behind = shown.split("\n"), text.split("\n"), real.split("\n")
    unclear = _unclear(old, new, behind)
    made, at_old, at_new = list[str](), 0, 0
    for start, end, begin, stop in (*differing(old, new), (len(old), 0, len(new), 0)):
        kept = zip(new[at_new:begin], behind[at_old:start], strict=True)
        made += [line if line in unclear else own for line, own in kept]
        made += new[begin:stop]
        at_old, at_new = end, stop
    return "\n".join(made)


def _unclear(old: Sequence[str], new: Sequence[str], behind: Sequence[str]) -> set[str]:
    """Return the lines that look the same but differ in the file, and whose number has changed."""
    hidden = defaultdict[str, set[str]](set)
    for was, own in zip(old, behind, strict=True):
        if MARK in was:
            hidden[was].add(own)
    before, after = Counter(old), Counter(new)
    return {
        line for line, lines in hidden.items() if len(lines) > 1 and before[line] != after[line]
    }


def _mode(said: str, old: int | None) -> int | None:
    """Return the file mode. A patch sets only the executable bit; None means the default mode."""
    if not said or (old is None and said != _PROGRAM):
        return old
    base = _FILE if old is None else old
    return base | _EXECUTABLE if said == _PROGRAM else base & ~_EXECUTABLE


APPLY_PATCH = edit_tool(
    "apply_patch",
    "change, create, rename or delete files; input: a unified diff with --- a/PATH and +++ b/PATH, "
    "unchanged lines around each change, paths relative to the repository's root",
    partial(_patched, usage=NO_PATCH),
    takes_check=True,
)


REPLACE = edit_tool(
    "replace",
    "replace lines of files by blocks: the PATH on a line, <<<<<<< SEARCH, lines as they stand in "
    "the file, =======, the new lines, >>>>>>> REPLACE; several blocks and files at once",
    partial(_patched, usage=f"there is no block: {USAGE}"),
    takes_check=True,
)


def _write_file(text: str, context: Context) -> Observation:
    if text.lstrip().startswith(_BEGINS_PATCH) and read_changes(text).changes:
        return read_as("read as a patch", APPLY_PATCH.call(text, context))
    asked = parse_file_text(text, _HINT)
    if isinstance(asked, Unreadable):
        return failed(f"{asked.reason}; {NOTHING}")
    if asked.path.endswith((".patch", ".diff")) and read_changes(asked.text).changes:
        how = f"read as a patch, not written to {asked.path}"
        return read_as(how, APPLY_PATCH.call(asked.text, context))
    place = target(context.root, asked.path)
    if isinstance(place, paths.Refused):
        return paths.refused(place, f"; {NOTHING}")
    name, state = place.name, state_of(place)
    if isinstance(state, paths.Refused):
        return paths.refused(state, f"; {NOTHING}", name)
    if state and state.data:
        if state.text == asked.text:
            return failed(f"{name} already has exactly this content; {NOTHING}", name)
        editors = " or ".join(named(tool) for tool in _EDITORS if tool in context.offered)
        way = f"it with {editors}" if editors else "only the lines that have to change"
        has = f"{name} exists already, with {counted(len(state.lines), 'line')}"
        return failed(f"{has}; it was not overwritten: change {way}; {NOTHING}", name)
    try:
        new = FileState(asked.text.encode(errors="surrogateescape"), state.mode if state else None)
    except UnicodeEncodeError:
        why = "the text contains a character that can't be stored in a file"
        return failed(f"{why}; {NOTHING}", name)
    notes = (f"left out: {', '.join(asked.left_out)}",) if asked.left_out else ()
    change = Change(name if state else None, name)
    return accept_edit(Edit((change,), {name: state}, {name: new}, notes), context)


WRITE_FILE = edit_tool(
    "write_file",
    "create a new file; input: the PATH on the first line, the text of the file below it",
    _write_file,
)
