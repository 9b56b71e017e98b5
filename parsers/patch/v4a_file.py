"""One file of a patch in the format of `*** Begin Patch`: its header and what stands below."""

from collections.abc import Iterator

from react_agent.parsers.git_name import read_name
from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Role
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.v4a_body import NO_NEWLINE, SHOWN, Body
from react_agent.parsers.patch.v4a_marks import ADD, AT_END, DELETE, MOVE, Mark

_DIFF_HEADS = ("diff --git ", "index ", "new file mode ", "--- ", "+++ ")
_NEW_HEADS = ("@@", "--- /dev/null", "+++ ")


def read_file(body: Body, mark: Mark | None) -> FileChange:
    """The file of that mark, which comes next; without one, that of a unified diff."""
    at = body.cursor.number
    if mark is None:
        return _of_diff(body, at)
    body.cursor.take(Role.HEADER)
    if mark.kind == ADD:
        return FileChange(at, None, mark.path, tuple(_added(body, mark.path)))
    if mark.kind == DELETE:
        return FileChange(at, mark.path, None, tuple(body.hunks()))
    return _updated(body, at, mark.path)


def _updated(body: Body, at: int, old: str) -> FileChange:
    new = body.takes(MOVE) or old
    _skip_diff_head(body.cursor, old)
    began = body.cursor.at
    hunks = tuple(body.hunks())
    if began == body.cursor.at and new == old:
        raise Unread(f"line {at} says that {old} changes, but no change stands below it")
    return FileChange(at, old, new, hunks, moved="rename" if new != old else "")


def _skip_diff_head(cursor: LineCursor, path: str) -> None:
    """A model's habit: the two lines of a unified diff below the header."""
    heads, name = (cursor.peek(), cursor.peek(1)), path.rpartition("/")[2]
    is_head = heads[0][:4] == "--- " and heads[1][:4] == "+++ "
    if is_head and all(name in line or "/dev/null" in line for line in heads):
        cursor.take(Role.HEADER)
        cursor.take(Role.HEADER)


def _of_diff(body: Body, at: int) -> FileChange:
    names, cursor = dict[str, str | None](), body.cursor
    while "+++ " not in names and cursor.peek().startswith(_DIFF_HEADS):
        line = cursor.take(Role.HEADER)
        names[line[:4]] = _name(line[4:])
    if "--- " not in names or "+++ " not in names:
        raise Unread(f"line {at} begins a file without --- and +++ lines: write both")
    return FileChange(at, names["--- "], names["+++ "], tuple(body.hunks()))


def _name(text: str) -> str | None:
    name = read_name(text.split("\t")[0].strip())
    return None if name == "/dev/null" else name


def _added(body: Body, path: str) -> Iterator[Hunk]:
    cursor = body.cursor
    while cursor.peek().startswith(_NEW_HEADS) and body.goes_on:
        cursor.take(Role.HEADER)
    began = cursor.at
    while body.goes_on:
        cursor.take(Role.BODY)
    body.give_back_blanks()
    taken = zip(cursor.lines[began : cursor.at], cursor.roles[began:], strict=True)
    texts = [line for line, role in taken if role == Role.BODY]
    body.takes(AT_END)
    if texts:
        yield _new_lines(texts, began + 1, path, body.repairs)


def _new_lines(texts: list[str], number: int, path: str, repairs: list[str]) -> Hunk:
    no_newline = texts[-1].startswith(NO_NEWLINE)
    texts = texts[:-1] if no_newline else texts
    without = [at for at, text in enumerate(texts) if text and text[0] != "+"]
    has_marks = any(text[:1] == "+" for text in texts)
    if without and has_marks:
        raise Unread(
            f"line {number + without[0]}, `{texts[without[0]][:SHOWN]}`, of the new file {path} "
            "does not begin with +: begin all of its lines so"
        )
    if not has_marks:
        repairs.append(f"the lines of the new file {path} had no + before them")
    lines = tuple(Line("+", text[1:] if has_marks else text) for text in texts)
    return Hunk(number, lines, no_newline=(False, no_newline))
