"""A step of a run, and the cost of steps. A prompt shows a step in full at first, later shorter.

The transcript keeps every step in full. Events record how much of each step the prompt shows.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from react_agent.parsers.answers.labelled import Condensed
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.names import main_names
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event, Said, Seen
from react_agent.parsers.transcript.facts import (
    read_facts,
    read_list,
    read_numbers,
    write_facts,
    write_numbers,
)
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.parsers.values.commands import checked_edit
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits
from react_agent.tools.observation import Status
from react_agent.tools.registry import TESTS, THEN, THEN_STATUS, Kind, named


@dataclass(slots=True)
class Spent:
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    money: float | None = None  # None: no price is known
    cached: int = 0  # of the prompt tokens
    written: int = 0  # prompt tokens that were written to the cache
    unknown: int = 0  # most calls that a killed process may have left unfinished

    def add(self, facts: Mapping[str, str]) -> None:
        self.prompt_tokens += whole_number(facts.get("in"))
        self.reply_tokens += whole_number(facts.get("out"))
        self.seconds += real_number(facts.get("seconds")) or 0.0
        self.cached += whole_number(facts.get("cached"))
        self.written += whole_number(facts.get("written"))
        self.unknown += whole_number(facts.get("unknown"))
        cost = real_number(facts.get("cost"))
        if cost is not None:
            self.money = (self.money or 0.0) + cost

    def __add__(self, other: "Spent") -> "Spent":
        total = replace(self)
        total.add({**other.facts, "seconds": str(other.seconds)})
        return total

    @property
    def facts(self) -> dict[str, str]:
        """The tokens and the money in the format that `add` reads."""
        counts = {
            "in": self.prompt_tokens,
            "out": self.reply_tokens,
            "cached": self.cached,
            "written": self.written,
            "unknown": self.unknown,
        }
        facts = {name: str(count) for name, count in counts.items() if count}
        return facts if self.money is None else facts | {"cost": f"{self.money:.6f}"}

    @property
    def not_known(self) -> str:
        """A phrase for usage summaries with the number of interrupted model calls, if any."""
        return f", and at most {counted(self.unknown, 'call')} cut off" if self.unknown else ""


def spent_text(spent: Spent, steps: int) -> str:
    """Return the usage in the format that `Spent.add` reads, including the number of steps."""
    return write_facts({"steps": str(steps), **spent.facts, "seconds": f"{spent.seconds:.3f}"})


def whole_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 19 else 0


def real_number(text: str | None) -> float | None:
    """Parse a number. Return None for `nan`, `inf` and text that is not a number."""
    try:
        found = float(text) if text else math.nan
    except ValueError:
        return None
    return found if math.isfinite(found) else None


RECALL = "recall"  # the tool that shows a step again
COMPRESSED, CUT, CONDENSED, SHELVED = "compressed", "cut", "condensed", "shelved"  # events
RETRACTED = "retracted"  # the event that takes steps back, and what they did
MAINTAINER = "from the maintainer"  # the event for a person's message during the run
OTHERWISE = "(repeated later on different files: check its results before you rely on them)\n"
HISTORY = "history"  # the stage that leaves out all but the last steps, in every prompt
_NAMES = 4
_LONG_INPUT = 300  # characters; a shorter input is always shown whole
_INPUT_SHOWN = 120
_STATUSES = frozenset(Status)
_THOUGHT = " | "  # separates the facts of an event from its thought
_MOST = 10**6  # steps of a run
_ENDED = "exit code"
_SUB = re.compile(r"sub/[\w-]+")


class Shown(StrEnum):
    """How much of a step the prompt shows."""

    WHOLE = "whole"
    CUT = "cut"  # the middle of its observation is left out
    LEFT_OUT = "left out"  # its observation is left out
    CONDENSED = "condensed"  # a thought stands for it and for steps before it
    MERGED = "merged"  # only the thought of a later step stands for it
    SHELVED = "shelved"  # nothing of it is shown
    RETRACTED = "retracted"  # nothing of it is shown, as if it had never been made


@dataclass(frozen=True, slots=True)
class Step:
    number: int
    said: Said
    seen: Seen
    text: str  # as it stands in the prompt
    tokens: int
    head: str = ""  # of the text: what the model said
    head_tokens: int = 0
    shown: Shown = Shown.WHOLE
    written: int = 0  # its number in the file, where a person has left out steps before it
    told: str = ""  # a person's messages after it, and OTHERWISE, which always stay
    within: int = 0  # the step whose summary includes it, or 0

    @property
    def status(self) -> Status:
        """The recorded status: OK if none is recorded, FAILED if the recorded status is unknown."""
        word = self.seen.facts.get("status", Status.OK)
        return Status(word) if word in _STATUSES else Status.FAILED

    @property
    def paths(self) -> tuple[str, ...]:
        return read_list(self.seen.facts.get("paths", ""))

    @property
    def tree(self) -> str:
        """The id of the git tree after the step; empty if the step can't have changed files."""
        return self.seen.facts.get("tree", "")

    @property
    def kind(self) -> str:
        """The kind of the tool that was executed in this step."""
        return self.seen.facts.get("kind", "")

    @property
    def sub(self) -> str:
        """The folder of the step's nested run, relative to the folder of the outer run.

        Since a transcript may contain any path, paths other than `sub/NAME` are ignored.
        """
        name = self.seen.facts.get("sub", "")
        return name if _SUB.fullmatch(name) else ""

    @property
    def has_written(self) -> bool:
        """Whether this step successfully changed files with an edit tool."""
        return self.kind == Kind.WRITE and self.status is Status.OK

    @property
    def ran(self) -> "Step":
        """The command after `then:` in an edit, as a separate step, or else the step itself."""
        facts, turn = self.seen.facts, self.said.turn
        found = checked_edit(turn.input) if THEN in facts else None
        if found is None:
            return self
        own = {**facts, "kind": facts[THEN], "status": facts.get(THEN_STATUS, "")}
        command = found.command.removeprefix(TESTS).strip()
        said = replace(self.said, turn=turn._replace(input=command))
        return replace(self, said=said, seen=replace(self.seen, facts=own))

    @property
    def messages(self) -> str:
        """A person's messages after it, as a prompt shows them."""
        return self.told.replace(OTHERWISE, "")

    @property
    def stands(self) -> bool:
        return self.shown is not Shown.RETRACTED

    @property
    def tool(self) -> str:
        """The name of the tool that was executed. The model may have used another name."""
        return self.seen.facts.get("tool", "")


