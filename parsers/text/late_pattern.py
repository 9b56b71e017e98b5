"""Patterns that are compiled on first use, and untrusted patterns with a time limit.

A module can define many patterns of the first kind without slowing down its import. Patterns of the
second kind are matched with the `regex` package.
"""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

_SHOWN = 60
_LONGEST = 10_000  # characters: a longer one may take seconds to compile
# A brace that is no repetition is escaped: `regex` would use it for approximate matches.
_BRACE = re.compile(r"\\[pPxNgko]\{[^{}]*\}|\\.|\{(?!\d+(?:,\d*)?\}|,\d+\})", re.DOTALL)


class LatePattern:
    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.pattern.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text)

    def findall(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.pattern.sub(new, text, count=count)


class PatternError(ValueError):
    """An error for an invalid pattern or a slow match. The message is one line."""


class TimedPattern:
    def __init__(self, source: str, *, ignore_case: bool = False) -> None:
        import regex  # type: ignore[import-untyped]  # slow to import

        self.source = source
        if len(source) > _LONGEST:
            raise PatternError(f"{self._name()} is longer than {_LONGEST:,} characters")
        written = _BRACE.sub(lambda found: "\\{" if found[0] == "{" else found[0], source)
        try:
            self._compiled: Any = regex.compile(written, regex.IGNORECASE if ignore_case else 0)
        except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
            raise PatternError(f"{self._name()} can't be read: {error}") from None

    def find(self, text: str, seconds: float) -> int | None:
        """Return the start of the first match, or None. Raises PatternError on a timeout."""
        try:
            found = self._compiled.search(text, timeout=max(seconds, 0.001))
        except (TimeoutError, MemoryError):
            raise PatternError(f"{self._name()} takes too long") from None
        return None if found is None else int(found.start())

    def _name(self) -> str:
        return f"the pattern {self.source[:_SHOWN]!r}"
