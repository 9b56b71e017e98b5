"""Read a reply without labels that consists of one edit of one file.

    reply  = prose? edit prose?
    edit   = fence (a diff | search/replace blocks | code) fence | a diff or blocks without a fence
    code   = (docstring | import | definition | NAME "=" value)*            in Python
    result = the file, with each definition and value that differs in the code replaced

The prose must not quote, reject or withdraw the edit. There must be no second fence, and the file
must exist. A new import is added below the imports. Nothing is removed, and the file's docstring is
kept. A method may be given without its class.
"""

import ast
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from react_agent.parsers.patch import Refused
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.repair import rewritten
from react_agent.parsers.repo.outline import first_line, parse
from react_agent.parsers.text.fence import blocks
from react_agent.parsers.transcript.labels import ACTION, DEFAULT, INPUT, THOUGHT, generous
from react_agent.parsers.turn.turn import Kind, Turn

_TOOLS = ("apply_patch", "replace")
_BEGINS = re.compile(r"diff --git |--- \S|<{5,9} ?SEARCH")  # without a fence
_MOST_FILES = 2_000  # Python files that are looked through for a name
# Words that quote, advise against, offer a choice or take back: anywhere behind an edit, or in the
# last paragraph before it.
_TAKEN_BACK = (
    "do not", "don['’]t", "never", "avoid", "wrong", "incorrect", "mistake", "alternative(?:ly)?",
    "another way", "or you can", "instead", "wait", "actually", "already correct",
    "should(?: not|n['’]t)", "not (?:apply|use|correct)",
    "no change (?:is|was) (?:needed|necessary|required)",
)  # fmt: skip
_QUOTED = (
    "example", r"e\.g\.", "such as", "could", "might", "maybe", "perhaps", "would", "option",
    "either", "suggest(?:s|ed|ion)?", "the issue (?:says|shows|has|contains)", "reported",
    "output", "printed", "returned", "currently", "existing", "original", "old", "before",
    "as it (?:is|was)", "tried", "attempt(?:ed)?", "previous(?:ly)?", "rather than",
)  # fmt: skip
_BEHIND = re.compile(rf"\b(?:{'|'.join(_TAKEN_BACK)})\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:{'|'.join((*_TAKEN_BACK, *_QUOTED))})\b", re.IGNORECASE)
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Import = ast.Import | ast.ImportFrom


def as_edit(
    turn: Turn, reply: str, files: Mapping[str, str], offered: Collection[str], *, acts: bool
) -> Turn:
    """Return the call in an unreadable reply, or how to write it if `acts` is false."""
    tools = [tool for tool in _TOOLS if tool in offered]
    found = unlabelled_edit(reply, files) if tools else None
    if found is None:
        return turn
    tool = tools[0] if found.what == "a diff" else tools[-1]
    if not acts:
        write = DEFAULT.write
        lines = f"`{write(ACTION)} {tool}` and `{write(INPUT)}`"
        holds = f"it contains {found.what} for {found.path} but no label"
        return turn._replace(problem=f"{holds}: write two lines above it, {lines}")
    repair = f"{found.what} for {found.path} without a label was read as the input of {tool}"
    return Turn(Kind.ACTION, found.thought, tool, found.input, repairs=(repair,))


class UnlabelledEdit(NamedTuple):
    what: str  # "a diff", "search/replace blocks" or "code"
    path: str
    thought: str
    input: str  # input for a tool that edits


