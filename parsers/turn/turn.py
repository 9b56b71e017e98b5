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

from react_agent.parsers.shell.heredoc import heredocs
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
from react_agent.parsers.turn.action import Action, Tools, read_action
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.fenced_turn import fenced_turn, has_labels_in_fence
from react_agent.parsers.turn.other_formats import Call, NoCall, find_call
from react_agent.parsers.turn.problems import (
    CUT_OFF,
    IN_A_FENCE,
    OPEN_REASONING,
    dropped,
    expected,
    left_open,
    missing,
    read_from,
    taken_from_fence,
    written_twice,
)
from react_agent.parsers.turn.reply import Reply
from react_agent.parsers.turn.special import cleaned, is_remnant
from react_agent.parsers.turn.tool_name import read_name


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
_NOT_ENDED = (*_CUT_SHORT, "stop")  # by the model itself


def parse_turn(
    text: str,
    *,
    dialect: Dialect = DEFAULT,
    tools: Collection[str] | None = None,
    no_argument_tools: Collection[str] = (),
    why: str | None = None,
) -> Turn:
    """Read one reply. Never raises: what can't be read is `malformed`, with its problem named."""
    reply = _read(text, dialect)
    known = Tools(tools, no_argument_tools)
    if reply.depth:
        return _Verdict(reply.said, known, why).malformed(OPEN_REASONING, truncated=True)
    if reply.reasoned and reply.said.is_empty:
        return _from_reasoning(_Verdict(reply.reasoned, known, why))
    return _Verdict(reply.said, known, why).turn()


def _read(text: str, dialect: Dialect) -> Reply:
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    lines = text.split("\n")
    reply = Reply(dialect)
    reply.take_all(lines)
    if reply.said.here.heredocs and _only_looks_for_one(reply.said):
        reply = Reply(dialect, reads_heredocs=False)
        reply.take_all(lines)
    return reply


def _only_looks_for_one(said: Reading) -> bool:
    """`cat <<EOF` as a pattern: nothing of a here-document's text follows in the input."""
    lines = [line for line in said.here.lines if line.strip()]
    if heredocs(lines[-1]):
        return ">" not in lines[-1]
    is_one_line = bool(heredocs(lines[0])) and ">" not in lines[0]
    return is_one_line and generous(lines[1], said.dialect) is not None


def _from_reasoning(verdict: "_Verdict") -> Turn:
    turn = verdict.turn()
    is_whole = INPUT in verdict.said.fields or not turn.repairs
    if turn.kind is Kind.ACTION and is_whole:
        return _repaired(turn, "the action was taken out of the reasoning: nothing stood behind it")
    problem = f"nothing stands behind the reasoning: {expected(verdict.said.dialect)}"
    return verdict.malformed(problem)._replace(thought="", truncated=turn.truncated)


