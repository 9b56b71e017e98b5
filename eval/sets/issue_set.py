"""Read a set of issues: `bundled`, a JSONL file, or a folder of Markdown issues."""

import contextlib
import errno
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError, UsageError
from react_agent.eval.bundled import rows as bundled
from react_agent.eval.sets.row import COLUMNS, is_id, read_row, written_line
from react_agent.eval.task import Instance
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.text.json_rows import numbered_values
from react_agent.places import cache_folder
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk
from react_agent.tools.git.cut import COMMIT_ID
from react_agent.tools.git.repository import find_base

BUNDLED = "bundled"
LARGEST = 10_000_000  # bytes of an issue, or a patch
_SUFFIXES = (".md", ".markdown")
_NO_ISSUES = ("readme", "contributing", "license")
_ALSO = {  # other names that people use, besides columns and fields
    "fail_to_pass": ("test", "tests"),
    "environment_commit": ("environment",),
    "test_command": ("test command",),
    "test_patch": ("test patch",),
}
_LISTS, _PATCHES = ("fail_to_pass", "pass_to_pass"), ("patch", "test_patch")
_NO_ID = re.compile(r"[^\w.+-]+")
_PATHS = ("/", "./", "../")

Placed = Iterator[tuple[str, Instance]]  # (place in the set, instance)


def read_set(named: str, repo: Path | None = None) -> tuple[Instance, ...]:
    """Read a set. Issues that name no repository are in `repo`. Raises UsageError."""
    if named == BUNDLED:
        return bundled.instances(cache_folder() / BUNDLED)
    path, default = Path(named), str(repo.absolute()) if repo else ""
    try:
        is_folder = path.is_dir()
        placed = list(_issues(path, default) if is_folder else _rows(path, default))
    except OSError as error:
        raise UsageError(f"the set {named} can't be read: {error.strerror}") from None
    if not placed:
        what = "no issues in Markdown" if is_folder else "no rows"
        raise UsageError(f"there are {what} in {named}")
    seen = dict[str, str]()
    for place, one in placed:  # ids name folders, and some disks ignore case
        earlier = seen.setdefault(one.id.casefold(), place)
        if earlier != place:
            raise UsageError(f"{place}: {one.id} was there before: {earlier}")
    home = (path if is_folder else path.parent).absolute()
    return tuple(_grounded(place, one, home) for place, one in placed)


def check_place(path: Path) -> None:
    """Check early that the file can be written. Raises UsageError, MachineError."""
    if not path.parent.is_dir():
        raise UsageError(f"{path} can't be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise MachineError(f"{path} can't be written: {os.strerror(errno.EACCES)}")


def write_set(path: Path, instances: Iterable[Instance]) -> None:
    """Write the set as JSON lines, atomically."""
    write_whole(path, "".join(map(written_line, instances)).encode())


def _rows(path: Path, repo: str) -> Placed:
    if not path.exists():
        raise UsageError(f"there is no set {path}; the set `bundled` ships with react-agent")
    if not (path.is_file() or path.is_fifo()):  # a pipe: `<(command)`
        raise UsageError(f"the set {path} is neither a file nor a folder")
    data = disk.read_bytes(path)
    if data[:4] == b"PAR1":
        raise UsageError(f"{path} is in Parquet: write it as JSON lines (to_json(lines=True))")
    try:
        for line, value in numbered_values(data.decode("utf-8-sig")):
            yield f"{path}: line {line}", read_row(value, line, repo)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}: line {line}: expected text in UTF-8") from None
    except ParseError as error:
        raise UsageError(f"{path}: {error}") from None


def _issues(folder: Path, repo: str) -> Placed:
    for path in sorted(folder.iterdir()):
        is_issue = path.suffix.lower() in _SUFFIXES and path.stem.lower() not in _NO_ISSUES
        if is_issue and path.is_file():
            yield str(path), _issue(path, repo)


def _issue(path: Path, repo: str) -> Instance:
    found = read_front_matter(_text(path))
    row: dict[str, object] = {}
    for field, column in COLUMNS.items():
        values = found.values(field, column.lower(), *_ALSO.get(field, ()))
        row[column] = list(values) if field in _LISTS else "\n".join(values)
        if values and field in _PATCHES:
            place = (path.parent / values[0]).resolve()
            if "\0" in values[0] or not place.is_relative_to(path.parent.resolve()):
                raise UsageError(f"{path}: {values[0]} is outside its folder")
            row[column] = _text(place)
    body, title = found.body.strip(), found.value("title")
    has_title = not title or title == title_of(body)
    row[COLUMNS["problem"]] = body if has_title else f"# {title}\n\n{body}".strip()
    name = _NO_ID.sub("-", path.stem).strip(".+-")
    row[COLUMNS["id"]] = row[COLUMNS["id"]] or (name if is_id(name) else "")
    row[COLUMNS["base"]] = row[COLUMNS["base"]] or "HEAD"
    try:
        return read_row(row, 1, repo)
    except ParseError as error:
        raise UsageError(f"{path}: {error}") from None


def _text(path: Path) -> str:
    try:
        data = disk.start_of(path, LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"{path} is larger than {LARGEST // 1_000_000} MB")
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from None
    return text.replace("\r\n", "\n") if path.suffix.lower() in _SUFFIXES else text


def _grounded(place: str, one: Instance, home: Path) -> Instance:
    """Resolve a relative repository path from the set's folder, and the base to a commit."""
    is_path = one.repo.startswith(_PATHS) or one.repo in (".", "..")
    if is_path:
        one = replace(one, repo=os.path.normpath(home / one.repo))
    if COMMIT_ID.fullmatch(one.base):
        return one
    if is_path:
        with contextlib.suppress(ReactAgentError):  # then only this instance fails
            one = replace(one, base=find_base(Path(one.repo), one.base).commit)
    elif one.base == "HEAD":
        raise UsageError(f"{place}: a base is needed, as {one.repo} is elsewhere")
    return one
