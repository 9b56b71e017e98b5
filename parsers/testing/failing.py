"""Which tests fail, and in which way: so that two runs of tests can be compared.

Where a test stands and what is other in every run (times, addresses) is no part of the way.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from react_agent.parsers.facts import write_list
from react_agent.parsers.noise import without_noise
from react_agent.parsers.testing.report import Failure, Report

_NAMED = 5
_LONGEST = 120  # characters of one id
_FRAME = re.compile(r"[^\s:]+:\d+(?:: .*)?")
_NUMBER_OF_LINE = re.compile(r"(?<=\w):\d+(?::\d+)?|^[> ]*\d+(?= *\|)")


@dataclass(frozen=True, slots=True)
class Failing:
    ids: tuple[str, ...]
    way: str  # of them all: equal where the same tests fail with the same words

    @property
    def facts(self) -> Mapping[str, str]:
        named = (one[:_LONGEST] for one in self.ids[:_NAMED])
        return {"failing": write_list(named), "way": self.way}


def failing(report: Report | None) -> Failing | None:
    """None where no test is known to fail."""
    if report is None or not report.failures:
        return None
    told = sorted(_told(one) for one in report.failures)
    lines = "\n".join((f"{report.passed} passed", *told))
    way = hashlib.blake2b(lines.encode(errors="replace"), digest_size=4).hexdigest()
    return Failing(tuple(dict.fromkeys(one.id for one in report.failures)), way)


def _told(failure: Failure) -> str:
    lines = (_NUMBER_OF_LINE.sub("", line) for line in failure.lines if not _FRAME.fullmatch(line))
    return without_noise("\n".join((failure.id, *lines)))
