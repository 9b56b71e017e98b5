"""Compare names that may be spellings of the same name, and build patterns for other spellings.

Two names are the same if their words are equal, or if one word is a misspelling of the other. Names
that differ on purpose are not the same: they differ by a number, a plural, a prefix, or a letter
that makes another word, such as `encode` and `decode`, or `parse_date` and `parse_data`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])|[^\W_A-Za-z0-9]+")
_SEPARATORS = re.compile(r"[-_\s]+")
_SHORTEST_NAME, _SHORTEST_WORD = 6, 5  # letters of a name and of a word that may be misspelled
_KEPT = 2  # first letters of a word, which hardly anybody gets wrong
_CONFUSED = (*map(set, ("sz", "ck", "fv", "iy", "cs", "gj")), set("aeiou"))
_NAME = re.compile(r"\w[\w-]*")
_SHORTEST, _LONGEST = 4, 40  # letters of a name that is searched for in other spellings
_KEYWORDS = frozenset(("import", "from", "class", "return", "function", "const", "self", "async"))
_ESCAPED_OPERATOR = re.compile(r"\\([|(){}+?])")


def word_parts(name: str) -> tuple[str, ...]:
    """Return the words in lower case: `parseDate` and `parse-date` have the same words."""
    return tuple(part.casefold() for part in _PART.findall(name))


def folded(name: str) -> str:
    """Return the name in lower case without separators."""
    return _SEPARATORS.sub("", name).casefold()


def is_restyled(written: str, name: str) -> bool:
    """Return whether the names differ only in style, like `parse_date` and `parseDate`."""
    return written != name and folded(written) == folded(name)


def is_part(written: str, name: str) -> bool:
    """Return whether the name contains the words of `written` next to each other."""
    words, key = word_parts(name), folded(written)
    spans = ((start, end) for end in range(len(words) + 1) for start in range(end))
    return any("".join(words[start:end]) == key for start, end in spans)


def is_misspelled(written: str, name: str) -> bool:
    """Return whether the names differ in one word only, which is likely misspelled."""
    ours, theirs = word_parts(written), word_parts(name)
    if len(ours) != len(theirs):
        ours, theirs = ("".join(ours),), ("".join(theirs),)
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    if len(pairs) != 1 or len(folded(written)) < _SHORTEST_NAME:
        return False
    word, meant = pairs[0]
    return len(word) >= _SHORTEST_WORD and _is_slip(word, meant)


def _is_slip(word: str, meant: str) -> bool:
    """Return whether one letter was added, left out or confused, or two letters were swapped."""
    letters = zip(word, meant, strict=False)
    at = next((at for at, (a, b) in enumerate(letters) if a != b), 0)  # 0: a prefix, a plural
    ours, theirs = word[at:], meant[at:]
    if at == 0 or ours[0].isdigit() or theirs[0].isdigit():
        return False
    if ours[1:] == theirs[1:]:
        is_confused = any({ours[0], theirs[0]} <= group for group in _CONFUSED)
        return len(ours) > 1 and at >= _KEPT and is_confused
    is_turned = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return is_turned or ours[1:] == theirs or ours == theirs[1:]


@dataclass(frozen=True, slots=True)
class Looser:
    how: str  # said to the model
    pattern: str
    plain: bool = False  # no regular expression


def looser(pattern: str) -> Iterator[Looser]:
    """Yield looser patterns, the closest first. They are meant for a case-insensitive search."""
    yield Looser("ignoring case", pattern)
    bare = pattern.strip(" \"'`")
    if bare and bare != pattern:
        yield Looser("without the quotes and the space around it", bare)
    if _ESCAPED_OPERATOR.search(pattern):
        yield Looser(r"with \| ( and ) as operators", _ESCAPED_OPERATOR.sub(r"\1", pattern))
    if re.escape(bare) != bare:
        yield Looser("as plain text", bare, plain=True)
    words = word_parts(bare) if bare.isascii() else bare.casefold().split()
    if len(words) > 1 and _NAME.fullmatch(bare):
        camel = words[0] + "".join(word.capitalize() for word in words[1:])
        how = f"spelled {'_'.join(words)}, {camel} or {'-'.join(words)}"
        yield Looser(how, "[-_ ]?".join(words))
    if len(words) > 1:
        yield Looser("its words in this order", ".*".join(words))


def alone(text: str) -> Iterator[Looser]:
    """Yield a pattern of the only name in the text, without the text around it."""
    name = _one_name(text)
    if name and name != text.strip():
        yield Looser(f"{name} alone", name)


def _one_name(text: str) -> str:
    """Return the only name in the text, or "" if there are several."""
    names = [name for name in _NAME.findall(text) if name not in _KEYWORDS]
    name = max(names, key=len, default="")
    is_one = not any(len(other) >= _SHORTEST for other in names if other is not name)
    fits = _SHORTEST <= len(name) <= _LONGEST and name.strip("-").isascii()
    return name if is_one and fits else ""


def misspelled(text: str) -> Iterator[Looser]:
    """Yield a pattern for one-letter misspellings of the only name, and for swapped letters."""
    name = _one_name(text)
    cuts = [(name[:at], name[at], name[at + 1 :]) for at in range(len(name))]
    others = dict.fromkeys(
        pattern
        for head, letter, tail in cuts
        for pattern in (
            rf"{head}\w?{tail}",
            rf"{head}{letter}\w{tail}",
            f"{head}{tail[:1]}{letter}{tail[1:]}",
        )
        if pattern != name
    )
    if others:
        yield Looser(f"with one letter of {name} changed", f"(?:{'|'.join(others)})")
