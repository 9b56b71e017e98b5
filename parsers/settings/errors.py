"""Words of files that people write: what can't be read, and yes or no."""

_WORDS = {"yes": True, "on": True, "true": True, "1": True}
_WORDS |= {"no": False, "off": False, "false": False, "0": False}


class ParseError(ValueError):
    """Says which line, what was expected and what was found."""


def parse_error(line: int, expected: str, found: str) -> ParseError:
    shown = found if len(found) <= 60 else found[:57] + "..."
    return ParseError(f"line {line}: expected {expected}, found {shown!r}")


def yes_or_no(text: str) -> bool:
    """Raises ValueError."""
    try:
        return _WORDS[text.casefold()]
    except KeyError:
        raise ValueError(f"expected yes or no, found {text!r}") from None