def unlabelled_edit(reply: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    lines = reply.replace("\r\n", "\n").split("\n")
    parts = _parts(lines)
    labels = [labelled.label for line in lines if (labelled := generous(line))]
    if parts is None or labels != [THOUGHT] * len(labels):
        return None
    before, inner, behind = map("\n".join, parts)
    lead = before.rstrip().rpartition("\n\n")[2]
    if _BEFORE.search(lead) or _BEHIND.search(behind):
        return None
    thought = before.strip().removeprefix("Thought:").strip()
    return _patch(inner, thought, files) or code_edit(inner, thought, files)


def _parts(lines: list[str]) -> tuple[list[str], list[str], list[str]] | None:
    """Return the lines before, in and after the only fence or the unfenced edit."""
    found = blocks(lines)
    if len(found) > 1:
        return None
    if not found:
        begins = next((at for at, line in enumerate(lines) if _BEGINS.match(line)), None)
        return None if begins is None else (lines[:begins], lines[begins:], [])
    fence, begin, end = found[0]
    if fence.indent or end == len(lines):
        return None
    inner = lines[begin + 1 : end]
    if inner and inner[0].strip() in _TOOLS:
        inner = inner[1:]
    return lines[:begin], inner, lines[end + 1 :]


def _patch(text: str, thought: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    reading = read_changes(text, files)
    if reading.problem or len(reading.changes) != 1:
        return None
    meant = named(reading.changes, files.keys())
    if isinstance(meant, Refused) or not meant[0].old:
        return None
    are_blocks = all(hunk.is_block for hunk in reading.changes[0].hunks)
    what = "search/replace blocks" if are_blocks else "a diff"
    return UnlabelledEdit(what, meant[0].old, thought, text)


def code_edit(text: str, thought: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    tree = parse(textwrap.dedent(text))
    defined = (one.name for one in (tree.body if tree else ()) if isinstance(one, _Definition))
    names = frozenset(defined)
    if not names:
        return None
    # without CRs: the tool that applies the diff keeps the line ends of the file
    texts = {path: files[path].replace("\r\n", "\n") for path in _candidates(names, thought, files)}
    made = {path: with_definitions(text, old) for path, old in texts.items()}
    fitting = [(path, new) for path, new in made.items() if new is not None]
    if len(fitting) != 1:
        return None
    [(path, new)] = fitting
    diff = rewritten({path: new}, texts)
    if isinstance(diff, Refused):  # it changes nothing
        block = "\n".join((path, "<<<<<<< SEARCH", text, "=======", text, ">>>>>>> REPLACE"))
        return UnlabelledEdit("code", path, thought, block)
    return UnlabelledEdit("code", path, thought, diff.patch.rstrip("\n"))


def _candidates(names: frozenset[str], thought: str, files: Mapping[str, str]) -> Iterator[str]:
    paths = [path for path in files if path.endswith(".py")]
    told = [path for path in paths if path in thought]
    for path in told or paths[:_MOST_FILES]:
        with suppress(LookupError):  # a link, or a file that is too large
            text = files[path]
            if any(f"def {name}" in text or f"class {name}" in text for name in names):
                yield path


def with_definitions(code: str, source: str) -> str | None:
    """Return `source` with the new definitions of `code`, or None if they can't be merged."""
    code = textwrap.dedent(code)
    new, old = parse(code), parse(source)
    if new is None or old is None:
        return None
    lines, written = source.split("\n"), code.split("\n")
    try:
        there = {ast.unparse(one) for one in old.body}
        changed = [one for one in new.body if ast.unparse(one) not in there]
    except (ValueError, RecursionError):  # Python can read it, but not write it
        return None
    splices = list[tuple[int, int, list[str]]]()  # in lines of the file, counted from 0
    for one in changed:
        if _is_docstring(one):
            continue
        if isinstance(one, _Import):
            at = _below_imports(old, one)
            # the one inserted first stands last
            splices.insert(0, (at, at, written[one.lineno - 1 : one.end_lineno]))
            continue
        found = _of_same_name(one, old)
        if found is None or any(end == found.end_lineno for _, end, _ in splices):
            return None
        indent = re.sub(r"[^\t]", " ", lines[found.lineno - 1][: found.col_offset])
        part = [
            f"{indent}{line}" if line.strip() else ""
            for line in written[_first(one, one) : one.end_lineno]
        ]
        splices.append((_first(found, one), found.end_lineno or found.lineno, part))
    for first, end, part in sorted(splices, key=lambda each: each[:2], reverse=True):
        lines[first:end] = part
    text = "\n".join(lines)
    made = parse(text)
    is_whole = made and _meaning(new) <= _meaning(made) and _methods(old) <= _methods(made)
    return text if is_whole else None


def _of_same_name(one: ast.stmt, tree: ast.Module) -> ast.stmt | None:
    """Return the only statement with that name at the top level, or else at any level."""
    inner = [each for each in ast.walk(tree) if isinstance(each, _Definition)]
    for every in (tree.body, inner):
        found = [each for each in every if _name(one) and _name(each) == _name(one)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _name(one: ast.stmt) -> str:
    match one:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            return name
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            return name
        case _:
            return ""


def _first(one: ast.stmt, new: ast.stmt) -> int:
    """Return the first line to replace: a decorator if the new definition has decorators, too."""
    is_decorated = isinstance(new, _Definition) and new.decorator_list
    return (first_line(one) if is_decorated else one.lineno) - 1


def _below_imports(tree: ast.Module, new: _Import) -> int:
    """Return the line below the imports, or above them for one from `__future__`."""
    is_first = isinstance(new, ast.ImportFrom) and new.module == "__future__"
    above = [
        one.end_lineno or one.lineno
        for at, one in enumerate(tree.body)
        if (isinstance(one, _Import) and not is_first) or (at == 0 and _is_docstring(one))
    ]
    return max(above, default=min(map(first_line, tree.body), default=1) - 1)


def _meaning(tree: ast.Module) -> set[str]:
    """Return each function without decorators and docstring, to check that only indents changed."""
    found = set[str]()
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            body = one.body[_is_docstring(one.body[0]) :]
            found.add(f"{one.name} {ast.unparse(one.args)} {[ast.dump(each) for each in body]}")
    return found


def _methods(tree: ast.Module) -> set[str]:
    """Return the names of all methods, as `Class.method`, to check that none is lost."""
    classes = (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef))
    members = ((one.name, each) for one in classes for each in one.body)
    return {f"{name}.{each.name}" for name, each in members if isinstance(each, _Definition)}


def _is_docstring(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
