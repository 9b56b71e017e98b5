"""How much the tests notice: branch coverage of each floor, and mutants. See CONTRIBUTING.md."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import figures
import package_copy
from figures import Fate, Figures, Tried
from mutants import Mutant, find_mutants, sample
from reached import Reached, floor_of

KEPT = package_copy.HERE / "figures.json"
SIZE = 150
SEED = 1
WORKERS = min(os.cpu_count() or 1, 8)
MARKS = {Fate.KILLED: ".", Fate.TIMED_OUT: "t", Fate.SURVIVED: "S"}
# What pytest's exit codes say about a mutant; whatever else it ends with, nothing was noticed.
FATES = {
    1: Fate.KILLED,
    2: Fate.KILLED,  # a test module could not be imported
    4: Fate.KILLED,  # nor could a conftest.py
    package_copy.TIMED_OUT: Fate.TIMED_OUT,
}


def main(words: Sequence[str]) -> int:
    options = _options(words)
    with tempfile.TemporaryDirectory() as folder:
        copy = package_copy.make(package_copy.ROOT, Path(folder).resolve() / "copy")
        chosen = _choose(copy, options.modules)
        reached = Reached(copy, package_copy.measure(copy, options.tests, WORKERS))
        tried = try_all(copy, reached, chosen)
        now = Figures(_commit(), reached.coverage(), figures.percent(tried))
    _print_survivors(tried)
    if options.modules or options.tests:
        return 0
    _print_floors(now, tried)
    if options.keep:
        figures.write(KEPT, now, SEED, tried)
        return 0
    complaints = list(figures.worse(figures.read(KEPT), now))
    for complaint in complaints:
        print(f"mutate: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="or package, like parsers.turn"
    )
    parser.add_argument(
        "--tests", nargs="+", default=[], metavar="PATH", help="run these tests only"
    )
    parser.add_argument(
        "--keep", action="store_true", help=f"write the figures to {KEPT.name}, compare nothing"
    )
    options = parser.parse_args(words)
    if options.keep and (options.modules or options.tests):
        parser.error("--keep takes no modules and no tests: figures are kept for everything")
    return options


def _choose(copy: Path, modules: Sequence[str]) -> list[Mutant]:
    sources = package_copy.sources(copy)
    wanted = set[str]()
    for module in modules:
        whole = f"react_agent.{module.removeprefix('react_agent.')}"
        inside = {name for name in sources if name == whole or name.startswith(f"{whole}.")}
        if not inside:
            sys.exit(f"mutate: there is no module {whole}")
        wanted |= inside
    found = (mutant for name in wanted or sources for mutant in find_mutants(name, sources[name]))
    return sample(found, SIZE, SEED)


def try_all(copy: Path, reached: Reached, chosen: Sequence[Mutant]) -> list[Tried]:
    copies = [copy.with_name(f"copy{number}") for number in range(WORKERS)]
    for own in copies:
        shutil.copytree(copy, own, ignore=shutil.ignore_patterns("tmp", package_copy.DATA))
    found = dict[Mutant, Tried]()
    pending = {one: reached.nearest(one.module, one.lines) for one in chosen}
    while pending:
        found |= _try_some(copies, list(pending.items()))
        failed = {found[one].last for one in pending if found[one].fate != Fate.SURVIVED}
        # A test that fails without a mutant, too, has noticed nothing.
        unsound = failed - package_copy.passing(copy, failed, WORKERS)
        pending = {
            one: [name for name in tests if name not in unsound]
            for one, tests in pending.items()
            if found[one].last in unsound
        }
    return [found[one] for one in chosen]


def _try_some(
    copies: Sequence[Path], pairs: Sequence[tuple[Mutant, Sequence[str]]]
) -> dict[Mutant, Tried]:
    shares = [pairs[number :: len(copies)] for number in range(len(copies))]
    with ThreadPoolExecutor(len(copies)) as pool:
        return {one.mutant: one for part in pool.map(_try_in_turn, copies, shares) for one in part}


def _try_in_turn(copy: Path, pairs: Sequence[tuple[Mutant, Sequence[str]]]) -> list[Tried]:
    tried = []
    for mutant, tests in pairs:
        # Without tests, pytest would run all of them.
        code, last = package_copy.run_over(copy, mutant, tests) if tests else (0, "")
        fate = FATES.get(code, Fate.SURVIVED)
        # None is started where the mutant breaks an import: the first one stands for that.
        tried.append(Tried(mutant, tests, fate, last or "".join(tests[:1])))
        print(MARKS[tried[-1].fate], end="", flush=True)
    return tried


def _print_survivors(tried: Sequence[Tried]) -> None:
    print()
    for one in tried:
        if one.fate == Fate.SURVIVED:
            mutant = one.mutant
            place = f"{mutant.module}:{mutant.lines[0]} {mutant.function}"
            print(f"\n{place}: {mutant.operator}, {len(one.tests)} tests")
            print(f"    - {mutant.line}\n    + {mutant.becomes}")


def _print_floors(now: Figures, tried: Sequence[Tried]) -> None:
    every = Counter(floor_of(one.mutant.module) for one in tried)
    survived = (one for one in tried if one.fate == Fate.SURVIVED)
    noticed = every - Counter(floor_of(one.mutant.module) for one in survived)
    print("\nfloor         coverage    mutants noticed")
    for floor, covered in now.coverage.items():
        print(f"{floor:12} {covered:8.2f} % {noticed[floor]:7} of {every[floor]}")
    print(f"all {noticed.total():27} of {every.total()}, {now.noticed:.1f} %")


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=package_copy.ROOT, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
