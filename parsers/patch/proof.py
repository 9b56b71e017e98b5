"""Apply a patch in memory, exactly as it is written: what it does is what is reported.

It reads nothing but what `write` writes, and takes each number and line at its word.
"""

from collections.abc import Mapping

from react_agent.parsers.repo.git_names import read_name
from react_agent.parsers.text.late_pattern import LatePattern

_HUNK = LatePattern(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ATTRIBUTE = LatePattern(
    r"(old mode|new mode|new file mode|deleted file mode|(?:rename|copy) (?:from|to)) (.+)"
)
_NO_NEWLINE = "\\ No newline at end of file"
_ENDLESS = "\n"  # marks a line that does not end in one: no line can hold it

Files = Mapping[str, str]
Results = dict[str, str | None]


class _Patch:
    """A cursor over the lines of a patch."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.at = 0
        if self.lines.pop():
            raise ValueError("the patch does not end in a newline")

    def peek(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def error(self, what: str) -> ValueError:
        return ValueError(f"line {self.at} of the patch: {what}")


def applied(patch: str, files: Files) -> Results:
    """The files that it changes, none where one is deleted; ValueError where it does not fit."""
    rest, results = _Patch(patch), Results()
    gone, made = list[str](), Results()
    while rest.at < len(rest.lines):
        old, new, text, stays = _file(rest, files)
        if old is not None and not stays:
            gone.append(old)
        if new is not None:
            _put(made, new, text)
    _check(gone, made, files)
    results.update(dict.fromkeys(gone))
    results.update(made)
    return results


def _put(made: Results, name: str, text: str) -> None:
    if name in made:
        raise ValueError(f"{name} is written twice")
    made[name] = text


def _check(gone: list[str], made: Results, files: Files) -> None:
    if len(set(gone)) < len(gone):
        raise ValueError("a file is taken twice")
    for name in made:
        if name in files and name not in gone:
            raise ValueError(f"{name} exists already")


def _file(rest: _Patch, files: Files) -> tuple[str | None, str | None, str, bool]:
    header = rest.take()
    given = dict[str, str]()
    while found := _ATTRIBUTE.fullmatch(rest.peek()):
        given[found[1]] = found[2]
        rest.take()
    old, new = _names(header, given, rest)
    if old is not None and old not in files:
        raise rest.error(f"{old} does not exist")
    before = "" if old is None else files[old]
    after = before
    if rest.peek().startswith("--- "):
        _check_names(rest, old, new)
        after = _changed(rest, before)
    if new is None and after:
        raise rest.error(f"{old} is deleted, and something of it stays")
    return old, new, after, "copy from" in given


def _names(header: str, given: Mapping[str, str], rest: _Patch) -> tuple[str | None, str | None]:
    """In lines of their own if they differ; if not, the header has one name twice."""
    both = header.removeprefix("diff --git ")
    old = given.get("rename from", given.get("copy from"))
    new = given.get("rename to", given.get("copy to"))
    middle = len(both) // 2
    if old is None or new is None:
        left, right = read_name(both[:middle]), read_name(both[middle + 1 :])
        fits = old is new and left[:2] == "a/" and right[:2] == "b/" and left[2:] == right[2:]
        old = new = left[2:]
    else:
        old, new = read_name(old), read_name(new)
        fits = _are_both(both, old, new)
    if both == header or not fits:
        raise rest.error(f"expected diff --git and the names of a file, found {header!r}")
    created, deleted = "new file mode" in given, "deleted file mode" in given
    return (None if created else old), (None if deleted else new)


def _are_both(both: str, old: str, new: str) -> bool:
    spaces = (at for at, letter in enumerate(both) if letter == " ")
    names = ((read_name(both[:at]), read_name(both[at + 1 :])) for at in spaces)
    return (f"a/{old}", f"b/{new}") in names


def _check_names(rest: _Patch, old: str | None, new: str | None) -> None:
    expected = (
        "/dev/null" if old is None else f"a/{old}",
        "/dev/null" if new is None else f"b/{new}",
    )
    for mark, name in zip(("--- ", "+++ "), expected, strict=True):
        line = rest.take() if rest.peek().startswith(mark) else ""
        if read_name(line.removeprefix(mark).removesuffix("\t")) != name:
            raise rest.error(f"expected {mark}{name}")
    if not rest.peek().startswith("@@ "):
        raise rest.error("expected a hunk")


def _changed(rest: _Patch, before: str) -> str:
    old = before.split("\n")
    if last := old.pop():
        old.append(last + _ENDLESS)
    new, at = list[str](), 0
    while rest.peek().startswith("@@ "):
        at = _hunk(rest, old, new, at)
    new += old[at:]
    return _text(new, rest)


def _text(lines: list[str], rest: _Patch) -> str:
    endless = bool(lines) and lines[-1].endswith(_ENDLESS)
    text = "\n".join(lines) + ("\n" if lines and not endless else "")
    if text.count("\n") != len(lines):
        raise rest.error("a line without a newline is not the last one")
    return text.removesuffix(_ENDLESS) if endless else text


def _hunk(rest: _Patch, old: list[str], new: list[str], at: int) -> int:
    """Add to the new lines all up to the end of the hunk; where that is in the old ones."""
    header = _HUNK.fullmatch(rest.take())
    if not header:
        raise rest.error("expected @@ -START,COUNT +START,COUNT @@")
    old_count, new_count = int(header[2] or 1), int(header[4] or 1)
    start, end = int(header[1]) - (old_count > 0), int(header[1]) - (old_count > 0) + old_count
    if not at <= start <= end <= len(old):
        raise rest.error(f"no place in {len(old)} lines")
    new += old[at:start]
    if int(header[3]) != len(new) + (new_count > 0):
        raise rest.error(f"the new lines begin at {len(new) + 1}")
    gone, come = _sides(rest, old_count, new_count)
    if gone != old[start:end]:
        raise rest.error("its old lines are not those of the file")
    new += come
    return end


def _sides(rest: _Patch, old_count: int, new_count: int) -> tuple[list[str], list[str]]:
    gone, come = list[str](), list[str]()
    while len(gone) < old_count or len(come) < new_count or rest.peek() == _NO_NEWLINE:
        line = rest.take() if rest.peek() else ""
        mark, text = line[:1], line[1:]
        if rest.peek() == _NO_NEWLINE:
            rest.take()
            text += _ENDLESS
        if mark not in ("-", " ", "+"):
            raise rest.error(f"expected a line that begins with a space, + or -, found {line!r}")
        if mark != "+":
            gone.append(text)
        if mark != "-":
            come.append(text)
    if (len(gone), len(come)) != (old_count, new_count):
        raise rest.error("its lines are not as many as it says")
    return gone, come
