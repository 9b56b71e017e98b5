"""Check every edit, write it, and show the new state of the changed files.

An edit is refused if a file of a known format can't be parsed afterwards. The error is shown.
"""

import json
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import splitext

from react_agent.parsers.patch.line_diff import Gap, differing
from react_agent.parsers.repo.file_roles import is_data
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.edit import Change, Edit, FileState, exchange
from react_agent.tools.files.read_file import number_lines
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool

_LARGEST = 1_000_000  # bytes; a parser takes seconds for more
NOTHING = "nothing was changed"
_HIDDEN = (
    "{name}:{line} would contain `{mark}`, a placeholder for a secret: keep such a line unchanged "
    "(as context or old text) or remove the whole line; put a new key in the environment, and only "
    "its name in the code; {nothing}"
)
_PYTHON = (".py", ".pyi")
_AROUND = 2  # unchanged lines shown before and after a change
_MOST_OF_REFUSED = 18  # lines of a change that was refused
_MOST_OF_NEW = 3  # lines of a new file: the model has just written them


@dataclass(frozen=True, slots=True)
class Flaw:
    line: int | None  # none: the parser does not say
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


def _python(data: bytes) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(data, "<file>", "exec", dont_inherit=True)


_READERS: Mapping[str, Callable[[bytes], object]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": json.loads,
    ".toml": lambda data: tomllib.loads(data.decode()),
}


def is_checked(name: str, data: bytes) -> bool:
    """Return whether files of this name are checked by a parser, and this one is small enough."""
    return splitext(name)[1].lower() in _READERS and len(data) <= _LARGEST


def flaw_of(name: str, data: bytes) -> Flaw | None:
    """Return the error that keeps a file from being parsed, or None."""
    try:
        _READERS[splitext(name)[1].lower()](data)
    except (SyntaxError, json.JSONDecodeError) as error:
        return Flaw(error.lineno, error.msg)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        number = place.partition(",")[0]
        return Flaw(int(number) if number.isdigit() else None, reason)
    except UnicodeDecodeError as error:
        return Flaw(data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    except (MemoryError, RecursionError):
        return Flaw(None, "it is nested too deeply")
    except ValueError as error:  # a NUL, a number of too many digits
        return Flaw(None, str(error))
    return None


def edit_tool(
    name: str,
    usage: str,
    call: Callable[[str, Context], Observation],
    needs_input: bool = True,
    *,
    takes_check: bool = False,
) -> Tool:
    """Return an edit tool whose observations list the files that it wrote."""

    def called(text: str, context: Context) -> Observation:
        seen = call(text, context)
        return replace(seen, wrote=seen.paths)

    return Tool(name, usage, Kind.WRITE, called, needs_input, takes_check)


def accept_edit(edit: Edit, context: Context) -> Observation:
    """Write an edit completely or not at all. Refuse it if a file could no longer be parsed."""
    refusal, notes = _marked(edit), list[str]()
    if not refusal:
        refusal, notes = _checked(edit, context.limits)
    if not refusal and (reason := exchange(context.root, edit.before, edit.after)):
        refusal = f"{reason}; {NOTHING}"
    if refusal:
        return failed(refusal, *edit.before)
    text = report(edit, (*edit.notes, *notes), context.limits)
    return Observation(text, paths=tuple(edit.before))


def _marked(edit: Edit) -> str:
    """Return a refusal if the edit would write the placeholder of a redacted key."""
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
    """Return a refusal (empty if there is none), and notes on the files that were parsed."""
    parsed, notes = list[Change](), list[str]()
    for change, old, new in edit.sides:
        if new is None or new == old or not is_checked(change.name, new.data):
            continue
        flaw = flaw_of(change.name, new.data)
        if flaw is None:
            parsed.append(change)
        elif excuse := _excuse(change, old):
            notes.append(f"{change.name} does not parse, {flaw}; the edit was kept: {excuse}")
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
    """Return the reason to accept a file that can't be parsed, or an empty string."""
    if change.old and old and is_checked(change.old, old.data):
        return "it did not parse before" if flaw_of(change.old, old.data) else ""
    if not change.name.endswith(_PYTHON):
        return "the file is new"
    return "test data may be broken on purpose" if is_data(change.name) else ""


def _refused_lines(
    old: FileState | None, new: FileState, line: int | None, limits: Limits
) -> Iterator[str]:
    """Yield the change that is closest to a line of the new file, and that line."""
    gaps = [gap[2:] for gap in differing(lines_of(old), new.lines)] or [(0, 0)]
    at = gaps[0][0] if line is None else min(line, len(new.lines)) - 1
    start, end = min(gaps, key=lambda gap: max(gap[0] - at, at - gap[1]))
    yield "the result would have been"
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
    """Yield numbered lines around each span. Spans count from 0 and exclude their end."""
    shown = 0
    for begin, stop in sorted(spans):
        start, end = max(begin - _AROUND, shown), min(stop + _AROUND, len(lines))
        if 0 < shown < start:
            yield " ..."
        bare = [line.removesuffix("\r") for line in lines[start:end]]
        yield from number_lines(bare, start + 1, chars)
        shown = max(shown, end)
