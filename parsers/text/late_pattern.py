"""A pattern that is compiled when it is first used: importing two dozen of them takes no time."""

import re
from collections.abc import Callable


class LatePattern:
    __slots__ = ("_compiled", "_flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        self._compiled = self._compiled or re.compile(self.source, self._flags)
        return self._compiled

    def match(self, text: str) -> re.Match[str] | None:
        return (self._compiled or self.pattern).match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return (self._compiled or self.pattern).fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        return (self._compiled or self.pattern).search(text)

    def findall(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.pattern.sub(new, text, count=count)
