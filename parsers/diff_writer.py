"""Write a diff as git reads it: every count counted, every name with its prefix."""

from collections.abc import Iterator

from react_agent.parsers.diff import Diff, FilePatch, Hunk
from react_agent.parsers.git_name import write_name


def write_diff(diff: Diff) -> str:
    # git takes --- below a header without hunks for a part of it, so those stand last
    files = sorted(diff.files, key=lambda file: not file.hunks)
    return "".join(f"{line}\n" for file in files for line in _file(file))


def _file(file: FilePatch) -> Iterator[str]:
    old, new = write_name(f"a/{file.old or file.name}"), write_name(f"b/{file.new or file.name}")
    # a plain change needs no git header; with one, git wants to be told of modes too
    if file.attributes:
        yield f"diff --git {old} {new}"
        yield from file.attributes
    if file.hunks:
        yield f"--- {old if file.old else '/dev/null'}"
        yield f"+++ {new if file.new else '/dev/null'}"
    for hunk in file.hunks:
        yield from _hunk(hunk)


def _hunk(hunk: Hunk) -> Iterator[str]:
    yield f"@@ -{hunk.old_start},{len(hunk.old)} +{hunk.new_start},{len(hunk.new)} @@"
    yield from hunk.body
