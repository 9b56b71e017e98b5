"""Two names that are likely meant to be one: the same words, or a slip of the pen in one of them.

Names that differ by design are not: by a number, a plural, a prefix, or a letter that makes another
word, as `encode` and `decode`, `parse_date` and `parse_data`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.claims.word_parts import word_parts

_SEPARATORS = re.compile(r"[-_\s]+")
_ONE_SLIP, _TWO_SLIPS = 6, 12  # letters of a name that may have so many
_WORD = 5  # letters of the word that is misspelled
_LONG_WORD = 8  # with two slips in it
_KEPT = 2  # letters that begin a word, which hardly anybody gets wrong
_SWAPPED = frozenset(map(frozenset, ("sz", "ck", "fv", "iy", "cs", "gj")))
_VOWELS = frozenset("aeiou")


class Slip(StrEnum):
    LEFT_OUT = "left out"
    ADDED = "added"
    TURNED = "turned around"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class _Edit:
    slip: Slip
    at: int  # in the word as it was written
    letters: str


def folded(name: str) -> str:
    """Without case and separators."""
    return _SEPARATORS.sub("", name).casefold()


def is_restyled(written: str, name: str) -> bool:
    """`parse_date`, `parseDate`, `ParseDate`, `PARSE-DATE` are the same words."""
    return written != name and folded(written) == folded(name)


def misspelled_word(written: str, name: str) -> str:
    """The word of it that is likely a slip for one of the other name; nothing if none is."""
    letters = len(folded(written))
    if letters < _ONE_SLIP or _digits(written) != _digits(name):
        return ""
    pairs = list(_different(written, name))
    if len(pairs) != 1:
        return ""
    word, meant = pairs[0]
    edits = _edits(word, meant)
    most = 2 if letters >= _TWO_SLIPS and len(word) >= _LONG_WORD else 1
    is_slip = 0 < len(edits) <= most and len(word) >= _WORD
    return word if is_slip and all(_is_likely(edit, word, meant) for edit in edits) else ""


def is_regional(word: str, other: str) -> bool:
    """`normalise` and `normalize`, `colour` and `color`, `cancelled` and `canceled`."""
    return any(
        word.replace(old, new) == other.replace(old, new)
        for old, new in (("z", "s"), ("our", "or"), ("ll", "l"))
    )


def is_common_slip(wrong: str, right: str) -> bool:
    """Two letters turned around, a vowel for another, one doubled; one left out of a long word."""
    edits = _edits(wrong, right)
    return bool(edits) and all(
        edit.slip in (Slip.TURNED, Slip.OTHER)
        or max(len(wrong), len(right)) > _LONG_WORD
        or edit.letters in (wrong[edit.at - 1 : edit.at], right[edit.at - 1 : edit.at])
        for edit in edits
    )


def runs_of_words(name: str) -> frozenset[str]:
    """Its words and all that stand side by side in it, as one."""
    parts = word_parts(name)
    return frozenset(
        "".join(parts[start:end])
        for start in range(len(parts))
        for end in range(start + 1, len(parts) + 1)
    )


def _digits(name: str) -> str:
    return re.sub(r"\D", "", name)


def _different(written: str, name: str) -> Iterator[tuple[str, str]]:
    """The words that differ, one by one; one pair of all where their number does."""
    ours, theirs = word_parts(written), word_parts(name)
    if len(ours) != len(theirs):
        yield "".join(ours), "".join(theirs)
        return
    yield from ((a, b) for a, b in zip(ours, theirs, strict=True) if a != b)


def _is_likely(edit: _Edit, word: str, meant: str) -> bool:
    if edit.at == 0 or word.startswith(meant) or meant.startswith(word):
        return False
    if edit.slip is not Slip.OTHER:
        return True
    if edit.at < _KEPT:
        return False
    is_last = edit.at == len(word) - 1
    pair = frozenset(edit.letters)
    return not is_last and (pair <= _VOWELS or pair in _SWAPPED)


def _edits(word: str, meant: str) -> tuple[_Edit, ...]:
    """One or two that make it the other word; none if it takes more."""
    return next((found for most in (1, 2) if (found := _within(word, meant, 0, most))), ())


def _within(word: str, meant: str, at: int, most: int) -> tuple[_Edit, ...]:
    same = next((n for n, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), None)
    if same is None:
        same = min(len(word), len(meant))
    word, meant, at = word[same:], meant[same:], at + same
    if (not word and not meant) or most == 0:
        return ()
    for edit, rest, goal in _ways(word, meant, at):
        if rest == goal:
            return (edit,)
        behind = _within(rest, goal, at + 1, most - 1)
        if behind:
            return (edit, *behind)
    return ()


def _ways(word: str, meant: str, at: int) -> Iterator[tuple[_Edit, str, str]]:
    if len(word) > 1 and len(meant) > 1 and word[0] == meant[1] and word[1] == meant[0]:
        yield _Edit(Slip.TURNED, at, word[:2]), word[2:], meant[2:]
    if word and meant:
        yield _Edit(Slip.OTHER, at, word[0] + meant[0]), word[1:], meant[1:]
    if word:
        yield _Edit(Slip.ADDED, at, word[0]), word[1:], meant
    if meant:
        yield _Edit(Slip.LEFT_OUT, at, meant[0]), word, meant[1:]


def like_pattern(name: str) -> str:
    """An extended regular expression for names that share a third of it, and are as long."""
    third = max(2, len(name) // 3)
    pieces = (name[:third], name[third : 2 * third], name[2 * third :])
    first, middle, last = map(re.escape, pieces)
    head, tail = len(pieces[0]), len(pieces[2])
    rest, front = len(name) - head, len(name) - tail
    return (
        rf"\b({first}\w{{{rest - 2},{rest + 2}}}|\w{{{front - 2},{front + 2}}}{last}"
        rf"|\w{{{head - 1},{head + 1}}}{middle}\w{{{tail - 1},{tail + 1}}})\b"
    )
