"""What every edit goes through: checked, written, linted, and shown as it came out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from react_agent.tools.clip import clip
from react_agent.tools.context import Context
from react_agent.tools.edits.both_regions import compared
from react_agent.tools.edits.edit import Edit, Files, states
from react_agent.tools.edits.edit_report import lines_of, report
from react_agent.tools.edits.lint import complaints, to_lint
from react_agent.tools.edits.nearest_tests import tests_near
from react_agent.tools.edits.redacted_lines import Mark, added_mark
from react_agent.tools.edits.syntax_gate import judged
from react_agent.tools.edits.writing import exchange
from react_agent.tools.errors import MachineError
from react_agent.tools.files.paths import Refused
from react_agent.tools.observation import Observation, failed

_NOTHING = "nothing was changed"
_HIDDEN = (
    "{name}:{line} would hold `{mark}`, which stands for what is not shown to you: leave such a "
    "line as it is, as context or as old text, or take out the whole line; a new key belongs into "
    "the environment, and its name into the code; {nothing}"
)


def keep(edit: Edit, context: Context) -> Observation:
    """Write it, all or nothing, unless a file that parsed would stop parsing."""
    if mark := added_mark(edit):
        return failed(_hidden(mark), *edit.names)
    verdict = judged(edit, context)
    if verdict.refusal:
        return failed(clip(verdict.refusal, context.limits), *edit.names)
    refused = exchange(context.root, edit.before, edit.after)
    if refused:
        return failed(f"{refused.reason}; {_NOTHING}", *edit.names)
    linted = to_lint(edit, context)
    if worse := _worse(linted, edit, context) if linted else {}:
        text = "\n".join(_refusal(worse, edit, context))
        return failed(clip(text, context.limits), *edit.names)
    done = _as_it_is(edit, context) if linted else edit
    text = report(done, (*edit.notes, *verdict.notes), context.limits)
    if context.tests_after_edit:
        text = "\n".join((text, *tests_near(edit.names, context)))
    return Observation(clip(text, context.limits), paths=edit.names)


def _hidden(mark: Mark) -> str:
    return _HIDDEN.format(name=mark.name, line=mark.line, mark=mark.text, nothing=_NOTHING)


def _worse(linted: list[str], edit: Edit, context: Context) -> Mapping[str, str]:
    """What the lint command says of files that it did not refuse before; then the edit is gone."""
    complained = complaints(linted, context)
    if not complained:
        return {}
    _must_be(edit.after, edit.before, context)
    earlier = complaints(list(complained), context)
    new = {} if earlier is None else {n: t for n, t in complained.items() if n not in earlier}
    if not new:
        _must_be(edit.before, edit.after, context)
    return new


def _must_be(before: Files, after: Files, context: Context) -> None:
    refused = exchange(context.root, before, after)
    if refused:
        raise MachineError(refused.reason)


def _refusal(worse: Mapping[str, str], edit: Edit, context: Context) -> Iterator[str]:
    for name, said in worse.items():
        yield f"the lint command refuses {name}, and did not before; {_NOTHING}; it says"
        yield said
        pair = lines_of(edit.before[name]), lines_of(edit.after[name])
        yield from compared(name, pair, None, context.limits)


def _as_it_is(edit: Edit, context: Context) -> Edit:
    """A lint command may have changed the files once more."""
    found = states(context.root, edit.after)
    return edit if isinstance(found, Refused) else replace(edit, after=found)
