"""Read the reply of a model as a turn: a thought with an action or a conclusion.

    reply      = reasoning* thought (action | conclusion) fiction?
    thought    = text ("Thought:" text)*
    action     = "Action:" name NEWLINE ["Action Input:" input]
    conclusion = ("Action:" "none" NEWLINE)? "Conclusion:" text
    fiction    = everything from the next label: dropped, and reported

The prompt ends with `Thought:`, so a reply starts inside its thought. reply.py separates the
reasoning, automaton.py assigns the lines to fields, and action.py reads the action. A reply without
labels may be a call in another format. Prose is never an answer. A table in
tests/parsers/test_leniencies.py justifies each leniency with a recorded reply, or with a scenario
and its origin.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    OBSERVATION,
    THOUGHT,
    Dialect,
    Label,
)
from react_agent.parsers.turn import words
from react_agent.parsers.turn.action import Action, Refused, Tools, called, read_action
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.other_formats import NoCall, find_call
from react_agent.parsers.turn.reply import Reply
from react_agent.parsers.turn.special import cleaned, is_remnant, without_next_turn


class Kind(StrEnum):
    ACTION = "action"
    CONCLUSION = "conclusion"
    MALFORMED = "malformed"


class Turn(NamedTuple):  # a frozen dataclass takes three times as long to make
    kind: Kind
    thought: str = ""
    action: str = ""
    input: str = ""
    conclusion: str = ""
    repairs: tuple[str, ...] = ()
    fabricated: bool = False  # the model wrote an Observation itself
    truncated: bool = False
    problem: str = ""  # of a malformed reply: one line that the model can be shown


_ENDS = (".", "!", ":", ";")  # of text before an action on the same line
_PROMPT_ENDS = "Begin!"
_CUT_SHORT = {
    "length": words.CUT_OFF,
    "cut": words.CUT_OFF,
    "repeats": words.WENT_IN_CIRCLES,
}
_NOT_ENDED = (*_CUT_SHORT, "stop")  # the model did not end the reply itself


def parse_turn(
    text: str,
    *,
    dialect: Dialect = DEFAULT,
    tools: Collection[str] | None = None,
    no_argument_tools: Collection[str] = (),
    why: str | None = None,
) -> Turn:
    """Read one reply. Never raises: an unreadable reply is marked `malformed`, with its problem."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    known = Tools(tools, no_argument_tools)
    reply = Reply(dialect)
    reply.take_all(text.split("\n"))
    verdict = _Verdict(reply.said, known, why)
    if reply.depth:
        return verdict.malformed(words.OPEN_REASONING, truncated=True)
    turn = verdict.turn()
    if turn.kind is Kind.MALFORMED and (parted := verdict.parted(text)):
        again = Reply(dialect)
        again.take_all(parted.split("\n"))
        turn = _repaired(_Verdict(again.said, known, why).turn(), words.ON_ONE_LINE)
    if not reply.reasoned or not reply.said.is_empty:
        return turn
    verdict = _Verdict(reply.reasoned, known, why)
    turn = verdict.turn()
    is_whole = INPUT in reply.reasoned.fields or not turn.repairs
    if turn.kind is Kind.ACTION and is_whole:
        return _repaired(turn, words.TAKEN_FROM_REASONING)
    problem = words.filled(words.ONLY_REASONING, dialect)
    return verdict.malformed(problem)._replace(thought="", truncated=turn.truncated)


def to_the_letter(turn: Turn) -> Turn:
    """Return the turn, or a malformed turn if anything had to be repaired, for comparison.

    Fiction after the turn may be cut, as a server's stop sequence would do.
    """
    is_cut = turn.fabricated and len(turn.repairs) == 1
    if not turn.repairs or is_cut:
        return turn
    problem = words.NOT_TO_THE_LETTER.format(repairs="; ".join(turn.repairs))
    kept = Turn(Kind.MALFORMED, turn.thought, problem=problem)
    return kept._replace(fabricated=turn.fabricated, truncated=turn.truncated)


