import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.diff import Diff, FilePatch, Hunk
from react_agent.parsers.diff_text import parse_diff
from react_agent.parsers.diff_writer import write_diff
from react_agent.parsers.unreadable import Unreadable

PLAIN = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c"
HUNK = Hunk(3, 1, 1, (" a", "-b", "+c"))
READ = Diff((FilePatch("x.py", "x.py", (HUNK,)),))


def at(line: int) -> Diff:
    hunk = Hunk(line, 1, 1, HUNK.body)
    return Diff((FilePatch("x.py", "x.py", (hunk,)),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(PLAIN, READ, id="no final newline"),
        pytest.param(PLAIN + "\n", READ, id="final newline"),
        pytest.param(PLAIN.replace("\n", "\r\n"), READ, id="CRLF"),
        pytest.param(PLAIN.replace("a/", "").replace("b/", ""), READ, id="no prefixes"),
        pytest.param(f"```diff\n{PLAIN}\n```", at(4), id="fence"),
        pytest.param(f"Here it is:\n\n```\n{PLAIN}\n```\nDone.", at(6), id="fence and prose"),
        pytest.param(f"{PLAIN}\n```\n", READ, id="a fence that was only closed"),
        pytest.param(f"{PLAIN}\nDone.", READ, id="prose behind it"),
        pytest.param(f"I change x:\n{PLAIN}", at(4), id="prose before it"),
        pytest.param(f"```py\nprint()\n```\n~~~\n{PLAIN}\n~~~", at(7), id="code in another fence"),
        pytest.param(f"diff --git a/x.py b/x.py\nindex 1..2\n{PLAIN}", at(5), id="git header"),
        pytest.param(PLAIN.replace("1,2 +1,2", "1,9 +1"), READ, id="one count too small"),
        pytest.param(PLAIN.replace("x.py", "x.py\t2026-11-20"), READ, id="dates"),
    ],
)
def test_cuts_the_diff_out_of_a_text(text: str, expected: Diff) -> None:
    assert parse_diff(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a",
            FilePatch(None, "n", (Hunk(3, 0, 1, ("+a",)),)),
            id="new",
        ),
        pytest.param(
            "--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a",
            FilePatch("n", None, (Hunk(3, 1, 0, ("-a",)),)),
            id="deleted",
        ),
        pytest.param("--- a/n\n+++ /dev/null", FilePatch("n", None), id="deleted without a hunk"),
        pytest.param(
            "--- a/n\n+++ /dev/null\n```\nDone.", FilePatch("n", None), id="and prose behind it"
        ),
        pytest.param(
            "diff --git a/n b/n\nnew file mode 100644\nindex 000..e69",
            FilePatch(None, "n", (), ("new file mode 100644",)),
            id="new and empty",
        ),
        pytest.param(
            "diff --git a/n b/m\nsimilarity index 100%\nrename from n\nrename to m",
            FilePatch("n", "m", (), ("similarity index 100%", "rename from n", "rename to m")),
            id="renamed",
        ),
        pytest.param(
            "diff --git a/n b/n\nold mode 100644\nnew mode 100755",
            FilePatch("n", "n", (), ("old mode 100644", "new mode 100755")),
            id="another mode",
        ),
        pytest.param(
            '--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1 +1 @@\n-a\n+b',
            FilePatch("ä", "ä", (Hunk(3, 1, 1, ("-a", "+b")),)),
            id="quoted name",
        ),
        pytest.param(
            "--- a/n\n+++ b/n\n@@ -1,3 +1,3 @@\n-a\n+b\n\n c",
            FilePatch("n", "n", (Hunk(3, 1, 1, ("-a", "+b", "", " c")),)),
            id="blank line without its space",
        ),
        pytest.param(
            "--- a/n\n+++ b/n\n@@ -1,2 +1,2 @@\n-a\n+b",
            FilePatch("n", "n", (Hunk(3, 1, 1, ("-a", "+b"), missing=1),)),
            id="a line is missing",
        ),
        pytest.param(
            "--- a/n\n+++ b/n\n@@ -1,3 +1,3 @@\n-a\n+b",
            FilePatch("n", "n", (Hunk(3, 1, 1, ("-a", "+b"), missing=2, cut_off=True),)),
            id="cut off",
        ),
    ],
)
def test_reads_a_file(text: str, expected: FilePatch) -> None:
    assert parse_diff(text) == Diff((expected,))


