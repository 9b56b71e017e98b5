"""A path on a line of its own, with what models write around it."""

import re

_LABEL = re.compile(
    r"(?:file|path|file[ _-]?path|file[ _-]?name|target[ _-]?file|in|edit|update)\s*[:=]\s*"
    r"|#+\s+|//\s+",
    re.IGNORECASE,
)
_AROUND = "`'\"*"
_PATH = re.compile(r"[^\s:*?<>|\"`{}]+")
_ENDING = re.compile(r".*\.[A-Za-z0-9_+-]{1,12}")
_BARE_NAMES = ("Makefile", "Dockerfile", "README", "LICENSE", "Pipfile", "Rakefile", "Gemfile")


def labelled_path(line: str) -> str:
    """Without label, quotes, emphasis and a colon at its end."""
    before, bare = None, line.strip()
    while bare != before:
        before = bare
        bare = bare.strip(_AROUND).removesuffix(":").strip()
        label = _LABEL.match(bare)
        bare = bare[label.end() :] if label else bare
    return bare


def looks_like_path(text: str) -> bool:
    if not _PATH.fullmatch(text) or not any(letter.isalnum() for letter in text):
        return False
    return "/" in text or bool(_ENDING.fullmatch(text)) or text in _BARE_NAMES
