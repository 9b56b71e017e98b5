"""A profile: the instructions, tools and limits for a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.profiles.section import read_section, setting
from react_agent.state.findings import ANSWERS
from react_agent.tools.context import Limits

ABOUT = ("environment", "user", "repo_map", "issue", "files")
OFF = (*HiddenKind, "unoffered")
FINAL_TESTS = ("branch", "always", "never")  # where a branch is made
WORDS = ("never", "wanted", "always")  # where a pull request is wanted

HINTS = ("thinking", "plan", "failures", "actions", "ending")
GUARDS = (
    *("plan", "answer", "budget", "guide", "malformed", "stuck", "backtrack", "history"),
    *("compress", "remind"),
)
GATE_CHECKS = (
    *("untried", "empty", "threads", "tasks", "left_out", "only_tests", "tests_gone"),
    *("failing", "not_run", "no_test", "scratch"),
)  # the gravest first
CHECKS = ("stale", "tree", "names", "case", "spelling")  # of the backtracker
PATTERNS = ("again", "reworded", "cycle", "failing", "thoughts")
STAGES = ("all", "newest", "condense", "memory", "last")
KNOWN_STAGES = (*STAGES, "everything")


@dataclass(frozen=True, slots=True)
class Budget:
    steps: int = 40
    prompt_tokens: int = 2_000_000  # sent in all calls of a run
    seconds: float = 3600.0
    money: float | None = None  # counts only where a price is known
    window: int = 100_000  # of one prompt with the reply to it
    reply: int = 4_000  # tokens of one reply
    malformed: int = 3  # unreadable replies in a row
    overuse: int = 3  # the same call, with the same result, in a row


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules for prompt compression: when it starts, how far it goes, and its stages."""

    stages: tuple[str, ...] = setting(STAGES, known=KNOWN_STAGES)
    at: int = setting(0, least=0)  # tokens of a prompt and the reply; 0: what the window has
    to: float = setting(0.3, below=1)  # of the room that steps have: how far down, once it is full
    enough: float = setting(0.6, below=1)  # of that room: with less, no Thought is given up
    history: int = setting(0, least=0)  # steps that are shown; 0: all that fit
    remind: int = setting(5, least=0)  # lines of memory that come without being asked for


@dataclass(frozen=True, slots=True)
class Patience:
    """The number of repetitions after which a run counts as stuck, and the responses to that."""

    patterns: tuple[str, ...] = setting(PATTERNS, known=PATTERNS)
    ladder: tuple[str, ...] = setting(ANSWERS, known=ANSWERS)  # each once in a stretch of trouble
    reworded: int = setting(3, least=2, is_off_at_0=True)  # a call that failed, in other words
    cycle: int = setting(3, least=2, is_off_at_0=True)  # rounds of two calls, or as many steps
    failing: int = setting(3, least=2, is_off_at_0=True)  # edits after which tests fail the same
    thoughts: int = setting(3, least=2, is_off_at_0=True)  # steps in which nothing is done

    def times(self, pattern: str, overuse: int) -> int:
        return overuse if pattern == "again" else int(getattr(self, pattern))


@dataclass(frozen=True, slots=True)
class BackPolicy:
    """The settings of a profile for undoing steps that are based on a wrong assumption."""

    most: int = setting(3, least=0)  # times in a run
    checks: tuple[str, ...] = setting(CHECKS, known=CHECKS)  # that prove a claim wrong
    critic: bool = True  # asked where a run is stuck and nothing is proved


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a setting: a file and a line."""

    source: str
    line: int

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Profile:
    """The settings of a profile. New fields must also be listed in profile_file.py."""

    name: str = ""
    summary: str = ""
    tools: tuple[str, ...] = ()  # offered
    guards: tuple[str, ...] = setting((), known=GUARDS)
    unoffered: tuple[str, ...] = ()  # tools that answer all the same
    about: tuple[str, ...] = setting((), known=ABOUT)  # what a prompt tells of the repository
    budget: Budget = Budget()
    policy: Policy = field(default_factory=Policy)
    patience: Patience = field(default_factory=Patience)
    back: BackPolicy = field(default_factory=BackPolicy)
    role: str = ""
    opening: str = ""
    format: str = ""
    notes: str = ""
    monologue: str = ""  # how it finds its way, in its own words: left out where it costs much
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    hidden_offline: Mapping[str, Hidden] = field(default_factory=dict)  # without a network
    limits: Limits = field(default_factory=Limits)  # of what tools show
    off: tuple[str, ...] = setting((), known=OFF)  # kinds of hidden tools that do not answer
    edit_without_label: bool = False  # a reply that is nothing but an edit is that edit
    repair: bool = True  # what is not written to the letter is mended, where it can be
    gate: bool = True  # whether a Conclusion is checked, and for what
    checks: tuple[str, ...] = setting((), known=GATE_CHECKS)
    words: str = setting(
        "wanted", known=WORDS
    )  # when the model is asked for those of a pull request
    final_tests: str = setting("branch", known=FINAL_TESTS)  # when tests run at the end
    plan: bool = True  # shown, where its tools are offered
    hints: tuple[str, ...] = setting((), known=HINTS)  # that a prompt may end with
    gone: tuple[str, ...] = field(default=(), compare=False)  # a line for each that is not used
    # by section and name of each setting
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict, compare=False)

    def at(self, section: str, name: str) -> str:
        """Return the file and line of a setting, to be used in an error message."""
        return f"profile {self.places.get((section, name), self.name)}"


def with_limits(budget: Budget, given: Mapping[str, str]) -> Budget:
    """Return the budget, updated with the given limits. Raises ConfigError."""
    return read_section(budget, given, "budget")


def limits_of(budget: Budget) -> dict[str, str]:
    """Return the budget's limits in the format that `with_limits` accepts."""
    values = {name: getattr(budget, name) for name in Budget.__dataclass_fields__}
    return {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in values.items()
        if value is not None
    }
