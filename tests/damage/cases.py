"""Cases: a tree, a true edit of it, and its diff damaged by some defects; all from one seed."""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from defects_columns import COLUMNS
from defects_header import HEADERS
from defects_lines import LINES
from defects_paths import PATHS
from defects_quotes import QUOTES
from defects_spelling import SPELLINGS
from defects_text import CUTS, TEXTS
from row import PATCHES, Defect, Kind, Told
from told import place_is_told
from true_edits import true_draft

# In the order in which they are made.
DEFECTS = (*LINES, *HEADERS, *QUOTES, *COLUMNS, *CUTS, *PATHS, *SPELLINGS, *TEXTS)
MOST = 4  # defects of a composition
_LEAST, _MOST = 60, 600  # shares to draw by: what is rare is tried, too


class Case(NamedTuple):
    seed: str
    defects: tuple[str, ...]
    before: Mapping[str, str]
    after: Mapping[str, str]
    patch: str
    is_told: bool

    def shown(self, outcome: Mapping[str, str] | None) -> str:
        """What one needs to know of a failure."""
        changed = [name for name in self.before if self.before[name] != self.after.get(name)]
        parts = [f"case {self.seed}: {', '.join(self.defects) or 'nothing'}", "PATCH", self.patch]
        for name in changed:
            parts += [f"FILE {name}", self.before[name]]
            parts += [f"MEANT {name}", _diff(self.before, self.after, name)]
            parts += [f"CAME {name}", _diff(self.before, outcome or {}, name)]
        extra = sorted(set(outcome or {}) ^ set(self.after))
        return "\n".join([*parts, f"not in both: {extra}"])


def _diff(before: Mapping[str, str], after: Mapping[str, str], name: str) -> str:
    sides = (before[name].split("\n"), after.get(name, "").split("\n"))
    return "\n".join(difflib.unified_diff(*sides, lineterm="", n=1))


def case(seed: str, defects: Sequence[Defect], of_library: float = 0.3) -> Case:
    draft = true_draft(Random(seed), of_library)
    told, made = True, list[Defect]()
    for defect in sorted(defects, key=DEFECTS.index):
        answer = defect.damage(draft, Random(f"{seed} {defect.name}"))
        if answer is not Told.UNFIT:
            made.append(defect)
            told = told and answer is Told.YES and defect.kind is not Kind.LOSING
    told = told and sum(one.moves_columns for one in made) < 2 and place_is_told(draft)
    return Case(
        seed, tuple(one.name for one in made), draft.before, draft.after, draft.text(), told
    )


def drawn(seed: str) -> list[Defect]:
    """One to four, the frequent ones more often."""
    rng = Random(f"{seed} defects")
    weights = [min(max(one.share, _LEAST), _MOST) for one in DEFECTS]
    drawn = rng.choices(DEFECTS, weights, k=rng.randint(1, MOST))
    return list({one.group or one.name: one for one in drawn}.values())  # one of a group


def as_recorded(seed: str) -> list[Defect]:
    """Each as often as in the patches of models."""
    rng = Random(f"{seed} recorded")
    groups: dict[str, list[Defect]] = {}
    for one in DEFECTS:
        groups.setdefault(one.group or one.name, []).append(one)
    return [one for group in groups.values() for one in _by_share(group, rng)]


def _by_share(group: list[Defect], rng: Random) -> list[Defect]:
    shares = [one.share / PATCHES for one in group]
    rest = max(1 - sum(shares), 0)
    [found] = rng.choices([*group, None], [*shares, rest])
    return [found] if found else []


def smallest(
    seed: str, defects: Sequence[Defect], fails: Callable[[Case], bool], of_library: float = 0.3
) -> Case:
    """The case that still fails when no defect can be left out."""
    kept = list(defects)
    for one in defects:
        fewer = [other for other in kept if other is not one]
        if fails(case(seed, fewer, of_library)):
            kept = fewer
    return case(seed, kept, of_library)


def cases(seed: str, count: int, of_library: float = 0.3) -> Iterator[tuple[Case, list[Defect]]]:
    for n in range(count):
        defects = drawn(f"{seed}-{n}")
        yield case(f"{seed}-{n}", defects, of_library), defects
