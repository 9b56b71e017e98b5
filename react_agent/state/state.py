"""The state of a run, computed by applying the entries of its transcript in order."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from react_agent.parsers.plan.plan import Plan, new_plan
from react_agent.parsers.plan.requests import Replanned, added, modified
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import read_facts, read_list
from react_agent.parsers.turn.turn import Kind
from react_agent.parsers.values.arguments import Unreadable
from react_agent.state.findings import OPEN, STUCK, Point, Trouble, read_point, read_trouble
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    HISTORY,
    MAINTAINER,
    OTHERWISE,
    RECALL,
    RETRACTED,
    SHELVED,
    Shown,
    Spent,
    Step,
    more_before,
    reason_in,
    reshown,
    stage_of,
    told,
    told_line,
    whole,
    whole_number,
)
from react_agent.tools.context import LastEdit
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind as ToolKind
from react_agent.tools.registry import named

REFUSES = "the model refuses to answer"  # the reason of a stop by the model, not by the endpoint


class Stop(StrEnum):
    CONCLUDED = "concluded"
    GAVE_UP = "gave_up"
    OUT_OF_STEPS = "out_of_steps"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_TIME = "out_of_time"
    OUT_OF_MONEY = "out_of_money"
    STUCK = "stuck"
    MODEL_FAILED = "model_failed"
    INTERRUPTED = "interrupted"
    PROMPT_EXHAUSTED = "prompt_exhausted"

    @property
    def is_final(self) -> bool:
        """Whether the model itself ended the run. After any other stop, the run can be resumed."""
        return self in (Stop.CONCLUDED, Stop.GAVE_UP)


class Ending(StrEnum):
    """The problems that the result of a concluded run can have."""

    TESTS_FAILED = "tests_failed"  # they fail with the change only
    NO_CHANGE = "no_change"


def stop_event(stop: Stop, reason: str) -> Event:
    return Event("stop", f"{stop} {reason}".rstrip())


ASKED, OVERFLOW = "asked", "overflow"  # events
LOST = "lost"  # event: the cost of a request or a call without a result
PROFILE_FILE, PROFILE_TEXT = "profile file", "profile text"  # events
REDONE, FORKED = "redone", "forked"  # events
RESUMES = ("resumed", FORKED)  # events
START, SHORT = "start", 12  # the tree before any change; characters of a short tree id
ANSWER = "answer"  # a fact of ASKED: the model's answer
CONDENSING, REDRAWN = "condense", "redraw"  # purposes of a model call
VIEW = (COMPRESSED, CUT, CONDENSED, SHELVED)  # events that change what a prompt shows
BACKGROUND_GONE = "the run was interrupted here: its background processes have ended"
THREAD = "thread"  # of a review
MCP = "mcp"  # a tool of an MCP server
Change = Callable[[Plan, str], Replanned | Unreadable]
PLAN_CHANGES: Mapping[str, Change] = {"add_task": added, "modify_task": modified}  # by tool
TESTED = "tested"  # at the end: the result of the tests in a fresh checkout, and the command
OUTCOME = "outcome"  # at the end: one of Ending
PREPARE = "prepare"  # at the end: a command that would let the tests run
_RESULTS = (
    *("branch", "tests", "left out", "diff", "subject", "dropped", "refused", "checks"),
    *("wrote", TESTED, OUTCOME, PREPARE),
)


@dataclass(frozen=True, slots=True)
class Rest:
    """A temporary block: a repeated tool call is refused with a reason until the block ends."""

    until: int  # the last step of the rest
    given: str  # the input
    tree: str = ""  # other files may give another result


def replanned(plan: Plan | None, step: Step) -> Plan | None:
    """Return the plan after a step. A change that can't be applied has no effect."""
    change = PLAN_CHANGES.get(step.tool)
    if plan is None or change is None or step.kind != ToolKind.PLAN or step.status is not Status.OK:
        return plan
    came = change(plan, step.said.turn.input)
    return plan if isinstance(came, Unreadable) else came.plan


def take_done(state: "State", step: Step) -> None:
    """Update the state with the effects of a step on the files, the plan and the current folder."""
    facts = step.seen.facts
    before, state.tree = state.tree, facts.get("tree", state.tree)
    state.cwd = facts.get("cwd", state.cwd)
    state.plan = replanned(state.plan, step)
    if step.has_written:
        state.wrote.update(step.paths)
        if "undid" not in facts:
            start = before or state.start
            state.edits.append(LastEdit(step.number, step.paths, start, state.tree))
        elif state.edits:
            state.edits.pop()


def _done_again(state: "State") -> None:
    """Recompute the tree, current folder, plan and edits from the steps that were not undone."""
    state.tree, state.cwd, state.plan = "", ".", new_plan(state.objective or "")
    state.edits.clear()
    state.wrote.clear()
    for step in state.standing:
        take_done(state, step)


