"""What a model writes in one go.

    reply      = reasoning* thought (action | conclusion) fiction?
    thought    = text ("Thought:" text)*
    action     = "Action:" name NEWLINE ["Action Input:" payload]
    payload    = fenced text | JSON value | here-document | text up to the next label line
    conclusion = "Conclusion:" text
    fiction    = all from the next label on: dropped, and said

The prompt ends with `Thought:`, so a reply starts inside its thought. The automaton over the lines
is in reply.py and reading.py; here is what comes of it. A reply without labels may be a call in
another format. Prose is never an answer.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from react_agent.parsers.text.fence import Fence, blocks
from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    OBSERVATION,
    THOUGHT,
    Dialect,
    Label,
    generous,
)
from react_agent.parsers.turn import words
from react_agent.parsers.turn.action import Action, Tools, called, read_action
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.other_formats import Call, NoCall, find_call
from react_agent.parsers.turn.reply import Reply
from react_agent.parsers.turn.special import begins_turn, cleaned, is_remnant


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
    fabricated: bool = False  # it wrote an Observation itself
    truncated: bool = False
    problem: str = ""  # of a malformed reply: one line, fit to be shown to the model


_ENDS = (". ", "! ", ": ", "; ")  # of what may stand before an action on its line
_PROMPT_ENDS = "Begin!"
_CUT_SHORT = ("length", "cut")
_ENDINGS = (ACTION, CONCLUSION)
_LONGEST_LABEL = 30
_NOT_ENDED = (*_CUT_SHORT, "stop")  # by the model itself
_ENDED = "end"


def parse_turn(
    text: str,
    *,
    dialect: Dialect = DEFAULT,
    tools: Collection[str] | None = None,
    no_argument_tools: Collection[str] = (),
    why: str | None = None,
) -> Turn:
    """Read one reply. Never raises: what can't be read is `malformed`, with its problem named."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    reply = Reply(dialect)
    reply.take_all(text.split("\n"))
    known = Tools(tools, no_argument_tools)
    if reply.depth:
        return _Verdict(reply.said, known, why).malformed(words.open_reasoning(), truncated=True)
    if not reply.reasoned or not reply.said.is_empty:
        return _Verdict(reply.said, known, why).turn()
    verdict = _Verdict(reply.reasoned, known, why)
    turn = verdict.turn()
    is_whole = INPUT in reply.reasoned.fields or not turn.repairs
    if turn.kind is Kind.ACTION and is_whole:
        return _repaired(turn, words.taken_from_reasoning())
    problem = words.only_reasoning(dialect)
    return verdict.malformed(problem)._replace(thought="", truncated=turn.truncated)


def to_the_letter(turn: Turn) -> Turn:
    """Malformed if anything had to be repaired, for comparison.

    What was imagined after it may be cut, as a server's stop sequence would.
    """
    is_cut = turn.fabricated and len(turn.repairs) == 1
    if not turn.repairs or is_cut:
        return turn
    return Turn(
        Kind.MALFORMED,
        turn.thought,
        fabricated=turn.fabricated,
        truncated=turn.truncated,
        problem=words.not_to_the_letter(turn.repairs),
    )


