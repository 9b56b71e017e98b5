"""Convert a row of a set, in the format of SWE-bench, to an instance and back.

Unknown columns are ignored. `install`, `test_command` and `python` are our own, and optional.
Test names are a list, or a list written as JSON in a string.
"""

import json
import re
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
    """Read a row. `repo` is used if the row names none. Raises ParseError, with the line."""
    if not isinstance(row, dict):
        raise parse_error(line, "an object with instance_id, repo, base_commit, ...", _shown(row))
    given: dict[str, Any] = {**dict.fromkeys(_NEEDED, ""), "repo": repo}
    for field, column in COLUMNS.items():
        value = row.get(column)
        try:
            found = _names(value) if field in _NAMES else _text(value, field in _PROSE)
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
    """Return the JSON line. All values are strings, as on the hub; our empty columns are left out.

    The line is ASCII, because some readers take certain other characters for line ends.
    """
    values = {field: getattr(instance, field) for field in COLUMNS}
    row = {
        COLUMNS[field]: json.dumps(value) if field in _NAMES else value
        for field, value in values.items()
        if value or field not in _OURS
    }
    return json.dumps(row) + "\n"


def is_id(text: str) -> bool:
    """Return whether the id can be the name of a folder on any file system."""
    return _ID.fullmatch(text) is not None and len(text.encode()) <= _LONGEST_ID


def _text(value: object, is_prose: bool) -> str:
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
    """Return whether the text has no lone surrogate, which JSON allows."""
    return text.encode(errors="replace").decode() == text


def _names(value: object) -> tuple[str, ...]:
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
    """Turn `a.b.Class.test` into what unittest prints: `test (a.b.Class)`."""
    found = _DOTTED.fullmatch(name)
    return f"{found[2]} ({found[1]})" if found else name


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)[:200]
