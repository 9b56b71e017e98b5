"""Edits that are neither a patch nor blocks: whole definitions, and those that can't be read.

A whole function takes the place of the one with its name. Any other edit is answered with the lines
that it means.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.observation import Status

PARSE = (
    "import re\n\n\n@cached\ndef parse(text):\n    return text.split()\n\n\n"
    "class Span:\n    def end(self):\n        return 0\n"
)
NEW = "@cached\ndef parse(text):\n    return text.split(',')"
DONE = PARSE.replace("split()", "split(',')")
UNITS = "".join(f"LINE_{number} = {number}\n" for number in range(1, 40))


@pytest.fixture
def place(planted: Callable[..., Path]) -> Path:
    same = {f"{name}/same.py": b"def f():\n    return %d\n" % n for n, name in ((1, "a"), (2, "b"))}
    return planted({"lib/parse.py": PARSE.encode(), **same})


@table_of(
    "text",
    {
        "alone": NEW,
        "in a fence": f"lib/parse.py\n```python\n{NEW}\n```",
        "between markers": f"<<<<<<< HEAD\n{NEW}\n\n>>>>>>> HEAD",
        "below its language": f"lib/parse.py\npython\n{NEW}",
    },
)
def test_takes_the_place_of_the_one_with_its_name(place: Path, text: str) -> None:
    for tool in (REPLACE, APPLY_PATCH):
        (place / "lib" / "parse.py").write_text(PARSE)
        seen = tool.call(text, Context(place))
        assert (seen.status, seen.paths) == (Status.OK, ("lib/parse.py",))
        assert "the definition replaced the one with the same name" in seen.text
        assert (place / "lib" / "parse.py").read_text() == DONE


@table_of(
    ("text", "after"),
    {
        "all of it": (DONE, DONE),
        "less, with an import": (
            "import re\n\n\ndef parse(text):\n    return 1\n",
            PARSE.replace("text.split()", "1"),
        ),
    },
)
def test_what_a_file_in_a_fence_leaves_out_stays(place: Path, text: str, after: str) -> None:
    assert REPLACE.call(f"lib/parse.py\n```python\n{text}```", Context(place)).status is Status.OK
    assert (place / "lib" / "parse.py").read_text() == after


def test_a_link_beside_it_is_passed_over(place: Path) -> None:
    (place / "link.py").symlink_to("lib/parse.py")
    assert REPLACE.call(NEW, Context(place)).status is Status.OK
    assert (place / "lib" / "parse.py").read_text() == DONE


def test_the_line_ends_of_its_file_stay(place: Path) -> None:
    (place / "lib" / "parse.py").write_bytes(PARSE.replace("\n", "\r\n").encode())
    assert REPLACE.call(NEW, Context(place)).status is Status.OK
    assert (place / "lib" / "parse.py").read_bytes() == DONE.replace("\n", "\r\n").encode()


def test_its_file_tells_two_apart(place: Path) -> None:
    seen = REPLACE.call("b/same.py\ndef f():\n    return 3", Context(place))
    assert seen.status is Status.OK
    assert (place / "a" / "same.py").read_text().endswith("1\n")
    assert (place / "b" / "same.py").read_text().endswith("3\n")


@table_of(
    "text",
    {
        "two that it could be": "def f():\n    return 3",
        "no definition": "lib/parse.py\nparse(text) = 3",
        "a value that is not there": f"python_files = 1\n{NEW}",
        "does not parse": "lib/parse.py\ndef parse(text):\n    return (",
        "prose": "lib/parse.py\nI would write:\ndef parse(text):\n    return 1",
    },
)
def test_what_could_mean_something_else_is_refused(place: Path, text: str) -> None:
    before = {path: path.read_text() for path in place.rglob("*.py")}
    assert REPLACE.call(text, Context(place)).status is Status.FAILED
    assert {path: path.read_text() for path in place.rglob("*.py")} == before


@pytest.fixture
def library(planted: Callable[..., Path]) -> Path:
    files = {"lib/units.py": UNITS.encode(), "lib/parse.py": PARSE.encode(), "a/same.py": b""}
    tests = {"tests/test_parse.py": b"def parse(x):\n    pass\n"}
    others = {"b/same.py": b"", "data.bin": b"parse(\0", "lib/crlf.py": b"A = 1\r\nB = 2\r\n"}
    return planted({**files, **tests, **others})


@table_of(
    ("text", "says"),
    {
        "a call": ('parse("90 min") = 5400', "lib/parse.py says\n   1| import re"),
        "a line": ("lib/units.py:20 <<<<<<< SEARCH", "lib/units.py says\n  17| "),
        "its end": ("./units.py\n<<<<<< 33", "lib/units.py says\n   1| LINE_1 = 1"),
        "no such line": ("lib/units.py:9999 x", "lib/units.py says\n  20| LINE_20"),
        "no CRs": ("lib/crlf.py: x", "lib/crlf.py says\n   1| A = 1\n   2| B = 2"),
        "two files": ("same.py: x", ""),
        "outside": ("../lib/units.py", ""),
        "no text": ("data.bin: x", ""),
    },
)
def test_shows_what_is_meant(library: Path, text: str, says: str) -> None:
    for tool in (REPLACE, APPLY_PATCH):
        first, _, shown = tool.call(text, Context(library)).text.partition("\n")
        assert first.startswith(("there is no block: ", "there is no patch: "))
        assert first.endswith("; nothing was changed")
        assert shown.startswith(says) if says else not shown


def test_shows_no_more_than_a_window(library: Path) -> None:
    seen = REPLACE.call("lib/units.py:3 x", Context(library, limits=Limits(window_lines=5)))
    assert seen.text.count("\n") == 6
    assert seen.paths == ("lib/units.py",)


def test_shows_a_secret_to_nobody(library: Path) -> None:
    context = Context(library, redact=lambda text: text.replace("LINE_2 ", "[hidden] "))
    seen = REPLACE.call("lib/units.py x", context).text
    assert "LINE_2 " not in seen
    assert "[hidden]" in seen
