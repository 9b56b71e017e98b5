import base64
import subprocess
import zlib
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.parsers.repo.binary_patch import binary_bytes


def _lines(data: bytes) -> bytes:
    """As git writes them: a letter for how many bytes, and base 85."""
    packed, lines = zlib.compress(data, 9), b""
    for start in range(0, len(packed), 52):
        part = packed[start : start + 52]
        size = len(part)
        letter = bytes([size + 64 if size <= 26 else size + 70])
        lines += letter + base64.b85encode(part + b"\0" * (-size % 4)) + b"\n"
    return lines + b"\n"


def _part(kind: str, size: str, data: bytes) -> bytes:
    return f"{kind} {size}\n".encode() + _lines(data)


def _delta(made: int) -> bytes:
    """From a file of 7 bytes."""
    head = bytearray([7])
    while made > 0x7F:
        head.append(made & 0x7F | 0x80)
        made >>= 7
    return bytes([*head, made])


@table_of(
    ("patch", "size"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(b"+literal 5\n delta 5\nliteral-minded\ndelta five\n", 0, id="text"),
        pytest.param(_part("literal", "1000", b"\0" * 1000), 1000, id="literal"),
        pytest.param(_part("literal", "+1000 of", b"\0" * 1000), 1000, id="as git reads it"),
        pytest.param(_part("delta", "9", _delta(10**12)), 10**12 + 9, id="delta"),
        pytest.param(
            _part("delta", "9", _delta(300)) + _part("literal", "2", b"ab"), 311, id="two"
        ),
        pytest.param(b"delta 9\nno base 85 \xff\n", 9, id="damaged"),
        pytest.param(b"delta 9", 0, id="cut off"),
        pytest.param(b"literal " + b"9" * 5000 + b"\n", 10**20 - 1, id="digits"),
    ],
)
def test_how_large_the_files_are(patch: bytes, size: int) -> None:
    assert binary_bytes(patch) == size


def test_of_what_git_writes(tmp_path: Path) -> None:
    def git(*args: str) -> bytes:
        argv = ["git", *args]
        return subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True).stdout

    git("init", "--quiet")
    noise = b"".join(bytes([number % 251, number % 7]) for number in range(50_000))
    (tmp_path / "x").write_bytes(b"\0" + noise)
    git("add", "x")
    (tmp_path / "x").write_bytes(b"\0" + noise + b"more")
    patch = git("diff", "--binary")
    kinds = [line.split(b" ")[0] for line in patch.split(b"\n") if line.startswith(b"delta ")]
    assert kinds == [b"delta", b"delta"]
    assert 200_006 <= binary_bytes(patch) < 201_000  # there and back, and what says so
