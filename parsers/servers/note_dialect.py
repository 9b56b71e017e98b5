"""The same text with `Note:` for `Thought:`, there and back.

A model may refuse what asks for its thoughts. It is shown the prompt in other words, and what it
answers is read as if it had been in ours.
"""

import re

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    NOTE,
    THOUGHT,
    Labelled,
    generous,
)
from react_agent.parsers.transcript.quoting import MARK
from react_agent.parsers.turn.reply import Reply

_OURS, _THEIRS = DEFAULT.written[THOUGHT], NOTE.written[THOUGHT]
_WORD = re.compile(rf"\b{_OURS}\b")
_LABEL = f"{_OURS}:"


def as_notes(text: str) -> str:
    """Of a part of the prompt in which only labels stand at the start of a line."""
    return "\n".join(_as_note(line) for line in text.split("\n"))


def _as_note(line: str) -> str:
    if line.startswith(_LABEL):
        return _THEIRS + line.removeprefix(_OURS)
    labelled = generous(line, NOTE) if line.startswith(_THEIRS) else None
    return MARK + line if labelled and labelled.label is THOUGHT else line


def instructions_for_notes(text: str) -> str:
    return _WORD.sub(_THEIRS, text)


def from_notes(reply: str) -> str:
    """What the model said: each label of a thought, as the reader of its dialect sees it."""
    reader, lines = Reply(NOTE), reply.split("\n")
    for number, line in enumerate(lines):
        bare = line.lstrip()
        labelled = _label(reader, line if reader.said.has_begun else bare)
        if labelled and labelled.label is THOUGHT:
            if reader.said.current is INPUT and not _acts(lines[number + 1 :]):
                break  # a line of a text: nothing more comes that a thought would lead to
            lines[number] = f"{line[: len(line) - len(bare)]}{_LABEL} {labelled.rest}"
        reader.take(line)
    return "\n".join(lines)


def _label(reader: Reply, line: str) -> Labelled | None:
    return None if reader.depth else reader.said.label_in(line)


def _acts(lines: list[str]) -> bool:
    labels = (generous(line, NOTE) for line in lines)
    return any(found and found.label in (ACTION, CONCLUSION) for found in labels)
