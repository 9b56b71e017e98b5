"""Errors in files written by people, suggestions for misspelled names, and yes/no words."""

from collections.abc import Iterable

from react_agent.parsers.text.gist import clipped

YES_OR_NO = {"yes": True, "on": True, "true": True, "1": True}
YES_OR_NO |= {"no": False, "off": False, "false": False, "0": False}


class ParseError(ValueError):
    """An error that names the line, the expected text and the text that was found."""


def parse_error(line: int, expected: str, found: str) -> ParseError:
    return ParseError(f"line {line}: expected {expected}, found {clipped(found, 60)!r}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the most similar known name as a remark in parentheses, or an empty string."""
    import difflib  # only errors need it

    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), names, n=1)
    return f" (did you mean {names[near[0]]}?)" if near and names[near[0]] != word else ""


def yes_or_no(text: str) -> bool:
    """Return whether the text means yes. Raises ValueError."""
    try:
        return YES_OR_NO[text.casefold()]
    except KeyError:
        raise ValueError(f"expected yes or no, found {text!r}") from None
