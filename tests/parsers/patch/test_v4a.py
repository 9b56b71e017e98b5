"""Each spelling that is read stands beside the near-miss that is not."""

from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.reading.v4a import read_v4a

LINES = "@@ def f\n a\n-b\n+c\n d"
PATCH = f"*** Begin Patch\n*** Update File: x.py\n{LINES}\n*** End Patch"
FILES = "a line `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`"


MISPLACED = (
    "line 7, `{}`, is out of place: begin an unchanged line with a space, and write *** Move to: "
    "directly below *** Update File:"
)


@table_of(
    ("text", "problem"),
    {
        "none": ("no patch", f"the patch names no file: write {FILES} below *** Begin Patch"),
        "an unknown mark": (
            "*** Begin Patch\n*** Frobnicate\n*** End Patch",
            f"line 2, `*** Frobnicate`, is not a patch marker: write {FILES}",
        ),
        "a late move": (
            PATCH.replace(" d\n", "*** Move to: y\n"),
            MISPLACED.format("*** Move to: y"),
        ),
        "no marks": (
            "*** Update File: x\n@@\na\n*** End Patch",
            "the hunk at line 2 has no line that begins with + or -: mark removed lines "
            "with - and added lines with +",
        ),
        "a new line without +": (
            "*** Add File: x\n+a\nb\n*** End Patch",
            "line 3, `b`, of the new file x does not begin with +: start each of its lines with +",
        ),
        "no end": (
            "```\n" + PATCH.replace("*** End Patch", "```"),
            "the patch from line 2 on was cut off: it has no *** End Patch; send all of it",
        ),
        "two patches": (
            f"{PATCH}\nWait.\n{PATCH}",
            "x.py is changed by two patches, the second from line 10 on: send the final one only, "
            "with all changes",
        ),
    },
)
def test_says_what_it_can_not_read(text: str, problem: str) -> None:
    lines = text.split("\n")
    reading = read_v4a(lines)
    assert (reading.problem, reading.changes, len(reading.roles)) == (problem, (), len(lines))


def test_says_what_each_line_was_taken_for() -> None:
    text = f"Here:\n```\n{PATCH}\n```\n"
    assert "".join(role[0] for role in read_v4a(text.split("\n")).roles) == "pfhhhhhhhhfb"


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


@settings(max_examples=25)
@given(st.dictionaries(NAME, HUNKS, min_size=1, max_size=3))
def test_reads_back_what_is_written(files: dict[str, list[tuple[Line, ...]]]) -> None:
    reading = read_v4a(written(files).split("\n"))
    found = {change.old: [hunk.lines for hunk in change.hunks] for change in reading.changes}
    assert (reading.problem, found) == ("", files)
