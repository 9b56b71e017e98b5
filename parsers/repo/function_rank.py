"""Rank the Python functions of a repository by the words of an issue.

A name that occurs in the issue counts most. Next are words that occur in few functions, and words
of the file's name.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.repo.outline import first_line, parse

_MOST_FILES = 2_000
_WORD = re.compile(r"[a-z]{3,}")
_NAMED, _IN_PATH = 3.0, 0.5  # weights; a word that one function alone has weighs 1
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Function:
    path: str
    name: str
    signature: str  # its first lines, with decorators and a newline at the end
    documented: str  # the signature with the docstring, if there is one
    depth: int  # the indent of its body
    text: str
    first: int  # line
    of: int  # lines of the file

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


def functions_in(path: str, text: str) -> Iterator[Function]:
    """Yield the functions whose name occurs just once, so that each can be replaced by name."""
    tree = parse(text)
    nodes = [one for one in ast.walk(tree) if isinstance(one, _Definition)] if tree else []
    names, lines = [one.name for one in nodes], text.split("\n")
    for one in nodes:
        first, body = first_line(one), first_line(one.body[0])
        if names.count(one.name) == 1 and body > one.lineno:
            signature = "".join(f"{line}\n" for line in lines[first - 1 : body - 1])
            whole = "\n".join(lines[first - 1 : one.end_lineno])
            docstring = lines[body - 1 : one.body[0].end_lineno] if ast.get_docstring(one) else []
            documented = signature + "".join(f"{line}\n" for line in docstring)
            depth = one.body[0].col_offset
            yield Function(path, one.name, signature, documented, depth, whole, first, len(lines))


def ranked(issue: str, files: Mapping[str, str]) -> list[Function]:
    """Return the functions that the issue points to, the likeliest first."""
    found = [one for path, text in _sources(files) for one in functions_in(path, text)]
    said, held = _words(issue), [_words(one.text) for one in found]
    count = {word: sum(word in one for one in held) for word in said}

    def weight(at: int) -> float:
        one = found[at]
        is_named = re.search(rf"(?<!\w){re.escape(one.name)}(?!\w)", issue) is not None
        stem = one.path.rpartition("/")[2].partition(".")[0]
        in_path = len(said & _words(stem))
        own = sum(1 / count[word] for word in sorted(said & held[at]))
        return _NAMED * is_named + _IN_PATH * in_path + own

    weights = [weight(at) for at in range(len(found))]
    order = sorted(range(len(found)), key=lambda at: -weights[at])
    return [found[at] for at in order if weights[at]]


def modules_in(files: Mapping[str, str]) -> dict[str, str]:
    """Return the module to import each top-level function and class from, such as `pkg.mod`."""
    found = dict[str, str]()
    for path, text in _sources(files):
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        tree = parse(text) if all(map(str.isidentifier, module.split("."))) else None
        for one in tree.body if tree else ():
            if isinstance(one, _Definition | ast.ClassDef):
                found.setdefault(one.name, module)
    return found


def _sources(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    paths = [one for one in files if one.endswith(".py") and not is_of_tests(one)]
    for path in sorted(paths)[:_MOST_FILES]:
        with suppress(LookupError):  # a link, or a file that is too large
            yield path, files[path]


def _words(text: str) -> set[str]:
    words = _WORD.findall(text.lower().replace("_", " "))
    return {word.removesuffix("s") for word in words}
