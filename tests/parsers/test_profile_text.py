"""The text of a profile, read a line at a time."""

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
