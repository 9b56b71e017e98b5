"""What an editing tool is given, in any way of writing it."""

import json

import pytest
from check_rows import table_of

from react_agent.parsers.edits.edits import Edits
from react_agent.parsers.patch import Refused, Repaired

USAGE = "write an edit"
FILES = {"src/x.py": "old\n", "fix": "old\n", "CHANGES": "one old\n", "src/CHANGES": "old\n"}
BLOCK = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"
DIFF = "--- a/src/x.py\n+++ b/src/x.py\n@@ -1 +1 @@\n-old\n+new\n"
OBJECT = {"path": "src/x.py", "old_str": "old", "new_str": "new"}


def made(text: str) -> dict[str | None, str | None] | tuple[str, ...]:
    found = Edits(FILES, USAGE, ("/w", "/real/w")).edited(text)
    if isinstance(found, Refused):
        return tuple(reason.split("\n")[0] for reason in found.reasons)
    return {result.new: result.text for result in found.results}


@table_of(
    "text",
    {
        "a fence below the path": f"src/x.py\n```python\n{BLOCK}\n```\nDone.",
        "a fence with the path": f"```python src/x.py\n{BLOCK}\n```",
        "the path in the mark": BLOCK.replace("SEARCH", "SEARCH src/x.py"),
        "CRLF": f"src/x.py\n{BLOCK}".replace("\n", "\r\n"),
        "other words": "src/x.py\n<<<<<<< ORIGINAL\nold\n=======\nnew\n>>>>>>> UPDATED",
        "dashes": "src/x.py\n------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE",
        "a diff": DIFF,
        "an object": json.dumps(OBJECT),
        "fields": "path: src/x.py\nold: old\nnew: new",
        "fenced fields": "file: src/x.py\nsearch:\n```\nold\n```\nreplace:\n```\nnew\n```",
        "other names": '{"file_path": "src/x.py", "old_string": "old", "new_string": "new"}',
    },
)
def test_reads_an_edit_as_models_write_it(text: str) -> None:
    assert made(text) == {"src/x.py": "new\n"}


@table_of(
    ("text", "expected"),
    {
        "and a part of a line": (f"CHANGES\n{BLOCK}", {"CHANGES": "one new\n"}),
        "a word, alone": (f"fix\n{BLOCK}", {"fix": "new\n"}),
        "the second one": (
            f"src/x.py\n{BLOCK}\nCHANGES\n\nreplace all: yes\n{BLOCK}",
            {"src/x.py": "new\n", "CHANGES": "one new\n"},
        ),
    },
)
def test_any_name_of_a_file_is_one_above_a_block(text: str, expected: dict[str, str]) -> None:
    assert made(text) == expected


@table_of(
    ("text", "path"),
    {
        "begins": (f" src/x.py: 17 lines, 1 definition\n  def a()  1-2\n{BLOCK}", "src/x.py"),
        "with a line number": (f"src/x.py:4\n{BLOCK}", "src/x.py"),
        "a hunk": ("I mend src/x.py.\n@@ @@\n-old\n+new\n", "src/x.py"),
        "two known files": (f"I mend src/x.py, like src/CHANGES.\n{BLOCK}", ""),
        "no known file": (f"I mend src/y.py.\n{BLOCK}", ""),
        "a word that is a file too": (f"This is a fix.\n{BLOCK}", ""),
    },
)
def test_finds_the_only_known_file_that_a_text_names(text: str, path: str) -> None:
    found = made(text)
    assert found == {path: "new\n"} if path else not isinstance(found, dict)


@table_of(
    ("text", "expected"),
    [
        pytest.param('{"path":"two","old":"old","new":"x","replace_all":true}', True, id="JSON"),
        pytest.param('{"path":"two","old":"old","new":"x","replace_all":"no"}', False, id="no"),
        pytest.param("path: two\nreplace all: yes\nold: old\nnew: x", True, id="fields"),
    ],
)
def test_replaces_all_where_all_are_meant(text: str, expected: bool) -> None:
    found = Edits({"two": "old\nold\n"}, USAGE).edited(text)
    assert isinstance(found, Repaired) is expected


def test_reports_what_an_object_holds_besides() -> None:
    found = Edits(FILES, USAGE).edited(json.dumps({**OBJECT, "why": "because"}))
    assert isinstance(found, Repaired)
    assert found.repairs == ("left out: why",)


@pytest.mark.parametrize("root", ["/w", "/real/w"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("--- /dev/null\n+++ {}/n\n@@ -0,0 +1 @@\n+a\n", {"n": "a\n"}, id="a new file"),
        pytest.param(
            '{{"path": "{}/n", "old_str": "", "new_str": "a"}}', {"n": "a"}, id="in an object"
        ),
        pytest.param(f"{{}}/src/x.py\n{BLOCK}", {"src/x.py": "new\n"}, id="above a block"),
    ],
)
def test_absolute_paths_begin_at_the_root(root: str, text: str, expected: dict[str, str]) -> None:
    assert made(text.format(root)) == expected


def test_what_was_mended_in_reading_is_said_of_parts_of_lines_too() -> None:
    found = Edits(FILES, USAGE).edited(f"It is for this one:\n{BLOCK}\nCHANGES")
    assert isinstance(found, Repaired)
    assert found.repairs == (
        "line 2 names no file: read as CHANGES, which line 7 names",
        "matched as part of a line",
    )


@table_of(
    ("text", "reason"),
    {
        "prose": ("mend it", USAGE),
        "an object without texts": ('{"path": "src/x.py"}', USAGE),
        "an object without a path": (
            '{"old_str": "a", "new_str": "b"}',
            "no path given: write it as path",
        ),
        "an object without a new text": (
            '{"path": "x", "old_str": "a"}',
            "no new text given: write it as new_str, empty to delete",
        ),
        "two new texts": (
            "path: x\nold: a\nnew: b\nnew: c",
            "new text given without old text: write the old text as old_str",
        ),
        "a part of a line in a diff": (
            DIFF.replace("-old", "-ol"),
            "hunk 1 of src/x.py (line 3 of the patch) quotes lines that the file does not have: "
            "read the file again, and quote it",
        ),
    },
)
def test_says_what_it_can_not_read(text: str, reason: str) -> None:
    assert made(text) == (reason,)
