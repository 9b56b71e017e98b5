"""Read a reply line by line, and separate its reasoning from the rest of the text.

    reply     = reasoning* reading
    reasoning = "<think>" text "</think>"     at the start of a line, before any Action; counted
              | text "</think>"               if the prompt's template opened the tag

The tag has many names, and some are tokens: `[THINK]`, `<|channel|>analysis<|message|>`. Labels in
reasoning are ignored. A tag in quotes or backticks is only a mention.
"""

import re
from dataclasses import dataclass, field

from react_agent.parsers.transcript.labels import DEFAULT, THOUGHT, Dialect
from react_agent.parsers.turn.automaton import Reading

_NAMES = (
    "think|thinking|thoughts?|reasoning|reasoning_content|reflection|scratchpad|analysis"
    "|inner_monologue|inner_thoughts"
)
_TAG = re.compile(
    rf"(?<![`'\"])(?:<[ ]?(?P<close>/)?(?:[a-z]{{1,9}}:)?(?:ant)?(?:{_NAMES})>"
    r"|\[(?P<close1>/)?THINK\]|◁(?P<close2>/)?think▷"
    r"|<\|(?:START|(?P<close3>END))_THINKING\|>|<\|(?:begin|(?P<close4>end))_of_thought\|>"
    r"|<\|channel\|>analysis<\|message\|>"
    r"|(?P<close5><\|end\|>\s*<\|start\|>assistant(?:<\|channel\|>final<\|message\|>)?"
    r"|<\|channel\|>final<\|message\|>))(?![`'\"])",
    re.IGNORECASE,
)
_MAY_BE_TAGGED = re.compile(r"<|THINK\]|◁")


def _closes(tag: re.Match[str]) -> bool:
    return tag.lastgroup is not None


def without_reasoning(text: str) -> str:
    """Return the text outside all reasoning tags. It is used for answers that are not turns."""
    said, depth, begin = list[str](), 0, 0
    for tag in _TAG.finditer(text):
        if not depth and not _closes(tag):
            said.append(text[begin : tag.start()])
        elif not depth:
            said.clear()  # the prompt's template opened this reasoning
        depth = max(depth + (-1 if _closes(tag) else 1), 0)
        begin = tag.end()
    return "".join(said) if depth else "".join(said) + text[begin:]


@dataclass(slots=True)
class Reply:
    dialect: Dialect = DEFAULT
    said: Reading = field(init=False)
    reasoned: Reading | None = None
    depth: int = 0  # number of open reasoning tags
    spoken_of: int = 0  # open tags in an input; their closing tags are part of it

    def __post_init__(self) -> None:
        self.said = Reading(self.dialect)

    def take_all(self, lines: list[str]) -> None:
        starts, here = self.dialect.starts, self.said.here
        for line in lines:
            if here.is_quiet and line[:1] not in starts and not _MAY_BE_TAGGED.search(line):
                here.lines.append(line)  # most lines are like this, and it saves half the time
            else:
                self.take(line)
                here = self.said.here

    def take(self, line: str) -> None:
        if self.depth:
            self._reason(line)
        elif _MAY_BE_TAGGED.search(line) and (tag := self._tag(line)):
            self._take_tagged(line, tag)
        else:
            self.said.take(line)

    def _tag(self, line: str) -> re.Match[str] | None:
        here = self.said.here
        has_ended = self.said.fiction or here.behind is not None
        return None if has_ended or here.is_guarded or here.is_diff else _TAG.search(line)

    def _take_tagged(self, line: str, tag: re.Match[str]) -> None:
        if _closes(tag) and not self.spoken_of and self._ends_reasoning(line, tag):
            self.said.take(line[: tag.start()])
            self.reasoned, self.said = self.said, Reading(self.dialect)
            self._reason(line[tag.end() :])
        elif not _closes(tag) and self._begins_reasoning(line[: tag.start()]):
            if head := line[: tag.start()].strip():
                self.said.take(head)
            self.reasoned = Reading(self.dialect)
            self._reason(line[tag.start() :])
        else:
            for other in _TAG.finditer(line):
                self.spoken_of = max(self.spoken_of + (-1 if _closes(other) else 1), 0)
            self.said.take(line)

    def _begins_reasoning(self, head: str) -> bool:
        """Return whether the tag is at the start of a line or follows a thought's label."""
        if self.said.current is not THOUGHT:
            return False
        labelled = self.said.label_in(head.lstrip())
        is_thought = labelled is not None and labelled.label is THOUGHT
        return not head.strip() or (is_thought and head.rstrip().endswith((":", "：", "*")))

    def _ends_reasoning(self, line: str, tag: re.Match[str]) -> bool:
        """Return whether a tag at the start or the end of the line ends reasoning."""
        before, behind = line[: tag.start()], line[tag.end() :]
        if not before.strip():
            return True
        labelled = self.said.label_in(line)
        if labelled and not self.said.fits(labelled.label):
            return False
        # After the thought, a tag behind a space is a word of the text.
        is_word = self.said.current is not THOUGHT and before[-1].isspace()
        return not behind.strip() and not is_word

    def _reason(self, line: str) -> None:
        """Read a line that begins inside reasoning or directly after it."""
        assert self.reasoned
        begin = 0
        for tag in _TAG.finditer(line):
            if not self.depth and line[begin : tag.start()].strip():
                break
            if self.depth == 1 and _closes(tag):
                self.reasoned.take(line[begin : tag.start()])
            self.depth = max(self.depth + (-1 if _closes(tag) else 1), 0)
            if self.depth <= 1 and not (_closes(tag) and self.depth):
                begin = tag.end()
        rest = line[begin:]
        if self.depth:
            self.reasoned.take(rest)
        elif rest.strip():
            self.said.take(rest.lstrip())
