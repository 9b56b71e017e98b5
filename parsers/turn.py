"""What a model writes in one go.

    reply      = thought (action | conclusion) fiction?
    thought    = ["Thought:"] text
    action     = "Action:" name NEWLINE ["Action Input:" payload]
    payload    = fenced text | text up to the next label line
    conclusion = "Conclusion:" text
    fiction    = whatever follows the first action or conclusion: dropped, and said

The prompt ends with `Thought:`, so a reply starts inside its thought. One pass over the lines;
labels count at the start of a line, outside an open payload.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.parsers.labels import DEFAULT, Dialect, Label, Labelled, generous
from react_agent.parsers.payload import Fence, opening_fence, unfenced


class Kind(StrEnum):
    ACTION = "action"
    CONCLUSION = "conclusion"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Turn:
    kind: Kind
    thought: str = ""
    action: str = ""
    input: str = ""
    conclusion: str = ""
    repairs: tuple[str, ...] = ()
    fabricated: bool = False  # it wrote an Observation itself
    truncated: bool = False
    problem: str = ""  # of a malformed reply: one line, fit to be shown to the model


EXPECTED = "expected `Thought:`, then `Action:` and `Action Input:`, or `Conclusion:`"


def parse_turn(
    text: str,
    *,
    dialect: Dialect = DEFAULT,
    tools: Collection[str] | None = None,
    no_argument_tools: Collection[str] = (),
    why: str | None = None,
) -> Turn:
    """Read one reply. Never raises: what can't be read is `malformed`, with its problem named."""
    found = _Reading()
    lines = iter(text.split("\n"))
    for line in lines:
        if not found.take(line, dialect):
            found.fiction = "\n".join((line.partition(":")[2], *lines)).strip()
    return _Verdict(found, tools, no_argument_tools, cut_off=why == "length").turn()


@dataclass(slots=True)
class _Reading:
    """The automaton: which field the lines go to, and whether a payload is open."""

    fields: dict[Label, list[str]] = field(default_factory=lambda: {Label.THOUGHT: []})
    current: Label = Label.THOUGHT
    fence: Fence | None = None
    dropped: Label | None = None  # the label at which fiction began
    fiction: str = ""

    @property
    def fabricated(self) -> bool:
        """A bare `Observation:` at the end is the stop of an endpoint that knows none."""
        return self.dropped is Label.OBSERVATION and bool(self.fiction)

    def take(self, line: str, dialect: Dialect) -> bool:
        """Whether the reply goes on after this line."""
        if self.fence:
            self._take_fenced(line, self.fence)
            return True
        labelled = generous(line, dialect)
        if labelled is None:
            self._take_text(line)
            return True
        return self._take_label(labelled)

    def _take_fenced(self, line: str, fence: Fence) -> None:
        self.fields[self.current].append(line)
        if fence.is_closed_by(line):
            self.fence = None

    def _take_text(self, line: str) -> None:
        lines = self.fields[self.current]
        if self.current is Label.INPUT and not any(part.strip() for part in lines):
            self.fence = opening_fence(line)
        lines.append(line)

    def _take_label(self, labelled: Labelled) -> bool:
        if labelled.label in (Label.OBSERVATION, Label.OBJECTIVE) or not self._fits(labelled.label):
            self.dropped = labelled.label
            return False
        self.current = labelled.label
        self.fields.setdefault(labelled.label, [])
        self._take_text(labelled.rest)
        return True

    def _fits(self, label: Label) -> bool:
        if label is Label.INPUT:
            return Label.ACTION in self.fields and Label.INPUT not in self.fields
        return not (Label.ACTION in self.fields or Label.CONCLUSION in self.fields)


@dataclass(frozen=True, slots=True)
class _Verdict:
    found: _Reading
    tools: Collection[str] | None
    no_argument_tools: Collection[str]
    cut_off: bool

    def turn(self) -> Turn:
        if self.found.fence or (self.cut_off and not self.found.dropped):
            return self._malformed(_unfinished(self.found), truncated=True)
        if Label.ACTION in self.found.fields:
            return self._action()
        if Label.CONCLUSION in self.found.fields:
            return self._conclusion()
        missing = (
            "the reply is empty" if not self._text(Label.THOUGHT) else "no Action in the reply"
        )
        return self._malformed(f"{missing}: {EXPECTED}")

    def _action(self) -> Turn:
        written = self._text(Label.ACTION)
        name = _tool_name(written, self.tools)
        if not name or "\n" in name:
            return self._malformed("expected one tool name after `Action:`, found " + _shown(name))
        return Turn(
            Kind.ACTION,
            self._text(Label.THOUGHT),
            name,
            unfenced("\n".join(self.found.fields.get(Label.INPUT, ()))),
            repairs=self._repairs(name),
            fabricated=self.found.fabricated,
        )

    def _conclusion(self) -> Turn:
        conclusion = self._text(Label.CONCLUSION)
        if not conclusion:
            return self._malformed("expected what was done after `Conclusion:`, found nothing")
        return Turn(
            Kind.CONCLUSION,
            self._text(Label.THOUGHT),
            conclusion=conclusion,
            repairs=self._fiction(),
            fabricated=self.found.fabricated,
        )

    def _malformed(self, problem: str, *, truncated: bool = False) -> Turn:
        return Turn(
            Kind.MALFORMED,
            self._text(Label.THOUGHT),
            fabricated=self.found.fabricated,
            truncated=truncated,
            problem=problem,
        )

    def _repairs(self, name: str) -> tuple[str, ...]:
        needs_input = Label.INPUT not in self.found.fields and name not in self.no_argument_tools
        missing = ("no `Action Input:` line: taken as empty",) if needs_input else ()
        return missing + self._fiction()

    def _fiction(self) -> tuple[str, ...]:
        if not self.found.dropped or not self.found.fiction:
            return ()
        return (f"everything from your own `{self.found.dropped}:` on was dropped",)

    def _text(self, label: Label) -> str:
        return "\n".join(self.found.fields.get(label, ())).strip()


def _unfinished(found: _Reading) -> str:
    where = "the fence of its `Action Input:` is still open" if found.fence else "it was cut off"
    return f"the reply is not whole, {where}: nothing was run; write it again, shorter"


def _tool_name(written: str, tools: Collection[str] | None) -> str:
    """The name as written, or the tool that differs from it in case, `-` or decoration only."""
    bare = written.strip("`'\"*[]()<> \t.")
    if tools is None or bare in tools:
        return bare
    wanted = _folded(bare)
    return next((tool for tool in tools if _folded(tool) == wanted), bare)


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _shown(name: str) -> str:
    return repr(name.split("\n")[0][:40]) + " and more lines" if name else "nothing"