def astray(state: "State", may_have_written: Callable[[Step], bool]) -> Step | None:
    """Return the first step whose recorded files don't match the files after the step before it.

    This happens when the user edits the transcript: removes, retracts, restores or adds a step.
    """
    before = START
    for step in state.standing:
        if may_have_written(step):
            return step
        if step.tree:
            if step.seen.facts.get("on", before) != before:
                return step
            before = step.tree[:SHORT]
    return None


def on_which(state: "State") -> str:
    """Return the short id of the git tree that the next step starts from."""
    return state.tree[:SHORT] or START


def _take_redone(state: "State", event: Event) -> None:
    """Update the facts of a step that was executed again and may have left different files."""
    facts = read_facts(event.text)
    number = whole_number(facts.pop("n", None))
    if 0 < number <= len(state.steps):
        step = state.steps[number - 1]
        is_other = bool(step.tree) and facts.get("tree", step.tree) != step.tree
        if is_other and step.stands and not step.told.endswith(OTHERWISE):
            step = told(step, OTHERWISE)
            state.prompt_tokens += estimate_tokens(OTHERWISE)
        seen = replace(step.seen, facts={**step.seen.facts, **facts})
        state.steps[number - 1] = replace(step, seen=seen)
        _done_again(state)


def _take_hint(state: "State", event: Event) -> None:
    state.hint = event.text


def _take_demoted(state: "State", event: Event) -> None:
    facts = read_facts(event.text)
    given = next((step.said.turn.input for step in reversed(state.standing)), "")
    rest = Rest(whole_number(facts.get("until")), given, state.tree)
    state.demoted[facts.get("tool", "")] = rest


def _take_model(state: "State", event: Event) -> None:
    """Reset the context window and the token counts, since they differ from model to model."""
    state.window, state.counted, state.too_long = None, 0, 0


def _take_told(state: "State", event: Event) -> None:
    """Add the user's message after the last step. All later prompts show it. If the run had
    ended, it continues.
    """
    state.stop, state.stop_reason = None, ""
    state.result.clear()
    state.open.clear()
    line = told_line(event.text)
    if state.steps:
        state.steps[-1] = told(state.steps[-1], line)
    else:
        state.told += line
    state.prompt_tokens += estimate_tokens(line)


def _take_result(state: "State", event: Event) -> None:
    if state.objective is not None:  # a line before the objective is a plan, not a result
        state.result[event.name] = event.text


def _take_overflow(state: "State", event: Event) -> None:
    facts = read_facts(event.text)
    state.too_long = whole_number(facts.get("prompt")) or state.prompt_tokens
    state.spent.add(facts)
    _take_counts(state, facts, facts.get("prompt"))


def _take_counts(state: "State", facts: Mapping[str, str], prompt: str | None) -> None:
    """Update the context window, and the prompt's token count unless it is only an estimate."""
    state.window = whole_number(facts.get("window")) or state.window
    if "estimated" not in facts and (counted := whole_number(prompt)):
        state.counted, state.counted_at = counted, state.prompt_tokens


def _take_asked(state: "State", event: Event) -> None:
    """Record a model call that did not produce a step."""
    facts = read_facts(event.text)
    state.spent.add(facts)
    state.asked[facts.get("for", "")] = len(state.steps)
    state.redraws += facts.get("for") == REDRAWN
    state.asked_in_vain += facts.get("for") == CONDENSING


def _take_view(state: "State", event: Event) -> None:
    """Change how much of each step the prompt shows. The transcript still keeps the whole step."""
    tokens = state.prompt_tokens
    _show_again(state, event)
    if event.name == CONDENSED:
        state.asked_in_vain = 0
    if event.name == SHELVED:
        _say_before(state, can_recall=RECALL in read_facts(event.text))
    if stage_of(event) != HISTORY and (taken := tokens - state.prompt_tokens) > 0:
        state.taken += taken
        state.compressed.add(len(state.steps) + 1)


def _say_before(state: "State", *, can_recall: bool) -> None:
    state.prompt_tokens -= estimate_tokens(state.before)
    state.before = more_before(state.steps, can_recall=can_recall)
    state.prompt_tokens += estimate_tokens(state.before)


def _show_again(state: "State", event: Event) -> list[Step]:
    changed = reshown(state.steps, event)
    for number, step in changed.items():
        state.prompt_tokens += step.tokens - state.steps[number - 1].tokens
        state.steps[number - 1] = step
    return list(changed.values())


