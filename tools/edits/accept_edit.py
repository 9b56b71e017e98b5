"""What every edit goes through: checked, written, linted, and shown as it came out, which is read
from the files and not from what was asked for.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from react_agent.parsers.patch.line_diff import Gap, differing
from react_agent.parsers.repo.file_roles import is_data
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.parsers.text.terminal import plain
from react_agent.tools.clip import clip, clip_line
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.edit import Change, Edit, Files, FileState, exchange, states
from react_agent.tools.edits.nearest_tests import tests_near
from react_agent.tools.edits.syntax import check_of, flaw_of
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.files.paths import Refused
from react_agent.tools.files.read_file import number_lines
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.shell import shell

_NOTHING = "nothing was changed"
_HIDDEN = (
    "{name}:{line} would hold `{mark}`, which stands for what is not shown to you: leave such a "
    "line as it is, as context or as old text, or take out the whole line; a new key belongs into "
    "the environment, and its name into the code; {nothing}"
)
_PYTHON = (".py", ".pyi")
_PATH = "{path}"
_LONGEST_S = 30.0  # for all files of an edit
_MOST_LINES = 12
_KEPT_BYTES = 20_000
_NOT_FOUND = (126, 127)  # the shell's code: it found no such program


def edit_tool(
    name: str, usage: str, call: Callable[[str, Context], Observation], needs_input: bool = True
) -> Tool:
    """One that says which files it wrote, unless a command ran, which may write others."""

    def called(text: str, context: Context) -> Observation:
        seen = call(text, context)
        runs_commands = context.tests_after_edit or "lint" in context.commands
        return seen if runs_commands else replace(seen, wrote=seen.paths)

    return Tool(name, usage, Kind.WRITE, called, needs_input)


def accept_edit(edit: Edit, context: Context) -> Observation:
    """Write it, all or nothing, unless a file that parsed would stop parsing."""
    notes, refusal = _checked(edit, context)
    refusal = _hidden(edit) or refusal or _exchanged(edit.before, edit.after, context)
    linted = [] if refusal else _to_lint(edit, context)
    refusal = refusal or _worse(linted, edit, context)
    if refusal:
        return failed(clip(refusal, context.limits), *edit.names)
    if linted:  # the command may have changed the files once more
        found = states(context.root, edit.after)
        edit = edit if isinstance(found, Refused) else replace(edit, after=found)
    text = report(edit, (*edit.notes, *notes), context.limits)
    if context.tests_after_edit:
        text = "\n".join((text, *tests_near(edit.names, context)))
    return Observation(clip(text, context.limits), paths=edit.names)


def _exchanged(before: Files, after: Files, context: Context) -> str:
    """Why the files were left as they are; empty if they are what they are to be."""
    refused = exchange(context.root, before, after)
    return f"{refused.reason}; {_NOTHING}" if refused else ""


def _hidden(edit: Edit) -> str:
    """Why an edit is refused that would write what stands in the place of a key."""
    had = Counter[str]()
    for state in edit.before.values():
        had.update(line for line in lines_of(state) if MARK in line)
    for name, state in edit.after.items():
        for number, line in enumerate(lines_of(state), 1):
            if MARK in line and (marks := marks_in(line)):
                had[line] -= 1
                if had[line] < 0:
                    return _HIDDEN.format(name=name, line=number, mark=marks[0], nothing=_NOTHING)
    return ""


def _checked(edit: Edit, context: Context) -> tuple[Sequence[str], str]:
    """What was checked, and how it came out; why the edit is refused, if it is."""
    good, notes = list[Change](), list[str]()
    for change in edit.changes:
        old = edit.before[change.old] if change.old else None
        new = edit.after[change.new] if change.new else None
        check = check_of(change.name, new.data) if new else None
        if check is None or new is None or new == old:
            continue
        flaw = flaw_of(check, new.data)
        if flaw is None:
            good.append(change)
        elif excuse := _excuse(change, old):
            notes.append(f"{change.name} does not parse, {flaw}; it was kept, {excuse}")
        else:
            would = "would no longer" if change.old else "would not"
            said = f"{change.name} {would} parse, {flaw}; {_NOTHING}"
            shown = edit_preview(
                change.name, lines_of(old), lines_of(new), flaw.line, context.limits
            )
            return (), "\n".join((said, *shown))
    return (*_parse(good), *notes), ""


def _parse(good: Sequence[Change]) -> Iterator[str]:
    if good:
        still = "still " if all(change.old for change in good) else ""
        names = ", ".join(change.name for change in good)
        yield f"{names} {still}{'parses' if len(good) == 1 else 'parse'}"


def _excuse(change: Change, old: FileState | None) -> str:
    """Why a file that does not parse may stay, if it may."""
    check = check_of(change.old, old.data) if change.old and old else None
    if check and old and flaw_of(check, old.data):
        return "as it did not before"
    if check is None and not change.name.endswith(_PYTHON):
        return "as it is new"
    is_new_data = check is None and is_data(change.name)
    return "as files of test data may be broken on purpose" if is_new_data else ""


def _to_lint(edit: Edit, context: Context) -> list[str]:
    """Of the changed files those that were there before, and that nothing else checks."""
    if _PATH not in context.commands.get("lint", ""):
        return []
    return [
        change.new
        for change in edit.changes
        if change.new
        and change.new == change.old
        and (new := edit.after[change.new])
        and check_of(change.new, new.data) is None
    ]


def _worse(linted: list[str], edit: Edit, context: Context) -> str:
    """What the lint command says of files that it did not refuse before; then the edit is gone."""
    complained = {name: text for name, text in _complaints(linted, context).items() if text}
    if not complained:
        return ""
    _put(edit.after, edit.before, context)
    earlier = _complaints(complained, context)
    lines = list[str]()
    for name in (one for one in complained if earlier[one] == ""):
        lines += [f"the lint command refuses {name}, and did not before; {_NOTHING}; it says"]
        lines += [complained[name]]
        pair = lines_of(edit.before[name]), lines_of(edit.after[name])
        lines += edit_preview(name, *pair, None, context.limits)
    if not lines:
        _put(edit.before, edit.after, context)
    return "\n".join(lines)


def _put(before: Files, after: Files, context: Context) -> None:
    if refusal := _exchanged(before, after, context):
        raise MachineError(refusal)


def _complaints(names: Iterable[str], context: Context) -> dict[str, str | None]:
    deadline = monotonic() + _LONGEST_S
    return {name: _lint(name, context, deadline - monotonic()) for name in names}


def _lint(name: str, context: Context, seconds: float) -> str | None:
    """Nothing said where it is content; None where it can't be run or takes too long."""
    command = context.commands["lint"].replace(_PATH, shlex.quote(name))
    try:
        done = shell.run_sandboxed(
            shell.words(command), context, timeout_s=max(seconds, 0), keep_bytes=_KEPT_BYTES
        )
    except ReactAgentError:
        return None
    if done.timed_out or done.code in _NOT_FOUND:
        return None
    if done.code == 0:
        return ""
    text = plain(done.output.decode(errors="replace")).text.strip()
    lines = text.split("\n")[:_MOST_LINES]
    clipped = "\n".join(clip_line(line, context.limits.line_chars) for line in lines)
    return clipped or f"code {done.code}"


