"""The input of an action, out of the lines behind its label.

input = fenced text, alone | here-document, alone | JSON value | quoted line | text

What surrounds it goes: a fence, one pair of quotes, text behind what has ended by itself, special
tokens and remnants of a stop at its very end. All but the last is said.
"""

import re
from dataclasses import dataclass, replace

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.shell.heredoc import heredocs
from react_agent.parsers.text.fence import between, opening_fence, without_empty_ends
from react_agent.parsers.transcript.labels import OBSERVATION, Dialect
from react_agent.parsers.turn.cut_patch import cut_patch
from react_agent.parsers.turn.prose import is_sentence
from react_agent.parsers.turn.special import (
    begins_turn,
    end_of_turn,
    is_flourish,
    is_remnant,
    without_last_tokens,
)
from react_agent.parsers.values.arguments import read_value, unquoted
from react_agent.parsers.values.damaged_json import closing, insists_on_json

TWO_BLOCKS = (
    "two fenced blocks in `Action Input:`, so it is not plain which is meant: write one, with a "
    "longer fence around text that has fences in it"
)
_ANOTHER_TURN = (
    "special tokens in `Action Input:` begin another turn, so nothing was run: end the reply "
    "behind the input, or put the input into a fence if they belong to it"
)
_TALK = "the words behind the input were dropped"
_CUT = "nothing was run; write it again, whole"
_ENDS = (">", "]", ">assistant", ">model", ">user", " ", "\t")  # of a line that ends in a token
_QUOTED_KEY = re.compile(r"[\[\s]*\{\s*[\"']")  # `{a: 0` can be a part of a format or a pattern
_QUOTES = ('"""', "'''")  # base models close the docstring that they take the prompt for
_MOST_TAGS = 3  # each is looked for in all of the input
_FLOURISHES = frozenset("-*([_#SRIT\"'")  # what they begin with
_DIFF_LINES = ("--- ", "+++ ", "@@", "diff --git ", "*** Begin Patch")


@dataclass(slots=True)
class Input:
    text: str = ""
    repairs: tuple[str, ...] = ()
    problem: str = ""
    is_truncated: bool = False
    has_ended: bool = False  # by itself: what is there is whole
    has_prose: bool = False  # its last line is plainly a sentence


def read_input(lines: list[str], behind: list[str] | None, spoken: Dialect) -> Input:
    """`behind`: what stands behind a fence that has closed, its own or the one around the reply."""
    stop = spoken.written[OBSERVATION]
    bare = without_empty_ends(lines)
    if behind is not None and len(bare) > 1 and opening_fence(bare[0]):
        return _fenced(bare, behind, stop)
    if behind is not None:
        return replace(_unfenced(bare), has_ended=True)
    if len(bare) == 1 and lines and not lines[0].strip() and is_remnant(bare[0], stop):
        return Input("")
    kept = _without_remnants(bare, stop)
    found = _unfenced(kept)
    if len(kept) == len(bare):
        return found
    talks = any(is_flourish(line) for line in bare[len(kept) :])
    return replace(found, repairs=(*found.repairs, _TALK)) if talks else found


def _unfenced(lines: list[str]) -> Input:
    text = "\n".join(lines)
    end = end_of_turn(text)
    if end is not None:
        return _ended(text, end)
    first = text.lstrip()[:1]
    if first == "<" and (inner := _within_heredoc(lines)) is not None:
        return Input(inner, ("the input was taken out of its here-document",), has_ended=True)
    if first and first in "{[":
        return _bracketed(text)
    return _line(text) if len(lines) == 1 else _lines(text, lines)


def _ended(text: str, end: int) -> Input:
    """What stands behind is another turn, unless a file is written that has several."""
    if "\n" in text[:end].strip() or begins_turn(text):
        return Input(problem=_ANOTHER_TURN)
    said = "what stood behind the token that ends a turn was dropped"
    return replace(_line(text[:end].rstrip()), repairs=(said,), has_ended=True)


def _lines(text: str, lines: list[str]) -> Input:
    if not lines[1].strip() and all(not line.strip() or is_sentence(line) for line in lines[1:]):
        return replace(_line(lines[0]), repairs=(_TALK,), has_prose=True)
    if "<" in text and any(begins_turn(line) for line in lines):
        return Input(problem=_ANOTHER_TURN)
    if lacks := cut_patch(text, lines):
        return _cut(f"the patch lacks {lacks}")
    return Input(text, has_prose=is_sentence(lines[-1]))


