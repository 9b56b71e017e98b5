"""The same text with `Note:` for `Thought:`, there and back.

A model may refuse what asks for its thoughts. It is shown the prompt in other words, and what it
answers is read as if it had been in ours.
"""

import re

from react_agent.parsers.labels import DEFAULT, NOTE, THOUGHT, generous
from react_agent.parsers.quoting import MARK
from react_agent.parsers.reply import Reply

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
    reader, lines = Reply(NOTE), []
    for line in reply.split("\n"):
        labelled = None if reader.depth else reader.said.label_in(line)
        is_thought = labelled is not None and labelled.label is THOUGHT
        lines.append(f"{_LABEL} {labelled.rest}" if labelled and is_thought else line)
        reader.take(line)
    return "\n".join(lines)
