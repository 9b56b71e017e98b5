"""A folder of issues in Markdown, one a file; its front matter says what a row of a set would.

    ---
    repo: ../calculator          a path, a URL, or OWNER/NAME; none: the one of --repo
    base: 4c1f9a2                none: where the repository stands now
    test: tests/test_sum.py::test_of_nothing
    ---
    # The sum of nothing is an error

Texts that are patches stand in files beside it: `patch: sum.diff`. Of lists, and of lines of
`install`, there is one `- ...` a line. What the front matter says is not told to a model.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.instance import Instance
from react_agent.eval.sets.row import COLUMNS, is_id, read_row
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.front_matter import FrontMatter, read_front_matter
from react_agent.tools import disk

LARGEST = 10_000_000  # bytes of an issue, or a patch
_SUFFIXES = (".md", ".markdown")
_NO_ISSUES = ("readme", "contributing", "license")
_ALSO = {  # as people write them, beside the columns' names and the fields'
    "fail_to_pass": ("test", "tests"),
    "environment_commit": ("environment",),
    "test_command": ("test command",),
    "test_patch": ("test patch",),
}
_PATCHES = ("patch", "test_patch")
_LISTS = ("fail_to_pass", "pass_to_pass")
_NO_ID = re.compile(r"[^\w.+-]+")


def read_issues(folder: Path, repo: str) -> Iterator[tuple[str, Instance]]:
    """With the place that each is from; `repo` is for issues that name none."""
    for path in sorted(folder.iterdir()):
        is_issue = path.suffix.lower() in _SUFFIXES and path.stem.lower() not in _NO_ISSUES
        if is_issue and path.is_file():
            yield str(path), _issue(path, repo)


def _issue(path: Path, repo: str) -> Instance:
    found = read_front_matter(_text(path))
    values = {field: _values(found, field, column) for field, column in COLUMNS.items()}
    row: dict[str, object] = {
        column: list(values[field]) if field in _LISTS else "\n".join(values[field])
        for field, column in COLUMNS.items()
    }
    for field in _PATCHES:
        if values[field]:
            row[COLUMNS[field]] = _text(_beside(path, values[field][0]))
    row[COLUMNS["id"]] = "".join(values["id"]) or _id(path)
    row[COLUMNS["problem"]] = _problem(found)
    row[COLUMNS["base"]] = row[COLUMNS["base"]] or "HEAD"
    try:
        return read_row(row, 1, repo)
    except ParseError as error:
        raise UsageError(f"{path}: {error}") from None


def _values(found: FrontMatter, field: str, column: str) -> tuple[str, ...]:
    return found.values(field, column.lower(), *_ALSO.get(field, ()))


def _problem(found: FrontMatter) -> str:
    body, title = found.body.strip(), found.value("title")
    return body if not title or title == title_of(body) else f"# {title}\n\n{body}".strip()


def _id(path: Path) -> str:
    name = _NO_ID.sub("-", path.stem).strip(".+-")
    return name if is_id(name) else ""


def _beside(path: Path, named: str) -> Path:
    place = (path.parent / named).resolve()
    if "\0" in named or not place.is_relative_to(path.parent.resolve()):
        raise UsageError(f"{path}: {named} is outside its folder")
    return place


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
