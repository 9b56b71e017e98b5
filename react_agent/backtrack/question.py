"""What a check is asked: whether what a run assumes is so."""

import re
from dataclasses import dataclass
from posixpath import basename

from react_agent.backtrack.assumption import Assumption, is_file_name
from react_agent.loop.means import Means
from react_agent.parsers.claims.claims import HERE
from react_agent.parsers.claims.found_lines import found_lines
from react_agent.parsers.claims.spelling import (
    folded,
    is_common_slip,
    is_regional,
    misspelled_word,
)

_SHORT = 4  # letters
_FILES = ("module", "file", "package", "script", "subpackage", "submodule")


@dataclass(frozen=True, slots=True)
class Question:
    assumed: Assumption
    objective: str
    means: Means
    written: frozenset[str] = frozenset()  # files, since the claim
    commands: str = ""  # that may have written some, since the claim
    ends: bool = False  # the run gives up on it
    writes: bool = False  # it makes something else instead

    def was_made(self, path: str) -> bool:
        """By the model itself, since it claimed that there is no such thing."""
        return path in self.written or basename(path) in self.commands

    @property
    def name(self) -> str:
        """The bare one, as source has it."""
        name = self.assumed.name.removesuffix("()").removeprefix("./")
        return name if is_file_name(name) or name.startswith("-") else name.rpartition(".")[2]

    @property
    def place(self) -> str:
        """That it is said of. To who writes one, a module that is not "here" is none at all."""
        claim = self.assumed.claim
        is_meant_so = claim.place == HERE and self.writes and claim.kind in _FILES
        return "" if is_meant_so and self.assumed.looked.by_name else claim.place

    @property
    def is_loose(self) -> bool:
        """Said in plain words of what was searched for: more of a name may be meant."""
        claim = self.assumed.claim
        is_plain = claim.is_plain or not claim.names or self._is_what_it_is_for
        return is_plain and len(folded(self.name)) > _SHORT and not self.is_of_one_file

    @property
    def _is_what_it_is_for(self) -> bool:
        """`no function for half_even`: its name may be longer."""
        name = re.escape(self.assumed.name)
        return bool(re.search(rf"\bfor (?:the |an? )?`?{name}\b", self.assumed.claim.sentence))

    @property
    def is_of_one_file(self) -> bool:
        """Then the claim is likely of that file too, however generally it is put."""
        places = self.assumed.looked.places
        return len(places) == 1 and "." in basename(places[0]) and "*" not in places[0]


def is_a_slip(question: Question, written: str, meant: str, name: str) -> bool:
    """Either word is written nowhere else, or both are one in two countries."""
    ours, theirs = misspelled_word(written, meant), misspelled_word(meant, written)
    if not ours or is_regional(ours, theirs):
        return bool(ours)
    if ours not in question.objective.casefold() and not _is_elsewhere(question, ours, written):
        return True
    is_rare = not _is_elsewhere(question, theirs, name)
    return is_rare and theirs not in question.objective.casefold() and is_common_slip(theirs, ours)


def _is_elsewhere(question: Question, word: str, name: str) -> bool:
    """Some other name has it."""
    if question.means.look is None:
        return True
    by_case = f"({word}|{word.capitalize()}|{word.upper()})"
    lines = found_lines(question.means.look("grep", by_case).text)
    return any(word in line.text.casefold().replace(name.casefold(), "") for line in lines)