@dataclass(slots=True)
class _Verdict:
    said: Reading
    tools: Tools
    why: str | None

    def turn(self) -> Turn:
        said = self.said
        if said.here.fences and said.here.may_be_stray and self.why not in _NOT_ENDED:
            said.here.drop_stray()
            return _repaired(self.turn(), "a closing fence that nothing opened was taken away")
        if said.is_shown:
            return self.malformed(f"{IN_A_FENCE}: {expected(said.dialect)}")
        if ACTION in said.fields and not said.here.fences:
            return self._action()
        if self.why in _CUT_SHORT and not said.fiction:
            return self.malformed(CUT_OFF, truncated=True)
        within = fenced_turn(said, was_stopped=self.why == "stop")
        if within:
            turn = _Verdict(within, self.tools, self.why).turn()
            return _repaired(turn, "the fence around the labels was taken away")
        if said.here.fences:
            return self.malformed(left_open("fence", said), truncated=True)
        if CONCLUSION in said.fields:
            return self._conclusion()
        return self._inline() or self._foreign()

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
        thought = self._text(THOUGHT)
        if form := self._open_call():
            return self.malformed(f"{form} is not closed before the labels that stand in it")
        action = read_action(said, self.tools)
        if self.why in _CUT_SHORT and not said.fiction and not self._is_whole(action):
            return self.malformed(CUT_OFF, truncated=True)
        if said.here.heredocs and not action.problem and not _only_looks_for_one(said):
            return self.malformed(left_open("here-document", said), truncated=True)
        if action.problem:
            return self.malformed(action.problem, truncated=action.is_truncated)
        behind = (written_twice(said),) if action.is_continued else dropped(said)
        return Turn(
            Kind.ACTION,
            thought,
            action.name,
            action.input,
            repairs=taken_from_fence(said) + action.repairs + behind,
            fabricated=self._fabricated,
        )

    def _is_whole(self, action: Action) -> bool:
        return action.is_whole or self.said.here.ends_in_heredoc

    def _open_call(self) -> str:
        """A call in another format that the labels stand in: they are text of its own."""
        thought = self.said.fields[THOUGHT].text
        if "<" not in thought and "{" not in thought and "[" not in thought:
            return ""
        found = find_call(thought, self.tools.answering)
        return found.form if isinstance(found, NoCall) and found.truncated else ""

    def _conclusion(self) -> Turn:
        conclusion = self._text(CONCLUSION).removesuffix(self.said.dialect.write(OBSERVATION))
        if _PROMPT_ENDS in conclusion.split("\n"):
            conclusion = conclusion.partition("\n\n")[0]  # behind it, our prompt is repeated
        if not conclusion:
            label = self.said.dialect.write(CONCLUSION)
            return self.malformed(f"expected what was done after `{label}`, found nothing")
        return Turn(
            Kind.CONCLUSION,
            self._text(THOUGHT),
            conclusion=conclusion.rstrip(),
            repairs=taken_from_fence(self.said) + dropped(self.said),
            fabricated=self._fabricated,
        )

    def _inline(self) -> Turn | None:
        """A call without input at the end of the thought's last line."""
        text = self._text(THOUGHT)
        thought, label, name = text.rpartition(self.said.dialect.write(ACTION))
        name = name.strip(" `.")
        if not label or not thought.endswith(_ENDS) or name not in self.tools.without_argument:
            return None
        said = f"`{self.said.dialect.write(ACTION)}` stood within the thought"
        return Turn(Kind.ACTION, thought.strip(), name, repairs=(said,))

    def _foreign(self) -> Turn:
        form = expected(self.said.dialect)
        if has_labels_in_fence(self.said):
            return self.malformed(f"{IN_A_FENCE}: {form}")
        match find_call(self.said.fields[THOUGHT].text, self.tools.answering):
            case Call() as call:
                return self._called(call)
            case NoCall(seen, reason, is_truncated):
                problem = f"{seen} can't be taken for an action ({reason}): {form}"
                return self.malformed(problem, truncated=is_truncated)
            case _:
                return self.malformed(f"{missing(self.said)}: {form}")

    def _called(self, call: Call) -> Turn:
        named = read_name(call.name, self.tools.answering)
        if named is None or named.given:
            form = expected(self.said.dialect)
            return self.malformed(f"{call.form} that names no tool: {form}")
        return Turn(
            Kind.ACTION,
            cleaned(call.thought).strip(),
            named.name,
            call.input,
            repairs=(read_from(call.form), *dropped(self.said)),
            fabricated=self._fabricated,
        )

    def _text(self, label: Label) -> str:
        lines = self.said.fields[label].lines
        if label is self.said.current:
            lines = self._without_remnants(lines)
        return cleaned("\n".join(lines)).strip()

    def _without_remnants(self, lines: list[str]) -> list[str]:
        end, stop = len(lines), self.said.dialect.written[OBSERVATION]
        while end > 1 and (not lines[end - 1].strip() or is_remnant(lines[end - 1], stop)):
            end -= 1
        return lines[:end]

    @property
    def _fabricated(self) -> bool:
        return self.said.fiction is not None and self.said.fiction.fabricated


def _repaired(turn: Turn, said: str) -> Turn:
    is_malformed = turn.kind is Kind.MALFORMED
    return turn if is_malformed else turn._replace(repairs=(said, *turn.repairs))
