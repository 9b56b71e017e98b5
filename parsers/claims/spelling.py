"""Two names that are likely meant to be one: the same words, or a slip of the pen in one of them.

Names that differ by design are not: by a number, a plural, a prefix, or a letter that makes another
word, as `encode` and `decode`, `parse_date` and `parse_data`.
"""

import re

_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])|[^\W_A-Za-z0-9]+")
_SEPARATORS = re.compile(r"[-_\s]+")
_SHORTEST_NAME, _SHORTEST_WORD = 6, 5  # letters of what may be misspelled
_KEPT = 2  # letters that begin a word, which hardly anybody gets wrong
_CONFUSED = (*map(set, ("sz", "ck", "fv", "iy", "cs", "gj")), set("aeiou"))
_REGIONAL = (("z", "s"), ("our", "or"), ("ll", "l"))


def word_parts(name: str) -> tuple[str, ...]:
    """In small letters: `parseDate`, `parse_date` and `parse-date` have the same two."""
    return tuple(part.casefold() for part in _PART.findall(name))


def folded(name: str) -> str:
    """Without case and separators."""
    return _SEPARATORS.sub("", name).casefold()


def is_restyled(written: str, name: str) -> bool:
    """`parse_date`, `parseDate`, `ParseDate`, `PARSE-DATE` are the same words."""
    return written != name and folded(written) == folded(name)


def is_part(written: str, name: str) -> bool:
    """Its words stand side by side in the name, among others."""
    words, key = word_parts(name), folded(written)
    spans = ((start, end) for end in range(len(words) + 1) for start in range(end))
    return any("".join(words[start:end]) == key for start, end in spans)


def is_regional(word: str, other: str) -> bool:
    """`normalise` and `normalize`, `colour` and `color`, `cancelled` and `canceled`."""
    return any(word.replace(old, new) == other.replace(old, new) for old, new in _REGIONAL)


def misspelled_words(written: str, name: str) -> tuple[str, str] | None:
    """The word of each, where one of the two is likely a slip for the other."""
    ours, theirs = word_parts(written), word_parts(name)
    if len(ours) != len(theirs):
        ours, theirs = ("".join(ours),), ("".join(theirs),)
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    if len(pairs) != 1 or len(folded(written)) < _SHORTEST_NAME:
        return None
    word, meant = pairs[0]
    is_long = len(word) >= _SHORTEST_WORD
    return pairs[0] if is_long and _is_slip(word, meant) else None


def _is_slip(word: str, meant: str) -> bool:
    """One letter left out or added, or another vowel; or two letters in the other order."""
    letters = zip(word, meant, strict=False)
    at = next((at for at, (a, b) in enumerate(letters) if a != b), 0)  # 0: a prefix, a plural
    ours, theirs = word[at:], meant[at:]
    if at == 0 or any(letter.isdigit() for letter in (ours[0], theirs[0])):
        return False
    if ours[1:] == theirs[1:]:
        return (
            len(ours) > 1
            and at >= _KEPT
            and any({*ours[:1], *theirs[:1]} <= group for group in _CONFUSED)
        )
    is_turned = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return is_turned or ours[1:] == theirs or ours == theirs[1:]
