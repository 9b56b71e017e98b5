"""Each spelling that is read stands beside the near-miss that is not."""

from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.reading.whole_file import read_whole

CODE = "import os\n\nprint(os)"
FENCED = f"```python\n{CODE}\n```"
LINES = ("import os", "", "print(os)")
NO_FILE = "there is no change in this format"


def test_a_fence_within_a_file_is_a_part_of_it() -> None:
    inner = "# Title\n```bash\nmake\n```\nend"
    for fence in ("```", "````"):
        reading = read_whole(f"README.md\n{fence}markdown\n{inner}\n{fence}".split("\n"))
        assert reading.changes[0].whole == tuple(inner.split("\n"))


@table_of(
    ("elision", "text"),
    {
        "unchanged": ("// rest of the file unchanged", "// rest of the arguments"),
        "C": ("/* ... */", "/* and so on */"),
        "HTML": ("<!-- existing content here -->", "<!-- content -->"),
        "other methods": ("# Other methods remain unchanged", "# other methods"),
        "dots": ("...", "    ..."),
        "dots and words": ("... (rest of the file) ...", "print(...)  # rest"),
    },
)
def test_refuses_what_stands_for_other_lines(elision: str, text: str) -> None:
    problem = (
        f"line 4, `{elision.strip()}`, stands for lines of x.py that were left out: write the "
        "whole file, or a diff of the changes"
    )
    refused = read_whole(f"x.py\n```\nclass A:\n{elision}\n```".split("\n"))
    assert (refused.problem, refused.changes) == (problem, ())
    assert read_whole(f"x.py\n```\nclass A:\n{text}\n```".split("\n")).problem == ""


@table_of(
    ("name", "body"),
    {
        "a stub": ("x.pyi", "@overload\ndef f():\n    ..."),
        "a doctest": ("x.js", ">>> for x in y:\n...\n"),
        "the end of YAML": ("x.yaml", "a: 1\n..."),
    },
)
def test_dots_that_mean_something(name: str, body: str) -> None:
    assert read_whole(f"{name}\n```\n{body}\n```".split("\n")).problem == ""


@table_of(
    ("text", "problem"),
    {
        "prose": ("mend it", NO_FILE),
        "a fence cut off": (
            "x.py\n```\na",
            "x.py, from line 2 on, was cut off: the fence that opens there is never closed; send "
            "all of the file",
        ),
        "fences alike": (
            "README.md\n```\na\n```\nb\n```\nc\n```",
            "it is not clear where README.md, from line 2 on, ends: there are fences in it; "
            "put four backticks around the file",
        ),
        "a diff": (
            f"x.py\n{FENCED}\ny.py\n```diff\n@@ -1 +1 @@\n```",
            "line 9, `@@ -1 +1 @@`, looks like a change in a different format from the others: "
            "write all changes in one format",
        ),
    },
)
def test_says_what_it_can_not_read(text: str, problem: str) -> None:
    lines = text.split("\n")
    reading = read_whole(lines)
    assert (reading.problem, reading.changes, len(reading.roles)) == (problem, (), len(lines))


TEXT = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=9)
LINE = TEXT.map(lambda line: f"x{line}")
NAME = st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5})?\.py", fullmatch=True)


@settings(max_examples=25)
@given(st.dictionaries(NAME, st.lists(LINE, max_size=5), min_size=1, max_size=3), st.booleans())
def test_reads_back_what_is_written(files: dict[str, list[str]], in_info: bool) -> None:
    written = list[str]()
    for name, body in files.items():
        head = [f"```py {name}"] if in_info else [f"### `{name}`", "", "```py"]
        written += [*head, *body, "```", ""]
    reading = read_whole(written)
    found = {change.new: list(change.whole or ()) for change in reading.changes}
    assert (reading.problem, found) == ("", files)
