"""The hunks below the header of a file, in the format of `*** Begin Patch`."""

from collections.abc import Iterator

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Hunk, Line, Role
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.v4a_marks import AT_END, MOVE, is_diff_head, mark_of

NO_NEWLINE = "\\ No newline"
SHOWN = 60  # characters of a line that is quoted
_RANGES = LatePattern(
    r"@{2,3}[ \t]*-(?P<start>\d{1,9})(?:,(?P<old>\d{1,9}))?[ \t]+\+\d{1,9}(?:,(?P<new>\d{1,9}))?"
    r"[ \t]*@{0,3}(?P<section>.*)"
)
_LINE = LatePattern(r"@{2,3}[ \t]*(?:[Ll]ine[ \t]+)?-?(\d{1,9})(?:,\d{1,9})?[ \t]*@{0,3}[ \t]*")
_NO_SECTION = " .…@"


class Body:
    """Up to a line of the text; what was mended is in `repairs`."""

    __slots__ = ("_end", "cursor", "repairs")

    def __init__(self, cursor: LineCursor, end: int) -> None:
        self.cursor = cursor
        self._end = end
        self.repairs = list[str]()

    @property
    def goes_on(self) -> bool:
        """Whether the next line belongs to the file and is no mark."""
        cursor = self.cursor
        if cursor.at >= self._end or is_diff_head(cursor):
            return False
        mark = mark_of(cursor.peek())
        if mark and not mark.kind:
            raise Unread(
                f"line {cursor.number}, `{cursor.peek()[:SHOWN]}`, is no mark of a patch: begin "
                "an unchanged line with a space"
            )
        if mark and mark.kind == MOVE:
            raise Unread(
                f"line {cursor.number}: write *** Move to: directly below *** Update File:"
            )
        return mark is None

    def takes(self, kind: str) -> str | None:
        """The path of a mark of that kind, if it comes next."""
        mark = mark_of(self.cursor.peek()) if self.cursor.at < self._end else None
        if not mark or mark.kind != kind:
            return None
        self.cursor.take(Role.HEADER)
        return mark.path

    def hunks(self) -> Iterator[Hunk]:
        while self.takes(AT_END) is not None or self.goes_on:
            if not self.cursor.peek() or not self.goes_on:
                self._take_blanks()
                continue
            began = self.cursor.at
            hunk = self._hunk()
            marks = {line.mark for line in hunk.lines}
            if marks & {"+", "-"}:
                yield hunk
            elif "" in marks:
                raise Unread(
                    f"the hunk of line {began + 1} has no line that begins with + or -: mark what "
                    "goes with - and what comes with +"
                )
            else:
                self.cursor.roles[began:] = [Role.IDLE] * (self.cursor.at - began)
                self.repairs.append(
                    f"the hunk of line {began + 1} changes nothing and was left out"
                )

    def _hunk(self) -> Hunk:
        hunk = Hunk(self.cursor.number, ())
        while self.cursor.peek()[:2] == "@@" and self.goes_on:
            hunk = _headed(hunk, self.cursor.take(Role.HEADER))
        lines, no_newline = list[Line](), (False, False)
        while self.goes_on and self.cursor.peek()[:2] != "@@":
            text = self.cursor.take(Role.BODY)
            if text.startswith(NO_NEWLINE):
                last = lines[-1].mark if lines else " "
                no_newline = (no_newline[0] or last != "+", no_newline[1] or last != "-")
            else:
                lines.append(_line(text))
        for _ in range(self.give_back_blanks()):
            lines.pop()
        at_end = self.takes(AT_END) is not None
        return hunk._replace(lines=tuple(lines), no_newline=no_newline, at_end=at_end)

    def give_back_blanks(self) -> int:
        """Empty lines above a mark stand there for the looks; how many lines they were."""
        roles, count = self.cursor.roles, 0
        while roles[-1 - count] == Role.BODY and not self.cursor.peek(-1 - count):
            count += 1
            roles[-count] = Role.BLANK
        return count

    def _take_blanks(self) -> None:
        while self.cursor.at < self._end and not self.cursor.peek():
            self.cursor.take(Role.BLANK)


def _headed(hunk: Hunk, line: str) -> Hunk:
    """With what one more header says; several name what is within what."""
    section = line
    if found := _RANGES.fullmatch(line):
        counts = (int(found["old"] or 1), int(found["new"] or 1))
        hunk, section = hunk._replace(start=int(found["start"]), counts=counts), found["section"]
    elif found := _LINE.fullmatch(line):
        hunk, section = hunk._replace(start=int(found[1])), ""
    section = section.strip("@").strip()
    return hunk._replace(sections=(*hunk.sections, section)) if section.strip(_NO_SECTION) else hunk


def _line(text: str) -> Line:
    if not text:
        return Line(" ", "")
    return Line(text[0], text[1:]) if text[0] in " +-" else Line("", text)
