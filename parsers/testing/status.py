"""What became of one test, as runners say it."""

from collections.abc import Mapping
from enum import StrEnum

LONGEST = 10_000  # characters of a line: a longer one is what a test printed


class Status(StrEnum):
    PASSED = "PASSED"
    XFAIL = "XFAIL"  # it fails, as was expected
    XPASS = "XPASS"  # it passes, and was expected to fail
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"
    ERROR = "ERROR"  # it could not run, or what follows it failed

    @property
    def is_pass(self) -> bool:
        return self in (Status.PASSED, Status.XFAIL)

    @property
    def is_failure(self) -> bool:
        return self in (Status.FAILED, Status.ERROR)


Statuses = Mapping[str, Status]  # by the names that the log has
_FROM_GOOD_TO_BAD = tuple(Status)


def worse(one: Status, other: Status | None) -> Status:
    """A test that is told of twice, as one that passes and can't be taken down."""
    return one if other is None else max(one, other, key=_FROM_GOOD_TO_BAD.index)
