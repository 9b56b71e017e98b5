"""Pages as files: where they are written, and where not."""

import os
from pathlib import Path

import pytest
from check_rows import each_of
from small_run import small_run

from react_agent.errors import MachineError, TranscriptError, UsageError
from react_agent.page.run import write_page
from react_agent.parsers.secrets.redaction import Redaction

REDACT = Redaction()


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_one_run_is_one_file(tmp_path: Path) -> None:
    run = small_run(tmp_path / "small")
    assert write_page(run, tmp_path / "page.html", REDACT) == tmp_path / "page.html"
    assert write_page(run, tmp_path / "out", REDACT) == tmp_path / "out" / "small.html"
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "out/small.html").read_bytes()


@each_of(
    ("out", "error", "says"),
    {
        "another": ("note.html", UsageError, "is not a page: it was not overwritten"),
        "nowhere": ("none/page.html", MachineError, "No such file or directory"),
        "below a file": ("note.html/out", MachineError, "Not a directory"),
        "a pipe": ("pipe.html", MachineError, "not a regular file"),
        "a folder": ("folder.html", MachineError, "Is a directory"),
    },
)
def test_nothing_else_is_written_over(
    tmp_path: Path, out: str, error: type[Exception], says: str
) -> None:
    run = small_run(tmp_path / "small")
    (tmp_path / "note.html").write_text("mine")
    (tmp_path / "folder.html").mkdir()
    os.mkfifo(tmp_path / "pipe.html")
    with pytest.raises(error, match=says):
        write_page(run, tmp_path / out, REDACT)
    assert _names(tmp_path) == ["folder.html", "note.html", "pipe.html", "small"]
    assert (tmp_path / "note.html").read_text() == "mine"


def test_a_run_that_can_t_be_read_is_no_page(tmp_path: Path) -> None:
    run = small_run(tmp_path / "small")
    run.transcript.write_text("%% react-agent transcript: 2")
    with pytest.raises(TranscriptError, match="has no complete entry"):
        write_page(run, tmp_path / "page.html", REDACT)
    assert _names(tmp_path) == ["small"]


def test_a_name_is_fit_for_every_file_system(tmp_path: Path) -> None:
    run = small_run(tmp_path / "\u00fc b: c.")
    assert write_page(run, tmp_path / "out", REDACT) == tmp_path / "out" / "b-c.html"
