"""Text that nobody vouches for, as a part of a page in Markdown at a forge.

It stays what it is: no HTML, no picture, no heading, no command, nobody called, a fence that is
opened is closed, and nothing is hidden from who reads the page (a name for an address, which is not
shown, and words behind a fence).
"""

import re
from collections.abc import Iterable, Iterator

from react_agent.parsers.forge.forge_commands import without_calls, without_commands, without_orders
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.quoting import escape, visible

_FENCE = LatePattern(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)")
_SPAN = r"(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
_ADDRESS = r"(?<![^\s(])https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+[A-Za-z0-9.:%/-]*/@[\w-]+"
_MARKED = LatePattern(rf"(?P<kept>\\[^\w\s@]|{_SPAN}|{_ADDRESS})|(?P<ticks_alone>`+)|\\(?=@)")
_TAG = LatePattern(r"<(?=[A-Za-z/!?])")
_ENTITY = LatePattern(r"&(?=#?\w+;)")
_HEADING = LatePattern(r"^(\s{0,3})(?=#{1,6}(?:\s|$))")
_PICTURE = LatePattern(r"!+(?=\[)")
_TICKS = LatePattern(r"`{3,}")
_HIDES = LatePattern(r"\](?=:)|(?<!~)~(?=~~)")  # a name for an address; a fence in a list
_LANGUAGE = LatePattern(r"[\w+#.-]{1,20}\s*")


def prose(text: str, own: int = 0) -> str:
    """`own` is the issue that may be resolved."""
    return "\n".join(_lines(without_orders(visible(text.strip()), own).split("\n")))


def fenced(text: str, language: str = "text") -> str:
    """A block that nothing in it can end."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{escape(text)}\n{fence}"


def code(text: str) -> str:
    """A span of it, on one line."""
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
            opened = found["fence"]
            yield opened + _language(found["rest"])  # within a list, its end would end the fence
        else:
            yield _plain(line)
    if opened:
        yield opened


def _language(behind: str) -> str:
    return behind.strip() if _LANGUAGE.fullmatch(behind.lstrip()) else ""


def _plain(line: str) -> str:
    """Code on one line is left alone; a tick that could join two lines is none."""
    parts, at = list[str](), 0
    for found in _MARKED.pattern.finditer(line):
        ticks = "\\`" * len(found["ticks_alone"] or "")
        parts += [_harmless(line[at : found.start()]), found["kept"] or ticks]
        at = found.end()
    text = _side_by_side((*parts, _harmless(line[at:])))
    return _HEADING.sub(r"\1\\", without_commands(text))


def _side_by_side(parts: Iterable[str]) -> str:
    """Two spans that touch would be another one."""
    text = ""
    for part in parts:
        text += f" {part}" if text[-1:] == "`" == part[:1] else part
    return text


def _harmless(text: str) -> str:
    bare = _ENTITY.sub("&amp;", _HIDES.sub(r"\\\g<0>", _PICTURE.sub("", text)))
    return _TAG.sub("&lt;", without_calls(bare))
