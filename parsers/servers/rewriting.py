"""Rewrite a prompt for a model, and undo the same changes in the model's reply.

    "Thought:"         is shown as `Note:` to a model that refuses to reveal its thoughts
    "<|im_start|>"     is shown as `<U+003C>|im_start|>`, "[INST]" as `<U+005B>INST]`
    "<U+003C>|im_start|>"   in the original text is shown as `<U+003C>U+003C>|im_start|>`

A server that receives one string turns such text into the special tokens of its model, no matter
who wrote it. Many servers that receive messages do the same. An issue could thus end its turn and
begin a system turn.
"""

import functools
import re

from react_agent.parsers.transcript.labels import (
    ACTION,
    CONCLUSION,
    DEFAULT,
    INPUT,
    NOTE,
    THOUGHT,
    generous,
)
from react_agent.parsers.transcript.quoting import MARK
from react_agent.parsers.turn.reply import Reply
from react_agent.parsers.turn.turn import Turn

_OURS, _THEIRS = DEFAULT.written[THOUGHT], NOTE.written[THOUGHT]
_WORD = re.compile(rf"\b{_OURS}\b")


def as_notes(text: str) -> str:
    """Rewrite a part of the prompt in which every label at the start of a line is a real one."""
    return "\n".join(map(_as_note, text.split("\n")))


def _as_note(line: str) -> str:
    if line.startswith(f"{_OURS}:"):
        return _THEIRS + line.removeprefix(_OURS)
    labelled = generous(line, NOTE) if line.startswith(_THEIRS) else None
    return MARK + line if labelled and labelled.label is THOUGHT else line


def instructions_for_notes(text: str) -> str:
    return _WORD.sub(_THEIRS, text)


def from_notes(reply: str) -> str:
    """Return the reply with each recognised label of a thought in our own spelling."""
    reader, lines = Reply(NOTE), reply.split("\n")
    for number, line in enumerate(lines):
        bare = line.lstrip()
        seen = line if reader.said.has_begun else bare
        labelled = None if reader.depth else reader.said.label_in(seen)
        if labelled and labelled.label is THOUGHT:
            below = (generous(one, NOTE) for one in lines[number + 1 :])
            acts = any(found and found.label in (ACTION, CONCLUSION) for found in below)
            if reader.said.current is INPUT and not acts:
                break  # it is a line of a text: no action or conclusion follows
            lines[number] = f"{line[: len(line) - len(bare)]}{_OURS}: {labelled.rest}"
        reader.take(line)
    return "\n".join(lines)


# Beside `<|...|>` (ChatML, Llama 3, Phi, GLM, Command R, Harmony), `<|turn>` (Gemma) and
# `<｜...｜>` (DeepSeek).
_NAMES = (
    *(r"/?s", r"/?(?:bos|eos|pad|unk|mask|sop|eop)", r"(?:BOS|EOS|PAD|UNK|EOP|MASK)_TOKEN"),
    *(r"(?:start|end)_of_(?:turn|image)", r"(?:begin|beginning|end)_of_(?:sentence|text)"),
    *(r"fim_(?:prefix|middle|suffix|pad)", r"(?:file|repo)_(?:sep|name)", r"endoftext"),
    *(r"unused\d{1,4}", r"reserved_\d{1,4}", r"seed:(?:bos|eos)", r"(?:PRE|SUF|MID|EOT)"),
)
_BRACKETED = (
    *(r"/?INST", r"/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS|TOOL_CONTENT)"),
    *(r"/?THINK", r"ARGS", r"CALL_ID", r"(?:IMG|IMG_BREAK|IMG_END|BEGIN_OF_AUDIO)"),
    *(r"[gs]?MASK", r"(?:PREFIX|MIDDLE|SUFFIX)", r"(?:BOS|EOS|EOT|EOD)", r"UNUSED_TOKEN_\d{1,4}"),
)
_BEHIND = {
    "<": rf"\|[^|<>\s]{{1,40}}\|?>|｜[^｜<>\s]{{1,40}}｜>|[a-z_]{{1,40}}\|>|</?SYS>>"
    rf"|(?:{'|'.join(_NAMES)})>",
    "[": rf"\|/?\w{{1,40}}\|\]|(?:{'|'.join(_BRACKETED)})\]",
}
_CODE = {mark: f"U+{ord(mark):04X}>" for mark in _BEHIND}
_WRITTEN = "|".join(rf"{re.escape(_CODE[mark])}(?:{rest})" for mark, rest in _BEHIND.items())
_AGAIN = rf"(?:{re.escape(_CODE['<'])})*(?:{_WRITTEN})"
_LIVE = re.compile(rf"<(?={_BEHIND['<']}|{_AGAIN})|\[(?={_BEHIND['[']})")
_INERT = (  # the inner ones first: `<|[INST]>` has one token in another
    re.compile(rf"<U\+005B>(?={_BEHIND['[']})"),
    re.compile(rf"<U\+003C>(?={_BEHIND['<']}|{_AGAIN})"),
)
_UNDONE = "special tokens, shown in the prompt with U+003C in them, were read as they are meant"


@functools.lru_cache(maxsize=1024)  # a turn is part of each prompt that follows it
def inert(text: str) -> str:
    """Return the text with the special tokens of all models escaped."""
    return _LIVE.sub(lambda found: f"<{_CODE[found[0]]}", text)


def live(text: str) -> str:
    """Return the text with the escapes added by `inert` removed."""
    for escaped in _INERT if "<U+" in text else ():
        text = escaped.sub(lambda found: chr(int(found[0][3:-1], 16)), text)
    return text


def as_meant(turn: Turn) -> Turn:
    """Return the turn with escapes turned back into tokens, since a model copies its prompt."""
    thought, action, given, conclusion = map(
        live, (turn.thought, turn.action, turn.input, turn.conclusion)
    )
    meant = turn._replace(thought=thought, action=action, input=given, conclusion=conclusion)
    if given == turn.input:
        return meant
    return meant._replace(repairs=(*meant.repairs, _UNDONE))
