"""Which files the names of a patch mean."""

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Named, Refusal
from react_agent.parsers.patch.reading.files import named

FILES = (
    "src/foo.py",
    "src/Upper.py",
    "src/pkg/__init__.py",
    "src/pkg/utils/text.py",
    "src/deep/core/engine.py",
    "src/deep/core/helpers.py",
    "lib/__init__.py",
    "docs/setup.py",
    "setup.py",
    "README.md",
    "one/same.py",
    "two/same.py",
    "b/own.py",
    "top.py",
    "app/__main__.py",
)
EDIT = (Hunk(3, (Line(" ", "stays"), Line("+", "comes"))),)
NEW = (Hunk(3, (Line("+", "one"), Line("+", "two"))),)
MAKE = "write its path from the root of the repository"
ONE = "send one change per file, with all its hunks"


def change(old: str | None, new: str | None, hunks: tuple[Hunk, ...] = EDIT) -> FileChange:
    return FileChange(1, old, new, hunks)


def read(*changes: FileChange) -> object:
    """Old and new names with what was said of them; or the refusal."""
    found = named(changes, FILES)
    if isinstance(found, Refusal):
        return found.reason
    return [(one.old, one.new, *one.repairs) for one in found]


@table_of(
    ("old", "new", "path", "said"),
    [
        pytest.param("a/src/foo.py", "b/src/foo.py", "src/foo.py", "", id="git's"),
        pytest.param("./src/foo.py", "./src/foo.py", "src/foo.py", "", id="dot"),
        pytest.param(
            "x/engine.py",
            "x/engine.py",
            "src/deep/core/engine.py",
            "x/engine.py",
            id="no folder is right, but the only one",
        ),
        pytest.param("a/b/own.py", "b/b/own.py", "b/own.py", "", id="a folder b, prefixes"),
        pytest.param("a/own.py", "b/own.py", "b/own.py", "own.py", id="as one side is written"),
    ],
)
def test_finds_the_file(old: str, new: str, path: str, said: str) -> None:
    repairs = (f"path {said} read as {path}",) if said else ()
    assert named([change(old, new)], FILES) == [Named(change(old, new), path, path, repairs)]


@table_of(
    ("old", "new", "reason"),
    [
        pytest.param(
            "a/top.py",
            "b/tip.py",
            "the --- and +++ lines name two files, top.py and tip.py: to rename a file, write "
            "rename from top.py and rename to tip.py below a diff --git line; otherwise name the "
            "same file in both",
            id="two names",
        ),
    ],
)
def test_refuses_to_guess(old: str | None, new: str | None, reason: str) -> None:
    assert read(change(old, new)) == reason


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


@table_of(
    ("new", "expected"),
    [
        pytest.param("src/new.py", [(None, "src/new.py")], id="bare"),
        pytest.param("b/b/new.py", [(None, "b/new.py")], id="a folder b"),
        pytest.param("b/new.py", [(None, "b/new.py")], id="in a folder b"),
        pytest.param(
            "/w/src/pkg/new.py",
            "/w/src/pkg/new.py is outside the repository: write its path from the root of the "
            "repository",
            id="absolute",
        ),
        pytest.param("/w/new.py", f"/w/new.py is outside the repository: {MAKE}", id="outside"),
        pytest.param(
            "top.py",
            "top.py exists already: to change it, write --- a/top.py and quote its lines",
            id="exists",
        ),
    ],
)
def test_new_files(new: str, expected: object) -> None:
    assert read(change(None, new, NEW)) == expected


def test_a_missing_file_of_which_nothing_is_quoted_is_new() -> None:
    said = "src/new.py does not exist: read as a new file"
    assert read(change("a/src/new.py", "b/src/new.py", NEW)) == [(None, "src/new.py", said)]


def test_an_insertion_further_down_is_not_a_new_file() -> None:
    hunk = NEW[0]._replace(start=40)
    expected = "src/nex.py does not exist; near it: src/Upper.py, src/foo.py"
    assert read(change("src/nex.py", "src/nex.py", (hunk,))) == expected


@table_of(
    ("name", "expected"),
    [
        pytest.param("src/foo.py", [("src/foo.py", "src/foo.py")], id="exists"),
        pytest.param("src/new.py", [(None, "src/new.py")], id="new"),
        pytest.param("foo.py", "foo.py does not exist; near it: src/foo.py", id="elsewhere"),
    ],
)
def test_whole_files(name: str, expected: object) -> None:
    assert read(FileChange(1, "", name, whole=("x",))) == expected


def test_what_is_not_quoted_is_deleted_by_its_own_name_only() -> None:
    expected = "text.py does not exist; near it: src/pkg/utils/text.py"
    assert read(change("text.py", None, ())) == expected
    assert read(change("a/top.py", None, ())) == [("top.py", None)]


def rename(old: str, new: str) -> FileChange:
    return FileChange(1, old, new, moved="rename")


DELETION = change("top.py", None, ())


@table_of(
    ("changes", "expected"),
    [
        pytest.param(
            [rename("top.py", "tip.py"), change("a/tip.py", "b/tip.py")],
            f"tip.py is renamed and changed in the same patch: {ONE}",
            id="renamed, then changed",
        ),
        pytest.param(
            [rename("top.py", "tip.py")._replace(moved="copy")],
            "a patch can't copy top.py: write the new file with all its lines",
            id="copied",
        ),
        pytest.param(
            [rename("top.py", "x.py"), rename("top.py", "y.py")],
            f"top.py is renamed twice: {ONE}",
            id="renamed twice",
        ),
        pytest.param(
            [rename("top.py", "top.py")._replace(hunks=EDIT)],
            [("top.py", "top.py")],
            id="renamed to itself",
        ),
        pytest.param(
            [DELETION, change(None, "top.py", NEW)],
            f"top.py is deleted and created in the same patch: {ONE}",
            id="deleted and created",
        ),
        pytest.param(
            [DELETION, change(None, "top.py/x", NEW)],
            [("top.py", None), (None, "top.py/x")],
            id="a folder in place of a file",
        ),
        pytest.param(
            [change(None, "n.py", NEW), change(None, "n.py", NEW)],
            f"n.py is created twice: {ONE}",
            id="created twice",
        ),
    ],
)
def test_several_changes(changes: list[FileChange], expected: object) -> None:
    assert read(*changes) == expected


@pytest.mark.parametrize("old", ["", "100644"])
def test_modes(old: str) -> None:
    found = named([FileChange(1, "top.py", "top.py", old_mode=old, new_mode="100755")], FILES)
    change = FileChange(1, "top.py", "top.py", old_mode="100644", new_mode="100755")
    assert found == [Named(change, "top.py", "top.py")]


@table_of("mode", ["120000", "160000", "040000", "755", "rwx"])
def test_modes_of_what_is_no_file(mode: str) -> None:
    assert read(FileChange(1, None, "n", new_mode=mode)) == (
        f"n would have mode {mode}: only regular files (mode 100644 or 100755) can be "
        "patched, no links or submodules"
    )


NAMES = st.lists(st.sampled_from(["a", "b", "src", "x.py", "y.py", ".", ".."]), max_size=4).map(
    "/".join
)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.none() | NAMES, st.none() | NAMES)), st.sets(NAMES))
def test_only_files_that_there_are_are_changed(
    names: list[tuple[str | None, str | None]], paths: set[str]
) -> None:
    found = named([change(*pair) for pair in names], paths)
    for one in [] if isinstance(found, Refusal) else found:
        assert one.old is None or one.old in paths
        assert one.new is None or (one.new in paths) == (one.new == one.old)
