"""A search finds the lines that `git grep` finds, whatever else a pattern may be able to do."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.grep import GREP

FILES = {
    "src/dates.py": b"def parse_date(text):\n    return text.split('-')  # [3] years\n\n\n",
    "src/app/main.py": b"from dates import parse_date\r\nx = 12\r\nparse_date_range(x, 345)\r\n",
    "src/form.js": b"const re = /^(a+)+$/; // x*y {2,3}\nif (a?.b) { return `$1` }\n",
    "notes/todo.md": "# Año 2026\n- größer als 7\n- tabs\there\n-  two  spaces  \n".encode(),
    "notes/latin.txt": "caf\xe9 bar\n".encode("latin-1"),
    "data/a.csv": b"a,b,c\n1,,3\naaaa!\nabab abab\n",
    "new.txt": b"not yet added: parse_date\n",  # untracked
    "run.log": b"parse_date, ignored\n",
    ".gitignore": b"*.log\n",
}
ROOM = Limits(result_lines=1000, output_chars=1_000_000, line_chars=10_000)
NUMBERED = re.compile(r" *(\d+)\| ?(.*)")
ROWS = [
    *((pattern, "-E") for pattern in (
        "parse_date", "^def", "split.*years", "[0-9]+", "[[:digit:]]{2,3}", "a+!$", "(ab)+ ",
        "(ab)\\1", "x|y", "^-  *[a-z]+", "\\.split", "\\w+_\\w+\\(", "\\bdate", "date\\b", ",,",
        "größer", "A[ñn]o", "^$", "\\[3\\]", "x\\*y", " +$", "^.{5}$", "\\s[0-9]",
    )),
    *((pattern, "-P") for pattern in (
        "\\d+", "parse_date(?!_)", "(?<=_)date", "a+?!", "(?i)DEF", "(?:ab)+", "^x\\D+\\d",
        "[\\w]+,", "\\d{2,}", "(?P<one>ab)(?P=one)",
    )),
]  # fmt: skip
COMMANDS = [
    ("grep -F '(a+)+$'", ("-F", "-e", "(a+)+$")),
    ("grep -rn 'x*y'", ("-E", "-e", "x*y")),
    ("grep -w parse_date", ("-E", "-w", "-e", "parse_date")),
    ("rg -i PARSE_DATE", ("-E", "-i", "-e", "PARSE_DATE")),
    ("grep -E 'def|from' src/", ("-E", "-e", "def|from", "--", "src/")),
    ("parse_date\npath: *.py", ("-E", "-e", "parse_date", "--", "*.py")),
    ("parse_date\npath: src/app", ("-E", "-e", "parse_date", "--", "src/app")),
]


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    root = planted({name: text for name, text in FILES.items() if name != "new.txt"})
    (root / "new.txt").write_bytes(FILES["new.txt"])
    return root


def test_a_pattern(root: Path) -> None:
    for pattern, flavour in ROWS:
        assert _found(root, pattern) == _by_git(root, flavour, "-e", pattern), pattern


def test_a_command(root: Path) -> None:
    for text, arguments in COMMANDS:
        assert _found(root, text) == _by_git(root, *arguments), text


def _found(root: Path, text: str) -> set[tuple[str, int, str]]:
    lines = GREP.call(text, Context(root, ROOM)).text.split("\n")[1:]
    path, found = "", set[tuple[str, int, str]]()
    for line in lines:
        if numbered := NUMBERED.fullmatch(line):
            found.add((path, int(numbered[1]), numbered[2]))
        else:
            path = line
    return found


def _by_git(root: Path, *arguments: str) -> set[tuple[str, int, str]]:
    argv = ["git", "grep", "-n", "-z", "--untracked", *arguments]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(argv, cwd=root, env=environment, check=True, stdout=subprocess.PIPE)
    parts = (line.split("\0") for line in done.stdout.decode().removesuffix("\n").split("\n"))
    return {(path, int(number), text.removesuffix("\r")) for path, number, text in parts}
