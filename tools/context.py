"""The context of a tool call: the workspace, and limits on the resources that a tool may use."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from react_agent.parsers.plan.plan import Plan
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.values.targets import RecallRequest
from react_agent.tools.observation import Observation
from react_agent.tools.sandbox.sandbox import Sandbox, unconfined
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.process import ResourceLimits

if TYPE_CHECKING:
    from react_agent.tools.testing.new_tests import NewTests

NOTHING_KNOWN = Redaction()


@dataclass(frozen=True, slots=True)
class Limits:
    window_lines: int = 100  # lines of a file shown at once
    line_chars: int = 400  # a longer line is clipped around what matters, and counted
    result_lines: int = 60  # matches of a search, lines of a listing
    output_chars: int = 8_000  # of any one Observation
    read_chars: int = 8_000  # of one that shows files
    line_numbers: bool = True  # before each line of a file
    command_seconds: float = 120.0
    final_tests_seconds: float = 600.0  # for the tests at the end of a run, in all
    widen: bool = True  # what finds nothing looks further, and says what is near


# How much is shown from a window of so many tokens on. The default budget is 100,000.
_BY_WINDOW = (
    (100_000, Limits(1_000, 400, 200, 16_000, 48_000)),
    (32_000, Limits()),
    (0, Limits(60, 200, 25, 3_000, 3_000)),
)
SIZES = ("window_lines", "line_chars", "result_lines", "output_chars", "read_chars")


def limits_at(window: int, limits: Limits) -> Limits:
    """Return the limits, with sizes that suit a model's context window (in tokens)."""
    row = next(row for least, row in _BY_WINDOW if window >= least)
    return replace(limits, **{name: getattr(row, name) for name in SIZES})


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The most recent edit by an edit tool that has not been undone."""

    step: int
    paths: tuple[str, ...]
    before: str  # checkpoints
    after: str


@dataclass(frozen=True, slots=True)
class Context:
    root: Path  # the workspace's work tree; every path of the model's is relative to it
    limits: Limits = Limits()
    environment: Mapping[str, str] = field(default_factory=dict)  # for commands; an allow-list
    sandbox: Sandbox = unconfined  # what commands are started in
    cwd: str = "."  # of commands, relative to the root
    commands: Mapping[str, str] = field(default_factory=dict)  # the repository's: test, lint
    hosts: tuple[str, ...] = ()  # that may be read from the web; none: the web is off
    facts: Path | None = None  # what `lookup` looks into; none: the examples that are shipped
    base: str = ""  # the commit that the run starts from
    tree: str = ""  # a checkpoint that holds just the files there are; none: git has to be asked
    offered: frozenset[str] = frozenset()  # tools that a text may name
    resting: Mapping[str, int] = field(default_factory=dict)  # demoted tools: for how many steps
    repair_input: bool = True  # replies and edits that are not written to the letter
    edit_without_label: bool = False  # whether a reply that is only an edit is made
    last_edit: LastEdit | None = None
    plan: Plan | None = None  # as the steps so far have made it
    baseline: "Baseline | None" = None  # to show that new tests fail without the change
    delegate: "Delegate | None" = None  # has a file edited by somebody else
    recall: "Recall | None" = None  # finds again what earlier steps showed
    resource_limits: ResourceLimits = field(default_factory=ResourceLimits)  # of each command
    redact: Redaction = NOTHING_KNOWN  # what of a file a model is not shown
    background: Background | None = None  # for commands that go on; whoever made it closes it


# Returns the tests that the change adds or alters, up to a checkpoint, or to the files as they are
# if none is given, and opens a checkout of the base commit that has the tests as they are now.
Baseline: TypeAlias = Callable[
    [str], tuple["NewTests", Callable[[], AbstractContextManager[Context]]]
]
Delegate: TypeAlias = Callable[[str, str, Context], Observation]  # path and description
Recall: TypeAlias = Callable[[RecallRequest, Context], Observation]
