"""Files to edit: made up ones that look like Python, and those of the standard library."""

import functools
import sysconfig
from pathlib import Path
from random import Random

NAMES = ("value", "item", "node", "count", "path", "total", "name", "größe", "result", "index")
VERBS = ("read", "find", "make", "check", "walk", "merge", "close", "parse")
STATEMENTS = (
    "{a} = {b} + {n}",
    "if {a} is None:",
    "return {a}",
    "{a}.append({b})",
    "for {a} in {b}:",
    'raise ValueError("no {a} in {b}")',
    "pass",
    "",
    'print(f"{a} <= {{{b}}}")  # {n}',
    "{a}[{n}] = '{b}'",
    "self.{a} = {b}",
    "# {a}: see {b}",
    '"""{a} — {b} & {n}."""',
    "return None",
)
ODD = ("-- {a}", "- {a}: {b}", "+ {a}", "...", "```", "=======", "@@ {a} @@", "\t{a}", "\x0c")
LEAST, MOST = 30, 3000  # lines of a file of the library


@functools.cache
def library() -> tuple[Path, ...]:
    root = Path(sysconfig.get_paths()["stdlib"])
    left_out = {"test", "tests", "idle_test", "site-packages", "dist-packages", "lib-dynload"}
    paths = (path for path in root.rglob("*.py") if not left_out & {*path.relative_to(root).parts})
    return tuple(sorted(path for path in paths if path.stat().st_size > 1000))


@functools.lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return path.read_bytes().decode(errors="surrogateescape")


def library_file(rng: Random) -> str:
    while True:
        text = _text(rng.choice(library()))
        if LEAST <= text.count("\n") <= MOST:
            return text


def made_file(rng: Random) -> str:
    indent = rng.choice(("    ", "    ", "    ", "  ", "\t"))
    odd = rng.random() < 0.1
    lines = [f"import {rng.choice(VERBS)}", ""]
    functions: list[list[str]] = []
    for _ in range(rng.randint(2, 14)):
        if functions and rng.random() < 0.3:
            function = list(rng.choice(functions))
            function[0] = f"def {rng.choice(VERBS)}_{rng.choice(NAMES)}():"
        else:
            function = _function(rng, indent, odd)
        functions.append(function)
        lines += [*function, *[""] * rng.randint(1, 2)]
    if rng.random() < 0.15:
        lines += [f"{indent}0,"] * rng.randint(5, 40)
    if rng.random() < 0.1:
        lines = [line + rng.choice(("", "", "", " ", "  ")) for line in lines]
    return _ended(rng, lines)


def _function(rng: Random, indent: str, odd: bool) -> list[str]:
    lines, depth = [f"def {rng.choice(VERBS)}_{rng.choice(NAMES)}({rng.choice(NAMES)}):"], 1
    for _ in range(rng.randint(2, 12)):
        kinds = ODD if odd and rng.random() < 0.1 else STATEMENTS
        text = statement(rng, kinds)
        lines.append(indent * depth + text if text else "")
        if text.endswith(":") and depth < 4:
            depth += 1
        elif rng.random() < 0.3:
            depth = max(1, depth - 1)
    return lines


def statement(rng: Random, kinds: tuple[str, ...] = STATEMENTS) -> str:
    return rng.choice(kinds).format(a=rng.choice(NAMES), b=rng.choice(NAMES), n=rng.randint(0, 99))


def _ended(rng: Random, lines: list[str]) -> str:
    end = "\r\n" if rng.random() < 0.08 else "\n"
    text = end.join(lines) + end
    if rng.random() < 0.03:
        text = text.replace("\n", "\r\n", 1)  # one line is unlike the others
    return text.removesuffix(end) if rng.random() < 0.1 else text
