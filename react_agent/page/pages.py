"""Pages as files: one a run, and an index where there are several."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from react_agent.errors import MachineError, TranscriptError, UsageError
from react_agent.loop.transcript import NAME, Redact
from react_agent.page.index import Row, index_page, row_of
from react_agent.page.run import run_page
from react_agent.page.told import Told, told
from react_agent.profiles.settings import Settings
from react_agent.runs.run_folder import RunFolder, write_whole
from react_agent.tools import disk

INDEX = "index.html"
_ENDINGS = (".html", ".htm")
_BEGINS = b"<!doctype html>"
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_SUB = "sub"
_DEEPEST = 6  # parts of a path in a name


def write_pages(
    runs: Sequence[RunFolder], out: Path, redact: Redact, settings: Settings | None = None
) -> Path:
    """`out` is a file if it ends like one. What is to be opened, where it was written."""
    read = partial(told, redact=redact, settings=settings)
    if out.suffix in _ENDINGS:
        if len(runs) > 1:
            raise UsageError(f"{len(runs)} runs are several files: --out names a folder, not {out}")
        return _write(out, run_page(read(runs[0])))
    try:
        disk.mkdir(out, parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"can't make {out}: {error.strerror}") from error
    names = names_of(runs)
    files = [out / file for file in file_names(names)]
    if len(runs) == 1:
        return _write(files[0], run_page(read(runs[0])))
    rows = [_row(*one, read) for one in zip(runs, names, files, strict=True)]
    return _write(out / INDEX, index_page(rows))


def _row(run: RunFolder, name: str, path: Path, read: Callable[[RunFolder], Told]) -> Row:
    """Its page is written, if it can be read."""
    try:
        found = read(run)
    except TranscriptError as error:
        return Row(name, problem=str(error))
    _write(path, run_page(found))
    return row_of(found.story, name, path.name)


def _write(path: Path, page: str) -> Path:
    """Over a page at most: what a mistyped name means stays."""
    try:
        begins = disk.start_of_regular(path, len(_BEGINS)) if os.path.lexists(path) else _BEGINS
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from error
    if begins != _BEGINS:
        raise UsageError(f"{path} is there, and it is no page: it stays as it is")
    write_whole(path, page.encode())
    return path


def names_of(runs: Sequence[RunFolder]) -> list[str]:
    """The end of its path, as much of it as no other has; of a run within a run, with that one."""
    names = [""] * len(runs)
    for depth in range(1, _DEEPEST + 1):
        ends = ["/".join(_parts(run)[-max(depth, _least(run)) :]) for run in runs]
        often = Counter(ends)
        names = [
            name or (end if often[end] == 1 else "") for name, end in zip(names, ends, strict=True)
        ]
    return [name or run.path.name for name, run in zip(names, runs, strict=True)]


def _parts(run: RunFolder) -> Sequence[str]:
    return run.path.parts if run.name == NAME else (*run.path.parts, run.name)


def _least(run: RunFolder) -> int:
    return 1 + (run.name != NAME) + 2 * (run.path.parent.name == _SUB)


def file_names(names: Iterable[str]) -> list[str]:
    """No two are the same, on any disk; none is that of the index."""
    taken = {INDEX}
    files = []
    for name in names:
        stem = _ODD.sub("-", name).strip(".-") or "run"
        file, again = f"{stem}.html", 1
        while file.casefold() in taken:
            again += 1
            file = f"{stem}~{again}.html"
        taken.add(file.casefold())
        files.append(file)
    return files