@dataclass(slots=True)
class _Verdict:
    said: Reading
    tools: Tools
    why: str | None

    def turn(self) -> Turn:
        said = self.said
        here, spoken = said.here, said.dialect
        is_last = here.may_be_stray and self.why not in _NOT_ENDED
        if is_last or (here.ends_in_stray and self.why == _ENDED):
            here.drop_stray()
            return _repaired(self.turn(), words.stray_fence())
        if said.is_shown:
            return self.malformed(words.in_a_fence(spoken))
        if ACTION in said.fields and not here.fences:
            return self._action()
        if self.why in _CUT_SHORT and not said.fiction:
            return self.malformed(words.cut_off(), truncated=True)
        within = self._labelled_blocks()
        if within and (unwrapped := self._unwrapped(*within)):
            return _repaired(unwrapped.turn(), words.fence_taken_away())
        if here.fences:
            problem = words.left_open("fence", said.current, spoken)
            return self.malformed(problem, truncated=True)
        if CONCLUSION in said.fields:
            return self._conclusion()
        if within:
            return self.malformed(words.in_a_fence(spoken))
        return self._within_thought() or self._other_format()

    def _labelled_blocks(self) -> list[tuple[Fence, int, int]]:
        """The fenced blocks of a reply without labels that begin with one."""
        lines = self.said.here.lines if self.said.current is THOUGHT else []
        found = list[tuple[Fence, int, int]]()
        for fence, begin, end in blocks(lines):
            first = next((line for line in lines[begin + 1 : end] if line.strip()), "")
            labelled = generous(first, self.said.dialect)
            if labelled and labelled.label in (THOUGHT, ACTION):
                found.append((fence, begin, end))
        return found

    def _unwrapped(self, block: tuple[Fence, int, int], *others: object) -> "_Verdict | None":
        """Without the fence around the labels, if it ends the reply and no colon leads up to it.

        An open fence is one only where a stop of the endpoint's has cut off its end.
        """
        said = self.said
        lines, (_, begin, end) = said.here.lines, block
        is_quoted = "\n".join(lines[:begin]).rstrip().endswith((":", "："))
        is_last = not others and not cleaned("\n".join(lines[end + 1 :])).strip()
        if is_quoted or not is_last or (said.here.fences and self.why != "stop"):
            return None
        reading = Reading(said.dialect)
        reading.has_begun = True
        reading.here.lines.extend(lines[:begin])
        for line in lines[begin + 1 : end]:
            reading.take(line)
        reading.fiction = reading.fiction or said.fiction
        return _Verdict(reading, self.tools, self.why)

    def malformed(self, problem: str, *, truncated: bool = False) -> Turn:
        return Turn(
            Kind.MALFORMED,
            self._text(THOUGHT),
            fabricated=self._fabricated,
            truncated=truncated,
            problem=problem,
        )

    def _action(self) -> Turn:
        said = self.said
        thought = said.fields[THOUGHT].text
        if "<" in thought or "{" in thought or "[" in thought:
            # A call in another format that the labels stand in: they are text of its own.
            found = find_call(thought, self.tools.answering)
            if isinstance(found, NoCall) and found.truncated:
                return self.malformed(words.open_call(found.form))
        action = read_action(said, self.tools)
        if self.why in _CUT_SHORT and not said.fiction and not action.is_whole:
            return self.malformed(words.cut_off(), truncated=True)
        if said.here.heredocs and not action.problem:
            problem = words.left_open("here-document", said.current, said.dialect)
            return self.malformed(problem, truncated=True)
        return self._acted(action)

    def _acted(self, action: Action) -> Turn:
        if action.problem:
            return self.malformed(action.problem, truncated=action.is_truncated)
        said = self.said
        is_twice = action.is_continued
        behind = (words.written_twice(said.dialect),) if is_twice else self._dropped
        return Turn(
            Kind.ACTION,
            self._text(THOUGHT),
            action.name,
            action.input,
            repairs=self._wrapping + action.repairs + behind,
            fabricated=self._fabricated,
        )

    def _conclusion(self) -> Turn:
        spoken = self.said.dialect
        conclusion = self._text(CONCLUSION).removesuffix(spoken.write(OBSERVATION))
        if _PROMPT_ENDS in conclusion.split("\n"):
            conclusion = conclusion.partition("\n\n")[0]  # our prompt is repeated after it
        if not conclusion:
            return self.malformed(words.no_conclusion(spoken))
        return Turn(
            Kind.CONCLUSION,
            self._text(THOUGHT),
            conclusion=conclusion.rstrip(),
            repairs=self._wrapping + self._dropped,
            fabricated=self._fabricated,
        )

    def _within_thought(self) -> Turn | None:
        """A call without input at the end of the thought's last line."""
        spoken = self.said.dialect
        thought, label, name = self._text(THOUGHT).rpartition(spoken.write(ACTION))
        name = name.strip(" `.")
        if not label or not thought.endswith(_ENDS) or name not in self.tools.without_argument:
            return None
        return Turn(Kind.ACTION, thought.strip(), name, repairs=(words.within_thought(spoken),))

    def _other_format(self) -> Turn:
        said, spoken = self.said, self.said.dialect
        lines = said.fields[THOUGHT].lines
        match find_call("\n".join(lines), self.tools.answering):
            case Call() as call:
                action = called(call, self.tools)
                if action.problem:
                    return self.malformed(words.nameless(call.form, spoken))
                return self._acted(action)._replace(thought=cleaned(call.thought).strip())
            case NoCall(form, reason, is_truncated):
                problem = words.no_call(form, reason, spoken)
                return self.malformed(problem, truncated=is_truncated)
            case _:
                return self.malformed(self._missing())

    def _missing(self) -> str:
        said = self.said
        bare = (line.strip() for line in said.fields[THOUGHT].lines)
        heads = [line for line in bare if line[:1] in ("#", "*") and len(line) < _LONGEST_LABEL]
        found = [(head, generous(f"{head.rstrip('*')}:", said.dialect)) for head in heads]
        return words.missing(
            said.dialect,
            first=said.fiction.label if said.fiction else None,
            colonless=next((h for h, one in found if one and one.label in _ENDINGS), ""),
            has_text=bool(cleaned(said.fields[THOUGHT].text).strip()),
        )

    def _text(self, label: Label) -> str:
        lines = self.said.fields[label].lines
        if label is self.said.current:
            end, stop = len(lines), self.said.dialect.written[OBSERVATION]
            while end > 1 and (not lines[end - 1].strip() or is_remnant(lines[end - 1], stop)):
                end -= 1
            lines = lines[:end]
        return cleaned("\n".join(lines)).strip()

    @property
    def _wrapping(self) -> tuple[str, ...]:
        return (words.fence_taken_away(),) if self.said.is_wrapped else ()

    @property
    def _dropped(self) -> tuple[str, ...]:
        """What the model imagined would come next."""
        fiction, write = self.said.fiction, self.said.dialect.write
        if fiction is None or not fiction.has_text:
            return ()
        is_turn = begins_turn(fiction.written)
        return (words.dropped(fiction.written if is_turn else write(fiction.label)),)

    @property
    def _fabricated(self) -> bool:
        return self.said.fiction is not None and self.said.fiction.fabricated


def _repaired(turn: Turn, repair: str) -> Turn:
    is_malformed = turn.kind is Kind.MALFORMED
    return turn if is_malformed else turn._replace(repairs=(repair, *turn.repairs))
