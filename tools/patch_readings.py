"""The ways in which a diff can be meant, the most literal first."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from react_agent.parsers.diff import Diff, FilePatch, Hunk
from react_agent.tools.nearest_region import places

NO_NEWLINE = "\\ No newline at end of file"
_MOST_BLANK = 3
_MOST_BELOW = 3

Change = Callable[[Hunk, str], Hunk]


@dataclass(frozen=True, slots=True)
class Reading:
    mended: str  # what was changed, said to the model; empty if nothing was
    diff: Diff


def readings(diff: Diff, contents: Mapping[str, str]) -> Iterator[Reading]:
    """Each different one once, with the line ends that the files have."""
    seen = list[Diff]()
    cut_off = any(hunk.cut_off for file in diff.files for hunk in file.hunks)
    for mended, change in _CHANGES:
        files = (_changed(file, change, contents.get(file.old or "", "")) for file in diff.files)
        changed = Diff(tuple(files))
        if changed not in seen and not (cut_off and change is not _filled):
            seen.append(changed)
            yield Reading(
                "; ".join(filter(None, (_deleted_whole(diff, contents), mended))), changed
            )


def _deleted_whole(diff: Diff, contents: Mapping[str, str]) -> str:
    whole = [file.name for file in diff.files if _removes_unquoted(file) and contents[file.name]]
    return f"deleted whole, though no line of it was quoted: {', '.join(whole)}" if whole else ""


def _changed(file: FilePatch, change: Change, content: str) -> FilePatch:
    if _removes_unquoted(file):
        return _quoting_all(file, content)
    hunks = tuple(change(hunk, content) for hunk in file.hunks)
    return replace(file, hunks=tuple(map(_crlf, hunks)) if _is_crlf(content) else hunks)


def _removes_unquoted(file: FilePatch) -> bool:
    """A deletion that shows no line of what it deletes: git wants to see them all."""
    return file.new is None and not file.hunks


def _quoting_all(file: FilePatch, content: str) -> FilePatch:
    if not content:
        return replace(file, attributes=file.attributes or ("deleted file mode 100644",))
    lines = [f"-{line}" for line in content.split("\n")]
    body = lines[:-1] if content.endswith("\n") else [*lines, NO_NEWLINE]
    return replace(file, hunks=(Hunk(0, 1, 0, tuple(body)),))


def _as_written(hunk: Hunk, _: str) -> Hunk:
    return hunk


def _without_blank_end(hunk: Hunk, _: str) -> Hunk:
    body = hunk.body
    while body and not body[-1]:
        body = body[:-1]
    return replace(hunk, body=body)


def _filled(hunk: Hunk, _: str) -> Hunk:
    """A reply loses the blank lines at its end."""
    if not 0 < hunk.missing <= _MOST_BLANK:
        return hunk
    return replace(hunk, body=(*hunk.body, *[" "] * hunk.missing))


def _where_it_is(hunk: Hunk, content: str) -> Hunk:
    """git takes a hunk that begins at line 1 at its word; elsewhere it looks around."""
    hunk = _without_blank_end(hunk, content)
    at = _only_place(hunk, _lines(content))
    if at is None:
        return hunk
    shift = at + 1 - hunk.old_start
    return replace(hunk, old_start=at + 1, new_start=hunk.new_start + shift)


def _with_lines_below(hunk: Hunk, content: str) -> Hunk:
    """git takes a hunk that ends in a change to stand at the end of the file."""
    hunk = _where_it_is(hunk, content)
    if not hunk.body or hunk.body[-1][:1] not in ("+", "-"):
        return hunk
    lines = _lines(content.removesuffix("\n"))
    at = _only_place(hunk, lines)
    if at is None:
        return hunk
    below = lines[at + len(hunk.old) :][:_MOST_BELOW]
    return replace(hunk, body=(*hunk.body, *(f" {line}" for line in below)))


def _lines(content: str) -> list[str]:
    return [line.removesuffix("\r") for line in content.split("\n")]


def _only_place(hunk: Hunk, lines: list[str]) -> int | None:
    found = places(lines, hunk.old)
    return found[0] if len(found) == 1 else None


def _ending_like_the_file(hunk: Hunk, content: str) -> Hunk:
    hunk = _without_blank_end(hunk, content)
    last = content.rpartition("\n")[2]
    if not last or NO_NEWLINE in hunk.body or not hunk.old or hunk.old[-1] != last:
        return hunk
    at = max(at for at, line in enumerate(hunk.body) if line[:1] in ("", " ", "-")) + 1
    return replace(hunk, body=(*hunk.body[:at], NO_NEWLINE, *hunk.body[at:]))


_CHANGES: tuple[tuple[str, Change], ...] = (
    ("", _as_written),
    ("blank lines after a hunk were left out", _without_blank_end),
    ("the line numbers of a hunk were mended", _where_it_is),
    ("the unchanged lines below a change were added to a hunk", _with_lines_below),
    ("blank lines that its counts announce were added to a hunk", _filled),
    ("the file ends without a newline, as the patch did not say", _ending_like_the_file),
)


def _is_crlf(content: str) -> bool:
    lines = content.split("\n")[:-1]
    return bool(lines) and all(line.endswith("\r") for line in lines)


def _crlf(hunk: Hunk) -> Hunk:
    """A model does not see these ends; the last line of a file may have none."""
    followers = (*hunk.body[1:], "")
    pairs = zip(hunk.body, followers, strict=True)
    body = (
        line if NO_NEWLINE in (line, follower) else f"{line or ' '}\r" for line, follower in pairs
    )
    return replace(hunk, body=tuple(body))
