"""What is printed at the end, and whether it is good."""

from collections import Counter
from collections.abc import Mapping, Sequence

from mutants import Change, Fate, Mutant


def report(
    mutants: Sequence[Mutant],
    explained: Mapping[Change, int],
    modules: Sequence[str],
    *,
    is_whole: bool,
) -> int:
    """The exit code: 1 if there is a survivor that nobody explained."""
    _print_table(mutants, modules)
    survivors = [mutant for mutant in mutants if mutant.fate is Fate.SURVIVED]
    for mutant in survivors:
        mark = "explained" if mutant.change in explained else "NOT EXPLAINED"
        print(f"\n{mutant.module}:{mutant.line} {mark}\n{mutant.change}")
    surviving = {mutant.change for mutant in survivors}
    if is_whole:
        _print_outdated(explained, surviving, mutants, modules)
    return _judge(mutants, surviving - explained.keys(), is_whole)


def _print_table(mutants: Sequence[Mutant], modules: Sequence[str]) -> None:
    width = max(len(module) for module in modules)
    print(f"\n{'':{width}}  mutants" + "".join(f"  {fate:>9}" for fate in Fate))
    for module in modules:
        fates = Counter(mutant.fate for mutant in mutants if mutant.module == module)
        numbers = "".join(f"  {fates[fate]:9}" for fate in Fate)
        print(f"{module:{width}}  {fates.total():7}{numbers}")


def _print_outdated(
    explained: Mapping[Change, int],
    surviving: set[Change],
    mutants: Sequence[Mutant],
    modules: Sequence[str],
) -> None:
    made = {mutant.change for mutant in mutants}
    for change, line in explained.items():
        if change.module in modules and change not in surviving:
            fate = "is killed now" if change in made else "is no mutant any more"
            print(f"\ndocs/mutation.md, line {line}: {fate}, take it out\n{change}")


def _judge(mutants: Sequence[Mutant], unexplained: set[Change], is_whole: bool) -> int:
    left = sum(mutant.fate is Fate.NOT_RUN for mutant in mutants)
    if is_whole and left:
        print(f"\nFAILED: mutmut stopped before {left} of the mutants")
    elif unexplained:
        print(f"\nFAILED: {len(unexplained)} not explained; kill or explain them: docs/mutation.md")
    else:
        print("\npassed: no survivor without an explanation")
    return int(bool(unexplained) or (is_whole and left > 0))
