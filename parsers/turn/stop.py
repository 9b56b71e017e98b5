"""Decide when to stop a model that is still writing, and how much of its text can be shown.

The scanner feeds the lines to the same automaton as the reader of replies, so it stops where the
reader stops: at the first label that does not fit. It holds a line back as long as the line may
become such a label. A line in a fence or a here-document can't become a label.
"""

import copy
from dataclasses import dataclass, field

from react_agent.parsers.transcript.labels import (
    ACTION,
    DEFAULT,
    INPUT,
    OBSERVATION,
    THOUGHT,
    Dialect,
    head_of,
    may_become_one,
)
from react_agent.parsers.turn.reply import Reply
from react_agent.parsers.turn.special import LONGEST_LINE_START, is_remnant

_MARKS = frozenset("`~{}<>[]%")  # of a fence, a JSON object, a tag, our bookkeeping


@dataclass(slots=True)
class StopScanner:
    """A scanner of a streamed reply. The texts it returns, joined, are the reply up to the stop."""

    dialect: Dialect = DEFAULT
    stopped: bool = field(default=False, init=False)
    _reply: Reply = field(init=False)
    _line: list[str] = field(default_factory=list, init=False)  # pieces of the line being written
    _is_text: bool = field(default=False, init=False)  # can't become a label, so it is shown

    def __post_init__(self) -> None:
        self._reply = Reply(self.dialect)

    def feed(self, chunk: str) -> str:
        """Take a chunk, and return the text that is safe to show, or "" once `stopped`."""
        first, *others = chunk.split("\n")
        shown = [self._more(first)]
        for piece in others:
            shown += [self._line_end(), self._more(piece)]
            if self.stopped:
                break
        return "".join(shown)

    @property
    def is_open(self) -> bool:
        """Return whether reasoning, a fence or a here-document is still open."""
        if not _is_guarded(self._reply):
            return False
        reply = copy.deepcopy(self._reply)  # the line may go on, so it is only read in a copy
        reply.take("".join(self._line).removesuffix("\r"))
        return _is_guarded(reply)

    @property
    def has_acted(self) -> bool:
        return self._reply.said.current in (ACTION, INPUT)

    @property
    def is_thought(self) -> bool:
        """Return whether the reply so far is only a thought, without signs of another format."""
        reply = copy.deepcopy(self._reply)
        reply.take("".join(self._line).removesuffix("\r"))
        text = reply.said.here.text
        is_other = reply.said.current is not THOUGHT or reply.said.fiction or reply.depth
        return bool(text.strip()) and not is_other and _MARKS.isdisjoint(text)

    def finish(self) -> str:
        """Return the text still held back at the end of the reply, without a partial stop label."""
        line = "".join(self._line)
        stop = self.dialect.written[OBSERVATION]
        is_held = not (self.stopped or self._is_text)
        is_last = self._reply.said.here.lines and is_remnant(line, stop)
        self._line.clear()
        return line if is_held and not is_last else ""

    def _more(self, piece: str) -> str:
        if self.stopped or not piece:
            return ""
        self._line.append(piece)
        if self._is_text:
            return piece
        line = "".join(self._line)
        said = self._reply.said
        labelled = (
            None if self._reply.depth else said.label_in(line if said.has_begun else line.lstrip())
        )
        if labelled and self._may_be_text(line):
            return ""
        if labelled:
            self.stopped = not said.fits(labelled.label)
        elif self._may_stop(line):
            return ""
        self._is_text = True
        return "" if self.stopped else line

    def _line_end(self) -> str:
        if self.stopped:
            return ""
        line = "".join(self._line)
        is_shown = self._may_be_text(line)
        self._reply.take(line.removesuffix("\r"))
        self.stopped = self._reply.said.fiction is not None
        is_hidden = self.stopped and not is_shown
        shown = "" if is_hidden else "\n" if self._is_text else line + "\n"
        self._line.clear()
        self._is_text = False
        return shown

    def _may_be_text(self, line: str) -> bool:
        """Return whether the label may be input text: it is lower-case, unlike the model's own."""
        said = self._reply.said
        is_other = head_of(line).islower() and said.current is INPUT
        return is_other and not head_of(said.action_line).islower()

    def _may_stop(self, line: str) -> bool:
        said = self._reply.said
        if self._reply.depth or not said.label_in(self.dialect.write(OBSERVATION)):
            return False
        bare = line.removeprefix(said.indent) if said.has_begun else line.lstrip()
        return (
            may_become_one(bare, self.dialect, lambda label: not said.fits(label))
            or (bare.startswith("</") and len(bare) < LONGEST_LINE_START)
            or said.indent.startswith(line)
        )


def _is_guarded(reply: Reply) -> bool:
    said = reply.said
    is_in_block = said.around is not None and not said.is_wrapped
    return reply.depth > 0 or said.here.is_guarded or is_in_block
