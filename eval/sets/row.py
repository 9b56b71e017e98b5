"""A row of a set in the format of SWE-bench, to an instance and back.

Unknown columns are left alone. `install`, `test_command` and `python` are ours, and may be missing.
Names of tests are a list, or one written as JSON in a text.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from react_agent.eval.task import Instance
from react_agent.parsers.settings.errors import ParseError, parse_error

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
_NEEDED = ("id", "repo", "base", "problem")
_NAMES = ("fail_to_pass", "pass_to_pass")
_PROSE = ("problem", "hints")
_OURS = ("install", "test_command", "python")
_LONGEST_ID = 200  # bytes; it becomes the name of a folder
_ID = re.compile(r"\w[\w.+-]*")
_BASE = re.compile(r"[^\s\x00-\x20\x7f-][^\s\x00-\x20\x7f]*")
_A_REPO = "OWNER/NAME, a path or a URL"
_NO_REPO = f"{_A_REPO} (or --repo DIR)"
_DOTTED = re.compile(r"((?:\w+\.)+[A-Z]\w*)\.(\w+)")  # as `python -m unittest` is asked for it
_REPO = re.compile(r"[^\s\x00-\x20\x7f-][^\x00-\x1f\x7f]*")


def read_row(row: object, line: int, repo: str = "") -> Instance:
    """`repo` is for a row that names none. Raises ParseError, with the line."""
    if not isinstance(row, dict):
        raise parse_error(line, "an object with instance_id, repo, base_commit, ...", _shown(row))
    given: dict[str, Any] = {"repo": repo}
    for field, column in COLUMNS.items():
        read = _names if field in _NAMES else _prose if field in _PROSE else _text
        if value := _read(read, row.get(column), column, line):
            given[field] = value
    made = Instance(**{**dict.fromkeys(_NEEDED, ""), **given})
    _check(made, line)
    return made


def written_row(instance: Instance) -> dict[str, str]:
    """All texts, as the hub has them; of ours only those that say something."""
    values = {one.name: getattr(instance, one.name) for one in fields(instance)}
    return {
        column: json.dumps(values[field]) if field in _NAMES else values[field]
        for field, column in COLUMNS.items()
        if values[field] or field not in _OURS
    }


def written_line(instance: Instance) -> str:
    """In ASCII: of other characters, some readers take a few for ends of lines."""
    return json.dumps(written_row(instance)) + "\n"


def is_id(text: str) -> bool:
    """Fit for a folder of its own, on any file system."""
    return _ID.fullmatch(text) is not None and len(text.encode()) <= _LONGEST_ID


def _read(
    read: Callable[[object], str | tuple[str, ...]], value: object, column: str, line: int
) -> str | tuple[str, ...]:
    try:
        return read(value)
    except ParseError as error:
        raise parse_error(line, f"{error} as {column}", _shown(value)) from None


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)  # versions and times
    if not isinstance(value, str) or not _is_whole(value):
        raise ParseError("a text")
    return value


def _is_whole(text: str) -> bool:
    """JSON can hold half a character."""
    return text.isascii() or text.encode(errors="replace").decode() == text


def _prose(value: object) -> str:
    if isinstance(value, str):
        return value.encode(errors="replace").decode().replace("\0", "\ufffd")
    return _text(value)


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str) and value.strip():
        value = _decoded(value)
    if not value:
        return ()
    listed = value if isinstance(value, list) else [value]
    names = [one for one in listed if isinstance(one, str) and one and _is_whole(one)]
    if names != value:
        raise ParseError("a list of names")
    return tuple(dict.fromkeys(map(_as_printed, names)))


def _as_printed(name: str) -> str:
    """`a.b.Class.test` is what unittest prints as `test (a.b.Class)`."""
    found = _DOTTED.fullmatch(name)
    return f"{found[2]} ({found[1]})" if found else name


def _decoded(text: str) -> object:
    try:
        decoded: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return decoded


def _check(made: Instance, line: int) -> None:
    wanted: Mapping[str, tuple[bool, str]] = {
        "id": (is_id(made.id), "letters, digits and any of . _ + -"),
        "repo": (_REPO.fullmatch(made.repo) is not None, _A_REPO if made.repo else _NO_REPO),
        "base": (_BASE.fullmatch(made.base) is not None, "a commit"),
        "problem": (bool(made.problem.strip()), "a text"),
    }
    for field, (is_good, what) in wanted.items():
        if not is_good:
            raise parse_error(line, f"{what} as {COLUMNS[field]}", getattr(made, field))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)[:200]
