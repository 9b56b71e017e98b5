"""How large each floor, the tests and the documents are: `sizes.py [--check | --write | --raise]`.

limits.json holds the largest figures that `./dev check` lets pass.
"""

import argparse
import ast
import io
import json
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Path("tests/size/limits.json")
FLOORS = ("parsers", "tools", "react_agent", "eval")
ISSUE_SETS = Path("eval/bundled")
LAYOUT = {tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
LAYOUT |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
ADVICE = "Take something away; or ./dev size --raise, and the commit says what the surplus buys."

Sizes = dict[str, dict[str, int]]


def sizes_of(root: Path) -> Sizes:
    documents = [root / "README.md", root / "CONTRIBUTING.md", *root.glob("docs/**/*.md")]
    return {
        **{floor: _floor(root, root / floor) for floor in FLOORS},
        "tests": {"lines": sum(map(_lines, (root / "tests").rglob("*.py")))},
        "documents": {
            "words": sum(len(_text(path).split()) for path in documents),
            "pages": len(documents),
        },
    }


def _floor(root: Path, folder: Path) -> dict[str, int]:
    files = [path for path in folder.rglob("*") if path.is_file() and _is_counted(path, root)]
    modules = [path for path in files if path.suffix == ".py"]
    return {
        "lines": sum(map(_lines, modules)),
        "tokens": sum(tokens_in(_text(path)) for path in modules),
        "modules": sum(path.name != "__init__.py" or bool(_text(path).strip()) for path in modules),
        "lines of other files": sum(_lines(path) for path in files if path.suffix != ".py"),
    }


def _is_counted(path: Path, root: Path) -> bool:
    is_issue_set = path.suffix != ".py" and path.is_relative_to(root / ISSUE_SETS)
    return "__pycache__" not in path.parts and not is_issue_set


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def tokens_in(source: str) -> int:
    """Without layout, comments and docstrings; an f-string is one, as up to Python 3.11."""
    docstrings = set(_docstrings(source))
    count = inside = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            count += not inside
            inside += 1
        elif kind == "FSTRING_END":
            inside -= 1
        elif not inside and token.type not in LAYOUT and token.start not in docstrings:
            count += 1
    return count


def _docstrings(source: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if ast.get_docstring(node, clean=False) is not None and isinstance(first, ast.Expr):
                yield first.lineno, first.col_offset


def above(now: Sizes, limits: Sizes) -> list[str]:
    """What is larger than it may be, one line each."""
    return [
        f"{part}: {figure:,} {what}, {figure - limit:,} more than {LIMITS} allows"
        for part, what, figure, limit in _pairs(now, limits)
        if figure > limit
    ]


def lowered(now: Sizes, limits: Sizes) -> Sizes:
    found: Sizes = {part: {} for part in now}
    for part, what, figure, limit in _pairs(now, limits):
        found[part][what] = min(figure, limit)
    return found


def _pairs(now: Sizes, limits: Sizes) -> Iterator[tuple[str, str, int, int]]:
    for part, figures in now.items():
        for what, figure in figures.items():
            yield part, what, figure, limits.get(part, {}).get(what, 0)


def table(now: Sizes) -> str:
    floors = {floor: now[floor] for floor in FLOORS}
    kinds = list(now[FLOORS[0]])
    every = {what: sum(figures[what] for figures in floors.values()) for what in kinds}
    rows = [["", *kinds]]
    for name, figures in (*floors.items(), ("all", every)):
        rows.append([name, *(f"{figures[what]:,}" for what in kinds)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    documents = now["documents"]
    return "\n".join(
        [
            *lines,
            "",
            f"tests: {now['tests']['lines']:,} lines of Python",
            f"documents: {documents['words']:,} words on {documents['pages']} pages",
        ]
    )


def main(words: Sequence[str], root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="./dev size", description="how large everything is")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help=f"fail above the limits of {LIMITS}")
    action.add_argument("--write", action="store_true", help="lower the limits to what there is")
    action.add_argument("--raise", dest="raises", action="store_true", help="raise them, too")
    asked = parser.parse_args(words)
    now, path = sizes_of(root), root / LIMITS
    limits = json.loads(_text(path)) if path.exists() else {}
    if asked.write or asked.raises:
        limits = now if asked.raises else lowered(now, limits)
        path.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")
    if not asked.check:
        print(table(now))
    too_much = above(now, limits) if asked.check or asked.write else []
    if too_much:
        print(*too_much, ADVICE, sep="\n", file=sys.stderr)
    return int(bool(too_much))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
