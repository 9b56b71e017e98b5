"""How strong the tests are: coverage of each floor and what became of each mutant, kept as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mutants import Mutant

POINTS = 0.5  # a floor's coverage may fall by this much


class Fate(StrEnum):
    KILLED = "killed"
    TIMED_OUT = "timed out"  # noticed, too
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Tried:
    mutant: Mutant
    tests: Sequence[str]  # to run until one fails; none reaches the line if there are none
    fate: Fate
    last: str  # of these tests: the one that noticed the mutant, if one did


@dataclass(frozen=True, slots=True)
class Figures:
    commit: str
    coverage: Mapping[str, float]  # percent, by floor
    noticed: float  # percent of the mutants


def percent(tried: Sequence[Tried]) -> float:
    return round(100 * sum(one.fate != Fate.SURVIVED for one in tried) / len(tried), 2)


def worse(kept: Figures, now: Figures) -> Iterator[str]:
    for floor, before in kept.coverage.items():
        after = now.coverage.get(floor, 0.0)
        if after < before - POINTS:
            yield (
                f"coverage of {floor} fell from {before:.2f} % ({kept.commit}) to {after:.2f} %:"
                " test the code that lost its tests, or delete it"
            )
    if now.noticed < kept.noticed:
        yield (
            f"the tests notice {now.noticed:.1f} % of the mutants, {kept.noticed:.1f} % at"
            f" {kept.commit}: add tests that notice some of the survivors above"
        )


def write(file: Path, figures: Figures, seed: int, tried: Sequence[Tried]) -> None:
    """One mutant a line, for people; only the shares are read again."""
    values = {"commit": figures.commit, "coverage": figures.coverage, "noticed": figures.noticed}
    head = json.dumps({**values, "seed": seed}, indent=1).removesuffix("\n}")
    names = ("module", "function", "line", "operator", "becomes")
    rows = [
        {
            **{name: getattr(one.mutant, name) for name in names},
            "tests": len(one.tests),
            "fate": one.fate,
        }
        for one in tried
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text(f'{head},\n "mutants": [\n{lines}\n]\n}}\n', encoding="utf-8")


def read(file: Path) -> Figures:
    values = json.loads(file.read_text(encoding="utf-8"))
    return Figures(values["commit"], values["coverage"], values["noticed"])
