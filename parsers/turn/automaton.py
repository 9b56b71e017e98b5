"""Assign each line of a reply to a field, and find where the reply ends.

    line    = label line (at column 0, or at the reply's indentation) | text
    reply   = fence? thought-lines (action-line input-lines? | conclusion-lines) fence? fiction?
    input   = fenced text | text with fences and here-documents in it | diff
    fiction = everything from the first label that does not fit

Labels count only outside fences and here-documents. A fence in the thought surrounds the reply if
its first line is a label, unless the text before the fence ends with a colon. A fence that opens an
input also ends it; a fence further down is part of the input.
"""

from dataclasses import dataclass

from react_agent.parsers.shell.line import Heredoc, heredocs
from react_agent.parsers.text.fence import Fence, follow, opening_fence
from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    INPUT,
    OBJECTIVE,
    OBSERVATION,
    THOUGHT,
    Dialect,
    Label,
    Labelled,
    generous,
    head_of,
)
from react_agent.parsers.turn.special import cleaned
from react_agent.parsers.turn.tool_name import names_none

_BEGINS_A_DIFF = ("diff --git ", "--- ", "@@ ", "*** Begin Patch", "Index: ")
_DEEPEST = 40  # spaces that may indent a reply
_BEGINS_A_REPLY = (THOUGHT, ACTION, CONCLUSION)
_OF_THE_WORLD = (OBSERVATION, OBJECTIVE)


class Field:
    """A field of a reply: its lines, any open fence or here-document, and if it is complete."""

    def __init__(self, label: Label = THOUGHT) -> None:
        self.label = label
        self.lines: list[str] = []
        self.behind: list[str] | None = None  # lines after an input that has ended by itself
        self.fences: list[Fence] = []
        self.heredocs: list[Heredoc] = []  # the next one to close is the last
        self.has_text = False
        self.is_fenced = False  # from its first line on
        self.is_diff = False
        self.stray = 0  # number of the line of a bare fence that may close nothing
        self.has_closed = False  # a fence has closed
        self.is_quiet = False  # only a label or a here-document matters now

    @property
    def is_guarded(self) -> bool:
        return bool(self.fences or self.heredocs)

    @property
    def taken(self) -> list[str]:
        """Return the list to which the next line is added."""
        return self.lines if self.behind is None else self.behind

    @property
    def ends_in_stray(self) -> bool:
        """Return whether only empty lines follow a bare fence."""
        return bool(self.stray) and not any(map(str.strip, self.taken[self.stray :]))

    def drop_stray(self) -> None:
        del self.taken[self.stray - 1 :]
        self.fences.clear()
        self.stray = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def take(self, line: str) -> None:
        self.taken.append(line)
        if self.heredocs:
            if self.heredocs[-1].is_closed_by(line):
                self.heredocs.pop()
        elif self.fences:
            self._take_fenced(line)
        elif self.label is INPUT and self.behind is None:
            self._take_input(line)
        elif "```" in line or "~~~" in line:
            follow(line, self.fences)
            if self.has_closed and (self.label is ACTION or self.behind is not None):
                self._note_stray(line)

    def _take_fenced(self, line: str) -> None:
        follow(line, self.fences)
        self.has_closed = not self.fences
        if self.is_fenced and self.behind is None:
            if not self.fences:
                self.behind = []
            elif line.startswith(_BEGINS_A_DIFF) and not self.fences[0].info:
                self.fences[0] = self.fences[0]._replace(info="diff")

    def _take_input(self, line: str) -> None:
        if not self.has_text and line.strip():
            self.has_text = True
            self.is_diff = line.startswith(_BEGINS_A_DIFF)
            if "```" in line or "~~~" in line:
                follow(line, self.fences)
            self.is_fenced = bool(self.fences)
            self.is_quiet = not self.fences
        elif line[:1] in ("`", "~"):
            if not self.is_diff:
                follow(line, self.fences)
            self._note_stray(line)
            self.is_quiet = self.is_quiet and not self.fences
        if "<<" in line and not self.is_diff and not self.fences:
            self.heredocs.extend(reversed(heredocs(line)))
            self.is_quiet = self.is_quiet and not self.heredocs

    def _note_stray(self, line: str) -> None:
        fence = opening_fence(line)
        self.stray = len(self.taken) if fence and not fence.info else 0


@dataclass(slots=True)
class Fiction:
    """The part of a reply in which the model invents the next steps."""

    label: Label  # the label that begins it
    written: str  # the words of that label
    has_text: bool


