"""Turn the examples of an issue into a Python session that shows their results.

example = a call of a known function with literal arguments, anywhere in the issue
        | an indented or fenced block of Python statements that uses a known name
session = (">>> " example NEWLINE result)*
"""

import ast
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from react_agent.parsers.repo.outline import parse

PROMPT = ">>> "
_MOST = 12  # examples
_LONGEST = 400  # characters of one
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
_TICKED = re.compile(r"`([A-Za-z_][\w.]*)`")
_VALUE = re.compile(r"`([^`\n]+)`|^[ \t]*>>> .*\n[ \t]*(?!>>>)(\S.*)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w.]*(?:\(|$)")  # or a call
_BLANKS_AND_QUOTES = re.compile(r"[\s'\"]")
_ERROR = re.compile(r"([A-Z]\w*):")
_SCRIPT = """\
PYTHONPATH=src:. python3 - <<'END'
{imports}
for code in (
{codes}
):
    print({prompt!r} + code)
    try:
        exec(compile(code, 'example', 'single'))
    except Exception as error:
        print(f'{{type(error).__name__}}: {{error}}')
END"""


def examples_of(issue: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the statements to run, in order. `known` contains the names in the repository."""
    found = dict.fromkeys(_statements(issue, known))
    nodes = (node for one in found for node in ast.walk(ast.parse(one)))
    names = (node for node in nodes if isinstance(node, ast.Name))
    assigned = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    ticked = filter(parse, _TICKED.findall(issue))
    values = (one for one in ticked if one.partition(".")[0] in assigned)
    calls = (_call_at(issue, one.start()) for one in _CALL.finditer(issue) if one[1] in known)
    calls = (one for one in calls if one and not any(one in each for each in found))
    return tuple(dict.fromkeys((*found, *values, *calls)))[:_MOST]


def session(examples: Sequence[str], modules: Mapping[str, str]) -> str:
    """Return a shell command that runs the examples. `modules` maps each name to its module."""
    used = {name for one in examples for name in _names(one) if name in modules}
    named = {name: modules[name].removeprefix("src.") for name in sorted(used)}
    imports = (f"from {module} import {name}" for name, module in named.items())
    codes = "\n".join(f"    {one!r}," for one in examples)
    return _SCRIPT.format(imports="\n".join(imports), codes=codes, prompt=PROMPT)


def results_in(printed: str) -> dict[str, str]:
    found = dict[str, str]()
    for part in re.split(f"^{PROMPT}", printed, flags=re.MULTILINE)[1:]:
        code, _, result = part.partition("\n")
        found.setdefault(code, result.strip())
    return found


def are_better(issue: str, before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Return whether a result has changed, and to an expected one if the issue states any.

    A session with an error that the issue does not name is never better. Where none could begin, as
    without a package that it needs, there is nothing to compare.
    """
    if not before:
        return True
    pairs = [(_without_text(before.get(code, "")), _without_text(after[code])) for code in after]
    changed = [new for old, new in pairs if old != new]
    errors = [found[1] for new in changed if (found := _ERROR.match(new))]
    if not changed or any(error not in issue for error in errors):
        return False
    expected = _expected(issue, before)
    return bool(errors) or not expected or any(_bare(new) in expected for new in changed)


def _expected(issue: str, before: Mapping[str, str]) -> set[str]:
    """Return values in backticks or below a prompt, except names, calls and earlier results."""
    written = (found[1] or found[2] for found in _VALUE.finditer(issue))
    codes, known = "\n".join(map(_bare, before)), set(map(_bare, before.values()))
    values = {_bare(one) for one in written if not _NAME.match(one)}
    return {one for one in values if one not in known and one not in codes}


def _bare(text: str) -> str:
    return _BLANKS_AND_QUOTES.sub("", text)


def _without_text(result: str) -> str:
    """Return only the type of an error, since its message does not matter."""
    found = _ERROR.match(result)
    return found[0] if found else result


def _statements(issue: str, known: Collection[str]) -> Iterator[str]:
    for block in _blocks(issue):
        tree = parse(block.strip("\n"))
        try:
            found = [ast.unparse(one) for one in tree.body] if tree else []
        except (ValueError, RecursionError):  # Python can read it, but not write it
            continue
        names = {name for one in found for name in _names(one)}
        if len(found) > 1 and names.intersection(known):
            yield from found


def _blocks(issue: str) -> Iterator[str]:
    """Yield the parts that are indented or in a fence."""
    yield from re.split(r"^```.*$", issue, flags=re.MULTILINE)[1::2]
    for part in re.findall(r"(?:^(?: {4}|\t).*\n?|^\s*\n)+", issue, flags=re.MULTILINE):
        yield textwrap.dedent(part)


def _call_at(text: str, start: int) -> str:
    """Return the shortest call that begins here and has literal arguments, or nothing."""
    piece = text[start : start + _LONGEST]
    trees = (parse(piece[: at + 1]) for at, char in enumerate(piece) if char == ")")
    match next(filter(None, trees), ast.Module([], [])).body:
        case [ast.Expr(ast.Call(_, args, keywords) as call)] if args or keywords:
            with suppress(ValueError, TypeError, MemoryError, RecursionError):
                for value in (*args, *(one.value for one in keywords)):
                    ast.literal_eval(value)
                return ast.unparse(call)
    return ""


def _names(statement: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(statement)) if isinstance(one, ast.Name)}
