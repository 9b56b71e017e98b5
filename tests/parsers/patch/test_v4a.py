"""Each spelling that is read stands beside the near-miss that is not."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Role
from react_agent.parsers.patch.reading.v4a import is_v4a, read_v4a

HUNK = Hunk(
    3, (Line(" ", "a"), Line("-", "b"), Line("+", "c"), Line(" ", "d")), sections=("def f",)
)
MEANT = FileChange(2, "x.py", "x.py", (HUNK,))
LINES = "@@ def f\n a\n-b\n+c\n d"
PATCH = f"*** Begin Patch\n*** Update File: x.py\n{LINES}\n*** End Patch"
FILES = "a line `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`"


def moved(changes: tuple[FileChange, ...], by: int) -> tuple[FileChange, ...]:
    """The same changes, read so many lines further up."""
    return tuple(
        change._replace(
            at=change.at - by,
            hunks=tuple(hunk._replace(at=hunk.at - by) for hunk in change.hunks),
        )
        for change in changes
    )


@table_of(
    ("text", "above", "near_miss"),
    [
        pytest.param(
            PATCH,
            0,
            PATCH.replace("*** Begin", "** Begin").replace("*** U", "** U"),
            id="as it should be",
        ),
        pytest.param(PATCH.replace("\n", "\r\n"), 0, "", id="CRLF"),
        pytest.param(
            PATCH.partition("\n")[2],
            -1,
            PATCH.replace("*** Update File: x.py\n", ""),
            id="no beginning",
        ),
    ],
)
def test_reads_a_patch_as_models_write_it(text: str, above: int, near_miss: str) -> None:
    reading = read_v4a(text.split("\n"))
    assert is_v4a(text.split("\n"))
    found = moved(reading.changes, above)
    assert [change._replace(at=MEANT.at) for change in found] == [MEANT]
    assert (reading.problem, reading.repairs) == ("", ())
    missed = read_v4a(near_miss.split("\n"))
    assert missed.problem or missed.changes[0].old != "x.py"


@table_of(
    ("body", "hunks"),
    [
        pytest.param(
            "@@ class A\n@@ def f():\n-b",
            [Hunk(3, (Line("-", "b"),), sections=("class A", "def f():"))],
            id="stacked sections, the outer one first",
        ),
        pytest.param(
            "@@ -4,2 +4,3 @@ def f():\n-b",
            [Hunk(3, (Line("-", "b"),), 4, (2, 3), ("def f():",))],
            id="a header of a diff",
        ),
        pytest.param(
            "-b\n*** End of File", [Hunk(3, (Line("-", "b"),), at_end=True)], id="end of file"
        ),
        pytest.param(
            "-b\n\\ No newline at end of file\n+b",
            [Hunk(3, (Line("-", "b"), Line("+", "b")), no_newline=(True, False))],
            id="no newline at the old end",
        ),
        pytest.param(
            " a\nb\n\n-c",
            [Hunk(3, (Line(" ", "a"), Line("", "b"), Line(" ", ""), Line("-", "c")))],
            id="a line without its mark, and an empty one",
        ),
        pytest.param("-a\n*****", [Hunk(3, (Line("-", "a"), Line("", "*****")))], id="a rule"),
    ],
)
def test_reads_the_hunks(body: str, hunks: list[Hunk]) -> None:
    text = f"*** Begin Patch\n*** Update File: x.py\n{body}\n*** End Patch"
    reading = read_v4a(text.split("\n"))
    assert reading.problem == ""
    assert reading.changes == (FileChange(2, "x.py", "x.py", tuple(hunks)),)


NEW = Hunk(3, (Line("+", "a"), Line("+", ""), Line("+", "b")))
NO_MARKS = "the lines of the new file n.py had no + before them"


@table_of(
    ("body", "changes", "repairs"),
    [
        pytest.param(
            "*** Add File: n.py\na\n\nb",
            [FileChange(2, None, "n.py", (NEW,))],
            (NO_MARKS,),
            id="no + at all",
        ),
        pytest.param(
            "*** Update File: o.py\n*** Move to: n.py",
            [FileChange(2, "o.py", "n.py", moved="rename")],
            (),
            id="move",
        ),
        pytest.param(
            "*** Update File: o.py\n*** Move to: n.py\n@@\n-a",
            [FileChange(2, "o.py", "n.py", (Hunk(4, (Line("-", "a"),)),), moved="rename")],
            (),
            id="move and change",
        ),
        pytest.param(
            "*** Update File: x.py\n a\n@@\n-b",
            [FileChange(2, "x.py", "x.py", (Hunk(4, (Line("-", "b"),)),))],
            ("the hunk of line 3 changes nothing: left out",),
            id="a hunk of context only",
        ),
    ],
)
def test_reads_the_files(body: str, changes: list[FileChange], repairs: tuple[str, ...]) -> None:
    reading = read_v4a(f"*** Begin Patch\n{body}\n*** End Patch".split("\n"))
    assert (reading.problem, reading.changes, reading.repairs) == ("", tuple(changes), repairs)


MISPLACED = (
    "line 7, `{}`, can't be there: begin an unchanged line with a space, and write *** Move to: "
    "directly below *** Update File:"
)
CUT = "the patch was cut off: it ends in line {} without *** End Patch; send all of it"
OPEN = PATCH.removesuffix("\n*** End Patch")
ADDED = "the missing *** End Patch was added"


@table_of(
    ("text", "repairs", "problem"),
    [
        pytest.param(OPEN, (ADDED,), "", id="after context"),
        pytest.param(f"```\n{OPEN}\n+e\n```", (ADDED,), "", id="after a change, in a closed fence"),
    ],
)
def test_a_patch_without_its_end(text: str, repairs: tuple[str, ...], problem: str) -> None:
    reading = read_v4a(text.split("\n"))
    assert (reading.repairs, reading.problem) == (repairs, problem)


@table_of(
    ("text", "problem"),
    [
        pytest.param(
            "no patch",
            f"there is no file in the patch: write {FILES} below *** Begin Patch",
            id="none",
        ),
        pytest.param(
            "*** Begin Patch\n*** Frobnicate\n*** End Patch",
            f"line 2, `*** Frobnicate`, is no mark of a patch: write {FILES}",
            id="an unknown mark",
        ),
        pytest.param(
            PATCH.replace(" d\n", "*** Move to: y\n"),
            MISPLACED.format("*** Move to: y"),
            id="a late move",
        ),
        pytest.param(
            "*** Update File: x\n*** End Patch",
            "line 1 names x as changed, but there is no change below it",
            id="no hunk",
        ),
        pytest.param(
            "*** Update File: x\n@@\na\n*** End Patch",
            "the hunk of line 2 has no line that begins with + or -: mark what goes with - and "
            "what comes with +",
            id="no marks",
        ),
        pytest.param(
            "*** Add File: x\n+a\nb\n*** End Patch",
            "line 3, `b`, of the new file x does not begin with +: begin all of its lines so",
            id="a new line without +",
        ),
        pytest.param(
            f"{PATCH}\nWait.\n{PATCH}",
            "x.py is changed by two patches, the second from line 10 on: send the final one only, "
            "with all changes",
            id="two patches",
        ),
    ],
)
def test_says_what_it_can_not_read(text: str, problem: str) -> None:
    lines = text.split("\n")
    reading = read_v4a(lines)
    assert (reading.problem, reading.changes, len(reading.roles)) == (problem, (), len(lines))


def test_says_what_each_line_was_taken_for() -> None:
    text = f"Here:\n```\n{PATCH}\n```\n"
    assert "".join(role[0] for role in read_v4a(text.split("\n")).roles) == "pfhhhhhhhhfb"


def test_a_word_in_asterisks_is_no_patch() -> None:
    assert not is_v4a(["*** Note", "*** End Patch", " Update File: x"])


TEXT = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=8)
NAME = st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5})?\.py", fullmatch=True)
HUNKS = st.lists(
    st.lists(st.builds(Line, st.sampled_from(" +-"), TEXT), max_size=5).map(
        lambda lines: (*lines, Line("-", "x"))
    ),
    min_size=1,
    max_size=3,
)


def written(files: dict[str, list[tuple[Line, ...]]]) -> str:
    lines = ["*** Begin Patch"]
    for name, hunks in files.items():
        lines.append(f"*** Update File: {name}")
        for hunk in hunks:
            lines += ["@@", *(f"{line.mark}{line.text}" for line in hunk)]
    return "\n".join([*lines, "*** End Patch", ""])


@given(st.dictionaries(NAME, HUNKS, min_size=1, max_size=3))
def test_reads_back_what_is_written(files: dict[str, list[tuple[Line, ...]]]) -> None:
    reading = read_v4a(written(files).split("\n"))
    found = {change.old: [hunk.lines for hunk in change.hunks] for change in reading.changes}
    assert (reading.problem, found) == ("", files)


PIECES = [
    *PATCH.split("\n"),
    "*** Add File: y",
    "*** End of File",
    "```",
    "EOF",
    "apply_patch <<EOF",
    "",
]


@given(st.text() | st.lists(st.sampled_from(PIECES) | TEXT, max_size=20).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    lines = text.split("\n")
    reading = read_v4a(lines)
    assert len(reading.roles) == len(lines)
    assert bool(reading.problem) != bool(reading.changes)
    assert is_v4a(lines) or reading.problem
    held = {role for role, line in zip(reading.roles, lines, strict=True) if not line.strip()}
    assert held <= {Role.BLANK, Role.BODY, Role.IDLE, Role.HEADER}
