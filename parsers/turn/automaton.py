"""The automaton over the lines of a reply: which field a line goes to, and where it all ends.

    line    = label line (at column 0, or as far in as the reply begins) | text
    reply   = fence? thought-lines (action-line input-lines? | conclusion-lines) fence? fiction?
    input   = fenced text | text with fences and here-documents in it | diff
    fiction = all from the first label on that does not fit

Labels count where no fence and no here-document is open, but for a fence that the first line opens.
A fence that opens an input ends it, too; one further down is a part of it. What the model imagined
would come next is read like a reply, too, up to an Observation or a third turn.
"""

from dataclasses import dataclass

from react_agent.parsers.shell.heredoc import Heredoc, heredocs
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
from react_agent.parsers.turn.special import begins_others_turn, cleaned

_BEGINS_A_DIFF = ("diff --git ", "--- ", "@@ ", "*** Begin Patch", "Index: ")
_DEEPEST = 40  # spaces before a reply
_BEGINS_A_REPLY = (THOUGHT, ACTION, CONCLUSION)
_OF_THE_WORLD = (OBSERVATION, OBJECTIVE)
_MAY_BE_DOUBLED = (THOUGHT, ACTION)  # by a model that was given the first one


class Field:
    """One field of a reply: what is open in it, and whether it has ended by itself."""

    def __init__(self, *, is_input: bool = False, is_action: bool = False) -> None:
        self.is_input = is_input
        self.is_action = is_action
        self.lines: list[str] = []
        self.behind: list[str] | None = None  # what follows an input that ended by itself
        self.fences: list[Fence] = []
        self.heredocs: list[Heredoc] = []  # the next one last
        self.has_text = False
        self.is_fenced = False  # from its first line on
        self.is_diff = False
        self.stray = 0  # the line of a bare fence, which may close what was never opened
        self.has_closed = False  # a fence
        self.is_doubtful = False  # a label came right after that fence
        self.is_quiet = False  # only a label or a here-document means something now

    @property
    def is_guarded(self) -> bool:
        return bool(self.fences or self.heredocs)

    @property
    def taken(self) -> list[str]:
        """What the next line is added to."""
        return self.lines if self.behind is None else self.behind

    @property
    def may_be_stray(self) -> bool:
        return bool(self.fences) and self.stray == len(self.taken)

    @property
    def ends_in_stray(self) -> bool:
        """Nothing but empty lines is behind it, and nothing more will come."""
        is_last = self.stray and not any(map(str.strip, self.taken[self.stray :]))
        return bool(self.fences and is_last)

    def drop_stray(self) -> None:
        del self.taken[self.stray - 1 :]
        self.fences.clear()

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
        elif self.is_input and self.behind is None:
            self._take_input(line)
        elif "```" in line or "~~~" in line:
            follow(line, self.fences)
            has_input = self.is_action or self.behind is not None
            is_stray = has_input and self.has_closed and self.fences
            self.stray = len(self.taken) if is_stray and not self.fences[0].info else 0

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
        elif line[:1] in ("`", "~") and not self.is_diff:
            follow(line, self.fences)
            self.stray = len(self.lines) if self.fences and not self.fences[0].info else 0
            self.is_quiet = self.is_quiet and not self.fences
        if "<<" in line and not self.is_diff and not self.fences:
            self.heredocs.extend(reversed(heredocs(line)))
            self.is_quiet = self.is_quiet and not self.heredocs


@dataclass(slots=True)
class Fiction:
    """What the model imagined would come next."""

    label: Label  # at which it began
    written: str  # the words of that label
    dialect: Dialect
    turn: "Reading | None"  # none: it is itself imagined
    has_text: bool = False
    observed: bool = False
    fabricated: bool = False  # text below an Observation of its own

    @property
    def is_over(self) -> bool:
        """Nothing that follows can change what is run."""
        if self.observed or self.label is OBJECTIVE or self.turn is None:
            return True
        then = self.turn.fiction
        return then is not None and then.label is not INPUT

    def take(self, line: str) -> None:
        labelled = self.label_in(line)
        if self.turn and not self.is_over:
            self.turn.take(line)
        self.note(labelled, line)

    def label_in(self, line: str) -> Labelled | None:
        if self.turn is None or self.is_over:
            return generous(line, self.dialect)
        return self.turn.label_in(line)

    def note(self, labelled: Labelled | None, line: str) -> None:
        """A bare `Observation:` at the end is the stop of an endpoint that knows none."""
        if labelled and labelled.label is OBSERVATION:
            self.observed = True
        if (labelled.rest if labelled else line).strip():
            self.has_text = True
            self.fabricated = self.observed


