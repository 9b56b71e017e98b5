"""An edit that can't be read is answered with the lines that it means."""

from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE

UNITS = "".join(f"LINE_{number} = {number}\n" for number in range(1, 40))
PARSE = "import re\n\n\ndef parse(text):\n    return text.split()\n\n\nclass Span:\n    end = 0\n"


@pytest.fixture
def place(planted: Callable[..., Path]) -> Path:
    files = {"lib/units.py": UNITS.encode(), "lib/parse.py": PARSE.encode(), "a/same.py": b""}
    tests = {"tests/test_parse.py": b"def parse(x):\n    pass\n"}
    return planted({**files, **tests, "b/same.py": b"", "data.bin": b"parse(\0"})


@table_of(
    ("text", "says"),
    {
        "a call": ('parse("90 min") = 5400', "lib/parse.py says\n   1| import re"),
        "a line": ("lib/units.py:20 <<<<<<< SEARCH", "lib/units.py says\n  17| "),
        "its end": ("./units.py\n<<<<<< 33", "lib/units.py says\n   1| LINE_1 = 1"),
        "no such line": ("lib/units.py:9999 x", "lib/units.py says\n  20| LINE_20"),
        "two files": ("same.py: x", ""),
        "outside": ("../lib/units.py", ""),
        "no text": ("data.bin: x", ""),
    },
)
def test_shows_what_is_meant(place: Path, text: str, says: str) -> None:
    for tool in (REPLACE, APPLY_PATCH):
        first, _, shown = tool.call(text, Context(place)).text.partition("\n")
        assert first.startswith(("there is no block: ", "there is no patch: "))
        assert first.endswith("; nothing was changed")
        assert shown.startswith(says) if says else not shown


def test_shows_no_more_than_a_window(place: Path) -> None:
    seen = REPLACE.call("lib/units.py:3 x", Context(place, limits=Limits(window_lines=5)))
    assert seen.text.count("\n") == 6
    assert seen.paths == ("lib/units.py",)


def test_shows_a_secret_to_nobody(place: Path) -> None:
    context = Context(place, redact=lambda text: text.replace("LINE_2 ", "[hidden] "))
    seen = REPLACE.call("lib/units.py x", context).text
    assert "LINE_2 " not in seen
    assert "[hidden]" in seen
