"""The input of an action, out of the lines below its label.

input = fenced text, alone | here-document, alone | JSON value | quoted line | text

What surrounds it goes: a fence, one pair of quotes, text after what has ended by itself, special
tokens and remnants of a stop at its very end. All but the last is reported. A patch that ends in
the middle of what it began is cut off.
"""

import re
from dataclasses import dataclass, replace

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.shell.heredoc import heredocs
from react_agent.parsers.text.fence import between, opening_fence, without_empty_ends
from react_agent.parsers.transcript.labels import OBSERVATION, Dialect
from react_agent.parsers.turn import words
from react_agent.parsers.turn.special import (
    begins_turn,
    end_of_turn,
    is_remnant,
    without_last_tokens,
)
from react_agent.parsers.values.arguments import read_value, unquoted
from react_agent.parsers.values.damaged_json import closing, insists_on_json

_ENDS = (">", "]", ">assistant", ">model", ">user", " ", "\t")  # of a line that ends in a token
_QUOTED_KEY = re.compile(r"[\[\s]*\{\s*[\"']")  # `{a: 0` can be a part of a format or a pattern
_SENTENCE_ENDS = (".", ":", "!", "?", "…", "。", ".)", '."')
_FEWEST_WORDS = 4
_CODE = frozenset("{}[]<>=|;$\\*/#@%^&~_+")
_PLAIN_SHARE = 0.75
_HEADERS = ("diff --git ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null", "@@ ")
_BEGINS_A_PATCH = ("diff --git ", "--- ", "Index: ", "*** Begin Patch")
_SEARCH = re.compile(r"^(?:<{5,9}|-{5,9}) ?SEARCH\b", re.MULTILINE)
_REPLACE = re.compile(r"^(?:>{5,9}|\+{5,9}) ?REPLACE\b", re.MULTILINE)


@dataclass(slots=True)
class Input:
    text: str = ""
    repairs: tuple[str, ...] = ()
    problem: str = ""
    is_truncated: bool = False
    has_ended: bool = False  # by itself: what is there is whole


def read_input(lines: list[str], behind: list[str] | None, spoken: Dialect) -> Input:
    """`behind`: what follows a fence that has closed, its own or the one around the reply."""
    stop = spoken.written[OBSERVATION]
    bare = without_empty_ends(lines)
    if behind is not None and len(bare) > 1 and opening_fence(bare[0]):
        return _fenced(bare, behind, stop)
    if behind is not None:
        return replace(_unfenced(bare), has_ended=True)
    if len(bare) == 1 and lines and not lines[0].strip() and is_remnant(bare[0], stop):
        return Input("")
    return _unfenced(_without_remnants(bare, stop))


def _fenced(lines: list[str], behind: list[str], stop: str) -> Input:
    text = "\n".join(between(lines))
    if all(_is_nothing(line.strip(), stop) for line in behind):
        return Input(text, has_ended=True)
    if any(opening_fence(line) for line in behind):
        return Input(problem=words.two_blocks())
    return Input(text, (words.text_dropped_after("fence"),), has_ended=True)


def _unfenced(lines: list[str]) -> Input:
    text = "\n".join(lines)
    end = end_of_turn(text)
    if end is not None:  # what follows is another turn, unless a file is written that has several
        if "\n" in text[:end].strip() or begins_turn(text):
            return Input(problem=words.another_turn())
        read = _line(text[:end].rstrip())
        return replace(read, repairs=(words.text_dropped_after("token"),), has_ended=True)
    first = text.lstrip()[:1]
    opened = heredocs(lines[0]) if first == "<" else ()
    if len(opened) == 1 and len(lines[0].split()) == 1 and opened[0].is_closed_by(lines[-1]):
        return Input("\n".join(lines[1:-1]), (words.taken_from_heredoc(),), has_ended=True)
    if first and first in "{[":
        return _bracketed(text)
    return _line(text) if len(lines) == 1 else _lines(text, lines)


