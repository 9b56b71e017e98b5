"""Pages as files: where they are written, and where not."""

import os
from pathlib import Path

import pytest
from html_of import Elements
from small_run import small_run

from react_agent.errors import MachineError, TranscriptError, UsageError
from react_agent.page.index import file_names, names_of, write_pages
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.runs.run_folder import RunFolder

REDACT = Redaction()


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_one_run_is_one_file(tmp_path: Path) -> None:
    run = small_run(tmp_path / "small")
    assert write_pages([run], tmp_path / "page.html", REDACT) == tmp_path / "page.html"
    assert write_pages([run], tmp_path / "out", REDACT) == tmp_path / "out" / "small.html"
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "out/small.html").read_bytes()


def test_several_runs_have_an_index(tmp_path: Path) -> None:
    runs = [small_run(tmp_path / "one"), small_run(tmp_path / "two")]
    (runs[1].transcript).write_text("not a transcript\n")
    out = write_pages(runs, tmp_path / "out", REDACT)
    assert (out, _names(out.parent)) == (tmp_path / "out/index.html", ["index.html", "one.html"])
    page = Elements(out.read_text())
    assert [found["href"] for tag, found in page.tags if tag == "a"] == ["one.html"]
    assert "2 runs, 1 concluded, 4 steps, $0.04" in page.text()
    assert "expected `%% react-agent transcript: 2`, found 'not a transcript'" in page.text()


@pytest.mark.parametrize(
    ("out", "error", "says"),
    [
        pytest.param(
            "note.html", UsageError, "is not a page: it was not overwritten", id="another"
        ),
        pytest.param("none/page.html", MachineError, "No such file or directory", id="nowhere"),
        pytest.param("note.html/out", MachineError, "Not a directory", id="below a file"),
        pytest.param("pipe.html", MachineError, "not a regular file", id="a pipe"),
        pytest.param("folder.html", MachineError, "Is a directory", id="a folder"),
    ],
)
def test_nothing_else_is_written_over(
    tmp_path: Path, out: str, error: type[Exception], says: str
) -> None:
    run = small_run(tmp_path / "small")
    (tmp_path / "note.html").write_text("mine")
    (tmp_path / "folder.html").mkdir()
    os.mkfifo(tmp_path / "pipe.html")
    with pytest.raises(error, match=says):
        write_pages([run], tmp_path / out, REDACT)
    assert _names(tmp_path) == ["folder.html", "note.html", "pipe.html", "small"]
    assert (tmp_path / "note.html").read_text() == "mine"


def test_several_runs_are_no_file(tmp_path: Path) -> None:
    runs = [small_run(tmp_path / "one"), small_run(tmp_path / "two")]
    with pytest.raises(
        UsageError, match=r"^2 runs need several files: --out must be a folder, not "
    ):
        write_pages(runs, tmp_path / "page.html", REDACT)


def test_a_run_that_can_t_be_read_is_no_page(tmp_path: Path) -> None:
    run = small_run(tmp_path / "small")
    run.transcript.write_text("%% react-agent transcript: 2")
    with pytest.raises(TranscriptError, match="has no complete entry"):
        write_pages([run], tmp_path / "page.html", REDACT)
    assert _names(tmp_path) == ["small"]


def test_a_name_is_as_long_as_it_has_to_be() -> None:
    places = ("/a/x", "/b/one", "/c/one", "/r/sub/001", "/r/sub/002", "/d/e", "/d/e")
    runs = [*(RunFolder(Path(one)) for one in places), RunFolder(Path("/a/x"), "copy.txt")]
    assert names_of(runs) == [
        *("x", "b/one", "c/one", "r/sub/001", "r/sub/002", "e", "e", "x/copy.txt")
    ]


def test_no_two_files_are_the_same() -> None:
    names = ("x", "X", "index", "r/sub/001", "ü ", "../../etc")
    files = ["x.html", "X~2.html", "index~2.html", "r-sub-001.html", "run.html", "etc.html"]
    assert file_names(names) == files
