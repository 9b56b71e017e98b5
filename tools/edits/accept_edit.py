"""What every edit goes through: checked, written, and shown as it came out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from react_agent.parsers.repo.file_roles import is_data
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.tools.clip import clip
from react_agent.tools.context import Context
from react_agent.tools.edits.edit import Change, Edit, FileState, exchange
from react_agent.tools.edits.edit_report import edit_preview, lines_of, report
from react_agent.tools.edits.nearest_tests import tests_near
from react_agent.tools.edits.syntax import check_of, flaw_of
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool

_NOTHING = "nothing was changed"
_HIDDEN = (
    "{name}:{line} would hold `{mark}`, which stands for what is not shown to you: leave such a "
    "line as it is, as context or as old text, or take out the whole line; a new key belongs into "
    "the environment, and its name into the code; {nothing}"
)
_PYTHON = (".py", ".pyi")


def edit_tool(
    name: str, usage: str, call: Callable[[str, Context], Observation], needs_input: bool = True
) -> Tool:
    """One that says which files it wrote, unless tests ran, which may write others."""

    def called(text: str, context: Context) -> Observation:
        seen = call(text, context)
        return seen if context.tests_after_edit else replace(seen, wrote=seen.paths)

    return Tool(name, usage, Kind.WRITE, called, needs_input)


def accept_edit(edit: Edit, context: Context) -> Observation:
    """Write it, all or nothing, unless a file that parsed would stop parsing."""
    notes, refusal = _checked(edit, context)
    refusal = _hidden(edit) or refusal
    if not refusal and (refused := exchange(context.root, edit.before, edit.after)):
        refusal = f"{refused.reason}; {_NOTHING}"
    if refusal:
        return failed(clip(refusal, context.limits), *edit.names)
    text = report(edit, (*edit.notes, *notes), context.limits)
    if context.tests_after_edit:
        text = "\n".join((text, *tests_near(edit.names, context)))
    return Observation(clip(text, context.limits), paths=edit.names)


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
