"""What came of a check: whether it is the change that is to blame."""

import re
from collections import Counter
from collections.abc import Collection

from react_agent.checks.check import Check, Verdict
from react_agent.checks.running import Ran
from react_agent.parsers.text.volatile_text import without_noise

_NAMED = 3
_NUMBER = re.compile(r"\d+")


def judged(name: str, now: Ran, before: Ran | None, fixed: frozenset[str]) -> Check:
    """By how it ended, how it had ended at the base, and the files in which its change stands."""
    if now.worked:
        verdict = Verdict.FIXED if fixed else Verdict.PASSED
        return Check(name, verdict, _files("changed", fixed) if fixed else "")
    if now.lacks:
        return Check(name, Verdict.NOT_RUN, now.lacks)
    if now.may_lack and (before is None or before.may_lack):
        return Check(name, Verdict.NOT_RUN, now.may_lack)
    if now.others:
        verdict = Verdict.BEFORE if before and before.others else Verdict.FAILED
        note = _files("it changes", now.others) + ", which is not taken"
        return Check(name, verdict, note, now.said)
    if now.changed:
        return _changing(name, now, before, fixed)
    is_old = before is not None and not before.worked and not _new_lines(now, before)
    return Check(name, Verdict.BEFORE if is_old else Verdict.FAILED, said=now.said)


def _changing(name: str, now: Ran, before: Ran | None, fixed: frozenset[str]) -> Check:
    if new := now.changed - (before.changed if before else frozenset()):
        return Check(name, Verdict.FAILED, _files("it goes on changing", new), now.said)
    note = _files("it would change", now.changed) + ", as it would have at the base"
    return Check(name, Verdict.BEFORE, f"{note}; {_files('changed', fixed)}" if fixed else note)


def _new_lines(now: Ran, before: Ran) -> bool:
    return bool(Counter(_lines(now.said)) - Counter(_lines(before.said)))


def _lines(said: str) -> list[str]:
    """Without what is other each time: numbers, too, as lines move."""
    plain = _NUMBER.sub("0", without_noise(said))
    return [line.strip() for line in plain.split("\n") if line.strip()]


def _files(what: str, paths: Collection[str]) -> str:
    named = sorted(paths)
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"{what} {', '.join(named[:_NAMED])}{more}"
