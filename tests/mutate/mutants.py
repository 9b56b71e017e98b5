"""What mutmut made and what became of it, told so that it can be found again.

mutmut writes every mutant of a function beside it, as a function with a number. A number changes
with each edit above it, and so does that of a line: a mutant is known by its function and by how
the lines that it changes read, before and after.
"""

import ast
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

PACKAGE = "react_agent.parsers."
NUMBERED = "__mutmut_"
CLASS = "ǁ"  # mutmut's mark around the class of a method


class Fate(StrEnum):
    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"


# An exit code of 2 is mutmut's "interrupted": a mutant with which a test module can't be imported.
# Whatever else it may say, "no tests" and "segfault" among it, is no kill.
FATES = {
    "killed": Fate.KILLED,
    "check was interrupted by user": Fate.KILLED,
    "timeout": Fate.TIMED_OUT,
    "not checked": Fate.NOT_RUN,
}


@dataclass(frozen=True, slots=True, order=True)
class Change:
    function: str  # "labels.generous", "turn.Turn.text"
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def module(self) -> str:
        return self.function.partition(".")[0]

    def __str__(self) -> str:
        before = (f"- {line}" for line in self.before)
        after = (f"+ {line}" for line in self.after)
        return "\n".join(f"    {line}" for line in (self.function, *before, *after))


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    module: str
    line: int
    change: Change
    fate: Fate


def read_mutants(results: str, copy: Path) -> list[Mutant]:
    """`results` is what `mutmut results --all true` prints."""
    modules = dict[str, Module]()
    found = list[Mutant]()
    for line in results.splitlines():
        name, _, status = line.strip().partition(": ")
        module, _, numbered = name.removeprefix(PACKAGE).rpartition(".")
        if module not in modules:
            modules[module] = Module(module, copy)
        found.append(modules[module].mutant(numbered, FATES.get(status, Fate.SURVIVED)))
    return sorted(found)


class Module:
    """One that was mutated, as it was and as mutmut wrote it."""

    def __init__(self, name: str, copy: Path) -> None:
        self._name = name
        self._file = f"react_agent/parsers/{name}.py"
        self._copy = copy

    def mutant(self, numbered: str, fate: Fate) -> Mutant:
        function = _plain(numbered)
        before = self._generated[numbered.partition(NUMBERED)[0] + NUMBERED + "orig"]
        after = self._generated[numbered]
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        spans = [span for kind, *span in matcher.get_opcodes() if kind != "equal"]
        change = Change(
            f"{self._name}.{function}",
            tuple(line.strip() for begin, end, _, _ in spans for line in before[begin:end]),
            tuple(line.strip() for _, _, begin, end in spans for line in after[begin:end]),
        )
        return Mutant(self._name, self._begins[function] + spans[0][0], change, fate)

    @cached_property
    def _generated(self) -> Mapping[str, list[str]]:
        """The lines of each function that mutmut wrote, under the name that it had."""
        text = (self._copy / "mutants" / self._file).read_text(encoding="utf-8")
        lines = text.split("\n")
        found = dict[str, list[str]]()
        for _, node in _functions(ast.parse(text)):
            if NUMBERED in node.name:
                first, *others = lines[node.lineno - 1 : node.end_lineno]
                plain = _plain(node.name).rpartition(".")[2]
                found[node.name] = [first.replace(node.name, plain), *others]
        return found

    @cached_property
    def _begins(self) -> Mapping[str, int]:
        text = (self._copy / self._file).read_text(encoding="utf-8")
        return {name: node.lineno for name, node in _functions(ast.parse(text))}


def _plain(numbered: str) -> str:
    """`x_function__mutmut_1` and `xǁClassǁmethod__mutmut_1`, as they are called in the source."""
    return numbered.partition(NUMBERED)[0][2:].replace(CLASS, ".")


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (method for method in node.body if isinstance(method, ast.FunctionDef))
            yield from ((f"{node.name}.{method.name}", method) for method in methods)
