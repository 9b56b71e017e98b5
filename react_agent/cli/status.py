"""What a run does and what it has come to, in a line or two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from react_agent.loop.spent import Spent
from react_agent.loop.state import State
from react_agent.parsers.text.counted import counted, lasting
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.room import instructions_told, limit_told

_THOUSAND = 1000
_BAR = 10  # columns
_LEVELS = ((0.85, "red"), (0.6, "yellow"), (0.0, "green"))  # of the room for a prompt
_GAP = "  "
_LONGEST = 100  # characters of an input


@dataclass(frozen=True, slots=True)
class Status:
    """All but the time, which goes on while nothing else changes."""

    step: str
    doing: str
    spent: Spent
    prompt: int  # the next one
    limit: int | None  # of a prompt, where it is told

    def rows(self, columns: int, waited: float, seconds: float) -> Sequence[Text]:
        """What goes on, and for how long; below it what the run has come to."""
        since = f"{_GAP}{lasting(waited)}"
        now = Text(f"{self.step}{_GAP}{self.doing}", "reverse", overflow="ellipsis")
        now.truncate(max(columns - len(since), 1))
        now.append(since).truncate(columns, pad=True)
        return now, self._meter(columns, seconds)

    def line(self, seconds: float) -> str:
        return ", ".join((self.step, *self._costs(seconds), *self._fill()))

    def _meter(self, columns: int, seconds: float) -> Text:
        """As much of it as there is room for."""
        costs = Text(_GAP.join(self._costs(seconds)))
        fill = Text("".join(self._fill()))
        ways = (Text.assemble(fill, " ", self._bar()), fill, Text(f"prompt {self._percent}"))
        shown = (Text.assemble(costs, _GAP, way) for way in ways if fill)
        return next((text for text in shown if text.cell_len <= columns), costs)

    def _bar(self) -> Text:
        full = round(_BAR * min(self._share, 1))
        style = next(style for least, style in _LEVELS if self._share >= least)
        return Text.assemble("[", ("=" * full, style), " " * (_BAR - full), "]")

    def _costs(self, seconds: float) -> Iterator[str]:
        yield counted(self.spent.prompt_tokens + self.spent.reply_tokens, "token")
        if self.spent.money is not None:
            yield f"{self.spent.money:.4f} $"
        yield lasting(seconds)

    def _fill(self) -> Iterator[str]:
        """How much of its room the next prompt takes."""
        if self.limit:
            yield f"prompt {_short(self.prompt)} of {_short(self.limit)} ({self._percent})"

    @property
    def _share(self) -> float:
        return self.prompt / self.limit if self.limit else 0.0

    @property
    def _percent(self) -> str:
        return f"{100 * self._share:.0f} %"


def status_of(run: State, turn: State | None = None) -> Status:
    """Of a run; of a turn of it, where a procedure takes turns."""
    now = turn or run
    of_turn = f"turn {len(run.steps) + 1}, " if turn else ""
    step = f"{of_turn}step {len(now.steps) + (now.stop is None)}"
    spent = run.spent + turn.spent if turn else run.spent
    limit = None if now.stop else limit_told(now)
    prompt = now.next_prompt(instructions_told(now)) if limit else 0
    return Status(step, _doing(now), spent, prompt, limit)


def _doing(state: State) -> str:
    if state.stop:
        return f"{state.stop}: finishing"
    if state.objective is None:
        return "making ready"
    return _done_of(state.pending.turn) if state.pending else "asking the model"


def _done_of(turn: Turn) -> str:
    if turn.kind is not Kind.ACTION:
        return "looking at the reply"
    words = " ".join(f"{turn.action} {turn.input[:_LONGEST]}".split())
    return escape(words)


def _short(tokens: int) -> str:
    """`950`, `5.1k`, `96k`"""
    if tokens < _THOUSAND:
        return str(tokens)
    return f"{tokens / _THOUSAND:.{1 if tokens < 10 * _THOUSAND else 0}f}".removesuffix(".0") + "k"