class Reading:
    def __init__(self, dialect: Dialect, *, is_imagined: bool = False) -> None:
        self.dialect = dialect
        self.is_imagined = is_imagined
        self.here = Field()  # the field that lines go to
        self.fields: dict[Label, Field] = {THOUGHT: self.here}
        self.current: Label = THOUGHT
        self.action_line = ""  # as it was written
        self.has_begun = False
        self.indent = ""  # of the first line; that of labels, too, until one is met without
        self.is_indented = False
        self.around: Fence | None = None  # opened by the first line; around all if a label follows
        self.is_wrapped = False
        self.is_shown = False  # rather than said: something stands behind that fence
        self.fiction: Fiction | None = None

    def take(self, line: str) -> None:
        if self.fiction:
            self.fiction.take(line)
            return
        if not self.has_begun:
            self._begin(line)
            return
        labelled = self.label_in(line)
        if self.is_wrapped and self._stands_behind_fence(labelled, line):
            self.is_shown = True
        if labelled:
            self._take_label(labelled, line)
            return
        if self.is_indented:
            line = line.removeprefix(self.indent)
        if self.around and not self.here.is_guarded:
            self._take_wrapped(line, self.around)
        else:
            self.here.take(line)

    def label_in(self, line: str) -> Labelled | None:
        """The label that this line, come next, would be."""
        if self.fiction:
            return self.fiction.label_in(line)
        if self.indent:
            line = line.removeprefix(self.indent)
        if line[:1] not in self.dialect.starts:
            return None
        here = self.here
        if (here.fences or here.heredocs) and not (here.may_be_stray and here.is_input):
            return None
        may_be_turn = line[0] in "<[" and self.has_begun and self.current is not INPUT
        if may_be_turn and begins_others_turn(line):
            return Labelled(OBJECTIVE, line)
        found = generous(line, self.dialect, behind_action=self.current is ACTION)
        if self.around and not self.is_wrapped and found and found.label not in _BEGINS_A_REPLY:
            return None
        return found

    def is_end(self, label: Label) -> bool:
        """Whether nothing from this label on can change what is run."""
        if self.fiction:
            turn = self.fiction.turn
            fits = turn is not None and (turn.fits(label) or label is INPUT)
            return self.fiction.is_over or not fits
        return label in _OF_THE_WORLD and not self.fits(label)

    def fits(self, label: Label) -> bool:
        if label is INPUT:
            return ACTION in self.fields and INPUT not in self.fields
        has_ended = ACTION in self.fields or CONCLUSION in self.fields
        return not has_ended and label not in _OF_THE_WORLD

    @property
    def is_empty(self) -> bool:
        """But for the label of a thought, and what was imagined behind it."""
        has_text = bool(self.here.text.strip()) or len(self.fields) > 1
        return not (self.has_begun and has_text)

    def _stands_behind_fence(self, labelled: Labelled | None, line: str) -> bool:
        """Whether the fence around the reply has closed, and it is the model that goes on."""
        if self.around or self.current is THOUGHT:
            return False
        return labelled.label not in _OF_THE_WORLD if labelled else bool(cleaned(line).strip())

    def _begin(self, line: str) -> None:
        bare = line.lstrip()
        if not bare:
            return
        if bare.startswith("- ") and generous(bare[2:], self.dialect):
            bare = bare[2:]  # each label is the item of a list
        labelled = self.label_in(bare)
        self.has_begun = True
        indent = line[: len(line) - len(bare)][:_DEEPEST]
        self.indent = indent if labelled or indent != " " else ""  # it stands behind `Thought:`
        if labelled:
            self._take_label(labelled, line)
        else:
            self.around = opening_fence(line)
            self.here.lines.append(line)

    def _take_wrapped(self, line: str, around: Fence) -> None:
        """A line without a label while a fence stands open that may be around the reply."""
        if self.is_wrapped and around.is_closed_by(line):
            self.around = None
            if self.current is not THOUGHT:
                self.here.behind = []
        elif self.is_wrapped or not line.strip():
            self.here.take(line)
            self.here.is_quiet = False  # the fence's end counts, too
        else:
            self.around = None
            self.here.fences.append(around)
            self.here.take(line)

    def _take_label(self, labelled: Labelled, line: str) -> None:
        if self.indent:
            self._settle_indent(line)
        if self.here.fences:  # a stray one, or no label would count
            self.here.is_doubtful = True
            self.here.fences.clear()
        if self.around and not self.is_wrapped:
            self.is_wrapped = True
            self.here.lines.clear()
        if ":" in labelled.rest and labelled.label in _MAY_BE_DOUBLED:
            again = generous(labelled.rest, self.dialect)
            labelled = again if again and again.label is labelled.label else labelled
        if not self.fits(labelled.label):
            self._begin_fiction(labelled, head_of(line))
            return
        if labelled.label is ACTION:
            self.action_line = line
        self.current = labelled.label
        self.here = self.fields.get(labelled.label) or Field(
            is_input=labelled.label is INPUT, is_action=labelled.label is ACTION
        )
        self.fields[labelled.label] = self.here
        self.here.take(labelled.rest)
        self.here.is_quiet = self.here.is_quiet and not (self.around or self.indent)

    def _settle_indent(self, line: str) -> None:
        if not self.is_indented:
            self.is_indented = line.startswith(self.indent)
            self.indent = self.indent if self.is_indented else ""

    def _begin_fiction(self, labelled: Labelled, written: str) -> None:
        self.here.is_quiet = False
        turn = None if self.is_imagined else Reading(self.dialect, is_imagined=True)
        self.fiction = Fiction(labelled.label, written, self.dialect, turn)
        self.fiction.note(labelled, labelled.rest)
        if turn and not self.fiction.is_over:
            turn.has_begun = True
            turn._take_label(labelled, "")
