"""What a run has come to: a fold over the entries of its transcript."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from react_agent.parsers.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.facts import read_facts, read_list
from react_agent.parsers.tokens import estimate_tokens
from react_agent.parsers.transcript_writer import observation_text, turn_text
from react_agent.parsers.turn import Kind
from react_agent.stop import Stop
from react_agent.tools.context import LastEdit
from react_agent.tools.observation import Status

STARTED_FROM = "tree"  # of a sub-agent: the checkpoint that it began with
_CHANGEABLE = ("limits", "model", "repository", "sandbox")  # by a resume
BACKGROUND_GONE = "the run was broken off here: what ran in the background has ended"
_RESULTS = ("branch", "tests", "left out", "diff")
NOT_SEEN = "(what this returned was not recorded)"


@dataclass(frozen=True, slots=True)
class Step:
    number: int
    said: Said
    seen: Seen
    text: str  # as it stands in the prompt
    tokens: int

    @property
    def status(self) -> Status:
        """Of a step that a person wrote, it is said or it is well."""
        word = self.seen.facts.get("status", Status.OK)
        return Status(word) if word in tuple(Status) else Status.FAILED


@dataclass(frozen=True, slots=True)
class Rest:
    """A tool that is demoted: this very call of it is answered with a reason instead."""

    until: int  # the last step of it
    given: str  # the input


@dataclass(slots=True)
class Spent:
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    money: float | None = None  # None: no price is known

    def add(self, facts: Mapping[str, str]) -> None:
        self.prompt_tokens += _whole(facts.get("in"))
        self.reply_tokens += _whole(facts.get("out"))
        self.seconds += _number(facts.get("seconds")) or 0.0
        cost = _number(facts.get("cost"))
        if cost is not None:
            self.money = (self.money or 0.0) + cost


@dataclass(slots=True)
class State:
    header: dict[str, str] = field(default_factory=dict)  # the events before the objective
    objective: str | None = None
    about: list[str] = field(default_factory=list)  # what the prompt tells of the repository
    steps: list[Step] = field(default_factory=list)
    pending: Said | None = None  # said, but what came of it has not been seen
    spent: Spent = field(default_factory=Spent)
    prompt_tokens: int = 0  # of objective and steps, estimated
    counted: int = 0  # of the last prompt, by the endpoint
    counted_at: int = 0  # what was estimated of the same one
    window: int | None = None  # of the endpoint, where it is known
    hint: str = ""  # for the next prompt only
    demoted: dict[str, Rest] = field(default_factory=dict)
    cwd: str = "."  # of commands
    has_background: bool = False  # commands that were started there, and may still run
    tree: str = ""  # the last checkpoint of the work tree
    edits: list[LastEdit] = field(default_factory=list)  # that can be taken back
    wrote: set[str] = field(default_factory=set)  # files that edit tools have written
    stop: Stop | None = None
    stop_reason: str = ""
    result: dict[str, str] = field(default_factory=dict)  # what was made of the run at its end

    @property
    def conclusion(self) -> str:
        return self.pending.turn.conclusion if self.pending else ""

    @property
    def last_edit(self) -> LastEdit | None:
        return self.edits[-1] if self.edits else None

    def next_prompt(self, system_tokens: int) -> int:
        """What the endpoint counted last, and an estimate of what has come since."""
        if not self.counted:
            return system_tokens + self.prompt_tokens
        return self.counted + self.prompt_tokens - self.counted_at

    def take(self, entry: Entry) -> None:
        match entry:
            case Event(name, text):
                self._take_event(name, text)
            case Objective(text):
                self.objective = text
                self.prompt_tokens += estimate_tokens(text)
            case Said():
                self._finish_pending()
                self.pending = entry
                self.hint = ""
                self.spent.add(entry.facts)
                self._take_counts(entry.facts)
            case Seen(_, facts):
                self._take_seen(entry)
                self.spent.add(facts)

    def _take_counts(self, facts: Mapping[str, str]) -> None:
        self.window = _whole(facts.get("window")) or self.window
        if "estimated" not in facts and (counted := _whole(facts.get("in"))):
            self.counted, self.counted_at = counted, self.prompt_tokens

    def _take_seen(self, seen: Seen) -> None:
        if self.pending is None:
            return
        text = turn_text(self.pending.turn) + observation_text(seen.text)
        number = len(self.steps) + 1
        self.steps.append(Step(number, self.pending, seen, text, estimate_tokens(text)))
        self.prompt_tokens += self.steps[-1].tokens
        self.pending = None
        before, self.tree = self.tree, seen.facts.get("tree", self.tree)
        self.cwd = seen.facts.get("cwd", self.cwd)
        self.has_background = self.has_background or "background" in seen.facts
        if seen.facts.get("kind") == "write" and seen.facts.get("status") == "ok":
            paths = read_list(seen.facts.get("paths", ""))
            self.wrote.update(paths)
            self._take_edit(
                LastEdit(number, paths, before or self.header.get("base", ""), self.tree)
            )

    def _take_edit(self, edit: LastEdit) -> None:
        if "undid" not in self.steps[-1].seen.facts:
            self.edits.append(edit)
        elif self.edits:
            self.edits.pop()

    def _finish_pending(self) -> None:
        """A turn that another one follows, in a file that somebody edited."""
        if self.pending and self.pending.turn.kind is not Kind.CONCLUSION:
            self._take_seen(Seen(NOT_SEEN))

    def _take_event(self, name: str, text: str) -> None:
        if (self.objective is None and name != HEADER) or name in _CHANGEABLE:
            self.header[name] = text
        match name:
            case "hint":
                self.hint = text
            case "demote":
                facts = read_facts(text)
                given = self.steps[-1].said.turn.input if self.steps else ""
                self.demoted[facts.get("tool", "")] = Rest(_whole(facts.get("until")), given)
            case "stop":
                self._take_stop(text)
            case "resumed":
                self._take_resumed()
            case "model":  # another one counts anew
                self.window, self.counted = None, 0
            case "overflow":
                self.window = _whole(read_facts(text).get("window")) or self.window
            case _:
                self._take_fact(name, text)

    def _take_fact(self, name: str, text: str) -> None:
        if name == "about":
            self.about.append(text)
        elif name in _RESULTS:
            self.result[name] = text

    def _take_resumed(self) -> None:
        self.stop, self.stop_reason = None, ""
        if self.has_background:
            self.hint, self.has_background = BACKGROUND_GONE, False
        self.result.clear()

    def _take_stop(self, text: str) -> None:
        word, _, reason = text.partition(" ")
        self.stop = Stop(word) if word in tuple(Stop) else None
        self.stop_reason = reason


def fold(entries: Iterable[Entry]) -> State:
    state = State()
    for entry in entries:
        state.take(entry)
    return state


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
