"""What a program prints that is other each time and says nothing: taken out of a text.

Times and how long something took, process numbers, addresses in memory, names of temporary files
and folders, shares of a whole. A count, a size, a line number or a hash of git is no noise.
"""

import functools
import re

# Each begins with one character or one class, which Python's `re` looks for quickly.
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
_MENDED = "(Your reply was mended: "  # stands before an Observation, and is about the reply


@functools.lru_cache(1024)  # each step is compared again whenever there is one more
def without_noise(text: str) -> str:
    if text.startswith(_MENDED):
        text = text.partition("\n")[2]
    if _PART_OF_UNIQUE.search(text):
        text = _UNIQUE.sub("<unique>", text)
    for pattern, name in _NOISE:
        text = pattern.sub(name, text)
    return text
