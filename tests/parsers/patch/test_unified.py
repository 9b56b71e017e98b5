import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from tests.parsers.patch.reading_shown import bodies, marks, roles

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading
from react_agent.parsers.patch.reading.reader import read_changes

HEAD = "--- a/x.py\n+++ b/x.py\n"
PLAIN = HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+c"
BODY = marks(" a", "-b", "+c")
FENCE = "the fence around the patch was left out"


def hunk(at: int = 3, **more: object) -> Hunk:
    return Hunk(at, BODY, 1, (2, 2))._replace(**more)


@table_of(
    ("text", "expected", "said"),
    [
        pytest.param(PLAIN, hunk(), (), id="no final newline"),
        pytest.param(f"```diff\n{PLAIN}", hunk(4), (FENCE,), id="fence that stays open"),
        pytest.param(
            f"Here it is:\n\n```\n{PLAIN}\n```\nDone.",
            hunk(6),
            (FENCE, "the text around the patch was left out"),
            id="fence and prose",
        ),
        pytest.param(
            f"{PLAIN}\n\nDone:\n- one\n- two\n",
            hunk(),
            ("the text around the patch was left out",),
            id="prose and a list behind it",
        ),
        pytest.param(
            HEAD + " a\n-b\n+c",
            hunk(start=None, counts=None),
            ("the hunk in line 3 has no line with @@ above it",),
            id="no header of the hunk",
        ),
    ],
)
def test_reads_a_patch_out_of_a_text(text: str, expected: Hunk, said: tuple[str, ...]) -> None:
    reading = read_changes(text)
    assert reading[0] == (FileChange(expected.at - 2, "a/x.py", "b/x.py", (expected,)),)
    assert reading[2:] == (said, "")
    assert len(reading.roles) == text.count("\n") + 1


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "diff --git a/n b/n\nnew file mode 100755\nindex 000..123\n"
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a",
            FileChange(1, None, "b/n", (Hunk(6, marks("+a"), 0, (0, 1)),), new_mode="100755"),
            id="new, as git writes it",
        ),
        pytest.param(
            "--- a/n\n+++ /dev/null", FileChange(1, "a/n", None), id="deleted without a hunk"
        ),
        pytest.param(
            "--- a/n\n+++ /dev/null\n-a\n",
            FileChange(1, "a/n", None, (Hunk(3, marks("-a")),)),
            id="deleted without a header of its hunk",
        ),
        pytest.param(
            "diff --git a/n b/m\nsimilarity index 100%\nrename from n\nrename to m",
            FileChange(1, "n", "m", moved="rename"),
            id="renamed",
        ),
        pytest.param(
            "diff --git a/my file b/my file\nold mode 100644\nnew mode 100755",
            FileChange(1, "a/my file", "b/my file", old_mode="100644", new_mode="100755"),
            id="a name with a blank",
        ),
        pytest.param(
            "Index: n.c\n======\n"
            "--- n.c\t(revision 1)\n+++ n.c  (working copy)\n@@ -1 +1 @@\n-a\n+b",
            FileChange(1, "n.c", "n.c", (Hunk(5, marks("-a", "+b"), 1, (1, 1)),)),
            id="svn",
        ),
        pytest.param(
            "+++ b/n.c\n@@ -1 +1 @@\n-a\n+b",
            FileChange(1, "", "b/n.c", (Hunk(2, marks("-a", "+b"), 1, (1, 1)),)),
            id="+++ alone",
        ),
        pytest.param(
            "--- a/n\n+++ b/n\n@@ -1,4 +1,4 @@\n-a\n+b",
            FileChange(1, "a/n", "b/n", (Hunk(3, marks("-a", "+b"), 1, (4, 4), lacking=3),)),
            id="only context is missing",
        ),
        pytest.param(
            "--- a/n\n+++ b/n\n@@ -1,3 +1,4 @@\n-a\n+b",
            FileChange(1, "a/n", "b/n", (Hunk(3, marks("-a", "+b"), 1, (3, 4), cut_off=True),)),
            id="cut off",
        ),
        pytest.param(
            "--- a/n.lua\n+++ b/n.lua\n@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n@@ -9 +9 @@\n-c\n+d",
            FileChange(
                1,
                "a/n.lua",
                "b/n.lua",
                (
                    Hunk(3, marks(" a", "--- x", "+++ y"), 1, (2, 2)),
                    Hunk(7, marks("-c", "+d"), 9, (1, 1)),
                ),
            ),
            id="a removed remark of Lua above the next hunk",
        ),
    ],
)
def test_reads_a_file(text: str, expected: FileChange) -> None:
    assert read_changes(text)[0] == (expected,)


