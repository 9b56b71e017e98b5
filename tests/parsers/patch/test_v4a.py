"""Each spelling that is read stands beside the near-miss that is not."""

from check_rows import table_of

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