# --- what it did, or would have done


_AROUND = 2  # unchanged lines shown before and after a change
_AROUND_PREVIEW = 3
_MOST_OF_PREVIEW = 18  # lines of one region
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them


def report(edit: Edit, notes: Sequence[str], limits: Limits, did: str = "changed") -> str:
    summaries, shown = list[str](), list[str]()
    for change in edit.changes:
        old = lines_of(edit.before[change.old] if change.old else None)
        new = lines_of(edit.after[change.new] if change.new else None)
        gaps = differing(old, new)
        summaries.append(_summary(change, gaps))
        shown += _changed(change, gaps, new, limits.line_chars)
    left = len(shown) - limits.result_lines
    note = [f"[{left:,} more lines of the changed regions are not shown]"] if left > 0 else []
    said = [f"[{one}]" for one in notes]
    head = f"{did} {', '.join(summaries)}"
    return "\n".join((head, *said, *shown[: limits.result_lines], *note))


def lines_of(state: FileState | None) -> list[str]:
    """With a CR at their ends, because a change of those is one, too."""
    return state.text.removesuffix("\n").split("\n") if state and state.data else []


def _summary(change: Change, gaps: Sequence[Gap]) -> str:
    added = sum(end - start for *_, start, end in gaps)
    removed = sum(end - start for start, end, *_ in gaps)
    if change.new is None:
        return f"{change.name} (deleted, -{removed})"
    if change.old is None:
        return f"{change.name} (new, +{added})"
    renamed = f"from {change.old}, " if change.old != change.new else ""
    return f"{change.name} ({renamed}+{added} -{removed})"


def _changed(change: Change, gaps: Sequence[Gap], new: Sequence[str], chars: int) -> Iterator[str]:
    if change.new is None or not gaps:
        return
    yield change.new
    if change.old is None and len(new) > _MOST_OF_NEW:
        yield from (*regions(new, [(0, _MOST_OF_NEW)], 0, chars), " ...")
    else:
        yield from regions(new, [(start, end) for *_, start, end in gaps], _AROUND, chars)


def regions(
    lines: Sequence[str], spans: Iterable[tuple[int, int]], around: int, chars: int
) -> Iterator[str]:
    """Numbered, with some lines around each; spans are counted from 0, without their end."""
    shown = 0
    for begin, stop in sorted(spans):
        start, end = max(begin - around, shown), min(stop + around, len(lines))
        if 0 < shown < start:
            yield " ..."
        bare = [line.removesuffix("\r") for line in lines[start:end]]
        yield from number_lines(bare, start + 1, chars)
        shown = max(shown, end)


def edit_preview(
    name: str, old: Sequence[str], new: Sequence[str], line: int | None, limits: Limits
) -> Iterator[str]:
    """The change that is nearest to a line of the new file, and that line."""
    at = (line or 1) - 1
    nearest = min(differing(old, new), key=lambda gap: max(gap[2] - at, at - gap[3]), default=None)
    start, end, begin, stop = nearest or (0, 0, 0, 0)
    error = begin if line is None else min(at, max(len(new) - 1, 0))
    if old:
        yield f"{name} as it is"
        yield from _preview(old, [(start, end)], limits)
    yield f"{name} as it would have become"
    yield from _preview(new, [(begin, stop), (error, error + 1)], limits)


def _preview(lines: Sequence[str], spans: Iterable[tuple[int, int]], limits: Limits) -> list[str]:
    cut = ((start, min(end, start + _MOST_OF_PREVIEW)) for start, end in spans)
    return list(regions(lines, cut, _AROUND_PREVIEW, limits.line_chars))
