"""Mutants of the reply reader, and which of them no test notices. What it does: docs/mutation.md.

LONG_FRACTION and LONG_SEED choose a share of the mutants, as `./dev long` does.
"""

import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import nested
from explained import read_explained
from mutants import PACKAGE, Change, Mutant, read_mutants
from report import report

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LIST = "docs/mutation.md"
# What `turn` and `stop` are made of, but for the formats that are not ours.
READER = (
    *("labels", "special", "quoting", "fence", "heredoc", "cut_patch", "prose"),
    *("reply_field", "reading", "reply", "fenced_turn", "action_input", "tool_name", "action"),
    *("problems", "turn", "stop"),
)
# By hand: unless a test notices this one, that another survives means nothing.
PLANTED = ("turn", "if CONCLUSION in said.fields", "if CONCLUSION not in said.fields")
DIGITS = "0123456789"


def main(words: Sequence[str]) -> int:
    if "--help" in words or "-h" in words:
        print(f"usage: ./dev mutate [MODULE...]     of parsers/: {', '.join(READER)}")
        return 0
    if missing := [name for name in READER if not (ROOT / "parsers" / f"{name}.py").is_file()]:
        sys.exit(f"mutate: there is no parsers/{missing[0]}.py: mend READER")
    if unknown := [word for word in words if word not in READER]:
        sys.exit(f"mutate: no module {unknown[0]} in the reply reader: {', '.join(READER)}")
    chosen = [module for module in READER if module in (words or READER)]
    explained = _explained()
    with tempfile.TemporaryDirectory() as folder:
        # All of READER, whatever is chosen: hypothesis takes constants from what it tests, so
        # with fewer modules mutated its examples, and with them the survivors, would be others.
        copy = nested.make(ROOT, Path(folder).resolve() / "copy", READER)
        print(f"planted in {PLANTED[0]}: {_death_of_the_planted_one(copy)}", flush=True)
        mutants = [mutant for mutant in _run(copy, chosen) if mutant.module in chosen]
    return report(mutants, explained, chosen, is_whole=len(_share()) == len(DIGITS))


def _explained() -> Mapping[Change, int]:
    try:
        return read_explained((ROOT / LIST).read_text(encoding="utf-8"), READER)
    except ValueError as error:
        sys.exit(f"mutate: {LIST}, {error}")


def _death_of_the_planted_one(copy: Path) -> str:
    module, before, after = PLANTED
    file = nested.path(copy, module)
    text = file.read_text(encoding="utf-8")
    if text.count(before) != 1:
        sys.exit(f"mutate: `{before}` is not once in parsers/{module}.py: mend PLANTED")
    if (clean := _test(copy)).returncode:
        sys.exit(f"{clean.stdout}\nmutate: a test fails without any mutant")
    file.write_text(text.replace(before, after), encoding="utf-8")
    planted = _test(copy)
    file.write_text(text, encoding="utf-8")
    failed = [line for line in planted.stdout.splitlines() if line.startswith("FAILED ")]
    if planted.returncode != 1 or not failed:
        sys.exit(f"{planted.stdout}\nmutate: no test fails with `{after}` in parsers/{module}.py")
    return failed[0]


def _test(copy: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "pytest", "-xq", nested.SELECTED, *nested.PYTEST]
    return _start(copy, command, f"{copy}{os.pathsep}{HERE}", is_shown=False)


def _run(copy: Path, modules: Sequence[str]) -> list[Mutant]:
    """Mutants are chosen by the last digit of their number: mutmut takes patterns of names."""
    whole = [f"{PACKAGE}{module}.*" for module in modules]
    some = [name + digit for name in whole for digit in _share()]
    names = whole if len(_share()) == len(DIGITS) else some
    _mutmut(copy, "run", "--max-children", str(os.cpu_count() or 1), *names)
    return read_mutants(_mutmut(copy, "results", "--all", "true"), copy)


def _share() -> list[str]:
    wanted = math.ceil(len(DIGITS) * float(os.environ.get("LONG_FRACTION", "1")))
    seeded = random.Random(int(os.environ.get("LONG_SEED", "0")))
    return sorted(seeded.sample(DIGITS, min(max(wanted, 1), len(DIGITS))))


def _mutmut(copy: Path, command: str, *words: str) -> str:
    is_shown = command == "run" and sys.stdout.isatty()  # it draws its progress
    program = [sys.executable, "-P", str(HERE / "workers.py")]
    done = _start(copy, [*program, command, *words], str(HERE), is_shown=is_shown)
    if done.returncode:
        sys.exit(f"{done.stdout or ''}\nmutate: mutmut failed")
    return done.stdout or ""


def _start(
    copy: Path, command: Sequence[str], path: str, *, is_shown: bool
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        stdin=subprocess.DEVNULL,
        stdout=None if is_shown else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
