"""What git wrote, read; against git itself."""

import base64
import zlib
from pathlib import Path

from by_hand import plain_git
from check_rows import table_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from react_agent.parsers.repo.git_diff import binary_bytes, read_git_diff

lines = st.lists(
    st.sampled_from(["a", "b", "-- a", "++ b", "@@ -1 +1 @@", "", "diff --git a/x b/x"])
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=lines, new=lines, context=st.integers(0, 3))
def test_reads_what_git_writes(
    tmp_path: Path, old: list[str], new: list[str], context: int
) -> None:
    for name, text in (("old", old), ("new", new)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in text))
    how = ("--no-index", f"--unified={context}")
    told = plain_git(tmp_path, "diff", *how, "old", "new", check=False)
    found = read_git_diff(told)
    assert bool(found) is (old != new)
    plain = read_git_diff(told[told.index("--- ") :] if found else "")
    assert [one.hunks for one in plain] == [one.hunks for one in found]
    for one in found:
        gone = {line.number for line in one.removed}
        assert all(old[line.number - 1] == line.text for line in one.removed)
        assert all(new[line.number - 1] == line.text for line in one.added)
        added = {line.number for line in one.added}
        kept = [text for number, text in enumerate(old, 1) if number not in gone]
        assert kept == [text for number, text in enumerate(new, 1) if number not in added]


def test_a_number_that_no_file_has_is_no_place() -> None:
    [found] = read_git_diff(f"--- a/x\n+++ b/x\n@@ -{'9' * 5_000} +1 @@\n+a\n")
    assert (found.path, found.hunks) == ("x", ())


def _delta(made: int) -> bytes:
    """A part that makes so many bytes from a file of 7, as git writes its first line."""
    head = bytearray([7])
    while made > 0x7F:
        head.append(made & 0x7F | 0x80)
        made >>= 7
    packed = zlib.compress(bytes([*head, made]))
    return b"delta 9\nZ" + base64.b85encode(packed) + b"\n"


@table_of(
    ("patch", "size"),
    {
        "text": (b"+literal 5\n delta 5\nliteral-minded\ndelta five\n", 0),
        "as git reads it": (b"literal +1000 of\nzc$...\n\n", 1000),
        "delta": (_delta(10**12), 10**12 + 9),
        "damaged": (b"delta 9\nno base 85 \xff\n", 9),
        "cut off": (b"delta 9", 0),
        "digits": (b"literal " + b"9" * 5000 + b"\n", 10**20 - 1),
    },
)
def test_how_large_the_files_are(patch: bytes, size: int) -> None:
    assert binary_bytes(patch) == size


def test_of_what_git_writes(tmp_path: Path) -> None:
    plain_git(tmp_path, "init", "--quiet")
    noise = b"".join(bytes([number % 251, number % 7]) for number in range(50_000))
    (tmp_path / "x").write_bytes(b"\0" + noise)
    plain_git(tmp_path, "add", "x")
    (tmp_path / "x").write_bytes(b"\0" + noise + b"more")
    patch = plain_git(tmp_path, "diff", "--binary").encode()
    kinds = [line.split(b" ")[0] for line in patch.split(b"\n") if line.startswith(b"delta ")]
    assert kinds == [b"delta", b"delta"]
    assert 200_006 <= binary_bytes(patch) < 201_000  # there and back, and what says so