class Reading:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.here = Field()  # the field that lines go to
        self.fields: dict[Label, Field] = {THOUGHT: self.here}
        self.current: Label = THOUGHT
        self.action_line = ""  # as it was written
        self.has_begun = False
        self.indent = ""  # of the first line, and of labels until one has none
        self.is_indented = False
        self.around: Fence | None = None  # fence of the thought; surrounds all if a label follows
        self.is_wrapped = False
        self.lead: list[str] = []  # the lines of the thought before that fence
        self.block: list[str] = []  # the lines from that fence on
        self.is_shown = False  # labels in a fence count as text
        self.fiction: Fiction | None = None

    def take(self, line: str) -> None:
        if self.fiction:
            self.fiction.has_text = self.fiction.has_text or bool(line.strip())
            if self.around and self.around.is_closed_by(line):
                self.around = None
            return
        if not self.has_begun:
            self._begin(line)
            return
        labelled = self.label_in(line)
        if self.around:
            self.block.append(line)
        elif self._has_closed_block and (
            labelled.label not in _OF_THE_WORLD if labelled else cleaned(line).strip()
        ):
            self._read_block_as_text()
        if labelled:
            self._take_label(labelled, line)
            return
        if self.is_indented:
            line = line.removeprefix(self.indent)
        if self.around and not self.here.is_guarded:
            self._take_wrapped(line, self.around)
        elif self.current is THOUGHT and line[:1] in ("`", "~") and self._may_open_block:
            self._open_block(line)
        else:
            self.here.take(line)

    def label_in(self, line: str) -> Labelled | None:
        """Return the label of this line, assuming that it comes next, or None."""
        if self.indent:
            line = line.removeprefix(self.indent)
        if line[:1] not in self.dialect.starts or self.here.is_guarded:
            return None
        found = generous(line, self.dialect, behind_action=self.current is ACTION)
        if self.around and not self.is_wrapped and found and found.label not in _BEGINS_A_REPLY:
            return None
        return found

    def fits(self, label: Label) -> bool:
        """Return whether the reply can continue with this label. If not, the rest is fiction."""
        if label in _OF_THE_WORLD or self._has_closed_block:
            return label not in _OF_THE_WORLD
        if CONCLUSION in self.fields:
            return False
        if label is INPUT:
            return ACTION in self.fields and INPUT not in self.fields
        if ACTION not in self.fields:
            return True
        # a model may write `None` as the action before a conclusion
        return label is CONCLUSION and names_none(self.fields[ACTION].text.strip())

    @property
    def is_empty(self) -> bool:
        """Return whether the reply has no text except for a thought's label and fiction."""
        has_text = bool(self.here.text.strip()) or len(self.fields) > 1
        return not (self.has_begun and has_text)

    def _begin(self, line: str) -> None:
        bare = line.lstrip()
        if not bare:
            return
        labelled = self.label_in(bare)
        self.has_begun = True
        indent = line[: len(line) - len(bare)][:_DEEPEST]
        self.indent = indent if labelled or indent != " " else ""  # one space follows `Thought:`
        if labelled:
            self._take_label(labelled, line)
        elif opening_fence(line):
            self._open_block(line)
        else:
            self.here.lines.append(line)

    @property
    def _may_open_block(self) -> bool:
        return not (self.is_wrapped or self.is_shown or self.here.fences)

    def _open_block(self, line: str) -> None:
        self.around = opening_fence(line)
        if self.around:
            self.lead, self.block = list(self.here.lines), [line]
            self.here.lines.append(line)
        else:
            self.here.take(line)

    @property
    def _has_closed_block(self) -> bool:
        return self.is_wrapped and self.around is None and self.current is not THOUGHT

    def _read_block_as_text(self) -> None:
        """Read the fenced block as an example in the thought, since more text follows it."""
        self.is_wrapped, self.is_shown = False, True
        self.current, self.here = THOUGHT, Field()
        self.fields = {THOUGHT: self.here}
        self.here.lines = [*self.lead, *self.block]

    def _take_wrapped(self, line: str, around: Fence) -> None:
        """Take an unlabelled line while a fence that may surround the reply is open."""
        if self.is_wrapped and around.is_closed_by(line):
            self.around = None
            if self.current is not THOUGHT and self.here.behind is None:
                self.here.behind = []
        elif self.is_wrapped or not line.strip():
            self.here.take(line)
            self.here.is_quiet = False  # the end of the fence matters, too
        else:
            self.around = None
            self.here.fences.append(around)
            self.here.take(line)

    def _take_label(self, labelled: Labelled, line: str) -> None:
        if self.indent and not self.is_indented:
            self.is_indented = line.startswith(self.indent)
            self.indent = self.indent if self.is_indented else ""
        if self.around and not self.is_wrapped:
            if "\n".join(self.lead).rstrip().endswith((":", "：")):
                self.here.fences.append(self.around)
                self.here.take(line)
                self.is_shown, self.around = True, None
                return
            self.is_wrapped = True
            self.here.lines = list(self.lead)
        if not self.fits(labelled.label):
            self.here.is_quiet = False
            self.fiction = Fiction(labelled.label, head_of(line), bool(labelled.rest.strip()))
            return
        if labelled.label is ACTION:
            self.action_line = line
        self.current = labelled.label
        self.here = self.fields.setdefault(labelled.label, Field(labelled.label))
        self.here.take(labelled.rest)
        self.here.is_quiet = self.here.is_quiet and not (self.around or self.indent)
