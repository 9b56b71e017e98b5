"""Pages as files: one a run, and an index where there are several."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from react_agent.errors import MachineError, TranscriptError, UsageError
from react_agent.page.index import Row, index_page, row_of
from react_agent.page.run import run_page
from react_agent.page.told import told
from react_agent.parsers.redaction import Redaction
from react_agent.run_folder import RunFolder, write_whole
from react_agent.tools import disk, on_disk
from react_agent.transcript import NAME

INDEX = "index.html"
_ENDINGS = (".html", ".htm")
_BEGINS = b"<!doctype html>"
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_SUB = "sub"


def write_pages(runs: Sequence[RunFolder], out: Path, redact: Redaction) -> Path:
    """`out` is a file if it ends like one. What is to be opened, where it was written."""
    if out.suffix in _ENDINGS:
        if len(runs) > 1:
            raise UsageError(f"{len(runs)} runs are several files: --out names a folder, not {out}")
        return _write(out, run_page(told(runs[0], redact)))
    try:
        disk.mkdir(out, parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"can't make {out}: {error.strerror}") from error
    names = file_names(runs)
    if len(runs) == 1:
        return _write(out / names[0], run_page(told(runs[0], redact)))
    rows = [_row(run, out / name, redact) for run, name in zip(runs, names, strict=True)]
    return _write(out / INDEX, index_page(rows))


def _row(run: RunFolder, path: Path, redact: Redaction) -> Row:
    """Its page is written, if it can be read."""
    try:
        found = told(run, redact)
    except TranscriptError as error:
        return Row(name_of(run), problem=str(error))
    _write(path, run_page(found))
    return row_of(found.story, name_of(run), path.name)


def _write(path: Path, page: str) -> Path:
    """Over a page at most: what a mistyped name means stays."""
    try:
        is_page = not on_disk.lexists(path) or disk.start_of(path, len(_BEGINS)) == _BEGINS
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from error
    if not is_page:
        raise UsageError(f"{path} is there, and it is no page: it stays as it is")
    write_whole(path, page.encode())
    return path


def name_of(run: RunFolder) -> str:
    """Of its folder; of a run within a run, of both."""
    within = run.path.parent.name == _SUB
    name = "/".join(run.path.parts[-3:]) if within else run.path.name
    return name if run.name == NAME else f"{name}/{run.name}"


def file_names(runs: Iterable[RunFolder]) -> list[str]:
    """No two are the same, on any disk; none is that of the index."""
    taken = {INDEX}
    names = []
    for run in runs:
        stem = _ODD.sub("-", name_of(run)).strip(".-") or "run"
        name, again = f"{stem}.html", 1
        while name.casefold() in taken:
            again += 1
            name = f"{stem}~{again}.html"
        taken.add(name.casefold())
        names.append(name)
    return names
