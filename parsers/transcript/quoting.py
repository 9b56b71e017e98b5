"""Quote text below a label, so that none of its lines can be mistaken for one.

    label line   gets one more leading backslash; the reader removes one
    hidden       characters become `<U+000C>`: controls, lone surrogates, bidirectional marks, tags,
                 zero-width characters, and more marks on one letter than any script puts there
    "<U+000C>"   in the original text becomes `<U+003C>U+000C>`

The mark is a backslash and not a space, because an indented line such as `    action: str` is not a
label. It must not be changed, since a model may copy it into code. Only a line feed ends a line
(`str.splitlines` also breaks at form feeds and U+2028). Unquoting depends on the rules for
recognising labels: if the rules change, the transcript version (entries.py) must change, too.
"""

import functools
import re
from collections.abc import Callable

from react_agent.parsers.transcript.labels import BOOKKEEPING, EVERY, Labelled, generous, strict

MARK = "\\"

ReadsAsLabel = Callable[[str], Labelled | None]

_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\U000e0000-\U000e0fff"  # invisible to people, but read by models
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
)
_JOINERS = "\u200c\u200d"  # normal between letters of some scripts, and in emoji
_VARIANTS = "\ufe00-\ufe0f"  # normal one at a time after emoji, and after these:
_VARIED = "0-9#*"
_MARKS = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_MOST_MARKS = 5  # on one letter
_TO_ESCAPE = re.compile(  # one set of characters comes first, so the search is fast
    f"[<{_HIDDEN}{_JOINERS}{_VARIANTS}{_MARKS}](?:"
    r"(?<=<)(?=U\+[0-9A-F]{4,6}>)"
    f"|(?<=[{_HIDDEN}])"
    f"|(?<=[{_JOINERS}])(?:(?<![^\x00-\x7f{_JOINERS}].)|(?=[\x00-\x7f]|$))"
    f"|(?<=[{_VARIANTS}])(?<![^\x00-\x7f{_VARIANTS}].)(?<![{_VARIED}].)"
    f"|(?<=[{_MARKS}]{{{_MOST_MARKS + 1}}}))"
)
_ESCAPED = re.compile(r"<U\+([0-9A-F]{4,6})>")
_LAST_CODE_POINT = 0x10FFFF


def in_any_dialect(line: str) -> Labelled | None:
    return generous(line, EVERY)


def escape(text: str) -> str:
    """Return the text with invisible characters made visible, except for line feeds."""
    return _TO_ESCAPE.sub(_escaped, text)


def visible(line: str) -> str:
    """Escape a line that may already be escaped. This can't be reversed."""
    return _TO_ESCAPE.sub(lambda found: "<" if found[0] == "<" else _escaped(found), line)


def _escaped(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"


def unescape(line: str) -> str:
    if "<U+" not in line:
        return line
    return _ESCAPED.sub(_unescaped, line)


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code <= _LAST_CODE_POINT else found[0]


def quote_world(text: str) -> str:
    """Quote text from an issue or a tool, so that no line is read as a label in any spelling."""
    return _quote(text, in_any_dialect)


def quote_lines(text: str) -> str:
    """Quote text that does not follow one of our labels, including its first line."""
    return quote_world(f"\n{text}")[1:]


def quote_own(text: str) -> str:
    """Quote the model's text, so that no line is read as a label of the transcript file."""
    return _quote(text, strict)


def unquote_world(text: str) -> str:
    return _unquote(text, in_any_dialect)


def unquote_own(text: str) -> str:
    return _unquote(text, strict)


@functools.lru_cache(16)  # the file, the prompt and the screen quote the same text
def _quote(text: str, reads_as_label: ReadsAsLabel) -> str:
    first, *others = text.split("\n")
    quoted = (MARK + line if _is_marked(line, reads_as_label) else line for line in others)
    return escape("\n".join((first, *quoted)))


def _unquote(text: str, reads_as_label: ReadsAsLabel) -> str:
    first, *others = (unescape(line) for line in text.split("\n"))
    unquoted = (
        line[1:] if line[:1] == MARK and _is_marked(line, reads_as_label) else line
        for line in others
    )
    return "\n".join((first, *unquoted))


def _is_marked(line: str, reads_as_label: ReadsAsLabel) -> bool:
    bare = line.lstrip(MARK)
    return bare.startswith(BOOKKEEPING) or reads_as_label(bare) is not None
