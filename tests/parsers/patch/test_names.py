"""Which files the names of a patch mean, where no scenario shows it."""

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Refused
from react_agent.parsers.patch.reading.files import named

FILES = ("src/foo.py", "src/Upper.py", "src/pkg/text.py", "one/same.py", "b/own.py", "top.py")
EDIT = (Hunk(3, (Line(" ", "stays"), Line("+", "comes"))),)
NEW = (Hunk(3, (Line("+", "one"), Line("+", "two"))),)
MAKE = "write its path from the root of the repository"
CREATE = "; to create it, write --- /dev/null"
ONE = "send one change per file, with all its hunks"
TWO = (
    "the --- and +++ lines name two files, top.py and tip.py: to rename a file, write rename from "
    "top.py and rename to tip.py below a diff --git line; otherwise name the same file in both"
)


def change(old: str | None, new: str | None, hunks: tuple[Hunk, ...] = EDIT) -> FileChange:
    return FileChange(1, old, new, hunks)


def rename(old: str, new: str, moved: str = "rename") -> FileChange:
    return FileChange(1, old, new, moved=moved)


def read(*changes: FileChange) -> object:
    """Old and new names with what was said of them; or the refusal."""
    found = named(changes, FILES)
    if isinstance(found, Refused):
        return "\n".join(found.reasons)
    return [(one.old, one.new, *one.repairs) for one in found]


@table_of(
    ("changes", "expected"),
    [
        pytest.param(
            [change("x/text.py", "x/text.py")],
            [("src/pkg/text.py", "src/pkg/text.py", "path x/text.py read as src/pkg/text.py")],
            id="no folder is right, but the only one",
        ),
        pytest.param([change("a/b/own.py", "b/b/own.py")], [("b/own.py",) * 2], id="a folder b"),
        pytest.param([change("a/top.py", "b/tip.py")], TWO, id="two names"),
        pytest.param([change("x.py", "../y.py")], f"../y.py is outside the repository: {MAKE}",
            id="two names, one outside"),
        pytest.param([change(None, "b/b/new.py", NEW)], [(None, "b/new.py")], id="new in b"),
        pytest.param([change(None, "/w/new.py", NEW)],
            f"/w/new.py is outside the repository: {MAKE}", id="new and absolute"),
        pytest.param([change(None, "src", NEW)], "src is a folder: write the path of a file",
            id="new in place of a folder"),
        pytest.param([change("src/nex.py", "src/nex.py", (NEW[0]._replace(start=40),))],
            "src/nex.py does not exist; near it: src/Upper.py, src/foo.py",
            id="an insertion further down is no new file"),
        pytest.param([FileChange(1, "", "foo.py", whole=("x",))],
            "foo.py does not exist; near it: src/foo.py", id="whole, elsewhere"),
        pytest.param([change("text.py", None, ())],
            "text.py does not exist; near it: src/pkg/text.py", id="deleted by its own name only"),
        pytest.param([rename("top.py", "tip.py"), change("a/tip.py", "b/tip.py")],
            f"tip.py has several changes: {ONE}", id="renamed, then changed"),
        pytest.param([rename("top.py", "x.py"), rename("top.py", "y.py")],
            f"top.py has several changes: {ONE}", id="renamed twice"),
        pytest.param([change("top.py", None, ()), change(None, "top.py", NEW)],
            f"top.py has several changes: {ONE}", id="deleted and created"),
        pytest.param([change("top.py", None, ()), change(None, "top.py/x", NEW)],
            [("top.py", None), (None, "top.py/x")], id="a folder in place of a file"),
        pytest.param([change(None, "n.py", NEW), change(None, "n.py", NEW)],
            f"n.py has several changes: {ONE}", id="created twice"),
        pytest.param([FileChange(1, "top.py", "top.py", whole=(each,)) for each in "xy"],
            f"top.py has several changes: {ONE}", id="sent whole twice"),
        pytest.param([FileChange(1, None, "n", new_mode="120000")],
            "n would have mode 120000: only regular files (mode 100644 or 100755) can be "
            "patched, no links or submodules",
            id="a link"),
    ],
)  # fmt: skip
def test_finds_the_files(changes: list[FileChange], expected: object) -> None:
    assert read(*changes) == expected


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
