"""The prompts of a run as bars, a step a line: what each was made of, and what it cost."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.text import Text

from react_agent.loop.steps import RETRACTED
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.history import Asked, Call, Part, Row, Taken, TooLong
from react_agent.tools.clip import counted

MARKS = {
    Part.INSTRUCTIONS: "=",
    Part.OBJECTIVE: "o",
    Part.THOUGHTS: "t",
    Part.INPUTS: "i",
    Part.OBSERVATIONS: "#",
    Part.RECALLED: "r",
    Part.HINTS: "!",
}
COLOURS = {
    Part.INSTRUCTIONS: "blue",
    Part.OBJECTIVE: "bold",
    Part.THOUGHTS: "cyan",
    Part.INPUTS: "green",
    Part.OBSERVATIONS: "yellow",
    Part.RECALLED: "magenta",
    Part.HINTS: "red",
}
_LIMIT = "|"


@dataclass(frozen=True, slots=True)
class Scale:
    columns: int
    full: int  # tokens that fill them

    @property
    def each(self) -> float:
        return self.full / self.columns

    def at(self, tokens: float) -> int:
        return round(tokens / self.each)


def bar(call: Call, scale: Scale) -> Text:
    """As long as the endpoint counted, with the shares that were estimated."""
    text = Text()
    estimated = max(sum(call.parts.values()), 1)
    for part, end in zip(call.parts, accumulate(call.parts.values()), strict=True):
        column = scale.at(call.tokens * end / estimated)
        text.append(MARKS[part] * (column - len(text)), COLOURS[part])
    if call.limit and call.limit <= scale.full:
        column = scale.at(call.limit)
        text = Text.assemble(text[:column], " " * (column - len(text)), _LIMIT, text[column + 1 :])
    return text


_INDENT = 12
_GAP = "  "
_NEAR = 2  # times the largest prompt: a limit further away is not drawn
_HEAD = ("tokens", "cached", "written")
_CACHED, _WRITTEN = 6, 7  # columns
_WIDE = 80  # columns: on fewer it is not said what was written to a cache


def drawn(rows: Sequence[Row], columns: int) -> Iterator[Text]:
    """Rows of which one at least is a call."""
    table = _table(rows, columns)
    calls = [row for row in rows if isinstance(row, Call)]
    parts = [part for part in Part if any(call.parts[part] for call in calls)]
    yield from _legend(parts, columns)
    yield from _scale(table, calls)
    yield Text()
    yield table.line("step", Text("prompt", "bold"), *_HEAD, style="bold")
    for row in rows:
        yield table.row(row)
    yield Text()
    yield from _totals(rows, parts, calls)


@dataclass(frozen=True, slots=True)
class _Table:
    """The widths of its columns."""

    step: int
    tokens: int
    has_written: bool
    scale: Scale

    def line(self, step: str, middle: Text, *cells: str, style: str = "") -> Text:
        middle = middle.copy()
        middle.truncate(self.scale.columns + 1, overflow="ellipsis", pad=True)
        widths = (self.tokens, _CACHED, _WRITTEN) if self.has_written else (self.tokens, _CACHED)
        shown = zip(cells, widths, strict=False)
        after = "".join(f"{_GAP}{cell:>{width}}" for cell, width in shown)
        before = Text(f"{step:>{self.step}}{_GAP}", style)
        parts = (before, middle, (after.rstrip(), style))
        return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")

    def row(self, row: Row) -> Text:
        match row:
            case Call(step):
                return self.line(str(step), bar(row, self.scale), *_cells(row.tokens, row))
            case Taken(stage, steps, tokens):
                return self._beside("-", f"{stage}, {counted(steps, 'step')}", f"{-tokens:,}")
            case Asked(purpose, spent):
                words = f"{purpose}, reply {spent.reply_tokens:,}"
                return self._beside("+", words, *_cells(spent.prompt_tokens, row))
            case TooLong(tokens, is_counted):
                return self._beside("!", "did not fit", _about(tokens, is_counted))

    def _beside(self, mark: str, words: str, *cells: str) -> Text:
        """What is no step: a purpose or a stage is a word of the file, which is foreign."""
        text = Text(escape(words.replace("\n", " ")), "dim")
        return self.line(mark, text, *cells, style="dim")


def _cells(tokens: int, row: Call | Asked) -> tuple[str, str, str]:
    cached, written = row.spent.cached, row.spent.written
    share = _share(cached, row.spent.prompt_tokens) if cached else ""
    return _about(tokens, row.is_counted), share, f"{written:,}" if written else ""


def _table(rows: Sequence[Row], columns: int) -> _Table:
    calls = [row for row in rows if isinstance(row, Call)]
    step = max(4, len(str(calls[-1].step)))
    written = [row.spent.prompt_tokens if isinstance(row, Asked) else row.tokens for row in rows]
    tokens = max(len("tokens"), *(len(f"~{number:,}") for number in written))
    has_written = columns >= _WIDE and any(call.spent.written for call in calls)
    used = step + tokens + _CACHED + 3 * len(_GAP) + 1
    used += _WRITTEN + len(_GAP) if has_written else 0
    largest = max(call.tokens for call in calls)
    limits = (call.limit or 0 for call in calls)
    full = max(largest, 1, *(limit for limit in limits if limit <= _NEAR * largest))
    return _Table(step, tokens, has_written, Scale(max(columns - used, 1), full))


def _legend(parts: Sequence[Part], columns: int) -> Iterator[Text]:
    line = Text()
    for part in parts:
        item = Text.assemble((MARKS[part], COLOURS[part]), f" {part}")
        if line and len(line) + len(_GAP) + len(item) > columns:
            yield line
            line = Text()
        line = Text.assemble(line, _GAP, item) if line else item
    yield line


def _scale(table: _Table, calls: Sequence[Call]) -> Iterator[Text]:
    yield Text(f"one character is {counted(round(table.scale.each), 'token')}")
    limits = list(dict.fromkeys(call.limit for call in calls if call.limit))
    if limits:
        marks = ("|" if limit <= table.scale.full else "not drawn" for limit in limits)
        told = (f"{limit:,} ({mark})" for limit, mark in zip(limits, marks, strict=True))
        yield Text(f"limit of a prompt: {', then '.join(told)}")
    if not any(call.parts[Part.INSTRUCTIONS] for call in calls):
        yield Text("no instructions: the transcript does not say how long they are")


def _totals(rows: Sequence[Row], parts: Sequence[Part], calls: Sequence[Call]) -> Iterator[Text]:
    for name, value in _sums(rows, calls):
        yield Text.assemble((f"{name:<{_INDENT}}", "bold"), value)
    yield Text()
    yield Text("all prompts together, by part", "bold")
    yield from _by_part(parts, calls)


def _sums(rows: Sequence[Row], calls: Sequence[Call]) -> Iterator[tuple[str, str]]:
    asked = [row for row in rows if isinstance(row, Asked)]
    taken = [row.tokens for row in rows if isinstance(row, Taken) and row.stage != RETRACTED]
    paid: list[Call | Asked] = [*calls, *asked]
    spent = [row.spent for row in paid]
    sent = sum(call.tokens for call in calls) + sum(row.spent.prompt_tokens for row in asked)
    cached, written = sum(one.cached for one in spent), sum(one.written for one in spent)
    money = [one.money for one in spent if one.money is not None]
    yield "calls", f"{len(calls):,}" + (f", and {len(asked):,} beside steps" if asked else "")
    yield "sent", f"{_about(sent, all(row.is_counted for row in paid))} tokens"
    if cached:
        yield "cached", f"{cached:,} ({_share(cached, sent)})"
    if written:
        yield "written", f"{written:,} to the cache"
    yield "reply", f"{sum(one.reply_tokens for one in spent):,} tokens"
    if money:
        yield "cost", f"{sum(money):.4f} $"
    if taken:
        yield "compressed", f"{sum(taken):,} tokens taken out"


def _by_part(parts: Sequence[Part], calls: Sequence[Call]) -> Iterator[Text]:
    """Of all prompts together."""
    sums = Counter[Part]()
    for call in calls:
        sums.update(call.parts)
    for part in parts:
        share = _share(sums[part], sum(sums.values()))
        mark = Text(f"{MARKS[part]} ", COLOURS[part])
        yield Text.assemble(mark, f"{part:<13}{_about(sums[part], False):>12}{_GAP}{share:>6}")


def _about(tokens: int, is_counted: bool) -> str:
    return f"{tokens:,}" if is_counted else f"~{tokens:,}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"
