"""The text of a profile, read a line at a time."""

import pytest
from check_rows import table_of

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.profile_text import Section, Setting, read_sections

TEXT = """\
# what it is for

[profile]
name = mine
tools =
    grep
    run
[prompt]
notes =
    One.

    # no part of it
      Indented = more.
    Last.

role = You.
  And you.
[hidden]
git push = no: a = b
off =
"""


def test_reads_sections() -> None:
    notes = "One.\n\n  Indented = more.\nLast."
    assert read_sections(TEXT) == (
        Section("profile", {"name": Setting("mine"), "tools": Setting("grep\nrun")}),
        Section("prompt", {"notes": Setting(notes), "role": Setting("You.\nAnd you.")}),
        Section("hidden", {"git push": Setting("no: a = b"), "off": Setting("")}),
    )


def test_knows_the_lines() -> None:
    sections = read_sections(TEXT)
    assert [section.line for section in sections] == [3, 8, 18]
    assert [one.line for one in sections[1].settings.values()] == [9, 16]


def test_a_text_that_is_indented_as_a_whole_is_the_same() -> None:
    indented = "\n".join(f"    {line}" if line else "" for line in TEXT.split("\n"))
    assert read_sections(indented) == read_sections(TEXT)


@table_of(
    ("text", "message"),
    {
        "neither": ("[a]\nx\n", "line 2: expected [SECTION] or NAME = VALUE, found 'x'"),
        "no section": ("x = 1\n", "line 1: expected [SECTION] first, found 'x = 1'"),
        "section": ("[a]\nx = 1\n[a]\n", "line 3: expected [a] once, as in line 1, found 'a'"),
        "name": ("[a]\nx = 1\nx = 2\n", "line 3: expected x once, as in line 2, found 'x = 2'"),
        "text of none": ("[a]\n  b\n", "line 2: expected [SECTION] or NAME = VALUE, found 'b'"),
    },
)
def test_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_sections(text)
    assert str(caught.value) == message