def _line(text: str) -> Input:
    is_code = text.startswith("```") and text.find("```", 3) == len(text) - 3 > 3
    inner = text[3:-3] if is_code else unquoted(text)
    return Input(text) if inner == text else Input(inner, (words.unquoted(),))


def _lines(text: str, lines: list[str]) -> Input:
    if not lines[1].strip() and all(not line.strip() or is_sentence(line) for line in lines[1:]):
        return replace(_line(lines[0]), repairs=(words.talk_dropped(),))
    if "<" in text and any(begins_turn(line) for line in lines):
        return Input(problem=words.another_turn())
    if lacks := _lacks(text, lines):
        return Input(problem=words.input_cut(f"the patch lacks {lacks}"), is_truncated=True)
    return Input(text)


def _lacks(text: str, lines: list[str]) -> str:
    """What a patch lacks at its end; "" for a whole one, and for what is no patch."""
    if lines[0].startswith("*** Begin Patch"):
        is_whole = any(line.strip() == "*** End Patch" for line in lines)
        return "" if is_whole else "`*** End Patch`"
    if "SEARCH" in text and len(_SEARCH.findall(text)) > len(_REPLACE.findall(text)):
        return "the end of its last block"
    is_patch = text.startswith(_BEGINS_A_PATCH) and (
        not text.startswith("--- ") or lines[1].startswith("+++ ")
    )
    is_cut = is_patch and lines[-1].startswith(_HEADERS)
    return f"what follows its last line, `{lines[-1][:60]}`" if is_cut else ""


def _bracketed(text: str) -> Input:
    """A JSON value ends the input; what only begins like one is text."""
    end = closing(text)
    if end is None:
        is_open = _QUOTED_KEY.match(text) and insists_on_json(text)
        problem = words.input_cut("the bracket in `Action Input:` is not closed")
        return Input(problem=problem, is_truncated=True) if is_open else Input(text)
    behind = text[end + 1 :]
    if not behind.strip():
        return Input(text, has_ended=True)
    first, *others = behind.split("\n")
    is_apart = not first.strip() and text.lstrip()[0] == "{" and behind.lstrip()[0] not in "{["
    has_sentence = not first.strip() and any(is_sentence(line) for line in others)
    if (is_apart or has_sentence) and _is_value(text[: end + 1]):
        dropped = (words.text_dropped_after("bracket"),)
        return Input(text[: end + 1], dropped, has_ended=True)
    return Input(text)


def _is_value(text: str) -> bool:
    try:
        return not isinstance(read_value(text), str)
    except ParseError:
        return False


def _without_remnants(lines: list[str], stop: str) -> list[str]:
    """Without what is left of a stop or of a turn's end, unless there is nothing else."""
    last = lines[-1]
    if last and last.lstrip()[:1] != stop[0] and not last.endswith(_ENDS):
        return lines
    end = len(lines)
    while end and _is_nothing(lines[end - 1], stop):
        end -= 1
    if not any(line.strip() for line in lines[:end]):
        return lines
    return [*lines[: end - 1], without_last_tokens(lines[end - 1])]


def _is_nothing(line: str, stop: str) -> bool:
    return not line or is_remnant(line, stop) or not without_last_tokens(line)


def is_sentence(line: str) -> bool:
    """Several plain words, begun with a capital letter and ended by a full stop or the like."""
    bare = line.strip()
    is_framed = bare[:1].isupper() and bare.endswith(_SENTENCE_ENDS)
    return is_framed and is_prose(bare, _FEWEST_WORDS)


def is_prose(text: str, fewest: int) -> bool:
    """Several plain words, and not code, a command or data."""
    words_ = text.split()
    plain = sum(word.strip("\"'`,.:;!?()’“”").isalpha() or "'" in word for word in words_)
    has_code = any(_CODE & set(word) for word in words_ if not word.startswith("`"))
    return len(words_) >= fewest and plain >= _PLAIN_SHARE * len(words_) and not has_code