@dataclass(slots=True)
class _Verdict:
    said: Reading
    tools: Tools
    why: str | None

    def turn(self) -> Turn:
        try:
            return self._decided()
        except Refused as error:
            return self.malformed(error.problem, truncated=error.truncated)
        except NoCall as error:
            named = {"form": error.form, "reason": error.reason}
            problem = words.filled(words.NO_CALL, self.said.dialect, **named)
            return self.malformed(problem, truncated=error.truncated)

    def malformed(self, problem: str, *, truncated: bool = False) -> Turn:
        return Turn(
            Kind.MALFORMED,
            self._text(THOUGHT),
            fabricated=self._fabricated,
            truncated=truncated,
            problem=problem,
        )

    def _decided(self) -> Turn:
        said = self.said
        here, is_cut = said.here, self.why in _CUT_SHORT and not said.fiction
        if here.ends_in_stray and self.why not in _NOT_ENDED:
            here.drop_stray()
            return _repaired(self._decided(), words.STRAY_FENCE)
        is_open = bool(here.fences) or (said.around is not None and self.why != "stop")
        if ACTION in said.fields and CONCLUSION not in said.fields and not is_open:
            return self._action(is_cut=is_cut)
        if is_cut:
            raise self._cut_off()
        if is_open:
            raise self._left_open("fence")
        return self._conclusion() if CONCLUSION in said.fields else self._other_format()

    def _action(self, *, is_cut: bool) -> Turn:
        said, thought = self.said, self.said.fields[THOUGHT].text
        try:
            if "<" in thought or "{" in thought:
                find_call(thought, self.tools.answering)
        except NoCall as error:
            if error.truncated:  # the labels may be a part of its text
                raise NoCall(error.reason, form=error.form) from None
        try:
            action = read_action(said, self.tools)
        except (Refused, NoCall):
            if is_cut:
                raise self._cut_off() from None
            raise
        if is_cut and not action.is_whole:
            raise self._cut_off()
        if said.here.heredocs:
            raise self._left_open("here-document")
        return self._read(action)

    def _cut_off(self) -> Refused:
        return Refused(_CUT_SHORT[self.why or ""], truncated=True)

    def _left_open(self, what: str) -> Refused:
        label = self.said.dialect.write(self.said.current)
        return Refused(words.LEFT_OPEN.format(what=what, label=label), truncated=True)

    def _read(self, action: Action, conclusion: str = "") -> Turn:
        fiction, write = self.said.fiction, self.said.dialect.write
        around = (words.FENCE_REMOVED,) if self.said.is_wrapped else ()
        dropped: tuple[str, ...] = ()
        if fiction and fiction.has_text:
            dropped = (words.DROPPED.format(label=write(fiction.label)),)
        repairs = (*around, *action.repairs, *dropped)
        kind = Kind.CONCLUSION if conclusion else Kind.ACTION
        thought, fabricated = self._text(THOUGHT), self._fabricated
        return Turn(kind, thought, action.name, action.input, conclusion, repairs, fabricated)

    def _conclusion(self) -> Turn:
        spoken = self.said.dialect
        said = self.said.fields[CONCLUSION]
        written = said.text
        said.lines = without_next_turn(written).split("\n")
        conclusion = self._text(CONCLUSION).removesuffix(spoken.write(OBSERVATION))
        if _PROMPT_ENDS in conclusion.split("\n"):
            conclusion = conclusion.partition("\n\n")[0]  # the model repeats our prompt after it
        if not conclusion:
            raise Refused(words.filled(words.NO_CONCLUSION, spoken))
        named = (words.filled(words.NAMES_NO_TOOL, spoken),) if ACTION in self.said.fields else ()
        next_turn = (words.NEXT_TURN_DROPPED,) if said.text != written else ()
        return self._read(Action(repairs=(*named, *next_turn)), conclusion.rstrip())

    def _other_format(self) -> Turn:
        said = self.said
        call = find_call(said.fields[THOUGHT].text, self.tools.answering)
        if call:
            turn = self._read(called(call, self.tools))
            return turn._replace(thought=cleaned(call.thought).strip())
        if said.is_shown:
            raise Refused(words.filled(words.IN_A_FENCE, said.dialect))
        label = said.dialect.write(said.fiction.label) if said.fiction else ""
        text = words.NO_ACTION if self._text(THOUGHT) else words.IS_EMPTY
        text = words.OUT_OF_ORDER if label else text
        raise Refused(words.filled(text, said.dialect, label=label))

    def parted(self, text: str) -> str:
        """Return the text with a line break before each label in the last line of the thought.

        Returns "" unless the line has both labels of an action, or ends with the name of a tool
        whose input is below it or not required.
        """
        said, spoken = self.said, self.said.dialect
        line = next((one for one in reversed(said.fields[THOUGHT].lines) if one.strip()), "")
        head, label, rest = line.rpartition(f"{spoken.write(ACTION)} ")
        if len(said.fields) > 1 or not label or head[-1:].strip():
            return ""
        written, given, value = rest.partition(f" {spoken.write(INPUT)}")
        name = written.strip(" `*.,")
        if given:
            is_meant = self.tools.answering is None or name in self.tools.answering
        else:
            has_input = said.fiction is not None and said.fiction.label is INPUT
            is_meant = has_input or name in self.tools.without_argument
            is_meant = is_meant and " " not in name and head.rstrip().endswith(_ENDS)
        if not is_meant:
            return ""
        value, seen, world = value.partition(f" {spoken.write(OBSERVATION)}")
        parts = [head.rstrip(), label + name]
        parts += [given.strip() + value] if given else []
        before, _, behind = text.rpartition(line)
        return before + "\n".join([*parts, *([seen.strip() + world] if seen else [])]) + behind

    def _text(self, label: Label) -> str:
        lines = self.said.fields[label].lines
        if label is self.said.current:
            end, stop = len(lines), self.said.dialect.written[OBSERVATION]
            while end > 1 and (not lines[end - 1].strip() or is_remnant(lines[end - 1], stop)):
                end -= 1
            lines = lines[:end]
        return cleaned("\n".join(lines)).strip()

    @property
    def _fabricated(self) -> bool:
        """Return whether an observation was invented. A bare `Observation:` only ends the turn."""
        fiction = self.said.fiction
        return fiction is not None and fiction.label is OBSERVATION and fiction.has_text


def _repaired(turn: Turn, repair: str) -> Turn:
    is_malformed = turn.kind is Kind.MALFORMED
    return turn if is_malformed else turn._replace(repairs=(repair, *turn.repairs))
