"""The issue, from where it was named: a file, standard input, or the text itself."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.parsers.issue import title_of

LARGEST = 200_000  # bytes
_LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class Issue:
    title: str
    text: str


def read_issue(named: str, read_input: Callable[[int], bytes]) -> Issue:
    """`read_input` gives at most so many bytes of standard input."""
    if named == "-":
        return _issue(read_input(LARGEST + 1), "the issue on standard input")
    path = _path(named)
    if path:
        return _issue(_read(path), f"the issue {path}")
    return _issue(os.fsencode(named), "the issue")


def _path(named: str) -> Path | None:
    """A file that is there, or a text that can only have been meant as one."""
    if "\n" in named or not 0 < len(named) < _LONGEST_PATH:
        return None
    path = Path(named)
    try:
        return path if path.exists() or _looks_like_a_path(named) else None
    except OSError:  # a component longer than any name
        return None


def _looks_like_a_path(named: str) -> bool:
    """Also one English word: that is no issue. A sentence in another script may have no blanks."""
    is_one_word = named.isascii() and not any(map(str.isspace, named))
    return is_one_word or named.startswith(("/", "./", "../", "~"))


def _read(path: Path) -> bytes:
    if path.exists() and not (path.is_file() or path.is_fifo()):  # a pipe: `<(command)`
        raise UsageError(f"the issue {path} is not a file")
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"can't read the issue {path}: {error.strerror}") from error


def _issue(data: bytes, source: str) -> Issue:
    if len(data) > LARGEST:
        raise UsageError(
            f"{source} is larger than {LARGEST // 1000} kB: cut it down to what counts"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not text in UTF-8") from None
    if "\0" in text:
        raise UsageError(f"{source} is a binary file")
    text = text.replace("\r\n", "\n").strip()
    title = title_of(text)
    if not title:
        raise UsageError(f"{source} is empty")
    return Issue(title, text)
