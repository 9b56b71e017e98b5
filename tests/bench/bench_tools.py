"""How fast a search is on a repository of 20,000 files and 200 MB; beside it, plain git."""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from beside import git, median_seconds, report, tried

from react_agent.tools.context import Context
from react_agent.tools.files.grep import GREP
from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.observation import Status

FRACTION = float(os.environ.get("LONG_FRACTION", "1"))
FILES = int(20_000 * FRACTION)
FILE_BYTES = 10_000
PATTERN = "function_1234"
GREP_BAR = 1.5 if FRACTION == 1 else 2.5  # of `git grep -n`; it costs most to look for new files
ROUNDS = 9
WORDS = [
    f"{verb}_{noun}"
    for verb in ("parse", "read", "write", "find", "make", "store", "load", "send")
    for noun in ("date", "file", "user", "item", "node", "page", "line", "time")
]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        began = time.perf_counter()
        generate(root)
        size = FILES * FILE_BYTES / 1e6
        print(f"A search, on {FILES:,} files of {size:,.0f} MB", end=" ")
        print(f"(made in {time.perf_counter() - began:.0f} s)")
        return tried(_grep, root)


def generate(root: Path, files: int = FILES) -> None:
    chosen = random.Random(1)
    lines = ["    " + " ".join(chosen.choices(WORDS, k=5)) + " = value\n" for _ in range(3000)]
    body = "".join(lines)
    for number in range(files):
        folder = root / f"package_{number % 40}" / f"part_{number % 400}"
        folder.mkdir(parents=True, exist_ok=True)
        start = chosen.randrange(len(body) - FILE_BYTES)
        head = f"from package_{number % 40} import {WORDS[number % 64]}_{number % 640}\n"
        head += f"\n\ndef function_{number}():\n"
        text = head + body[start : start + FILE_BYTES - len(head) - 1] + "\n"
        (folder / f"{WORDS[number % 64]}_{number}.py").write_text(text)
    git(root, "init", "--quiet")
    git(root, "-c", "core.compression=1", "add", "--all")
    git(root, "commit", "--quiet", "-m", "All of it")


def _grep(root: Path) -> int:
    """In what a run searches: a workspace with a checkpoint, whose tree is the list of files."""
    with tempfile.TemporaryDirectory() as folder:
        place, cuts = Path(folder, "workspace"), Path(folder, "cuts")
        made = workspace.make(find_base(root), root=place, branch="agent/search", cuts=cuts)
        context = Context(place, tree=checkpoint.take(made).tree)
        assert GREP.call(PATTERN, context).status is Status.OK
        subjects = {
            "grep": lambda: GREP.call(PATTERN, context),
            "git grep -n": lambda: git(root, "grep", "-n", PATTERN),
        }
        return report("grep", median_seconds(subjects, ROUNDS), GREP_BAR)


if __name__ == "__main__":
    sys.exit(main())
