"""Make text from a forge readable for a model: describe pictures and remove hidden comments.

Code in fences and in backticks is not changed. A comment that is never closed is kept.
"""

import re
from collections.abc import Iterator

from react_agent.parsers.text.fence import Fence, follow
from react_agent.parsers.text.late_pattern import LatePattern

_CODE = LatePattern(r"(`[^`]{1,1000}`)")
_PARTS = LatePattern(r"(`[^`]{1,1000}`|<!--|-->)")
_IMAGE = LatePattern(r"!\[([^][]{0,300})\]\(\s{0,9}<?([^()\s<>]{0,4000})[^()]{0,300}\)")
_TAG = LatePattern(r"<img\b([^<>]{0,8000})/?>", re.IGNORECASE)
_ATTRIBUTE = LatePattern(r"""\b(alt|src)\s{0,9}=\s{0,9}["']([^"']{0,4000})["']""", re.IGNORECASE)
_OPENS, _CLOSES = "<!--", "-->"
_LONGEST = 160  # characters of an address or a description


def readable(text: str) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(_shown(lines)).strip("\n")


def _shown(lines: list[str]) -> Iterator[str]:
    fences, is_hidden = list[Fence](), False
    last = max((at for at, line in enumerate(lines) if _CLOSES in line), default=-1)
    for at, line in enumerate(lines):
        was_within = bool(fences)
        if not is_hidden:
            follow(line, fences)
        if was_within or fences:
            yield line
            continue
        bare, is_hidden = _without_comments(line, is_hidden, at < last)
        if bare.strip() or bare == line:
            yield _pictured(bare)


def _without_comments(line: str, is_hidden: bool, is_closed: bool) -> tuple[str, bool]:
    """Return the line without comments, and whether a comment that `is_closed` below continues."""
    if not is_hidden and _OPENS not in line:
        return line, False
    parts, kept = _PARTS.pattern.split(line), list[str]()
    last = max((at for at, part in enumerate(parts) if _CLOSES in part), default=-1)
    for at, part in enumerate(parts):
        if is_hidden:
            _, closed, behind = part.partition(_CLOSES)
            is_hidden = not closed
            kept.append(behind)
        elif part == _OPENS and (is_closed or at < last):
            is_hidden = True
        else:
            kept.append(part)
    return "".join(kept), is_hidden


def _pictured(line: str) -> str:
    if "![" not in line and "<" not in line:
        return line
    parts = _CODE.pattern.split(line)
    for at, part in enumerate(parts):
        if part[:1] != "`":
            shown = _IMAGE.sub(lambda found: _picture(found[1], found[2]), part)
            parts[at] = _TAG.sub(_of_tag, shown)
    return "".join(parts)


def _of_tag(found: re.Match[str]) -> str:
    given = {name.casefold(): value for name, value in _ATTRIBUTE.pattern.findall(found[1])}
    return _picture(given.get("alt", ""), given.get("src", ""))


def _picture(described: str, address: str) -> str:
    """Describe a picture by its address, without the query, which may contain a key."""
    plain = address.partition("?")[0]
    where = plain if not plain.startswith("data:") else "within the text"
    words = " ".join(described.split())[:_LONGEST]
    return f"[image: {words} ({where[:_LONGEST]})]" if words else f"[image: {where[:_LONGEST]}]"