def _take_back(state: "State", event: Event) -> None:
    """Undo steps, including their file changes and background commands. Later prompts show why."""
    gone = [step for step in _show_again(state, event) if not step.stands]
    if not gone:
        return
    state.hint = ""
    state.result.clear()
    state.open.clear()
    state.troubles.clear()
    if reason := reason_in(event.text):
        state.dead_ends.append(reason)
    _done_again(state)
    _say_before(state, can_recall=named(RECALL) in state.before)
    state.running = still_running(state, gone)


def started_in(state: "State", steps: Iterable[Step]) -> list[str]:
    """Return the numbers of background commands started by these steps that may still be running.

    Commands from before a resume have ended, and their numbers are reused.
    """
    since = (step for step in steps if step.number > state.taken_up)
    return [number for step in since if (number := step.seen.facts.get("background"))]


def still_running(state: "State", gone: Iterable[Step]) -> tuple[str, ...]:
    """Return the running background commands, except those started by the steps in `gone`."""
    ended = tuple(f"{number}:" for number in started_in(state, gone))
    return tuple(line for line in state.running if not line.startswith(ended))


def _take_resumed(state: "State", event: Event) -> None:
    is_cut_off = event.name != FORKED and state.stop in (None, Stop.INTERRUPTED)
    if is_cut_off and state.pending is None:  # else its last reply is here
        state.spent.unknown += 1
    state.stop, state.stop_reason = None, ""
    state.taken_up = len(state.steps)
    state.troubles.clear()
    if state.running:
        state.hint, state.running = BACKGROUND_GONE, ()
    state.result.clear()
    state.steps[:] = [replace(step, written=step.number) for step in state.steps]
    state.open.clear()
    _take_model(state, event)  # an event `model` follows, except in a replay


def _take_stop(state: "State", event: Event) -> None:
    word, _, reason = event.text.partition(" ")
    state.stop = Stop(word) if word in tuple(Stop) else None
    state.stop_reason = reason


EVENTS: Mapping[str, Callable[["State", Event], None]] = {
    "hint": _take_hint,
    "demote": _take_demoted,
    "stop": _take_stop,
    "model": _take_model,
    OVERFLOW: _take_overflow,
    ASKED: _take_asked,
    LOST: lambda state, event: state.spent.add(read_facts(event.text)),
    RETRACTED: _take_back,
    MAINTAINER: _take_told,
    REDONE: _take_redone,
    "about": lambda state, event: state.about.append(event.text),
    THREAD: lambda state, event: state.threads.append(event.text),
    "procedure": lambda state, event: state.procedure.append(event.text),
    "recalled": lambda state, event: state.recalled.append(event.text),
    MCP: lambda state, event: state.mcp.append(event.text),
    PROFILE_FILE: lambda state, event: state.profile.append(event),
    PROFILE_TEXT: lambda state, event: state.profile.append(event),
    OPEN: lambda state, event: state.open.append(read_point(event.text)),
    STUCK: lambda state, event: state.troubles.append(read_trouble(event.text, len(state.steps))),
    **dict.fromkeys(RESUMES, _take_resumed),
    **dict.fromkeys(VIEW, _take_view),
    **dict.fromkeys(_RESULTS, _take_result),
}


STARTED_FROM = "tree"  # the checkpoint that a sub-agent started from
_CHANGEABLE = ("limits", "model", "amended", "prompt", "repository", "sandbox")  # by a resume
_HEAVIEST, _LIGHTEST = 2.0, 0.5  # bounds for the error of an estimate
NOT_SEEN = "(its result was not recorded)"


