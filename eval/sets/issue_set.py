"""Read a set of issues: `bundled`, a JSONL file, or a folder of Markdown issues.

Rows are in the format of SWE-bench, with our optional columns `install`, `test_command` and
`python`. Unknown columns are ignored. Test names are a list, or a string with a JSON list.
"""

import errno
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from react_agent.demo.repository import make_repository
from react_agent.errors import MachineError, ReactAgentError, UsageError
from react_agent.eval.task import Instance
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.errors import ParseError, parse_error
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.text.json_rows import numbered_values
from react_agent.places import cache_folder
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk, package_data
from react_agent.tools.git.objects import is_known
from react_agent.tools.git.repository import find_base

COLUMNS = {  # by the fields of an instance
    "id": "instance_id",
    "repo": "repo",
    "base": "base_commit",
    "problem": "problem_statement",
    "hints": "hints_text",
    "patch": "patch",
    "test_patch": "test_patch",
    "fail_to_pass": "FAIL_TO_PASS",
    "pass_to_pass": "PASS_TO_PASS",
    "version": "version",
    "environment_commit": "environment_setup_commit",
    "created": "created_at",
    "install": "install",
    "test_command": "test_command",
    "python": "python",
}
_NAMES = ("fail_to_pass", "pass_to_pass")
_PROSE = ("problem", "hints")
_OURS = ("install", "test_command", "python")
_LONGEST_ID = 200  # bytes; it becomes the name of a folder
_ID = re.compile(r"\w[\w.+-]*")
_DOTTED = re.compile(r"((?:\w+\.)+[A-Z]\w*)\.(\w+)")  # as given to `python -m unittest`
_A_REPO = "OWNER/NAME, a path or a URL"
_NEEDED = {  # the pattern of each, and its description in errors
    "id": (_ID, "letters, digits and any of . _ + -"),
    "repo": (re.compile(r"[^\s\x00-\x20\x7f-][^\x00-\x1f\x7f]*"), _A_REPO),
    "base": (re.compile(r"[^\s\x00-\x20\x7f-][^\s\x00-\x20\x7f]*"), "a commit"),
    "problem": (re.compile(r"\s*\S.*", re.DOTALL), "a text"),
}


def read_row(row: object, line: int, repo: str = "") -> Instance:
    """Read a row. `repo` is used if the row has none. Raises ParseError with the line number."""
    if not isinstance(row, dict):
        raise parse_error(line, "an object with instance_id, repo, base_commit, ...", _shown(row))
    given: dict[str, Any] = {**dict.fromkeys(_NEEDED, ""), "repo": repo}
    for field, column in COLUMNS.items():
        value = row.get(column)
        try:
            found = _test_names(value) if field in _NAMES else _field(value, field in _PROSE)
        except ParseError as error:
            raise parse_error(line, f"{error} as {column}", _shown(value)) from None
        if found:
            given[field] = found
    for field, (looks, what) in _NEEDED.items():
        text = given[field]
        if not looks.fullmatch(text) or (field == "id" and not is_id(text)):
            what = f"{what} (or --repo DIR)" if field == "repo" and not text else what
            raise parse_error(line, f"{what} as {COLUMNS[field]}", text)
    return Instance(**given)


def written_line(instance: Instance) -> str:
    """Return the row as a line of JSON. All values are strings, as in the datasets on the hub.

    Our own columns are omitted if empty. ASCII is used: some readers split lines at other
    characters.
    """
    values = {field: getattr(instance, field) for field in COLUMNS}
    row = {
        COLUMNS[field]: json.dumps(value) if field in _NAMES else value
        for field, value in values.items()
        if value or field not in _OURS
    }
    return json.dumps(row) + "\n"


def is_id(text: str) -> bool:
    """Return whether the id is valid as a folder name on any file system."""
    return _ID.fullmatch(text) is not None and len(text.encode()) <= _LONGEST_ID


def _field(value: object, is_prose: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and is_prose:
        return value.encode(errors="replace").decode().replace("\0", "\ufffd")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)  # versions and times
    if not isinstance(value, str) or not _is_whole(value):
        raise ParseError("a text")
    return value


