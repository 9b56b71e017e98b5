"""What became of an attempt, and why it came to nothing."""

from enum import StrEnum


class Verdict(StrEnum):
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    NO_PATCH = "no_patch"
    PATCH_FAILED = "patch_failed"  # it does not apply to the base
    ENV_FAILED = "env_failed"  # no repository, no commit, no environment
    CRASHED = "crashed"  # our own failure, the endpoint's, or the machine's
    TIMED_OUT = "timed_out"  # the tests did not end
    UNGRADED = "ungraded"  # there are no tests to judge it by


class Kind(StrEnum):
    """Why it is not resolved. The last ones are failures of what surrounds the model."""

    NEVER_FOUND = "never found the file"
    NOT_EDITED = "found the file, did not edit it"
    NO_CHANGE = "no change"  # and nothing that would say why
    TESTS_FAIL = "edited, the tests fail"
    BROKE_OTHERS = "broke other tests"
    PATCH_REFUSED = "its patches were refused"
    STUCK = "went round"
    GAVE_UP = "gave up"
    PROMPT_EXHAUSTED = "the prompt was exhausted"
    UNREADABLE = "unreadable replies"
    OUT_OF_BUDGET = "out of budget"
    TESTS_HANG = "the tests do not end"
    ENDPOINT = "the endpoint failed"
    ENVIRONMENT = "wrong environment"
    REPOSITORY = "no such repository or commit"
    WORKER = "the worker died"
    DEADLINE = "the worker was ended after its deadline"
    OURS = "a fault of ours"

    @property
    def is_infrastructure(self) -> bool:
        """Never the model's failure: left out of the rate, and tried again by a resume."""
        return self in _INFRASTRUCTURE


_INFRASTRUCTURE = frozenset(
    (Kind.ENDPOINT, Kind.ENVIRONMENT, Kind.REPOSITORY, Kind.WORKER, Kind.DEADLINE, Kind.OURS)
)
