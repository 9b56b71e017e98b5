"""The context of a tool call: the workspace, and the limits on what a tool may use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from react_agent.parsers.plan.plan import Plan
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.values.recall import RecallRequest
from react_agent.tools.observation import Observation
from react_agent.tools.sandbox.sandbox import Sandbox, unconfined
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.process import ResourceLimits

NOTHING_KNOWN = Redaction()


@dataclass(frozen=True, slots=True)
class Limits:
    window_lines: int = 100  # lines of a file shown at once
    line_numbers: bool = True  # before each line of a file
    line_chars: int = 400  # a longer line is clipped around what matters, and counted
    result_lines: int = 60  # lines of a search or a listing
    output_chars: int = 8_000  # of any one Observation
    command_seconds: float = 120.0
    final_tests_seconds: float = 600.0  # for the tests at the end of a run, in all
    widen: bool = True  # what finds nothing looks further, and says what is near


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last edit by an edit tool that has not been undone."""

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
    delegate: "Delegate | None" = None  # has a file edited by somebody else
    recall: "Recall | None" = None  # finds again what earlier steps showed
    resource_limits: ResourceLimits = field(default_factory=ResourceLimits)  # of each command
    redact: Redaction = NOTHING_KNOWN  # what of a file a model is not shown
    background: Background | None = None  # for commands that go on; whoever made it closes it


Delegate: TypeAlias = Callable[[str, str, Context], Observation]  # path and description
Recall: TypeAlias = Callable[[RecallRequest, Context], Observation]
