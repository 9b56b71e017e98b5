"""Make untrusted text safe to include in a Markdown page on a forge.

The result contains no HTML, picture, heading, command or mention. An open fence is closed. Text
that a page would hide, such as the definition of a link or words after a fence, is made visible.

A message or a page can close issues, mention people and skip checks. On some forges, a line that
begins with a slash can merge or assign. Text from a model must do none of this.

The other way round, comments that a page hides are removed from text for a model, but not in code.
"""

import re
from collections.abc import Iterable, Iterator

from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.quoting import escape, visible

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
_FENCE = LatePattern(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)")
_SPAN = r"(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
_ADDRESS = r"(?<![^\s(])https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+[A-Za-z0-9.:%/-]*/@[\w-]+"
_MARKED = LatePattern(rf"(?P<kept>\\[^\w\s@]|{_SPAN}|{_ADDRESS})|(?P<ticks_alone>`+)|\\(?=@)")
_TAG = LatePattern(r"<(?=[A-Za-z/!?])")
_ENTITY = LatePattern(r"&(?=#?\w+;)")
_HEADING = LatePattern(r"^(\s{0,3})(?=#{1,6}(?:\s|$))")
_PICTURE = LatePattern(r"!+(?=\[)")
_TICKS = LatePattern(r"`{3,}")
_HIDES = LatePattern(r"\](?=:)|(?<!~)~(?=~~)")  # the definition of a link; a fence in a list
_LANGUAGE = LatePattern(r"[\w+#.-]{1,20}\s*")


def prose(text: str, own: int = 0) -> str:
    """Return the text as safe prose. `own` is the only issue that the text may resolve."""
    return "\n".join(_lines(without_orders(visible(text.strip()), own).split("\n")))


def fenced(text: str, language: str = "text") -> str:
    """Return the text in a fenced block that no line of the text can close."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{escape(text)}\n{fence}"


def code(text: str) -> str:
    """Return the text as a code span on one line."""
    line = escape(" ".join(text.split()))
    ticks = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    space = " " if line[:1] == "`" or line[-1:] == "`" else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def _lines(lines: list[str]) -> Iterator[str]:
    opened = ""
    for line in lines:
        found = _FENCE.fullmatch(line)
        if opened:
            yield line
            if found and found["fence"].startswith(opened) and not found["rest"].strip():
                opened = ""
        elif found:
            opened, language = found["fence"], _LANGUAGE.fullmatch(found["rest"].lstrip())
            # not indented, as a list's end would end it
            yield opened + (language[0].strip() if language else "")
        else:
            yield _plain(line)
    if opened:
        yield opened


def _plain(line: str) -> str:
    """Return the safe line. Keep code spans, and escape a backtick that could join two lines."""
    parts, at = list[str](), 0
    for found in _MARKED.pattern.finditer(line):
        ticks = "\\`" * len(found["ticks_alone"] or "")
        parts += [_harmless(line[at : found.start()]), found["kept"] or ticks]
        at = found.end()
    text = _side_by_side((*parts, _harmless(line[at:])))
    return _HEADING.sub(r"\1\\", _SLASH.sub(r"\1\\/", text))


def _side_by_side(parts: Iterable[str]) -> str:
    """Join the parts, with a space between two code spans that would merge."""
    text = ""
    for part in parts:
        text += f" {part}" if text[-1:] == "`" == part[:1] else part
    return text


def _harmless(text: str) -> str:
    bare = _ENTITY.sub("&amp;", _HIDES.sub(r"\\\g<0>", _PICTURE.sub("", text)))
    return _TAG.sub("&lt;", without_calls(bare))


def without_orders(text: str, own: int = 0) -> str:
    """Return the text without commands to the forge. `own` is the issue that it may resolve."""

    def closes(found: re.Match[str]) -> str:
        number = _ALONE.match(text[found.end() :])
        if own and number and int(number[1]) == own:
            return found[0]
        return f"about{found['between']}"

    return _CLOSES.sub(closes, _unskipped(text)).rstrip()


def _unskipped(text: str) -> str:
    """Remove skip marks until none is left, because removing one may create another."""
    while text != (text := _SKIPS.sub("", text)):
        pass
    return text


def without_calls(text: str) -> str:
    """Return the Markdown text with mentions as code, so that nobody is notified."""
    return _CALLS.sub(r"`\1`", text)


_PARTS = LatePattern(
    r"(?P<kept>^[ \t]*+(?P<fence>`{3,}|~{3,})[^`\n]*$.*?(?:^[ \t]*+(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|`[^`\n]{1,1000}`"
    r"|<!--(?!.*?-->).*)"
    r"|^[ \t]*+(?:<!--(?>.*?-->)[ \t]*+)++(?:\n|\Z)"  # lines with nothing else
    r"|<!--.*?-->",
    re.MULTILINE | re.DOTALL,
)


def readable(text: str) -> str:
    """Return text from a forge without its hidden comments. One that never closes is kept."""
    return _PARTS.sub(lambda part: part["kept"] or "", text.replace("\r\n", "\n")).strip("\n")
