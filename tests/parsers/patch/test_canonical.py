"""The patch that is written, and what git makes of it."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from by_hand import write
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.changes import FileChange, Named, Result
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.source import Splice, source_of
from react_agent.parsers.patch.write import written

Draw = Callable[[int], Any]
TEN = "".join(f"{number}\n" for number in range(1, 11))
X = Named(FileChange(1, "x", "x"), "x", "x")


def effect(results: Sequence[Result]) -> dict[str | None, str | None]:
    """Each file that is there or gone, with its text."""
    gone = dict.fromkeys(one.old for one in results if one.old is not None)
    return {**gone, **{one.new: one.text for one in results if one.new is not None}}


@table_of(
    ("splices", "new", "reason"),
    [
        pytest.param([Splice(0, 2, ("x",)), Splice(1, 3, ())], "x", "does not fit", id="overlap"),
        pytest.param([Splice(0, 1, ())], None, "part of it remains", id="deleted in part"),
    ],
)
def test_refuses_what_reads_otherwise(splices: list[Splice], new: str | None, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        written([(X._replace(new=new), source_of(TEN), Placement(tuple(splices), True))])


def raw(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def check_against_git(edits: Any, folder: Path) -> str:
    patch, results = written(edits.parts)
    assert effect(results) == edits.changed
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    write(folder, edits.before)
    argv = ["git", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(argv, input=raw(patch), cwd=folder, capture_output=True, check=False)
    assert done.stderr == b""
    after = {**edits.before, **edits.changed}
    for name, text in after.items():
        is_there = (folder / name).exists()
        assert (text is None) != is_there, name
        assert text is None or (folder / name).read_bytes() == raw(text), name
    return patch


@pytest.mark.parametrize("seed", range(3))
def test_git_and_the_proof_agree(seed: int, draw: Draw, tmp_path: Path) -> None:
    check_against_git(draw(seed).edits(300), tmp_path / "repo")


@pytest.mark.long
def test_git_and_the_proof_agree_on_many(
    draw: Draw, share: Callable[[int], int], long_seed: int, tmp_path: Path
) -> None:
    for count in range(share(200)):
        edits = draw(long_seed * 1_000 + count).edits(500)
        check_against_git(edits, tmp_path / str(count))


@given(st.integers(0, 2**32))
def test_what_is_written_does_what_was_meant(draw: Draw, seed: int) -> None:
    edits = draw(seed).edits(3)
    assert effect(written(edits.parts)[1]) == edits.changed
