from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import Line, Reading
from react_agent.parsers.patch.reading.blocks import is_blocks, is_conflicts, read_blocks
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.reading.v4a import is_v4a, read_v4a

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


@settings(max_examples=25)
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


MARKS = (
    *("<<<<<<< SEARCH", "<<<<<<< HEAD", "||||||| base", "=======", ">>>>>>> REPLACE", ">>>>>>> b"),
    *("*** Begin Patch", "*** Update File: x.py", "*** Add File: y", "*** End of File"),
    *("*** End Patch", "apply_patch <<EOF", "EOF", "<file path='a.py'>", "<content>", "</content>"),
    *("</file>", "<path>b.py</path>", "--- a/x.py", "+++ b/x.py", "@@ -1 +1 @@", "@@ def f"),
    *("```", "````", "```py", "```sh y.sh", "~~~", "  ```", "x.py", "README.md", "# z.py", "..."),
    *(" a", "-b", "+c", "old", "new", ""),
)


texts = st.lists(st.sampled_from(MARKS) | st.text("-+@ ab/,1\n`\\>*=\r", max_size=9), max_size=20)


@pytest.mark.parametrize(
    ("read", "is_one"),
    [
        (read_blocks, lambda lines: is_blocks(lines) or is_conflicts(lines)),
        (read_v4a, is_v4a),
        (lambda lines: read_changes("\n".join(lines)), bool),
    ],
    ids=["blocks", "V4A", "all formats"],
)
@given(text=st.text() | texts.map("\n".join))
def test_each_line_of_any_text_has_a_role(
    read: Callable[[list[str]], Reading], is_one: Callable[[list[str]], bool], text: str
) -> None:
    lines = text.split("\n")
    reading = read(lines)
    assert len(reading.roles) == len(lines)
    assert bool(reading.changes) != bool(reading.problem)
    assert is_one(lines) or reading.problem
