"""What every edit goes through: checked, written, linted, and shown as the files have it now."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from react_agent.parsers.patch.line_diff import Gap, differing
from react_agent.parsers.repo.file_roles import is_data
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.parsers.text.printed import plain
from react_agent.tools.clip import clip, clip_line
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.edit import Change, Edit, FileState, exchange, state_of
from react_agent.tools.edits.syntax import flaw_of, is_checked
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Place, Refused
from react_agent.tools.files.read_file import number_lines
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.shell import shell
from react_agent.tools.testing.run_tests import RUN_TESTS
from react_agent.tools.testing.tests_command import tests_near

NOTHING = "nothing was changed"
NEAREST = "[the tests nearest to it: "
_HIDDEN = (
    "{name}:{line} would hold `{mark}`, which stands for what is not shown to you: leave such a "
    "line as it is, as context or as old text, or take out the whole line; a new key belongs into "
    "the environment, and its name into the code; {nothing}"
)
_PYTHON = (".py", ".pyi")
_AROUND = 2  # unchanged lines shown before and after a change
_MOST_OF_REFUSED = 18  # lines of a change that was refused
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them
_MOST_TESTS = 3  # files
_TEST_CHARS = 2_000
_TEST_SECONDS = 60.0
_PATH = "{path}"  # of a file, in a lint command
_LINT_SECONDS = 30.0  # for all files of an edit
_MOST_OF_LINT = 12  # lines of what it says
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
    refusal, notes = _marked(edit), list[str]()
    if not refusal:
        refusal, notes = _checked(edit, context.limits)
    if not refusal and (reason := exchange(context.root, edit.before, edit.after)):
        refusal = f"{reason}; {NOTHING}"
    linted = [] if refusal else _to_lint(edit, context)
    if refusal := refusal or _lint_refusal(linted, edit, context):
        return failed(clip(refusal, context.limits), *edit.names)
    if linted:  # the command may have changed the files once more
        edit = replace(edit, after={**edit.after, **_states(linted, context)})
    text = report(edit, (*edit.notes, *notes), context.limits)
    if context.tests_after_edit:
        text = "\n".join((text, *_tests_near(edit.names, context)))
    return Observation(clip(text, context.limits), paths=edit.names)


def _marked(edit: Edit) -> str:
    """Why an edit is refused that would write what stands in the place of a key."""
    had = Counter(
        line for state in edit.before.values() for line in lines_of(state) if MARK in line
    )
    for name, state in edit.after.items():
        for number, line in enumerate(lines_of(state), 1):
            if MARK in line and (marks := marks_in(line)):
                had[line] -= 1
                if had[line] < 0:
                    return _HIDDEN.format(name=name, line=number, mark=marks[0], nothing=NOTHING)
    return ""


def _checked(edit: Edit, limits: Limits) -> tuple[str, list[str]]:
    """Why it is refused, if it is; what is said of the files that a parser has read."""
    parsed, notes = list[Change](), list[str]()
    for change, old, new in edit.sides:
        if new is None or new == old or not is_checked(change.name, new.data):
            continue
        flaw = flaw_of(change.name, new.data)
        if flaw is None:
            parsed.append(change)
        elif excuse := _excuse(change, old):
            notes.append(f"{change.name} does not parse, {flaw}; it was kept, {excuse}")
        else:
            would = "would no longer" if change.old else "would not"
            reason = f"{change.name} {would} parse, {flaw}; {NOTHING}"
            return "\n".join((reason, *_refused_lines(old, new, flaw.line, limits))), []
    if parsed:
        still = "still " if all(change.old for change in parsed) else ""
        names = ", ".join(change.name for change in parsed)
        notes.insert(0, f"{names} {still}{'parses' if len(parsed) == 1 else 'parse'}")
    return "", notes


def _excuse(change: Change, old: FileState | None) -> str:
    """Why a file that does not parse may stay, if it may."""
    if change.old and old and is_checked(change.old, old.data):
        return "as it did not before" if flaw_of(change.old, old.data) else ""
    if not change.name.endswith(_PYTHON):
        return "as it is new"
    return "as files of test data may be broken on purpose" if is_data(change.name) else ""


def _to_lint(edit: Edit, context: Context) -> list[str]:
    """Of the changed files those that were there before, and that no parser reads."""
    names = [
        change.name
        for change, _, new in edit.sides
        if new and change.new == change.old and not is_checked(change.name, new.data)
    ]
    return names if _PATH in context.commands.get("lint", "") else []


def _lint_refusal(names: Sequence[str], edit: Edit, context: Context) -> str:
    """What lint says of files that it accepted before; then the edit is taken back."""
    now = {name: text for name, text in _linted(names, context) if text}
    if not now:
        return ""
    left = _states(now, context)
    reason = exchange(context.root, {**edit.after, **left}, edit.before)
    worse = [name for name, text in _linted(now, context) if text == ""]
    if not worse:
        reason = reason or exchange(context.root, edit.before, {**edit.after, **left})
    if reason:
        raise MachineError(reason)
    lines = list[str]()
    for name in worse:
        lines += [f"the lint command refuses {name}, and did not before; {NOTHING}; it says"]
        lines += [now[name]]
    return "\n".join(lines)


def _states(names: Iterable[str], context: Context) -> dict[str, FileState | None]:
    states = ((name, state_of(Place(context.root, name))) for name in names)
    return {name: state for name, state in states if not isinstance(state, Refused)}


def _linted(names: Iterable[str], context: Context) -> Iterator[tuple[str, str | None]]:
    """Nothing where the command accepts a file; None where it can't be run or takes too long."""
    ends = monotonic() + _LINT_SECONDS
    for name in names:
        words = shell.words(context.commands["lint"].replace(_PATH, shlex.quote(name)))
        try:
            done = shell.run_sandboxed(words, context, timeout_s=max(ends - monotonic(), 0))
        except ReactAgentError:
            yield name, None
            continue
        text = plain(done.output.decode(errors="replace")).text.strip()
        lines = text.split("\n")[:_MOST_OF_LINT]
        complaint = "\n".join(clip_line(line, context.limits.line_chars) for line in lines)
        is_unable = done.timed_out or done.code in _NOT_FOUND
        yield name, None if is_unable else (complaint or f"code {done.code}") * (done.code != 0)


