"""Text of a model or an issue without what a forge takes for an order.

A message or a page that is sent can close issues, call people, skip checks, and at some forges
merge or assign by a line that begins with a slash. None of that is for the words of a model.
"""

import re

from react_agent.parsers.text.late_pattern import LatePattern

_CLOSES = LatePattern(
    r"(?<![A-Za-z0-9])(?P<word>clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?"
    r"|reopen(?:s|ed)?)"
    r"(?P<between>:?\s+(?:issues?\s+|bugs?\s+)?[*_~`'\"!(\[\\]{0,4})"
    r"(?=(?:[\w.-]+/[\w./-]+)?[#!]\d|gh-\d|https?://\S+/\d)",
    re.IGNORECASE,
)
_ALONE = LatePattern(r"#(\d+)\b(?!\s*(?:,|&|and|or)\s*(?:and\s*)?(?:[\w./-]*[#!]\d|gh-|http))")
_SKIPS = LatePattern(
    r"\[(?:skip[ -](?:ci|actions|checks)|(?:ci|actions|no)[ -](?:skip|ci))\]|\*{3}NO_CI\*{3}"
    r"|\[skip azp\]|\[skip travis\]|\[travis skip\]",
    re.IGNORECASE,
)
_SLASH = LatePattern(r"^(\s*)/(?=[A-Za-z][\w-]*(?:\s|$))")
_CALLS = LatePattern(r"(?<![A-Za-z0-9])(@[A-Za-z0-9][\w-]*(?:[/@.][\w-]+)*)")


def without_orders(text: str, own: int = 0) -> str:
    """`own` is the issue that may be resolved."""

    def closes(found: re.Match[str]) -> str:
        number = _ALONE.match(text[found.end() :])
        if own and number and int(number[1]) == own:
            return found[0]
        return f"about{found['between']}"

    return _CLOSES.sub(closes, _unskipped(text)).rstrip()


def _unskipped(text: str) -> str:
    """Until none is left: to take one away may make another."""
    while text != (text := _SKIPS.sub("", text)):
        pass
    return text


def without_calls(text: str) -> str:
    """For a page in Markdown: nobody is called."""
    return _CALLS.sub(r"`\1`", text)


def without_commands(line: str) -> str:
    """For a page in Markdown: no line of it begins as a command."""
    return _SLASH.sub(r"\1\\/", line)
