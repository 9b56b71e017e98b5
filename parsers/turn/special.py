"""Recognise leaked special tokens, invisible characters and remnants of stop sequences.

token   = "<|" name "|>" | "<｜" name "｜>" | "</s>" | "<end_of_turn>" | "[/INST]" | ...
role    = token "assistant" | ...                            (the header of a turn)
remnant = a beginning of the label that ends a turn, or a closing tag, alone on the last line

Tokens and invisible characters are removed outside payloads. Inside a payload they are text to
write or to search for, except for a token at the very end, with which the model ends its turn.
"""

import re

ZERO_WIDTH = "\u200b\u2060\ufeff"
JOINERS = "\u200c\u200d"  # they join emoji and letters of some scripts, so they stay in prose
NO_BREAK = "\xa0"

_NAMED = (
    r"</?s>|</?(?:bos|eos|pad|unk)>|<(?:end_of_turn|start_of_turn|end_code|fim_\w{3,6})>"
    r"|\[/?INST\]"
)
TOKEN = re.compile(rf"<\|[^|<>\s]{{1,40}}\|>|<｜[^｜<>\s]{{1,40}}｜>|{_NAMED}")
_HEADED = re.compile(rf"(?<![`'\"])(?:{TOKEN.pattern})(?:(?:assistant|model|user|system|tool)\b)?")
_TURN = r"<\|(?:im_start|start_header_id|user|system|assistant|start)\|>|<start_of_turn>|\[INST\]"
_END = r"<\|(?:endoftext|im_end|eot_id|end|end_of_text|eos)\|>|<｜end▁of▁sentence｜>|<end_of_turn>"
_ANOTHER_TURN = re.compile(
    rf"^(?:{_TURN})|^(?:{_END})\s*\S"
    rf"|(?:{_END}|</s>)\s*(?:{_TURN}|<｜User｜>|(?:Human|User) ?:)",
    re.MULTILINE,
)
_LEADING = re.compile(rf"(?:(?:{TOKEN.pattern})(?:assistant\b)?\s*)+")
_LAST_TOKEN = re.compile(rf"(?:{TOKEN.pattern})(?:assistant|model|user)?")
_ENDS = (">", "]", ">assistant", ">model", ">user")
_LONGEST_TOKEN = 60
_CLOSING_TAGS = frozenset({"</code>", "</action>", "</tool>", "</answer>"})
_SHORTEST_REMNANT = 3
LONGEST_LINE_START = 120  # characters in which tokens before a label are looked for
_CLEANED = str.maketrans(dict.fromkeys(ZERO_WIDTH, "") | {NO_BREAK: " "})
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212"
_NAME_CLEANED = str.maketrans(
    dict.fromkeys(ZERO_WIDTH + JOINERS, "") | {NO_BREAK: " "} | dict.fromkeys(_HYPHENS, "-")
)


def without_next_turn(text: str) -> str:
    """Return the text up to the chat template tokens that begin another speaker's turn."""
    found = _ANOTHER_TURN.search(text) if "<" in text or "[" in text else None
    return text[: found.start()] if found else text


def without_leading_tokens(line: str) -> str:
    found = _LEADING.match(line, 0, LONGEST_LINE_START)
    return line[found.end() :] if found else line


def cleaned(text: str) -> str:
    """Return prose without tokens and invisible characters. Keep tokens in quotes or backticks."""
    if "<" in text or "[" in text:
        text = _HEADED.sub("", text)
    return text if text.isascii() else text.translate(_CLEANED)


def cleaned_name(text: str) -> str:
    if "<" in text or "[" in text:
        text = _HEADED.sub("", text.partition("<|channel|>")[0]).removesuffix("<br>")
    return text if text.isascii() else text.translate(_NAME_CLEANED)


def without_last_tokens(line: str) -> str:
    """Return the line without the tokens at its end. `<s>x</s>` is markup and is kept."""
    whole = end = len(line.rstrip())
    while line.endswith(_ENDS, 0, end):
        begin = max(line.rfind(mark, max(end - _LONGEST_TOKEN, 0), end) for mark in "<[")
        if begin < 0 or not _LAST_TOKEN.fullmatch(line, begin, end):
            break
        end = begin
        while end and line[end - 1].isspace():
            end -= 1
    kept = line[:end]
    return line if "<s>" in kept or end == whole else kept


def is_remnant(line: str, stop: str) -> bool:
    """Return whether the line is only the beginning of the label `stop`, or a closing tag."""
    bare = line.strip().rstrip(":")
    is_cut_label = len(bare) >= _SHORTEST_REMNANT and stop.startswith(bare)
    return is_cut_label or bare in _CLOSING_TAGS
