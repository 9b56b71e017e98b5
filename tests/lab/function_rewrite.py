"""A baseline: the function that the issue's words point at is asked for whole, and put in by name.

No agent: rank the functions, show the file, ask for the first of them in one fence, run the tests,
answer with what is wrong; three rounds at most.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 3
TOKENS = 420
_TEST_S = 60.0
_WORD = re.compile(r"[a-z]{3,}")
_FENCE = re.compile(r"```[a-z]*\n(.*?)(?:```|\Z)", re.DOTALL)
_SHOWN = 12  # lines of what the tests print

Messages = list[dict[str, str]]
Ask = Callable[[Messages], str]


@dataclass(frozen=True)
class Function:
    path: Path
    name: str
    first: int
    last: int
    text: str

    @property
    def words(self) -> set[str]:
        return set(_WORD.findall(self.text.lower().replace("_", " ")))


@dataclass
class Result:
    unreadable: int = 0


def functions(root: Path) -> Iterator[Function]:
    """Those of the repository, but not of its tests."""
    for path in sorted(root.rglob("*.py")):
        if "test" in str(path.relative_to(root)).lower():
            continue
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                last = node.end_lineno or node.lineno
                body = "\n".join(text.split("\n")[first - 1 : last])
                yield Function(path, node.name, first, last, body)


def ranked(issue: str, found: list[Function]) -> list[Function]:
    """A name that the issue says counts most; then words that few functions have."""
    said = set(_WORD.findall(issue.lower().replace("_", " ")))
    having = {word: sum(word in one.words for one in found) for word in said}

    def weight(one: Function) -> float:
        named = 3.0 if re.search(rf"\b{re.escape(one.name)}\b", issue) else 0.0
        in_path = 0.5 * len(said & set(_WORD.findall(one.path.stem.lower())))
        return named + in_path + sum(1 / having[word] for word in said & one.words)

    return sorted(found, key=weight, reverse=True)


def solve(root: Path, issue: str, ask: Ask) -> Result:
    """What it makes of the files is the change."""
    result, one = Result(), ranked(issue, list(functions(root)))[0]
    original = one.path.read_text(encoding="utf-8")
    shown = f"{issue}\n\nThe file {one.path.relative_to(root)}:\n\n```python\n{original}```\n\n"
    messages = [{"role": "user", "content": shown + _wanted(one.name)}]
    for _ in range(ROUNDS):
        reply = ask(messages)
        wrong = _put_in(one, original, reply, result) or _failing(root)
        if not wrong:
            break
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": wrong}]
    return result


def _wanted(name: str) -> str:
    return f"Write the whole corrected function `{name}` in one ```python fence, and nothing else."


def _put_in(one: Function, original: str, reply: str, result: Result) -> str:
    """What is wrong with the reply; the file is as it was then."""
    one.path.write_text(original, encoding="utf-8")
    written = _FENCE.search(reply)
    text = written[1] if written else reply
    try:
        bodies = list(ast.walk(ast.parse(_dedented(text))))
    except SyntaxError:
        result.unreadable += 1
        return f"That does not parse. {_wanted(one.name)}"
    named = [node for node in bodies if isinstance(node, ast.FunctionDef) and node.name == one.name]
    if not named:
        result.unreadable += 1
        return f"There is no `{one.name}` in it. {_wanted(one.name)}"
    lines = _dedented(text).split("\n")
    node = named[0]
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    body = _dedented("\n".join(lines[first - 1 : node.end_lineno]))
    indent = " " * (len(one.text) - len(one.text.lstrip(" ")))
    into = "\n".join(indent + line if line else "" for line in body.split("\n"))
    if into == one.text:
        return f"The function is unchanged. {_wanted(one.name)}"
    whole = original.split("\n")
    whole[one.first - 1 : one.last] = into.split("\n")
    one.path.write_text("\n".join(whole), encoding="utf-8")
    return ""


def _dedented(text: str) -> str:
    lines = text.strip("\n").split("\n")
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[depth:] for line in lines)


def _failing(root: Path) -> str:
    try:
        command = [sys.executable, "-P", "-m", "pytest", "-q", "--tb=short", "tests"]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root)}
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=_TEST_S
        )
    except subprocess.TimeoutExpired:
        return "The tests do not end with it. Write it again."
    if done.returncode == 0:
        return ""
    last = "\n".join(done.stdout.strip().split("\n")[-_SHOWN:])
    return f"With it these tests fail:\n\n{last}\n\nWrite the whole function again."
