"""Every text that reaches a person or a model, with its place: `words.py [FOLDER...]`.

That is each string of at least three words in the code, but for docstrings of what is no command,
and each line of a profile, an issue or a script that the wheel holds. `{}` stands for a value.
"""

import ast
import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("parsers", "tools", "react_agent", "eval")
_WORD = re.compile(r"[A-Za-z][a-z']+")
_FEWEST = 3  # words
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def words_in(source: str) -> Iterator[tuple[int, str]]:
    """Of a module of Python: the line, and the text on one line."""
    tree = ast.parse(source)
    inner = {id(part) for node in ast.walk(tree) for part in _parts(node)}
    nodes = (node for node in ast.walk(tree) if id(node) not in inner and _is_prose(_text(node)))
    for node in sorted(nodes, key=lambda node: node.lineno):  # type: ignore[attr-defined]
        yield node.lineno, " ".join(_text(node).split())  # type: ignore[attr-defined]


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What is told with the node, or is no text for anybody: docstrings but those of a command."""
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    elif isinstance(node, _DOCUMENTED):
        text = ast.get_docstring(node) or ""
        is_help = isinstance(node, ast.ClassDef) and "Example:" in text
        if text and not is_help:
            yield node.body[0].value  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(one) or "{}" for one in values)
        case _:
            return ""


def _is_prose(text: str) -> bool:
    return len(_WORD.findall(text)) >= _FEWEST and " " in text.strip() and "(?" not in text


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from words_in(text)
    elif path.suffix in (".cfg", ".sh"):
        yield from (
            (number, line.strip())
            for number, line in enumerate(text.split("\n"), 1)
            if _is_prose(line) and not line.startswith("#")
        )


def main(folders: Sequence[str]) -> None:
    for folder in folders or FLOORS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                place = path.relative_to(ROOT)
                for number, text in lines_of(path):
                    print(f"{place}:{number}: {text}")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the list is long: `./dev words | head`
        main(sys.argv[1:])
        sys.stdout.flush()
