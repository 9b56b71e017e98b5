"""An edit after which a file no longer parses is not kept."""

from pathlib import Path

from by_hand import files
from check_rows import table_of

from react_agent.tools.context import Context
from react_agent.tools.edits.accept_edit import Flaw, flaw_of, is_checked
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.observation import Observation, Status, failed

LONG = "".join(f"a{number} = {number}\n" for number in range(1, 61))


def changed(root: Path, name: str, old: str, new: str) -> Observation:
    block = f"{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
    return REPLACE.call(block, Context(root))


def test_far_from_the_change_its_beginning_and_the_error_are_shown(root: Path) -> None:
    (root / "f.py").write_text(f"a = 0\n{LONG}'''\nb = 1\n'''\n")
    before = files(root)
    assert changed(root, "f.py", "a = 0\n", "a = '''0'''; '''\n") == failed(
        "f.py would no longer parse, line 64: unterminated triple-quoted string literal "
        "(detected at line 64); nothing was changed\n"
        "the result would have been\n   1| a = '''0'''; '''\n   2| a1 = 1\n   3| a2 = 2\n"
        " ...\n  62| '''\n  63| b = 1\n  64| '''",
        "f.py",
    )
    assert files(root) == before


BAD_Y = "diff --git a/y.py b/y.py\n--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-y = 1\n+y = (1\n"


@table_of(
    "first",
    {
        "changed": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
        "renamed": "diff --git a/x.py b/z.py\nrename from x.py\nrename to z.py\n",
    },
)
def test_of_a_patch_all_files_are_kept_or_none(root: Path, first: str) -> None:
    (root / "x.py").write_text("x = 1\n")
    (root / "x.py").chmod(0o750)
    (root / "y.py").write_text("y = 1\n")
    original = files(root)
    refused = APPLY_PATCH.call(first + BAD_Y, Context(root))
    assert refused.text.startswith("y.py would no longer parse, line 1: '(' was never closed")
    assert files(root) == original
    assert (root / "x.py").stat().st_mode & 0o777 == 0o750
    assert not (root / "new").exists()
    kept = APPLY_PATCH.call(first + BAD_Y.replace("(1", "3"), Context(root))
    assert (kept.status, (root / "y.py").read_text()) == (Status.OK, "y = 3\n")


TOML_END = "Invalid value (at end of document)"
TOO_DEEP = "it is nested too deeply"


def flaw(name: str, data: bytes) -> Flaw | str | None:
    """That keeps a file from being read."""
    return flaw_of(name, data) if is_checked(name, data) else "not checked"


@table_of(
    ("name", "data", "expected"),
    {
        "misplaced": ("x.py", b"return 1\n", Flaw(1, "'return' outside function")),
        "what only warns": ("x.py", b"x = '\\d' is 'd'\n", None),
        "a declared encoding": ("x.py", b"# coding: latin-1\nx = '\xe9'\n", None),
        "BOM and CRLF": ("x.py", b"\xef\xbb\xbfx = 1\r\n", None),
        "JSON, not UTF-8": ("x.json", b'"\xff"', Flaw(1, "it is not UTF-8")),
        "JSON, deep": ("x.json", b"[" * 100_000, Flaw(None, TOO_DEEP)),
        "cut off": ("x.toml", b"a = [", Flaw(None, TOML_END)),
        "too large": ("x.py", b"#" * 1_000_001, "not checked"),
    },
)
def test_finds_what_keeps_a_file_from_being_read(
    name: str, data: bytes, expected: Flaw | str | None
) -> None:
    assert flaw(name, data) == expected


@table_of("data", [b"(" * 100_000, b"\0", b"# coding: nonsense\n", b"'\xff'"])
def test_what_python_can_not_take_at_all_is_a_flaw(data: bytes) -> None:
    assert isinstance(flaw("x.py", data), Flaw)


@table_of("data", [b"-" * 100_000 + b"1", b"x = " + b"1+" * 50_000 + b"1", b"x = 9**9**9**9"])
def test_no_python_ends_us(data: bytes) -> None:
    assert flaw("x.py", data) in (None, Flaw(None, TOO_DEEP))
