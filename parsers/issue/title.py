"""Take the title of an issue from its text, and derive a short name from the title."""

import re
import unicodedata

from react_agent.parsers.transcript.quoting import escape

_LONGEST_TITLE = 72
_LONGEST_SLUG = 32


def title_of(text: str) -> str:
    """Return the first line with words, without heading marks, made safe for a terminal."""
    lines = (line.strip().lstrip("#").strip() for line in text.split("\n"))
    title = next((line for line in lines if any(map(str.isalnum, line))), "")
    title = escape(" ".join(title.split()))
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"


def slug_of(title: str) -> str:
    """Return a name for a branch and a folder: lower-case ASCII words joined by `-`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.casefold())
    slug = ""
    for word in words:
        if len(slug) + len(word) >= _LONGEST_SLUG:
            break
        slug = f"{slug}-{word}" if slug else word
    return slug or (words[0][:_LONGEST_SLUG] if words else "issue")
