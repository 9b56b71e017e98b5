"""The input and output of a worker: values that can be sent to another machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Verdict(StrEnum):
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    NO_PATCH = "no_patch"
    PATCH_FAILED = "patch_failed"  # it does not apply to the base
    ENV_FAILED = "env_failed"  # no repository, no commit, no environment
    CRASHED = "crashed"  # our own failure, the endpoint's, or the machine's
    TIMED_OUT = "timed_out"  # the tests did not end
    UNGRADED = "ungraded"  # there are no tests


class Kind(StrEnum):
    """The reason why an attempt is not resolved. The last members are infrastructure failures."""

    NEVER_FOUND = "never found the file"
    NOT_EDITED = "found the file, did not edit it"
    NO_CHANGE = "no change"  # and no sign of a reason
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
        """Return whether the model is not at fault. Such attempts are not counted, but retried."""
        ours = (Kind.WORKER, Kind.DEADLINE, Kind.OURS)
        return self in (Kind.ENDPOINT, Kind.ENVIRONMENT, Kind.REPOSITORY, *ours)


@dataclass(frozen=True, slots=True)
class Instance:
    """A row of a set. The column names of SWE-bench are in brackets."""

    id: str  # (instance_id)
    repo: str  # OWNER/NAME, a path, or a URL
    base: str  # the commit (base_commit)
    problem: str  # (problem_statement)
    hints: str = ""  # comments on the issue (hints_text); never shown
    patch: str = ""  # the fix that people made
    test_patch: str = ""
    fail_to_pass: tuple[str, ...] = ()  # (FAIL_TO_PASS)
    pass_to_pass: tuple[str, ...] = ()  # (PASS_TO_PASS)
    version: str = ""
    environment_commit: str = ""  # (environment_setup_commit); none: the base
    created: str = ""  # (created_at)
    install: str = ""  # ours: shell lines that make its environment, with $VENV for its place
    test_command: str = ""  # ours; if empty, chosen by the tests and files
    python: str = ""  # ours: a version such as 3.11, or a program

    @property
    def is_graded(self) -> bool:
        """Return whether there are tests. An issue without tests can be solved, but not judged."""
        return bool(self.fail_to_pass)


PLAIN = "plain"  # the arm from which nothing was removed


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to solve the issues of a set."""

    model: str  # a spec; `{id}` and `{n}` in it stand for the instance and the number of the try
    name: str = PLAIN
    profile: str = "issue"
    without: tuple[str, ...] = ()  # what is switched off: see without.py
    budget: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """The key that identifies an attempt."""

    instance: str
    arm: str
    number: int  # of the try, from 1

    def __str__(self) -> str:
        return f"{self.instance} {self.arm} {self.number}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Settings that all attempts of an experiment share. Folders are on the worker's machine."""

    repositories: Path | None = None  # a folder: OWNER/NAME, OWNER__NAME or NAME, or with .git
    sandbox: str = "auto"
    network: bool = False
    solve_s: float = 5400.0  # the deadline of a worker
    tests_s: float = 1800.0
    install_s: float = 1800.0


@dataclass(frozen=True, slots=True)
class Task:
    key: Key
    instance: Instance
    arm: Arm
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why an attempt could not be solved or graded. `kind` tells whose failure it is."""

    verdict: Verdict
    kind: Kind
    text: str  # one line


@dataclass(frozen=True, slots=True)
class Solved:
    key: Key
    patch: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)  # transcript.txt, sub/...
    seconds: float = 0.0
    cpu_s: float = 0.0  # CPU time of our own process
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Tests:
    """The names of the tests by result, spelled as in the set."""

    fixed: tuple[str, ...] = ()  # of FAIL_TO_PASS, that pass
    not_fixed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # of PASS_TO_PASS, that pass
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graded:
    key: Key
    verdict: Verdict
    tests: Tests = field(default_factory=Tests)
    log: bytes = b""  # what the tests printed, bounded
    seconds: float = 0.0
    fault: Fault | None = None


Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Used:
    """The resources that a run used, counted from its transcript."""

    steps: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached: int = 0  # prompt tokens that were cached
    cost: float | None = None  # None: no price is known
    seconds: float = 0.0
    calls: Counts = field(default_factory=dict)  # of tools, by their names
    failed: Counts = field(default_factory=dict)  # failed calls, by tool
    hidden: Counts = field(default_factory=dict)  # answers of hidden tools, by `NAME how`
    wishes: Counts = field(default_factory=dict)  # names of tools that do not exist
    repairs: int = 0  # steps whose reply or input was mended
    unreadable: int = 0  # replies
    compressions: int = 0
    backtracks: int = 0
    retracted: int = 0  # steps
    stuck: int = 0  # times that the model was told so
    parts: Counts = field(default_factory=dict)  # tokens of all prompts, by what they were for

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.reply_tokens

    @property
    def is_unpriced(self) -> bool:
        return self.cost is None and self.tokens > 0


@dataclass(frozen=True, slots=True)
class Record:
    key: Key
    repo: str
    verdict: Verdict
    kind: str = ""  # why not: a Kind; empty where it is resolved
    step: int = 0  # the step that shows the reason, or 0
    reason: str = ""  # one line
    is_infrastructure: bool = False
    stop: str = ""  # how the run ended
    used: Used = field(default_factory=Used)
    tests: Tests = field(default_factory=Tests)
    patch: str = ""
    folder: Path | None = None  # with transcript.txt, test_output.txt, ...

    @property
    def is_resolved(self) -> bool:
        return self.verdict is Verdict.RESOLVED

    @property
    def why(self) -> str:
        """Return a short reason why the attempt is not resolved."""
        return self.kind or self.verdict.replace("_", " ")
