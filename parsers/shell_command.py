"""A simple command of a shell line, and one that is being read."""

import re
from dataclasses import dataclass, field

from react_agent.parsers.shell_words import Pieces, Word

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]]*\])?\+?=")
_BEGIN_ANOTHER = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!"}
)
_NO_COMMAND = frozenset({"for", "select", "case", "function", "[["})
_SHOWN = 200  # characters of a command as it is written


@dataclass(frozen=True, slots=True)
class Simple:
    text: str  # as it is written, its beginning
    words: tuple[Word, ...] = ()
    assignments: tuple[str, ...] = ()
    redirections: tuple[str, ...] = ()
    is_fed: bool = False  # by a pipe, a file or a here-document
    here: str = ""  # the text of that

    @property
    def given(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Pipeline:
    commands: tuple[Simple, ...]
    then: str = ""  # what stands behind it; a NEWLINE is ";"


@dataclass(slots=True)
class Open:
    start: int
    is_fed: bool = False
    end: int = 0
    words: list[Word] = field(default_factory=list)
    assignments: list[str] = field(default_factory=list)
    redirections: list[str] = field(default_factory=list)
    pieces: Pieces = field(default_factory=Pieces)
    pending: str = ""  # a redirection without its word
    is_command: bool = True
    is_plain: bool = True
    here: str = ""

    @property
    def is_empty(self) -> bool:
        begun = self.words or self.assignments or self.redirections or self.pieces.is_begun
        return not (begun or self.pending)

    def end_word(self, at: int) -> Word | None:
        """The word that ends, after it was put where it belongs."""
        if not self.pieces.is_begun:
            return None
        word, self.pieces = self.pieces.word(), Pieces()
        if self.pending:
            self.redirections.append(f"{self.pending}{word.text}")
            self.pending = ""
        elif not self.words and _ASSIGNMENT.match(word.text):
            self.assignments.append(word.text)
        elif self._is_reserved(word):
            self.is_plain = False
            self.is_command = word.text in _BEGIN_ANOTHER
            self.words.clear()
            self.start = at
        else:
            self.words.append(word)
        return word

    def _is_reserved(self, word: Word) -> bool:
        if not self.is_command:
            return word.text == "{" and not word.is_quoted  # of `function f {`
        is_first = not (self.words or word.is_quoted)
        return is_first and word.text in _BEGIN_ANOTHER | _NO_COMMAND

    def closed(self, text: str) -> Simple:
        return Simple(
            text[self.start : min(self.end, self.start + _SHOWN)].strip(),
            tuple(self.words),
            tuple(self.assignments),
            tuple(self.redirections),
            self.is_fed or any("<" in one for one in self.redirections),
            self.here,
        )
