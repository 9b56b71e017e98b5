"""Which attempt is the best, and why: by what was measured first, by a reviewer's word last.

What decides, in order: nothing is open at its conclusion; the repository's tests pass; it passes
the tests that attempts wrote and that fail without a change; others made the same change. If all
of that is equal, a reviewer is asked; if he says nothing that can be read, the smallest wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from react_agent.attempts.candidate import Candidate
from react_agent.parsers.answers.labelled import Review
from react_agent.parsers.repo.similarity import likeness
from react_agent.parsers.text.counted import counted
from react_agent.tools.observation import Status

_ALIKE = 0.8  # of two changes that are the same in all that matters
_TESTS = {Status.OK: 2, Status.EMPTY: 2, None: 1, Status.FAILED: 0}
_SAID = {Status.OK: "tests pass", Status.EMPTY: "tests pass", Status.FAILED: "tests fail"}

Reviewer = Callable[[Sequence[Candidate]], Review | None]


@dataclass(frozen=True, slots=True)
class Choice:
    winner: Candidate | None
    why: str
    standings: dict[int, str]  # of each attempt, in a line


def choose(candidates: Sequence[Candidate], review: Reviewer) -> Choice:
    able = [one for one in candidates if one.can_win]
    standings = {one.number: _standing(one, able) for one in candidates}
    if not able:
        return Choice(None, "no attempt came to a change", standings)
    ranked = {one.number: _rank(one, able) for one in able}
    top = max(ranked.values())
    best = [one for one in able if ranked[one.number] == top]
    if len(best) == 1:
        return Choice(best[0], _why(best[0], able, ranked), standings)
    return _reviewed(best, review, standings)


def _rank(one: Candidate, able: Sequence[Candidate]) -> tuple[int, ...]:
    return (not one.open_points, _TESTS[one.tests], len(one.proofs), len(_alike(one, able)))


def _alike(one: Candidate, able: Sequence[Candidate]) -> list[int]:
    """The others that changed the same."""
    return [
        other.number
        for other in able
        if other is not one and likeness(one.lines, other.lines) >= _ALIKE
    ]


_RULES = (
    "nothing is open at its conclusion",
    "the repository's tests pass",
    "it passes more of the tests that show what was wrong",
    "more attempts made the same change",
)


def _why(winner: Candidate, able: Sequence[Candidate], ranked: dict[int, tuple[int, ...]]) -> str:
    """The first rule that tells it from the next best."""
    others = [rank for number, rank in ranked.items() if number != winner.number]
    if not others:
        return "it is the only one that came to a change"
    pairs = zip(ranked[winner.number], max(others), strict=True)
    return next(rule for rule, (own, other) in zip(_RULES, pairs, strict=True) if own != other)


def _reviewed(best: Sequence[Candidate], review: Reviewer, standings: dict[int, str]) -> Choice:
    """The same change more than once needs no reviewer."""
    different = _different(best)
    if len(different) == 1:
        return Choice(_smallest(best), "all of the best made the same change", standings)
    said = review(different)
    if said is None:
        return Choice(_smallest(different), "it is the smallest of the best", standings)
    reason = f": {said.reason}" if said.reason else ""
    return Choice(different[said.best - 1], f"the reviewer chose it{reason}", standings)


def _different(best: Sequence[Candidate]) -> list[Candidate]:
    """One of each kind."""
    found = list[Candidate]()
    for one in sorted(best, key=lambda one: len(one.patch)):
        if all(likeness(one.lines, other.lines) < _ALIKE for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.number)


def _smallest(best: Sequence[Candidate]) -> Candidate:
    return min(best, key=lambda one: (len(one.patch), one.number))


def _standing(one: Candidate, able: Sequence[Candidate]) -> str:
    if not one.can_win:
        return f"{one.stop}, {'with a change' if one.patch else 'no change'}"
    parts = [f"{counted(len(one.open_points), 'point')} open" if one.open_points else ""]
    parts.append(_SAID.get(one.tests, "tests can't be run") if one.tests else "tests can't be run")
    parts.append(_proofs(one))
    alike = _alike(one, able)
    parts.append(f"the same change as {_numbers(alike)}" if alike else "")
    return ", ".join(part for part in parts if part)


def _proofs(one: Candidate) -> str:
    return f"passes the new tests of {_numbers(sorted(one.proofs))}" if one.proofs else ""


def _numbers(numbers: Sequence[int]) -> str:
    return f"{'attempt' if len(numbers) == 1 else 'attempts'} {', '.join(map(str, numbers))}"