def whole(number: int, said: Said, seen: Seen) -> Step:
    written = whole_number(seen.facts.get("n", said.facts.get("n")))
    head, answer = turn_text(said.turn), observation_text(seen.text)
    tokens = estimate_tokens(head)
    both = tokens + estimate_tokens(answer)
    return Step(number, said, seen, head + answer, both, head, tokens, written=written)


def left_out(step: Step, facts: Mapping[str, str]) -> Step:
    """Return the step with its observation replaced by a single line."""
    return _answered(step, Shown.LEFT_OUT, _line(step, facts))


def _headed(step: Step, head: str) -> Step:
    return replace(step, head=head, head_tokens=estimate_tokens(head))


def _answered(step: Step, shown: Shown, text: str) -> Step:
    written = observation_text(text)
    tokens = step.head_tokens + estimate_tokens(written) + estimate_tokens(step.told)
    return replace(step, text=step.head + written + step.told, tokens=tokens, shown=shown)


def _line(step: Step, facts: Mapping[str, str]) -> str:
    again = f"; {named(RECALL)} {step.number} shows it" if RECALL in facts else ""
    if step.tool == RECALL and again:
        return f"[left out; {named(RECALL)} {headline(step.said.turn.input)} shows it]"
    return "[left out]" if "bare" in facts else f"[left out: {_about(step.seen.text)}{again}]"


@functools.lru_cache(1024)  # needed for the estimate and again for the result
def _about(text: str) -> str:
    size, first = counted(text.count("\n") + 1, "line"), headline(text)
    if first.startswith(_ENDED) and (last := headline(text.rstrip().rpartition("\n")[2])):
        first = f"{first} … {last}"  # what a program says at its end
    found = [name for name in main_names(text, 2 * _NAMES) if name not in first][:_NAMES]
    return f"{first} ({size}{', with ' if found else ''}{', '.join(found)})"


def _input_line(given: str) -> str:
    lines = given.strip().split("\n")
    return f"[{counted(len(lines), 'line')}, left out] {headline(given, _INPUT_SHOWN)}"


def cut(step: Step, facts: Mapping[str, str]) -> Step:
    """Return the step with the middle of its observation removed, and optionally a short input."""
    turn = step.said.turn
    if "input" in facts:
        step = _headed(step, turn_text(turn._replace(input=_input_line(turn.input))))
    advice = "ask for less"
    if RECALL in facts:
        advice = f"{named(RECALL)} {step.number}:FIRST-LAST shows lines of it"
    size = whole_number(facts.get("chars"))
    short = clip(step.seen.text, Limits(output_chars=size), advice)
    return _answered(step, Shown.CUT, short)


def condensed(step: Step, first: int, thought: str, facts: Mapping[str, str]) -> Step:
    """Return the step with a thought that summarizes all steps from `first` to this one."""
    turn = step.said.turn
    given = turn.input if len(turn.input) <= _LONG_INPUT else _input_line(turn.input)
    said = f"[steps {first}-{step.number}] {thought}" if first < step.number else thought
    head = turn_text(turn._replace(thought=said, input=given))
    return _answered(_headed(step, head), Shown.CONDENSED, _line(step, facts))


def _gone(step: Step, shown: Shown) -> Step:
    tokens = estimate_tokens(step.told)
    return replace(step, text=step.told, tokens=tokens, head="", head_tokens=0, shown=shown)