@dataclass(slots=True)
class State:
    header: dict[str, str] = field(default_factory=dict)  # the events before the objective
    objective: str | None = None
    profile: list[Event] = field(default_factory=list)  # its text, unless it is built in
    about: list[str] = field(default_factory=list)  # what the prompt tells of the repository
    told: str = ""  # a person's messages before the first step
    threads: list[str] = field(default_factory=list)  # threads of a review that need an answer
    procedure: list[str] = field(default_factory=list)  # its lines, if the run is one
    mcp: list[str] = field(default_factory=list)  # tools of servers, one a text
    steps: list[Step] = field(default_factory=list)
    pending: Said | None = None  # a reply without an observation yet
    spent: Spent = field(default_factory=Spent)
    prompt_tokens: int = 0  # estimate for the objective and the steps
    counted: int = 0  # tokens of the last prompt, counted by the endpoint
    counted_at: int = 0  # our estimate for the same prompt
    window: int | None = None  # the endpoint's window, if it is known
    too_long: int = 0  # tokens of a prompt that did not fit
    compressed: set[int] = field(default_factory=set)  # numbers of steps that follow a compression
    taken: int = 0  # tokens removed by compressing
    before: str = ""  # a line about steps that are not shown
    asked_in_vain: int = 0  # requests to condense in a row that failed
    taken_up: int = 0  # number of steps at the last resume
    asked: dict[str, int] = field(default_factory=dict)  # purpose: number of steps then
    redraws: int = 0  # replies for the next step that were rejected, since they had failed
    hint: str = ""  # for the next prompt only
    recalled: list[str] = field(default_factory=list)  # reminders, for the next prompt only
    demoted: dict[str, Rest] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)  # and how each was answered
    cwd: str = "."  # the folder of commands
    running: tuple[str, ...] = ()  # background commands after the last step
    tree: str = ""  # the last checkpoint of the work tree
    edits: list[LastEdit] = field(default_factory=list)  # edits that can be undone
    wrote: set[str] = field(default_factory=set)  # files that edit tools have written
    plan: Plan | None = None  # the root of it is the objective
    dead_ends: list[str] = field(default_factory=list)  # why steps were taken back
    open: list[Point] = field(default_factory=list)  # open points of the accepted conclusion
    stop: Stop | None = None
    stop_reason: str = ""
    result: dict[str, str] = field(default_factory=dict)  # the results at the end of the run

    @property
    def length(self) -> str:
        """The number of steps in words. A conclusion is mentioned but not counted."""
        is_shown = self.stop and self.stop.is_final and self.conclusion and self.pending
        also = " and a conclusion" if is_shown else ""
        return counted(len(self.steps), "step") + also

    @property
    def is_complete(self) -> bool:
        """Whether the model has ended the run and the result is recorded."""
        return bool(self.stop and self.stop.is_final and "tests" in self.result)

    @property
    def conclusion(self) -> str:
        return self.pending.turn.conclusion if self.pending else ""

    @property
    def start(self) -> str:
        """The checkpoint or commit that the run started from."""
        return self.header.get(STARTED_FROM) or self.header.get("base", "")

    @property
    def last_edit(self) -> LastEdit | None:
        return self.edits[-1] if self.edits else None

    @property
    def in_view(self) -> frozenset[int]:
        """The numbers of the steps whose observation the prompt shows in full."""
        return frozenset(step.number for step in self.steps if step.shown is Shown.WHOLE)

    @property
    def standing(self) -> list[Step]:
        """Return the steps that were not retracted."""
        return [step for step in self.steps if step.stands]

    @property
    def all_told(self) -> str:
        """All messages from the user, as a prompt shows them."""
        return "".join((self.told, *(step.messages for step in self.steps)))

    @property
    def shown(self) -> dict[str, str]:
        """The properties of the prompts that are recorded in the transcript."""
        return read_facts(self.header.get("prompt", ""))

    def expected(self, prompt_tokens: int, system_tokens: int) -> int:
        """Return the expected number of tokens in the whole prompt.

        The estimate is scaled by the last token count of the endpoint. Growth is never scaled down,
        and shrinkage is never scaled up.
        """
        if not self.counted:
            return system_tokens + prompt_tokens
        weight = self.counted / max(system_tokens + self.counted_at, 1)
        since = prompt_tokens - self.counted_at
        weight = min(max(weight, 1.0), _HEAVIEST) if since > 0 else max(min(weight, 1.0), _LIGHTEST)
        return self.counted + round(since * weight)

    def take(self, entry: Entry) -> None:
        match entry:
            case Event(name, text):
                if (self.objective is None and name != HEADER) or name in _CHANGEABLE:
                    self.header[name] = text
                if taken := EVENTS.get(name):
                    taken(self, entry)
            case Objective(text):
                self.objective, self.plan = text, new_plan(text)
                self.prompt_tokens += estimate_tokens(text)
            case Said():
                if self.pending and self.pending.turn.kind is not Kind.CONCLUSION:
                    self._take_seen(Seen(NOT_SEEN))  # as in a file that somebody edited
                self.pending = entry
                self.redraws = 0
                self.hint = ""
                self.recalled.clear()
                self.spent.add(entry.facts)
                _take_counts(self, entry.facts, entry.facts.get("in"))
            case Seen(_, facts):
                self._take_seen(entry)
                self.spent.add(facts)

    def _take_seen(self, seen: Seen) -> None:
        if self.pending is None:
            return
        if self.pending.turn.kind is Kind.ACTION:  # any other reply ends no command
            self.running = read_list(seen.facts.get("running", ""))
        number = len(self.steps) + 1
        self.steps.append(whole(number, self.pending, seen))
        self.prompt_tokens += self.steps[-1].tokens
        self.pending = None
        take_done(self, self.steps[-1])


def fold(entries: Iterable[Entry]) -> State:
    state = State()
    for entry in entries:
        state.take(entry)
    return state


def trees_of(state: State) -> set[str]:
    """Return the ids of all checkpoints that the state refers to."""
    named = {state.header.get(STARTED_FROM, ""), *(step.tree for step in state.steps)}
    return named - {"", state.header.get("base", "")}