def _line(text: str) -> Input:
    is_code = text.startswith("```") and text.find("```", 3) == len(text) - 3 > 3
    inner = text[3:-3] if is_code else unquoted(text)
    if inner == text:
        return Input(text)
    return Input(inner, ("the quotes around the input were taken away",))


def _fenced(lines: list[str], behind: list[str], stop: str) -> Input:
    text = "\n".join(between(lines))
    if all(_is_nothing(line.strip(), stop) for line in behind):
        return Input(text, has_ended=True)
    if any(opening_fence(line) for line in behind):
        is_patch = _is_patch(lines) and _is_patch(behind)
        whole = Input("\n".join(without_empty_ends([*lines, *behind])), has_ended=True)
        return whole if is_patch else Input(problem=TWO_BLOCKS)
    dropped = ("the text behind the closing fence was dropped",)
    return Input(text, dropped, has_ended=True, has_prose=_has_sentence(behind))


def _is_patch(lines: list[str]) -> bool:
    return any(line.startswith(_DIFF_LINES) for line in lines)


def _bracketed(text: str) -> Input:
    """A JSON value ends the input; what only begins like one is text."""
    end = closing(text)
    if end is None:
        if _QUOTED_KEY.match(text) and insists_on_json(text):
            return _cut("the bracket in `Action Input:` is not closed")
        return Input(text)
    behind = text[end + 1 :]
    if not behind.strip():
        return Input(text, has_ended=True)
    lines = behind.split("\n")
    may_end = text.lstrip()[0] == "{" and behind.lstrip()[0] not in "{["  # no line of JSON Lines
    may_end = not lines[0].strip() and (may_end or _has_sentence(lines))
    if may_end and _is_value(text[: end + 1]):
        dropped = ("the text behind the closing bracket was dropped",)
        return Input(text[: end + 1], dropped, has_ended=True, has_prose=True)
    return Input(text, has_prose=is_sentence(lines[-1]) and len(lines) > 1)


def _has_sentence(lines: list[str]) -> bool:
    return any(is_sentence(line) for line in lines)


def _is_value(text: str) -> bool:
    try:
        return not isinstance(read_value(text), str)
    except ParseError:
        return False


def _within_heredoc(lines: list[str]) -> str | None:
    """The text of a here-document that is the whole input."""
    opened = heredocs(lines[0])
    if len(opened) != 1 or len(lines[0].split()) != 1 or not opened[0].is_closed_by(lines[-1]):
        return None
    return "\n".join(lines[1:-1])


def _without_remnants(lines: list[str], stop: str) -> list[str]:
    """Without what is left of a stop or of a turn's end, unless there is nothing else."""
    last = lines[-1]
    first = last.lstrip()[:1]
    if last and first != stop[0] and first not in _FLOURISHES and not last.endswith(_ENDS):
        return lines
    end = len(lines)
    while end and _may_go(lines, end - 1, stop):
        end -= 1
    if not any(line.strip() for line in lines[:end]):
        return lines
    return [*lines[: end - 1], without_last_tokens(lines[end - 1])]


def _may_go(lines: list[str], at: int, stop: str) -> bool:
    line = lines[at]
    if _is_nothing(line, stop):
        is_tag = line.lstrip().startswith("</")
        return not is_tag or (len(lines) - at <= _MOST_TAGS and not _closes_own(lines, at))
    if line in _QUOTES:
        return sum(line in other for other in lines) == 1
    return at > 1 and not lines[at - 1].strip() and is_flourish(line)


def _closes_own(lines: list[str], at: int) -> bool:
    """A closing tag whose opening one stands in the input."""
    tag = lines[at].strip()
    opening = tag.replace("</", "<", 1).rstrip(">")
    return tag.startswith("</") and any(opening in line for line in lines[:at])


def _is_nothing(line: str, stop: str) -> bool:
    return not line or is_remnant(line, stop) or not without_last_tokens(line)


def _cut(what: str) -> Input:
    return Input(problem=f"{what}, so the reply may have been cut off: {_CUT}", is_truncated=True)
