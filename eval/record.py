"""An attempt as reports read it: what it came to, what it took, and where one can look."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.eval.task import Key, Tests
from react_agent.eval.verdict import Verdict

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Used:
    """What happened in its transcript."""

    steps: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached: int = 0  # of the prompt's
    cost: float | None = None  # None: no price is known
    seconds: float = 0.0
    calls: Counts = field(default_factory=dict)  # of tools, by their names
    failed: Counts = field(default_factory=dict)  # of these, those that failed
    hidden: Counts = field(default_factory=dict)  # answers of hidden tools, by `NAME how`
    wishes: Counts = field(default_factory=dict)  # names that there are not
    repairs: int = 0  # steps whose reply or input was mended
    unreadable: int = 0  # replies
    compressions: int = 0
    backtracks: int = 0
    retracted: int = 0  # steps
    stuck: int = 0  # times that it was told so
    parts: Counts = field(default_factory=dict)  # tokens of all prompts, by what they were for

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.reply_tokens


@dataclass(frozen=True, slots=True)
class Record:
    key: Key
    repo: str
    verdict: Verdict
    kind: str = ""  # why not: a Kind; empty where it is resolved
    step: int = 0  # the step that shows it; 0: none does
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
        """It is not resolved, in a few words."""
        return self.kind or self.verdict.replace("_", " ")