def since_told(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps since the user's last message."""
    last = next((at for at in range(len(steps), 0, -1) if steps[at - 1].messages), 0)
    return steps[last:]


def told_line(text: str) -> str:
    """Return the user's message in brackets, quoted so that no line looks like a label."""
    first, *others = quote_world(text.strip()).split("\n")
    return "\n  ".join((f"({MAINTAINER}: {first}", *others)) + ")\n"


def told(step: Step, line: str) -> Step:
    tokens = step.tokens + estimate_tokens(line)
    return replace(step, text=step.text + line, tokens=tokens, told=step.told + line)


def reshown(steps: Sequence[Step], event: Event) -> dict[int, Step]:
    """Return the steps that the prompt shows differently after this event, keyed by number."""
    written, _, thought = event.text.partition(_THOUGHT)
    facts = read_facts(written)
    numbers = _meant(steps, facts.get("steps", ""))
    if event.name == RETRACTED:
        return _retracted(steps, numbers, facts)
    chosen = [step for step in (steps[n - 1] for n in numbers) if step.shown in _FROM[event.name]]
    if event.name == CONDENSED:
        found = [_gone(step, Shown.MERGED) for step in chosen[:-1]]
        found += [condensed(step, numbers[0], thought, facts) for step in chosen[-1:]]
        found = [replace(step, within=found[-1].number) for step in found]
    else:
        found = [_HOW[event.name](step, facts) for step in chosen]
    return {step.number: step for step in found}


def _meant(steps: Sequence[Step], named_by: str) -> Sequence[int]:
    """Return the current numbers of the steps that an event lists by their former numbers."""
    if all(step.written in (step.number, 0) for step in steps):
        return read_numbers(named_by, len(steps))
    now = {step.written: step.number for step in steps if step.written}
    return [now[number] for number in read_numbers(named_by, max(now)) if number in now]


def _retracted(
    steps: Sequence[Step], numbers: Sequence[int], facts: Mapping[str, str]
) -> dict[int, Step]:
    """Retract steps, and show the other steps from the same summaries individually again."""
    gone = [steps[n - 1] for n in numbers if steps[n - 1].stands]
    lost = {step.within for step in gone} - {0}  # a shelved step still counts as summarised
    again = (step for step in steps if step.within in lost and step.shown in _SUMMED_UP)
    alone = (_headed(replace(step, within=0), turn_text(step.said.turn)) for step in again)
    found = {step.number: left_out(step, facts) for step in alone}
    return found | {step.number: _gone(step, Shown.RETRACTED) for step in gone}


_HOW: Mapping[str, Callable[[Step, Mapping[str, str]], Step]] = {
    COMPRESSED: left_out,
    CUT: cut,
    SHELVED: lambda step, facts: _gone(step, Shown.SHELVED),
}
READABLE = (Shown.WHOLE, Shown.CUT)
GONE = (Shown.SHELVED, Shown.RETRACTED)
_SUMMED_UP = (Shown.MERGED, Shown.CONDENSED)
_THERE = tuple(shown for shown in Shown if shown not in GONE)
_FROM = {COMPRESSED: READABLE, CUT: READABLE, CONDENSED: _THERE, SHELVED: _THERE}


def compressed_event(name: str, numbers: Iterable[int], thought: str = "", **facts: str) -> Event:
    """Return an event that changes how steps are shown, in the format that `reshown` reads."""
    written = write_facts({"steps": write_numbers(numbers), **facts})
    return Event(name, f"{written}{_THOUGHT}{thought}" if thought else written)


def stage_of(event: Event) -> str:
    """Return the compression stage that removed the steps of this event from the prompt."""
    return read_facts(event.text.partition(_THOUGHT)[0]).get("stage", event.name)


def reason_in(text: str) -> str:
    """Return the free text that follows the facts of an event."""
    return text.partition(_THOUGHT)[2]


def condensed_in(text: str) -> Condensed:
    """Return the first step, the last step and the thought of a `condensed` event."""
    written, _, thought = text.partition(_THOUGHT)
    numbers = read_numbers(read_facts(written).get("steps", ""), _MOST)
    return Condensed(min(numbers, default=0), max(numbers, default=0), thought)


_LISTED = 8  # files that are named


def more_before(steps: Sequence[Step], *, can_recall: bool) -> str:
    gone = [step for step in steps if step.shown is Shown.SHELVED]
    if not gone:
        return ""
    files = list(dict.fromkeys(path for step in gone for path in step.paths))
    named_files = ", ".join(files[:_LISTED]) + (", ..." if len(files) > _LISTED else "")
    about = f", about {named_files}" if files else ""
    they = "it" if len(gone) == 1 else "they"
    found = f"; {named(RECALL)} finds what {they} showed" if can_recall else ""
    return f"(More happened before that: {counted(len(gone), 'step')}{about}{found}.)\n"
