"""Unified diffs as models write them, cut out of what stands around them.

text    = (prose | fence | section | hunk)*
fence   = a line of three or more backticks or tildes    (diff_fence)
section = header of a file, hunk*                        (git_header)
hunk    = [header of a hunk] line+                       (hunk_header, hunk_end, hunk_lines)

Each line gets a role; what could be a part of a change and can't be read is a problem.
"""

from collections.abc import Sequence

from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.patch.changes import FileChange, Hunk, Role
from react_agent.parsers.patch.diff_fence import HEADS, fence_end, holds_diff, is_for_diffs
from react_agent.parsers.patch.git_header import MERGED, begins_file, file_header
from react_agent.parsers.patch.hunk_end import hunk_end, is_change
from react_agent.parsers.patch.hunk_header import (
    HunkHeader,
    hunk_header,
    is_combined,
    is_hunk_header,
)
from react_agent.parsers.patch.hunk_lines import (
    CUT,
    Body,
    body_of,
    is_cut,
    lacking,
    lacking_context,
    unindented,
)
from react_agent.parsers.patch.sections import Piece, Section
from react_agent.parsers.patch.stray import prose
from react_agent.parsers.patch.walk import Walk

_GOES_ON = ("@@", "--- ", "diff ", "Index: ")


def walked(lines: Sequence[str]) -> Walk:
    walk, at = Walk(lines), 0
    while at < len(lines):
        at = _step(walk, at)
    walk.end_section(len(lines))
    return walk


def _step(walk: Walk, at: int) -> int:
    line = walk.lines[at]
    if not line.strip():
        return walk.take(at, at + 1, Role.BLANK)
    if fence := opening_fence(line):
        return _fence(walk, at, fence)
    if begins_file(walk.lines, at):
        return _file(walk, at)
    if line.startswith("@@") and (walk.section or walk.fence or is_hunk_header(line)):
        return _hunk(walk, at)
    if _is_loose_hunk(walk, line):
        return _body(walk, at, at, HunkHeader())
    return prose(walk, at)


def _fence(walk: Walk, at: int, fence: Fence) -> int:
    is_below = walk.section is not None and not walk.is_apart
    is_closing = not fence.info and (walk.fence is not None or is_below)
    walk.end_section(at)
    walk.fence, walk.is_apart = None, True
    walk.take(at, at + 1, Role.FENCE)
    if is_closing:
        return at + 1
    end = fence_end(walk.lines, at + 1, fence)
    if is_for_diffs(fence) or holds_diff(walk.lines, at + 1, end):
        walk.fence = fence
        return at + 1
    other = opening_fence(walk.line(end))
    if other and other.info:  # this one was closed only, or never
        return end if fence.info else at + 1
    return walk.take(end, min(end + 1, len(walk.lines)), Role.FENCE)


def _file(walk: Walk, at: int) -> int:
    walk.end_section(at)
    header = file_header(walk.lines, at)
    if header.problem:
        walk.problems.append(f"line {at + 1} of the patch: {header.problem}")
    walk.repairs += header.repairs
    walk.open(at, header.end, header.change)
    return walk.take(at, header.end, Role.HEADER)


def _hunk(walk: Walk, at: int) -> int:
    if is_combined(walk.lines[at]):
        walk.problems.append(f"line {at + 1} of the patch: {MERGED}")
    header, end = hunk_header(walk.lines[at]), at + 1
    while header.start is None and walk.line(end).startswith("@@"):
        inner = hunk_header(walk.lines[end])
        header = inner._replace(sections=header.sections + inner.sections)
        end += 1
    walk.take(at, end, Role.HEADER)
    return _body(walk, at, end, header)


def _is_loose_hunk(walk: Walk, line: str) -> bool:
    """A line of a hunk that has no header."""
    section = walk.section
    if section is None:
        is_open = walk.fence is not None and is_for_diffs(walk.fence)
    else:
        is_open = not section.pieces and not section.idle and not walk.is_apart
        if section.header.new is None:
            return is_open and is_change(line)
    return is_open and line[:1] in ("+", "-", " ")


def _body(walk: Walk, first: int, at: int, header: HunkHeader) -> int:
    end = hunk_end(walk.lines, at, header.counts, fenced=walk.fence is not None)
    lines = _without_glued_fence(walk, at, end)
    body = body_of(lines)
    if body.is_idle and (bare := unindented(lines, header.counts)):
        body = body_of(bare)
        walk.repairs.append(
            f"the lines of the hunk in line {first + 1} had blanks before their marks"
        )
    section = _section_at(walk, first)
    walk.take(at, end, Role.BODY)
    is_last = walk.written(end) == len(walk.lines)
    lacks = lacking(lines, header.counts) >= CUT
    if body.is_idle:
        _idle(walk, section, first, end)
        if is_last and (lacks or not body.lines):
            walk.problem(len(walk.lines), "the change of its last hunk")
        return end
    if first == at:
        walk.repairs.append(f"the hunk in line {first + 1} has no line with @@ above it")
    hunk = _hunk_of(body, header, first + 1)
    is_at_end = not walk.line(walk.written(end)).startswith(_GOES_ON)
    if is_at_end:
        cut_off = is_cut(lines, body, header.counts)
        hunk = hunk._replace(cut_off=cut_off, lacking=lacking_context(lines, body, header.counts))
    section.add(Piece(hunk, first, end))
    return end


def _without_glued_fence(walk: Walk, at: int, end: int) -> Sequence[str]:
    """The lines of a hunk; the mark that closes its fence may stand at the end of the last one."""
    lines, fence = walk.lines[at:end], walk.fence
    below = walk.line(walk.written(end))
    if not lines or fence is None or below.startswith(HEADS) or opening_fence(below):
        return lines
    mark, last = fence.mark * fence.length, lines[-1]
    bare = last.removesuffix(mark)
    if bare == last or mark in bare or not bare[1:].strip():
        return lines
    walk.fence = None
    walk.repairs.append(f"the {mark} at the end of line {end} was read as the end of the fence")
    return [*lines[:-1], bare]


def _hunk_of(body: Body, header: HunkHeader, at: int) -> Hunk:
    start, counts, sections = header
    return Hunk(at, body.lines, start, counts, sections, no_newline=body.no_newline)


def _idle(walk: Walk, section: Section, first: int, end: int) -> None:
    section.idle += 1
    walk.take(first, end, Role.IDLE)
    walk.idle.append(first + 1)


def _section_at(walk: Walk, at: int) -> Section:
    section = walk.section
    if section is None:
        from react_agent.parsers.patch.named_above import named_above

        name, said = "", named_above(walk.lines, at)
        if said:
            name, line = said
            walk.repairs.append(
                f"the hunk in line {at + 1} names no file: it was read as one of {name}, "
                f"which line {line + 1} names"
            )
        return walk.open(at, at, FileChange(at + 1, name, name))
    if walk.is_apart and section.pieces:
        return walk.open(at, at, section.header)
    walk.is_apart = False
    return section
