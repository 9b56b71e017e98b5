"""How fast the tools are on a repository of 20,000 files and 200 MB; beside them, plain git."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beside import git, judge, least_seconds, loops, machine, median_seconds, report, tried

from react_agent.tools.context import Context
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.observation import Observation, Status

FRACTION = float(os.environ.get("LONG_FRACTION", "1"))
FILES = int(20_000 * FRACTION)
FILE_BYTES = 10_000
BIG_BYTES = int(1_000_000_000 * FRACTION)
PATTERN = "function_1234"
GREP_BAR = 1.5 if FRACTION == 1 else 2.5  # of `git grep -n`; it costs most to look for new files
FIND_BAR_MS = 100
LOOPS = 10_000  # of the yardstick: as long as a call may take, so that it is disturbed as often
MEMORY_BAR = 20_000_000  # bytes, of reading a part of a file of any size
ROUNDS = 9
WORDS = [
    f"{verb}_{noun}"
    for verb in ("parse", "read", "write", "find", "make", "store", "load", "send")
    for noun in ("date", "file", "user", "item", "node", "page", "line", "time")
]
READ = """
import re, resource, sys
from pathlib import Path
from react_agent.tools.context import Context
from react_agent.tools.files.read_file import READ_FILE

def peak():
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # not ru_maxrss, which begins with what the parent had
    return int(re.search("VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) * 1024

context = Context(Path(sys.argv[1]))
READ_FILE.call("small:1-5", context)
before = peak()
seen = READ_FILE.call(f"big:{sys.argv[2]}-{int(sys.argv[2]) + 5}", context)
assert sys.argv[2] in seen.text, seen.text
print(peak() - before)
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        began = time.perf_counter()
        generate(root)
        size = FILES * FILE_BYTES / 1e6
        print(f"The tools, on {FILES:,} files of {size:,.0f} MB", end=" ")
        print(f"(made in {time.perf_counter() - began:.0f} s)")
        return max([tried(bench, root) for bench in (_grep, _find, _read)])


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


def _ok(seen: Observation, status: Status = Status.OK) -> None:
    assert seen.status is status, seen.text


@contextmanager
def _run_on(root: Path) -> Iterator[Context]:
    """Yield what a run searches: a workspace with a checkpoint, whose tree is the list of files."""
    with tempfile.TemporaryDirectory() as folder:
        place, cuts = Path(folder, "workspace"), Path(folder, "cuts")
        made = workspace.make(find_base(root), root=place, branch="agent/search", cuts=cuts)
        yield Context(place, tree=checkpoint.take(made).tree)


def _grep(root: Path) -> int:
    with _run_on(root) as context:
        subjects = {
            "grep": lambda: _ok(GREP.call(PATTERN, context)),
            "git grep -n": lambda: git(root, "grep", "-n", PATTERN),
        }
        return report("grep", median_seconds(subjects, ROUNDS), GREP_BAR)


def _find(root: Path) -> int:
    failed = Status.FAILED
    with _run_on(root) as context:
        subjects = {
            "a name": lambda: _ok(LIST_FILES.call("**/read_date_8.py", context)),
            "a glob": lambda: _ok(LIST_FILES.call("*_777.py", context)),
            "misspelled": lambda: _ok(LIST_FILES.call("prase_date_640.py", context), failed),
        }
        timed = least_seconds({**subjects, "yardstick": loops(LOOPS)}, ROUNDS)
    *taken, yardstick = timed.values()
    times = machine(yardstick, LOOPS)
    print("list_files with a glob, after the first")
    for name, seconds in zip(subjects, taken, strict=True):
        print(f"  {name:12} {seconds * 1000:7.1f} ms")
    bar = f"{FIND_BAR_MS} ms, times {times:.1f} for the machine"
    return judge(max(taken) * 1000 <= FIND_BAR_MS * times, f"the bar is {bar}")


def _read(root: Path) -> int:
    line = "a line of a large file, which has very many of them\n"
    count = BIG_BYTES // len(line)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "small").write_text(line * 10)
        with Path(folder, "big").open("w") as big:
            big.writelines(line * 100_000 for _ in range(0, count, 100_000))
        argv = [sys.executable, "-P", "-c", READ, folder, str(count - 100)]
        began = time.perf_counter()
        done = subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True)
    grown, taken = int(done.stdout), time.perf_counter() - began
    print(f"  read_file, the end of {BIG_BYTES / 1e6:,.0f} MB: {taken:.1f} s", end=", ")
    print(f"{grown / 1e6:.1f} MB more memory")
    return judge(grown <= MEMORY_BAR, f"the bar is {MEMORY_BAR / 1e6:.0f} MB")


if __name__ == "__main__":
    sys.exit(main())
