"""Which files the names of a patch mean, where no scenario shows it."""

from collections.abc import Mapping
from typing import Any

import pytest
from check_rows import EachRow, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_rows import FOLDER, read_rows

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Refused
from react_agent.parsers.patch.reading.files import named

FILES = ("src/foo.py", "src/Upper.py", "src/pkg/text.py", "one/same.py", "b/own.py", "top.py")
HUNKS = {
    "edit": (Hunk(3, (Line(" ", "stays"), Line("+", "comes"))),),
    "new": (Hunk(3, (Line("+", "one"), Line("+", "two"))),),
    "late": (Hunk(3, (Line("+", "one"), Line("+", "two")), start=40),),
    "none": (),
}
MAKE = "write its path from the root of the repository"


def change(
    old: str | None, new: str | None, hunks: str = "edit", more: Mapping[str, Any] = {}
) -> FileChange:
    return FileChange(1, old, new, HUNKS[hunks], **more)


def read(*changes: FileChange) -> object:
    """Old and new names with what was said of them; or the refusal."""
    found = named(changes, FILES)
    if isinstance(found, Refused):
        return "\n".join(found.reasons)
    return [(one.old, one.new, *one.repairs) for one in found]


def test_finds_the_files(each_row: EachRow) -> None:
    functions = {"read": lambda *changes: read(*(change(*one) for one in changes))}
    each_row(read_rows(FOLDER / "own/names.txt"), lambda row: row.check(functions))


@pytest.mark.parametrize(
    "name",
    [".git/config", "x/.GIT/y", ".git /x", "git~1/x", ".g\u200cit/x", ".git::$INDEX_ALLOCATION/x"],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_nothing_in_git_is_reached(name: str, is_new: bool) -> None:
    expected = f"{name} belongs to git: files in .git can't be patched"
    assert read(change(None if is_new else name, name)) == expected


@table_of("name", ["a\x00b", "a\nb", "x//b", "x/", "a\ud800", "x" * 2_001])
def test_no_path(name: str) -> None:
    assert read(change(None, name)) == f"{name[:60]!a} is not a valid path: {MAKE}"


NAMES = st.lists(st.sampled_from(["a", "b", "src", "x.py", "y.py", ".", ".."]), max_size=4).map(
    "/".join
)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.none() | NAMES, st.none() | NAMES)), st.sets(NAMES))
def test_only_files_that_there_are_are_changed(
    names: list[tuple[str | None, str | None]], paths: set[str]
) -> None:
    found = named([change(*pair) for pair in names], paths)
    for one in [] if isinstance(found, Refused) else found:
        assert one.old is None or one.old in paths
        assert one.new is None or (one.new in paths) == (one.new == one.old)