@table_of(
    ("text", "name", "said"),
    [
        pytest.param(
            "`src/x.py`:\n```diff\n@@ -1 +1 @@\n-a\n+b\n```", "src/x.py", 1, id="a line above"
        ),
        pytest.param("### src/x.py\n\n@@ -1 +1 @@\n-a\n+b", "src/x.py", 1, id="a title"),
        pytest.param(
            "```diff src/x.py\n@@ -1 +1 @@\n-a\n+b\n```", "src/x.py", 1, id="at the fence"
        ),
    ],
)
def test_takes_the_name_that_stands_above(text: str, name: str, said: int) -> None:
    reading = read_changes(text)
    assert [(change.old, change.new) for change in reading.changes] == [(name, name)]
    at = text.split("\n").index("@@ -1 +1 @@") + 1
    assert reading.repairs[-1] == (
        f"the hunk in line {at} names no file: it was read as one of {name}, "
        f"which line {said} names"
    )


def test_several_files_and_hunks() -> None:
    second = "--- a/y\n+++ b/y\n@@ -5 +5 @@\n-a\n+b\n@@ -9 +9 @@ def f():\n-c\n+d"
    reading = read_changes(f"{PLAIN}\n{second}")
    assert bodies(reading) == {"b/x.py": [[" a", "-b", "+c"]], "b/y": [["-a", "+b"], ["-c", "+d"]]}
    assert roles(reading) == "HHHbbb" + "HHHbbHbb"
    assert reading.changes[1].hunks[1].sections == ("def f():",)


def test_a_hunk_that_changes_nothing_is_said() -> None:
    reading = read_changes(f"{PLAIN}\n@@ -9,2 +9,2 @@\n c\n d\n")
    assert roles(reading) == "HHHbbbiii."
    assert reading.repairs == ("the hunk in line 7 changes nothing: it was left out",)


@table_of(
    ("text", "reason"),
    [
        pytest.param(
            "change a to b",
            "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with "
            "@@ -START,COUNT +START,COUNT @@, their lines with a space, - or + before them",
            id="no patch",
        ),
        pytest.param(
            f"{PLAIN}\n@@ -9,9 +9,9 @@\n c\n",
            "the patch was cut off: it ends where the change of its last hunk should be",
            id="ends before the change",
        ),
        pytest.param(
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n",
            "no hunk changes anything: put - before the lines that go and + before those that come",
            id="changes nothing",
        ),
        pytest.param(
            "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\nabc\n\nliteral 0\nx\n\n",
            "line 3 of the patch: a binary file can't be patched here: leave it out",
            id="binary",
        ),
        pytest.param(
            "diff --cc x\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n++b",
            "line 4 of the patch: this is the diff of a merge, with a column of marks for each "
            "parent: write one diff of each file as it is now, with one column",
            id="merge",
        ),
    ],
)
def test_says_what_it_can_not_read(text: str, reason: str) -> None:
    reading = read_changes(text)
    assert (reading.problem, reading.changes) == (reason, ())
    assert len(reading.roles) == text.count("\n") + 1


@given(st.text(st.sampled_from("-+@ ab/,1\n`\\>*=\r"), max_size=120), st.booleans())
def test_each_line_of_any_text_has_a_role(text: str, below_a_header: bool) -> None:
    text = HEAD + "@@ -1 +1 @@\n" + text if below_a_header else text
    reading = read_changes(text)
    assert isinstance(reading, Reading)
    assert len(reading.roles) == text.count("\n") + 1
    assert bool(reading.changes) != bool(reading.problem)


body_lines = st.builds(
    Line, st.sampled_from(" +-"), st.text(st.sampled_from("ab '-+@`\u2028\f\\"), max_size=6)
)
hunk_bodies = st.lists(body_lines, min_size=1, max_size=8).filter(
    lambda lines: _texts(lines, " -") != _texts(lines, " +")
)
files = st.dictionaries(
    st.text("ab", min_size=1).map("d/{}.py".format),
    st.lists(hunk_bodies, min_size=1, max_size=3),
    max_size=3,
    min_size=1,
)


@given(files, st.booleans())
def test_reads_back_what_is_written(files: dict[str, list[list[Line]]], fenced: bool) -> None:
    written = [line for name, hunks in files.items() for line in _written(name, hunks)]
    if fenced:
        written = ["So:", "", "```diff", *written, "```", "", "Done."]
    reading = read_changes("\n".join(written))
    assert reading.problem == ""
    read = {change.new: [list(hunk.lines) for hunk in change.hunks] for change in reading.changes}
    assert read == {f"b/{name}": hunks for name, hunks in files.items()}


def _texts(lines: list[Line], marks: str) -> list[str]:
    return [line.text for line in lines if line.mark in marks]


def _written(name: str, hunks: list[list[Line]]) -> list[str]:
    lines = [f"--- a/{name}", f"+++ b/{name}"]
    for number, body in enumerate(hunks):
        old = sum(line.mark != "+" for line in body)
        new = sum(line.mark != "-" for line in body)
        lines.append(f"@@ -{number * 9},{old} +{number * 9},{new} @@")
        lines += [line.mark + line.text for line in body]
    return lines
