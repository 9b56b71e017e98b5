"""Errors in files that people write, and the words for yes and no."""

from react_agent.parsers.text.gist import clipped

_WORDS = {"yes": True, "on": True, "true": True, "1": True}
_WORDS |= {"no": False, "off": False, "false": False, "0": False}


class ParseError(ValueError):
    """An error that says which line, what was expected and what was found."""


def parse_error(line: int, expected: str, found: str) -> ParseError:
    return ParseError(f"line {line}: expected {expected}, found {clipped(found, 60)!r}")


def yes_or_no(text: str) -> bool:
    """Return whether the text means yes. Raises ValueError."""
    try:
        return _WORDS[text.casefold()]
    except KeyError:
        raise ValueError(f"expected yes or no, found {text!r}") from None
