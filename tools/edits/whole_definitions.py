"""Whole functions or classes as an edit: each one replaces the definition with its name.

input = (PATH NEWLINE)? (fence | marker NEWLINE)? definitions (fence | marker)?      in Python
"""

from collections.abc import Mapping
from typing import NamedTuple

from react_agent.parsers.edits.unlabelled_edit import all_defined_in, defined_in, unlabelled_edit

_FENCES = ("```", "~~~")
_MARKERS = (*_FENCES, "<<<<<", ">>>>>", "python")
_OF_PATCHES = ("=====", "@@", "--- ", "+++ ", "***", *_MARKERS[:4])
_AROUND_PATH = " `*:"
_OF_DEFINITIONS = ("def ", "async def ", "class ", "@", "#", ")", "]", "}")


class _Input(NamedTuple):
    path: str  # empty: none is named
    code: str
    is_fenced: bool


def whole_definitions(text: str, files: Mapping[str, str]) -> str:
    """Return the edit as a patch; empty if the text could mean anything else."""
    path, code, _ = _read(text, files)
    if not code or any(line.startswith(_OF_PATCHES) for line in code.split("\n")):
        return ""
    searched = {path: files[path]} if path else files
    found = unlabelled_edit(f"```python\n{code}\n```", searched)
    return found.input if found and found.what == "code" else ""


def is_part_of_file(text: str, files: Mapping[str, str]) -> bool:
    """Return whether a fence below a path holds only some definitions of a larger file."""
    path, code, is_fenced = _read(text, files)
    if not path or not is_fenced:
        return False
    new, old = defined_in(code), all_defined_in(files[path])
    is_more = new < old or _has_more(files[path])
    return bool(new) and new <= old and is_more and not _has_more(code)


def _read(text: str, files: Mapping[str, str]) -> _Input:
    lines = text.strip().split("\n")
    path = lines[0].strip(_AROUND_PATH).removeprefix("./")
    path = path if path in files else ""
    lines = lines[1:] if path else lines
    is_fenced = bool(lines) and lines[0].startswith(_FENCES)
    while lines and (not lines[0].strip() or lines[0].startswith(_MARKERS)):
        lines = lines[1:]
    while lines and (not lines[-1].strip() or lines[-1].startswith(_MARKERS)):
        lines = lines[:-1]
    return _Input(path, "\n".join(lines), is_fenced)


def _has_more(text: str) -> bool:
    """Return whether a text has more than definitions at the left margin, such as imports."""
    outer = (line for line in text.split("\n") if line[:1].strip())
    return not all(line.startswith(_OF_DEFINITIONS) for line in outer)
