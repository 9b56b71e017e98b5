"""A line that stands for others: `# ... existing code ...`, `// rest of the file unchanged`."""

import re
from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern

_COMMENT = LatePattern(r"[ \t]*(?:#+|//+|/\*+|<!--|--+|;+|%+|\"{3}|'{3}|\{/\*)[ \t]*(?P<text>.*)")
_COMMENT_END = LatePattern(r"(?<![ \t])[ \t]*+(?:(?:\*+/\}?|-->|\"{3}|'{3})[ \t]*+)?$")
_DOTS = LatePattern(r"(?:\.{3,}|…)")
_ONLY_DOTS = LatePattern(r"[\[(]?(?:\.{3,}|…)[\])]?")
_HINT = (
    r"exist|rest\b|remain|unchanged|same|previous|other|omitted|keep|kept|truncated|code|more\b"
    r"|before|above|below|original|continue|snip"
)
_WITH_DOTS = LatePattern(rf"(?i:(?:\.{{3}}|…).*(?:{_HINT})|(?:{_HINT}).*(?:\.{{3}}|…)$)")
_THINGS = (
    r"(?:the |your |of )*(?:file|code|content|contents|class|function|functions|method|methods"
    r"|module|imports|implementation|tests|logic|body|script|document)"
)
_TAIL = (
    r"(?:is |are |goes? |stays? |remains? |here|unchanged|the same|same|as (?:before|is|above)"
    r"|omitted|below|above|continues|\W)+"
)
_WORDS = LatePattern(
    rf"(?:\W*(?:the )?(?:rest|remainder) of {_THINGS}(?: {_TAIL})?"
    rf"|\W*(?:the )?(?:existing|remaining|previous|other|original) {_THINGS} {_TAIL}"
    r"|\W*existing (?:code|content|implementation)\W*"
    r"|\W*(?:unchanged|no changes?(?: here| below| above)?|same as before|code omitted)\W*)",
    re.IGNORECASE,
)
_LEFT_OUT = LatePattern(
    r"(?i:(?:\.{3,}|…)\W*(?:(?:the|all|other|your|code) )?"
    r"(?:exist\w*|rest|remain\w*|unchanged|same|omitted)\b.*"
    rf"|(?:the )?(?:existing|remaining|rest of) {_THINGS}\b.{{0,30}}(?:\.{{3,}}|…))"
)
_BRACKETED = LatePattern(r"[\[(<{].*[\])>}]|(?:\.{3,}|…)[ \t]*\(.*\)|(?:\.{3}|…).*(?:\.{3}|…)")
_LONGEST = 200
_PROSE = ("md", "markdown", "mdx", "rst", "txt", "yml", "yaml")
_STUBS = ("py", "pyi", "pyx", "ipynb")


def elision_in(lines: Sequence[str], path: str) -> int | None:
    """The first such line, counted from 0."""
    ending, before = path.rpartition(".")[2].casefold(), ""
    for at, line in enumerate(lines):
        if _is_elision(line) and not (
            _ONLY_DOTS.fullmatch(line.strip()) and _is_text(line, before, ending)
        ):
            return at
        before = line.strip() or before
    return None


def stands_for_others(line: str) -> bool:
    """A comment of dots and words that a diff has no use for, whatever else comments say."""
    found = _COMMENT.match(line) if "..." in line or "…" in line else None
    text = _COMMENT_END.sub("", found["text"]).strip(" \t[](){}<>") if found else ""
    return len(line) <= _LONGEST and _LEFT_OUT.fullmatch(text) is not None


def _is_elision(line: str) -> bool:
    if len(line) > _LONGEST:
        return False
    found = _COMMENT.match(line)
    if not found:
        if "..." not in line and "…" not in line:
            return False
        bare = line.strip()
        is_framed = _ONLY_DOTS.fullmatch(bare) or _BRACKETED.fullmatch(bare)
        return bool(is_framed and (_ONLY_DOTS.fullmatch(bare) or _WITH_DOTS.search(bare)))
    text = _COMMENT_END.sub("", found["text"]).strip()
    if _DOTS.search(text):
        return bool(_ONLY_DOTS.fullmatch(text) or _WITH_DOTS.search(text))
    return _WORDS.fullmatch(text) is not None


def _is_text(line: str, before: str, ending: str) -> bool:
    """Dots that mean something: a body that does nothing, a line of a doctest, the end of YAML."""
    if ending in _PROSE or before.startswith((">>>", "...")):
        return True
    is_body = before.endswith((":", '"""', "'''")) or before.startswith("@")
    return ending in _STUBS and line[:1] in (" ", "\t") and is_body