def _is_whole(text: str) -> bool:
    """Return whether the text has no lone surrogates, which JSON permits."""
    return text.encode(errors="replace").decode() == text


def _test_names(value: object) -> tuple[str, ...]:
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ParseError("a list of names") from None
    if not value:
        return ()
    listed = value if isinstance(value, list) else [value]
    names = [one for one in listed if isinstance(one, str) and one and _is_whole(one)]
    if names != value:
        raise ParseError("a list of names")
    return tuple(dict.fromkeys(map(_as_printed, names)))


def _as_printed(name: str) -> str:
    """Convert `a.b.Class.test` to the form that unittest prints: `test (a.b.Class)`."""
    found = _DOTTED.fullmatch(name)
    return f"{found[2]} ({found[1]})" if found else name


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)[:200]


SET = "set.jsonl"
_PACKAGE = "react_agent.eval.bundled"
_STREAM = ".fast-import"


def bundled_instances(root: Path) -> tuple[Instance, ...]:
    """Return the instances, with repositories created below `root`. Their commit ids never vary."""
    lines = numbered_values(package_data.text(_PACKAGE, SET))
    rows = [read_row(value, line) for line, value in lines]
    places = {
        name: bundled_repository(name, root) for name in dict.fromkeys(one.repo for one in rows)
    }
    return tuple(replace(one, repo=str(places[one.repo])) for one in rows)


def bundled_replays() -> str:
    """Return the spec of a model that replays a recorded solution of each instance."""
    return f"replay/{bundled_file('replays')}/{{id}}.txt"


def bundled_repository(name: str, root: Path) -> Path:
    """Return the repository. It is created atomically, as other processes may create it, too."""
    history = package_data.data(_PACKAGE, f"{name}{_STREAM}")
    place = root.absolute() / f"{name}-{hashlib.sha256(history).hexdigest()[:8]}"
    if not place.exists():
        made = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        make_repository(made, history)
        with suppress(OSError):  # another process was faster
            disk.rename(made, place)
        disk.remove_all(made)
    return place


def bundled_file(name: str) -> Path:
    return package_data.place(_PACKAGE, name)


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
_PATCHES = ("patch", "test_patch")
_NO_ID = re.compile(r"[^\w.+-]+")
_PATHS = ("/", "./", "../")

Placed = Iterator[tuple[str, Instance]]  # (place in the set, instance)


def read_set(named: str, repo: Path | None = None) -> tuple[Instance, ...]:
    """Read a set. `repo` is used for issues without a repository. Raises UsageError."""
    if named == BUNDLED:
        return bundled_instances(cache_folder() / BUNDLED)
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
    """Check in advance that the file can be written. Raises UsageError or MachineError."""
    if not path.parent.is_dir():
        raise UsageError(f"{path} can't be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise MachineError(f"{path} can't be written: {os.strerror(errno.EACCES)}")


def write_set(path: Path, instances: Iterable[Instance]) -> None:
    """Write the set to a JSONL file atomically."""
    write_whole(path, "".join(map(written_line, instances)).encode())


def _rows(path: Path, repo: str) -> Placed:
    if not path.exists():
        raise UsageError(f"there is no set {str(path)!r}; the set `bundled` ships with react-agent")
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
        row[column] = list(values) if field in _NAMES else "\n".join(values)
        if values and field in _PATCHES:
            named = path.parent / values[0].replace("\0", "\ufffd")
            place = Path(os.path.realpath(named))
            if not place.is_relative_to(os.path.realpath(path.parent)):
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
    """Resolve a relative repository path against the set's folder, and the base to a commit id."""
    is_path = one.repo.startswith(_PATHS) or one.repo in (".", "..")
    if is_path:
        one = replace(one, repo=os.path.normpath(home / one.repo))
    if is_known(one.base):
        return one
    if is_path:
        with suppress(ReactAgentError):  # then only this instance fails
            one = replace(one, base=find_base(Path(one.repo), one.base).commit)
    elif one.base == "HEAD":
        raise UsageError(f"{place}: a base is needed, as {one.repo} is elsewhere")
    return one
