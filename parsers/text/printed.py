"""Clean printed output: render it as a terminal would, and remove parts that vary between runs.

Times, durations, process numbers, memory addresses, names of temporary files and percentages differ
between runs, so they are treated as noise. Counts, sizes, line numbers and git hashes are not
noise.
"""

import functools
import re

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, movements
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # strings for a device
    r"|\x1b[ -/]*[0-~]?"
)
_BINARY = re.compile(r"[\x00-\x06\x0e-\x1f\x7f\ufffd]")  # what no program writes for a person


def plain(raw: str) -> str:
    return "\n".join(map(_last_state, _ESCAPE_SEQUENCE.sub("", raw).split("\n")))


def _last_state(line: str) -> str:
    """Return the last state of a progress line, which overwrites itself."""
    if "\b" in line:
        line = _erased(line)
    states = [state for state in line.split("\r") if state]
    return "".join(states if _BINARY.search(line) else states[-1:])


def _erased(line: str) -> str:
    """Return the line without backspaces and the characters before them."""
    kept = list[str]()
    for character in line:
        if character == "\b":
            del kept[-1:]
        else:
            kept.append(character)
    return "".join(kept)


# Each begins with one character or class, which Python's `re` finds quickly.
_PATTERNS = (
    (
        r"\d(?:\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
        r"|\d:\d\d:\d\d(?:[.,]\d+)?"
        r"|\d/[A-Z][a-z]{2}/\d{4}\b)",
        "<time>",
    ),
    (r"\d[\d.]* ?(?:[mnuµ]?s|secs?|seconds?|min|minutes?)\b", "<time>"),
    (r"\d[\d.]* ?%", "<share>"),
    (r"[Pp](?:id|ID|rocess)[ =:#]{1,2}\d+", "<pid>"),
    (r"\[\d\d+\]:", "<pid>"),  # name[123]: of a system's log
    (r"0[xX][0-9a-fA-F]{4,}", "<address>"),
    (r"/(?:private/)?(?:var/)?(?:tmp|folders)/[\w.+/@-]+", "<temporary>"),
    (r"\btmp(?=[a-z_]*\d)\w{6,}", "<temporary>"),
    (r"pytest-\d+", "<temporary>"),
)
_NOISE = tuple((re.compile(pattern), name) for pattern, name in _PATTERNS)
_UNIQUE = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_PART_OF_UNIQUE = re.compile(r"-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-")
MENDED = "(Your reply was mended: "  # begins a line before an Observation, about the reply


@functools.lru_cache(1024)  # each new step is compared with all others
def without_noise(text: str) -> str:
    if text.startswith(MENDED):
        text = text.partition("\n")[2]
    if _PART_OF_UNIQUE.search(text):
        text = _UNIQUE.sub("<unique>", text)
    for pattern, name in _NOISE:
        text = pattern.sub(name, text)
    return text
