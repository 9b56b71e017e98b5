"""What a model writes in one go.

    reply      = thought (action | conclusion) fiction?
    thought    = text ("Thought:" text)*
    action     = "Action:" name NEWLINE ["Action Input:" payload]
    payload    = fenced text | text up to the next label line
    conclusion = "Conclusion:" text
    fiction    = all from the next label on: dropped, and said

The prompt ends with `Thought:`, so a reply starts inside its thought. One pass over the lines;
labels count at the start of a line, outside fences. A payload that begins with no fence has none.
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


EXPECTED = (
    "expected `Thought:`, then `Action:` and `Action Input:`, or `Conclusion:`, each at the start "
    "of a line and outside fences"
)
CUT_OFF = "the reply was cut off at its greatest length: nothing was run; write it again, shorter"


def parse_turn(
    text: str,
    *,
    dialect: Dialect = DEFAULT,
    tools: Collection[str] | None = None,
    no_argument_tools: Collection[str] = (),
    why: str | None = None,
) -> Turn:
    """Read one reply. Never raises: what can't be read is `malformed`, with its problem named."""
    found = _Reading(dialect)
    for line in text.split("\n"):
        found.take(line.removesuffix("\r"))
    return _Verdict(found, tools, no_argument_tools, cut_off=why == "length").turn()


@dataclass(slots=True)
class _Fiction:
    """What the model imagined would come next."""

    label: Label  # at which it began
    has_text: bool = False
    observed: bool = False
    fabricated: bool = False

    def take(self, labelled: Labelled | None, line: str) -> None:
        """A bare `Observation:` at the end is the stop of an endpoint that knows none."""
        if labelled and labelled.label is Label.OBSERVATION:
            self.observed = True
        if (labelled.rest if labelled else line).strip():
            self.has_text = True
            self.fabricated = self.observed


@dataclass(slots=True)
class _Reading:
    """The automaton: which field a line goes to, and whether a fence is open."""

    dialect: Dialect
    fields: dict[Label, list[str]] = field(default_factory=lambda: {Label.THOUGHT: []})
    current: Label = Label.THOUGHT
    has_text: bool = False  # the current field
    fence: Fence | None = None
    fiction: _Fiction | None = None

    def take(self, line: str) -> None:
        if self.fence:
            self._take_fenced(line, self.fence)
            return
        labelled = generous(line, self.dialect)
        if self.fiction:
            self.fiction.take(labelled, line)
        elif labelled:
            self._take_label(labelled)
        else:
            self._take_text(line)

    def _take_fenced(self, line: str, fence: Fence) -> None:
        self.fields[self.current].append(line)
        if fence.is_closed_by(line):
            self.fence = None

    def _take_text(self, line: str) -> None:
        self.fields[self.current].append(line)
        if self.current is not Label.INPUT or not self.has_text:
            self.fence = opening_fence(line)
        self.has_text = self.has_text or bool(line.strip())

    def _take_label(self, labelled: Labelled) -> None:
        if not self._fits(labelled.label):
            self.fiction = _Fiction(labelled.label)
            self.fiction.take(labelled, labelled.rest)
            return
        self.current = labelled.label
        self.has_text = False
        self.fields.setdefault(labelled.label, [])
        self._take_text(labelled.rest)

    def _fits(self, label: Label) -> bool:
        match label:
            case Label.OBJECTIVE | Label.OBSERVATION:
                return False
            case Label.INPUT:
                return Label.ACTION in self.fields and Label.INPUT not in self.fields
            case _:
                return Label.ACTION not in self.fields and Label.CONCLUSION not in self.fields

    def text(self, label: Label) -> str:
        return "\n".join(self.fields.get(label, ())).strip()


@dataclass(frozen=True, slots=True)
class _Verdict:
    found: _Reading
    tools: Collection[str] | None
    no_argument_tools: Collection[str]
    cut_off: bool

    def turn(self) -> Turn:
        if self.cut_off and not self.found.fiction:
            return self._malformed(CUT_OFF, truncated=True)
        if self.found.fence:
            return self._malformed(_open_fence(self.found.current), truncated=True)
        if Label.ACTION in self.found.fields:
            return self._action()
        if Label.CONCLUSION in self.found.fields:
            return self._conclusion()
        return self._malformed(f"{self._missing()}: {EXPECTED}")

    def _action(self) -> Turn:
        written = self.found.text(Label.ACTION)
        name = _tool_name(written, self.tools)
        if not name or "\n" in name:
            return self._malformed(f"expected one tool name after `Action:`, found {_shown(name)}")
        return Turn(
            Kind.ACTION,
            self.found.text(Label.THOUGHT),
            name,
            unfenced("\n".join(self.found.fields.get(Label.INPUT, ()))),
            repairs=(*self._no_input(name), *self._dropped()),
            fabricated=self._fabricated,
        )

    def _conclusion(self) -> Turn:
        conclusion = self.found.text(Label.CONCLUSION)
        if not conclusion:
            return self._malformed("expected what was done after `Conclusion:`, found nothing")
        return Turn(
            Kind.CONCLUSION,
            self.found.text(Label.THOUGHT),
            conclusion=conclusion,
            repairs=self._dropped(),
            fabricated=self._fabricated,
        )

    def _malformed(self, problem: str, *, truncated: bool = False) -> Turn:
        return Turn(
            Kind.MALFORMED,
            self.found.text(Label.THOUGHT),
            fabricated=self._fabricated,
            truncated=truncated,
            problem=problem,
        )

    @property
    def _fabricated(self) -> bool:
        return self.found.fiction is not None and self.found.fiction.fabricated

    def _missing(self) -> str:
        if self.found.fiction:
            return f"`{self.found.fiction.label}:` stands before any `Action:`"
        return "no Action in the reply" if self.found.text(Label.THOUGHT) else "the reply is empty"

    def _no_input(self, name: str) -> tuple[str, ...]:
        needed = Label.INPUT not in self.found.fields and name not in self.no_argument_tools
        return ("no `Action Input:` line: taken as empty",) if needed else ()

    def _dropped(self) -> tuple[str, ...]:
        fiction = self.found.fiction
        if fiction is None or not fiction.has_text:
            return ()
        return (f"everything from your own `{fiction.label}:` on was dropped",)


def _open_fence(label: Label) -> str:
    return (
        f"the fence in `{label}:` is not closed, so the reply may have been cut off: nothing was "
        "run; write it again and close the fence, or use none"
    )


def _tool_name(written: str, tools: Collection[str] | None) -> str:
    """The name as written, or the one tool that differs from it in case, `-` or decoration only."""
    bare = written.strip("`'\"*[]()<> \t.")
    if tools is None or bare in tools:
        return bare
    meant = [tool for tool in tools if folded(tool) == folded(bare)]
    return meant[0] if len(meant) == 1 else bare


def folded(name: str) -> str:
    """Two names of tools that are equal in this are taken for the same."""
    return name.casefold().replace("-", "_").replace(" ", "_")


def _shown(name: str) -> str:
    return repr(name.split("\n")[0][:40]) + " and more lines" if name else "nothing"
