"""What a worker is given, and what comes back: values that can be sent to another machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.eval.instance import Instance
from react_agent.eval.verdict import Kind, Verdict

PLAIN = "plain"  # the arm that nothing was taken from


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of solving."""

    model: str  # a spec; `{id}` and `{n}` in it stand for the instance and the number of the try
    name: str = PLAIN
    profile: str = "issue"
    without: tuple[str, ...] = ()  # what is switched off: see without.py
    budget: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """An attempt."""

    instance: str
    arm: str
    number: int  # of the try, from 1

    def __str__(self) -> str:
        return f"{self.instance} {self.arm} {self.number}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The same for a whole experiment. Folders are those of the machine that works."""

    repositories: Path | None = (
        None  # a folder of mirrors: OWNER/NAME, OWNER__NAME or NAME, or with .git
    )
    sandbox: str = "auto"
    network: bool = False
    solve_s: float = 5400.0  # after which a worker is ended
    tests_s: float = 1800.0
    install_s: float = 1800.0
    with_hints: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    key: Key
    instance: Instance
    arm: Arm
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why it could not be solved or graded; `kind` says whose failure that is."""

    verdict: Verdict
    kind: Kind
    text: str  # one line


@dataclass(frozen=True, slots=True)
class Solved:
    key: Key
    patch: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)  # transcript.txt, report.md, sub/...
    seconds: float = 0.0
    cpu_s: float = 0.0  # of ours
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Tests:
    """By name, as the set has them."""

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
