"""A regular expression that somebody else wrote, matched by `regex` with a time limit."""

import re
from typing import Any

_SHOWN = 60
_LONGEST = 10_000  # characters: a longer one may take seconds to compile
# A brace that repeats nothing stands for itself: `regex` would match approximately.
_BRACE = re.compile(r"\\[pPxNgko]\{[^{}]*\}|\\.|\{(?!\d+(?:,\d*)?\}|,\d+\})", re.DOTALL)


class PatternError(ValueError):
    """The pattern is invalid, or matching it takes too long; the message is one line."""


class TimedPattern:
    def __init__(self, source: str, *, ignore_case: bool = False) -> None:
        import regex  # type: ignore[import-untyped]  # slow: only those who match such a pattern wait

        self.source = source
        if len(source) > _LONGEST:
            raise PatternError(f"{self._name()} is longer than {_LONGEST:,} characters")
        written = _BRACE.sub(lambda found: "\\{" if found[0] == "{" else found[0], source)
        try:
            self._compiled: Any = regex.compile(written, regex.IGNORECASE if ignore_case else 0)
        except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
            raise PatternError(f"{self._name()} can't be read: {error}") from None

    def find(self, text: str, seconds: float) -> int | None:
        """Where the first match begins."""
        try:
            found = self._compiled.search(text, timeout=max(seconds, 0.001))
        except (TimeoutError, MemoryError):
            raise PatternError(f"{self._name()} takes too long") from None
        return None if found is None else int(found.start())

    def _name(self) -> str:
        return f"the pattern {self.source[:_SHOWN]!r}"