def _refused_lines(
    old: FileState | None, new: FileState, line: int | None, limits: Limits
) -> Iterator[str]:
    """The change that is nearest to a line of the new file, and that line."""
    gaps = [gap[2:] for gap in differing(lines_of(old), new.lines)] or [(0, 0)]
    at = gaps[0][0] if line is None else min(line, len(new.lines)) - 1
    start, end = min(gaps, key=lambda gap: max(gap[0] - at, at - gap[1]))
    yield "it would have become"
    spans = [(start, min(end, start + _MOST_OF_REFUSED)), (at, at + 1)]
    yield from _regions(new.lines, spans, limits.line_chars)


def report(edit: Edit, notes: Sequence[str], limits: Limits, did: str = "changed") -> str:
    summaries, shown = list[str](), list[str]()
    for change, old, new in edit.sides:
        gaps = differing(lines_of(old), lines_of(new))
        summaries.append(_summary(change, gaps))
        if new and gaps:
            spans = [gap[2:] for gap in gaps]
            is_long = old is None and len(new.lines) > _MOST_OF_NEW
            lines = new.lines[:_MOST_OF_NEW] if is_long else new.lines
            shown += [change.name, *_regions(lines, spans, limits.line_chars)]
            shown += [" ..."] * is_long
    left = len(shown) - limits.result_lines
    more = [f"[{left:,} more lines of the changed regions are not shown]"] if left > 0 else []
    head = f"{did} {', '.join(summaries)}"
    return "\n".join((head, *(f"[{one}]" for one in notes), *shown[: limits.result_lines], *more))


def lines_of(state: FileState | None) -> Sequence[str]:
    return state.lines if state else ()


def _summary(change: Change, gaps: Sequence[Gap]) -> str:
    added = sum(end - start for *_, start, end in gaps)
    removed = sum(end - start for start, end, *_ in gaps)
    if change.new is None:
        return f"{change.name} (deleted, -{removed})"
    if change.old is None:
        return f"{change.name} (new, +{added})"
    renamed = f"from {change.old}, " if change.old != change.new else ""
    return f"{change.name} ({renamed}+{added} -{removed})"


def _regions(lines: Sequence[str], spans: Iterable[tuple[int, int]], chars: int) -> Iterator[str]:
    """Numbered, with some lines around each; spans are counted from 0, without their end."""
    shown = 0
    for begin, stop in sorted(spans):
        start, end = max(begin - _AROUND, shown), min(stop + _AROUND, len(lines))
        if 0 < shown < start:
            yield " ..."
        bare = [line.removesuffix("\r") for line in lines[start:end]]
        yield from number_lines(bare, start + 1, chars)
        shown = max(shown, end)


def _tests_near(paths: Sequence[str], context: Context) -> Iterator[str]:
    """What the tests say that are named after an edited file, or were edited themselves."""
    found = tests_near(paths, file_list(context.root))[:_MOST_TESTS]
    if found:
        seconds = min(_TEST_SECONDS, context.limits.command_seconds)
        limits = replace(context.limits, output_chars=_TEST_CHARS, command_seconds=seconds)
        seen = RUN_TESTS.call("\n".join(found), replace(context, limits=limits))
        yield f"{NEAREST}{', '.join(found)}]"
        yield clip(seen.text, limits)
