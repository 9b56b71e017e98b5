"""Edits that are neither a patch nor blocks: whole definitions, and edits that can't be parsed.

A whole function or class replaces the definition with the same name.

    input = (PATH NEWLINE)? (fence | marker NEWLINE)? definitions (fence | marker)?      in Python

For an edit that can't be parsed, this module finds the place that it refers to: a file that it
names, or a definition. Weak models edit a file before they read it. If the edit is only refused,
they repeat it. If the model sees the lines, it can copy the text that it has to replace.
"""

import re
from collections.abc import Iterator, Mapping

from react_agent.parsers.claims.definitions import defined_as, is_aside
from react_agent.parsers.edits.unlabelled_edit import code_edit
from react_agent.tools.context import Context
from react_agent.tools.edits.repair_patch import RepoFiles
from react_agent.tools.errors import ReactAgentError

_MARKERS = ("```", "~~~", "<<<<<", ">>>>>")
_OF_PATCHES = ("=====", "@@", "--- ", "+++ ", "***", *_MARKERS)
_AROUND_PATH = " `*:"
_READ = 2_000  # characters of the edit
_LINES = 20  # that are shown
_BEFORE = 3
_MOST_FILES = 300  # that are searched for a definition
_LONGEST = 400_000  # characters of one of them
_PATH = re.compile(r"(?<![\w/.-])(?:\./)?([\w-][\w./-]*\.\w{1,8})(?::(\d{1,6}))?(?![\w/])")
_CALLED = re.compile(r"(?<![\w.])([A-Za-z_]\w{2,80})\(")


def whole_definitions(text: str, files: Mapping[str, str]) -> str:
    """Return the edit as a patch, or an empty string if the text is ambiguous."""
    lines = text.strip().replace("\r\n", "\n").split("\n")
    path = lines[0].strip(_AROUND_PATH).removeprefix("./")
    path = path if path in files else ""
    lines = lines[1:] if path else lines
    while lines and (lines[0].strip() in ("", "python") or lines[0].startswith(_MARKERS)):
        lines = lines[1:]
    while lines and (not lines[-1].strip() or lines[-1].startswith(_MARKERS)):
        lines = lines[:-1]
    code = "\n".join(lines)
    if not code or any(line.startswith(_OF_PATCHES) for line in code.split("\n")):
        return ""
    found = code_edit(code, "", {path: files[path]} if path else files)
    return found.input if found else ""


def meant_place(text: str, files: RepoFiles, context: Context) -> str:
    """Return the numbered lines that an edit refers to, or an empty string if there are none."""
    text = text[:_READ]
    found = next(_places(text, files), None)
    if found is None:
        return ""
    name, line = found
    lines = _text(name, files).removesuffix("\n").split("\n")
    most = min(_LINES, context.limits.window_lines)
    first = max(min(line - _BEFORE, len(lines) - most), 0)
    shown = enumerate(lines[first : first + most], first + 1)
    return "\n".join((f"{name} says", *(f"{number:4}| {line}" for number, line in shown)))


def _places(text: str, files: RepoFiles) -> Iterator[tuple[str, int]]:
    """Yield file names and line numbers, counted from 0. The most certain match comes first."""
    called = list(dict.fromkeys(_CALLED.findall(text)))
    for path, number in _PATH.findall(text):
        ends = [name for name in files if name == path or name.endswith(f"/{path}")]
        # the file with this path, or the only one whose path ends so
        name = path if path in ends else ends[0] if len(ends) == 1 else ""
        if name and _text(name, files):
            defined = (_defined(name, one, files) for one in called)
            begin = next((at for at in defined if at is not None), 0)
            yield name, int(number) - 1 if number else begin
    code = [name for name in files if not is_aside(name)][:_MOST_FILES]
    for one in called:
        for name in code:
            if (at := _defined(name, one, files)) is not None:
                yield name, at


def _text(name: str, files: RepoFiles) -> str:
    """Return the text of a file, or an empty string if it is missing, binary or too large."""
    try:
        text = files[name].replace("\r\n", "\n")
    except (KeyError, ReactAgentError):
        return ""
    return "" if "\0" in text or len(text) > _LONGEST else text


def _defined(name: str, word: str, files: RepoFiles) -> int | None:
    text = _text(name, files)
    for at, line in enumerate(text.split("\n") if word in text else ()):
        if line.rstrip().endswith((":", "{")) and defined_as(line, word) is not None:
            return at
    return None
