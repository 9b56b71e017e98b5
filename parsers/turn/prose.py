"""Whether a line is plainly a sentence, and not code, a command or data."""

_FEWEST_WORDS = 4
_ENDS = (".", ":", "!", "?", "…", "。", ".)", '."')
_CODE = frozenset("{}[]<>=|;$\\*/#@%^&~_+")
_PLAIN_SHARE = 0.75


def is_sentence(line: str) -> bool:
    """Several plain words, begun with a capital letter and ended by a full stop or the like."""
    bare = line.strip()
    if not bare[:1].isupper() or not bare.endswith(_ENDS):
        return False
    words = bare.split()
    return len(words) >= _FEWEST_WORDS and _are_plain(words)


def is_told(text: str, fewest: int) -> bool:
    """Several plain words: what follows a tool's name when it tells rather than names."""
    words = text.split()
    return len(words) >= fewest and _are_plain(words)


def _are_plain(words: list[str]) -> bool:
    plain = sum(word.strip("\"'`,.:;!?()’“”").isalpha() or "'" in word for word in words)
    return plain >= _PLAIN_SHARE * len(words) and not any(
        _CODE & set(word) for word in words if not word.startswith("`")
    )
