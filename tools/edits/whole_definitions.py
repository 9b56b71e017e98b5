"""A whole function or class as the input of an edit: it takes the place of the one with its name.

input = (PATH NEWLINE)? (fence | marker NEWLINE)? definitions (fence | marker)?      in Python
"""

from collections.abc import Mapping
from typing import NamedTuple

from react_agent.parsers.edits.unlabelled_edit import defined_in, unlabelled_edit

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
    """The edit that it means, as a patch; nothing where it could be anything else."""
    path, code, _ = _read(text, files)
    if not code or any(line.startswith(_OF_PATCHES) for line in code.split("\n")):
        return ""
    searched = {path: files[path]} if path else files
    found = unlabelled_edit(f"```python\n{code}\n```", searched)
    return found.input if found and found.what == "code" else ""


def is_part_of_file(text: str, files: Mapping[str, str]) -> bool:
    """A fence below a path is the whole file, but not where it holds just functions of a larger."""
    path, code, is_fenced = _read(text, files)
    if not path or not is_fenced:
        return False
    new, old = defined_in(code), defined_in(files[path])
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
    """Than definitions at the left margin: imports, values, what the file says of itself."""
    outer = (line for line in text.split("\n") if line[:1].strip())
    return not all(line.startswith(_OF_DEFINITIONS) for line in outer)