def test_reads_several_files_and_hunks() -> None:
    second = "--- a/y\n+++ b/y\n@@ -5 +5 @@\n-a\n+b\n@@ -9 +9 @@ def f():\n-c\n+d"
    assert parse_diff(f"{PLAIN}\n{second}") == Diff(
        (
            *READ.files,
            FilePatch("y", "y", (Hunk(9, 5, 5, ("-a", "+b")), Hunk(12, 9, 9, ("-c", "+d")))),
        )
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            "change a to b",
            "there is no diff: write --- a/PATH, +++ b/PATH and hunks that begin with "
            "@@ -START,COUNT +START,COUNT @@",
            id="no diff",
        ),
        pytest.param(
            "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch",
            "this is a patch in the *** Begin Patch format, which is not read: write a unified "
            "diff, --- a/PATH, +++ b/PATH and hunks that begin with "
            "@@ -START,COUNT +START,COUNT @@",
            id="begin patch",
        ),
        pytest.param(
            "x.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```",
            "this is a SEARCH/REPLACE block, which is not read: write a unified diff, --- a/PATH, "
            "+++ b/PATH and hunks that begin with @@ -START,COUNT +START,COUNT @@",
            id="search and replace",
        ),
        pytest.param(
            "--- a/x\n+++ /dev/null\n-a",
            "line 3 of the diff: expected a hunk that begins with @@, found '-a'",
            id="deleted lines without a hunk",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/x",
            "the diff was cut off: it ends where a hunk that begins with @@ should stand",
            id="new without a hunk",
        ),
        pytest.param(
            f"```diff\n{PLAIN}",
            "the diff was cut off: it ends where the end of the fence should stand",
            id="open fence",
        ),
        pytest.param(
            "```\nno diff, and no end",
            "there is no diff: write --- a/PATH, +++ b/PATH and hunks that begin with "
            "@@ -START,COUNT +START,COUNT @@",
            id="open fence without a diff",
        ),
        pytest.param(
            "diff --git a/x b/x\n--- a/x\nx",
            "line 3 of the diff: expected a +++ line, found 'x'",
            id="no +++ line",
        ),
        pytest.param(
            "--- a/x\n+++ b/x",
            "the diff was cut off: it ends where a hunk that begins with @@ should stand",
            id="no hunk",
        ),
        pytest.param(
            "--- a/x\n+++ b/x\n@@ -1 +1 @@",
            "the diff was cut off: it ends where a line that begins with a space, + or - "
            "should stand",
            id="empty hunk",
        ),
        pytest.param(
            "--- a/x\n+++ b/x\n@@ ... @@\n-a\n+b",
            "line 3 of the diff: expected @@ -START,COUNT +START,COUNT @@ with numbers, "
            "found '@@ ... @@'",
            id="hunk without numbers",
        ),
        pytest.param(
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\nb\n-c\n+d",
            "line 5 of the diff: expected a line that begins with a space, + or -, found 'b'",
            id="line without its mark",
        ),
        pytest.param(
            f"{PLAIN}\nstray\n+more",
            "line 8 of the diff: expected the --- and +++ lines of a file, or nothing more, "
            "found '+more'",
            id="a change behind the end",
        ),
        pytest.param(
            f"```\n{PLAIN}\n```\nNo, wait:\n```\n{PLAIN}\n```",
            "x.py is changed twice: send the final diff only, with all hunks of a file below one "
            "pair of --- and +++ lines",
            id="a draft and a final one",
        ),
        pytest.param(
            "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b",
            "the --- and +++ lines name two files, x and y: to rename a file, write rename from x "
            "and rename to y below a diff --git line",
            id="two names",
        ),
        pytest.param(
            "diff --git a/x b/x\nGIT binary patch\n",
            "line 2 of the diff: expected a --- line, found 'GIT binary patch'",
            id="binary",
        ),
    ],
)
def test_says_what_it_can_not_read(text: str, reason: str) -> None:
    assert parse_diff(text) == Unreadable(reason)


@given(st.text(st.sampled_from("-+@ ab/,1\n`\\"), max_size=80))
def test_any_text_is_a_diff_or_unreadable(text: str) -> None:
    assert isinstance(parse_diff(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n{text}"), Diff | Unreadable)


body_lines = st.builds(
    str.__add__, st.sampled_from(" +-"), st.text(st.sampled_from("ab ' \u2028\f"), max_size=5)
)
hunks = st.builds(
    Hunk,
    st.just(0),
    st.integers(0, 999),
    st.integers(0, 999),
    st.lists(body_lines, min_size=1).map(tuple),
)


@given(st.dictionaries(st.text("ab .", min_size=1).map("d/{}x".format), hunks, min_size=1))
def test_reads_back_what_it_writes(files: dict[str, Hunk]) -> None:
    diff = Diff(tuple(FilePatch(name, name, (hunk,)) for name, hunk in files.items()))
    read = parse_diff(write_diff(diff))
    assert isinstance(read, Diff)
    assert write_diff(read) == write_diff(diff)
