"""Find assumptions: claims in a model's thoughts that are based on a search that found nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import basename

from react_agent.parsers.claims.claims import Claim, Known, Searched, claims, not_imported, searched
from react_agent.parsers.claims.definitions import Sort, sort_before
from react_agent.parsers.claims.spelling import folded, word_parts
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.state.steps import Step
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

OURS = "backtrack"  # marks a step that the backtracker made
_BACK = 6  # steps before a claim that it may rest on
_LOOKED_AT = 12  # newest steps whose claims are checked
_MOST_KNOWN = 12
_SHORTEST = 3  # letters of a name
_ACTS = (Kind.WRITE, Kind.RUN, Kind.TEST, Kind.READ, Kind.SEARCH)
_NO_OUTPUT = re.compile(r"exit code \d+, no output|exit code \d+\n(?:[^\n]*:)?0(?:\n[^\n]*:0)*\Z")
_NOT_THERE = re.compile(
    r"no such file|not found|cannot access|does not exist|no matches", re.IGNORECASE
)
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,5}$")


@dataclass(frozen=True, slots=True)
class Assumption:
    step: Step  # the step whose thought makes the claim
    claim: Claim
    names: tuple[str, ...]
    rests_on: Step
    looked: Searched
    is_stale: bool = False  # something was changed since the search

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def key(self) -> str:
        """A key that is equal for equal claims, regardless of how their names are spelled."""
        return f"being:{folded(self.name)}"

    @property
    def is_of_file(self) -> bool:
        has_extension = bool(_EXTENSION.search(self.name))
        is_named_so = is_file_name(self.name) and (self.looked.by_name or has_extension)
        return self.sort is Sort.FILE or is_named_so

    @property
    def sort(self) -> Sort | None:
        """The kind of thing that the claim is about, such as a file or a class."""
        return Sort.FILE if self.looked.is_module else self.sought_as

    @property
    def sought_as(self) -> Sort | None:
        """The kind of thing, as given by a keyword before its name in the search or claim."""
        texts = (self.rests_on.said.turn.input, self.step.said.turn.input, self.claim.sentence)
        return next(filter(None, (sort_before(text, self.name) for text in texts)), None)


def is_file_name(name: str) -> bool:
    return "/" in name or (bool(_EXTENSION.search(name)) and name.count(".") == 1)


def stem(name: str) -> str:
    """Return the base name: `dates` for `src/dates.py`, `parse_date` for `dates.parse_date`."""
    last = basename(name.rstrip("/"))
    return _EXTENSION.sub("", last) if is_file_name(name) else last.rpartition(".")[2]


def is_ours(step: Step) -> bool:
    return step.said.facts.get("by") == OURS


def may_change(step: Step) -> bool:
    return "tree" in step.seen.facts and not (step.kind == Kind.RUN and _looked_for(step))


def assumptions(standing: Sequence[Step]) -> Iterator[Assumption]:
    """Yield the assumptions that the model made in the last steps, the oldest first."""
    start = max(0, len(standing) - _LOOKED_AT)
    looks = {
        step.number: looked
        for step in standing[max(0, start - _BACK) :]
        if (looked := _found_nothing(step))
    }
    for at in range(start, len(standing)):
        before = standing[max(0, at - _BACK) : at]
        near = [(one, looks[one.number]) for one in reversed(before) if one.number in looks]
        if near and not is_ours(standing[at]):
            known = _known_words(tuple(looked.names for _, looked in near))
            found = claims(_words_of(standing[at]), known)
            yield from filter(None, (_tied(standing[at], one, near, before) for one in found))


def _tied(
    step: Step, claim: Claim, near: Sequence[tuple[Step, Searched]], before: Sequence[Step]
) -> Assumption | None:
    for on, looked in near:
        if not claim.names and on is before[-1]:
            return Assumption(step, claim, looked.names[:1], on, looked)
        if mentions(f"{on.said.turn.input} {' '.join(looked.names)}", claim.names):
            # `package.module` is the file `module`.
            names = (claim.names[0].rpartition(".")[2],) if looked.is_module else claim.names
            is_stale = any(one.number > on.number and may_change(one) for one in before)
            return Assumption(step, claim, names, on, looked, is_stale)
    return None


def _found_nothing(step: Step) -> Searched | None:
    """Return the search that a step made if it found nothing or failed, else None."""
    if step.said.turn.kind is not TurnKind.ACTION or is_ours(step):
        return None
    text, is_empty = step.seen.text, step.status is not Status.OK
    if step.kind == Kind.RUN:
        if step.status is Status.FAILED and (module := not_imported(text)):
            return module
        is_empty = bool(_NO_OUTPUT.match(text) or (is_empty and _NOT_THERE.search(text)))
    looked = _looked_for(step) if is_empty else None
    return looked if looked and looked.names else None


def _looked_for(step: Step) -> Searched | None:
    """Return the search that a step made, or None if the step did more than search."""
    tool = step.tool or step.said.turn.action
    return searched(tool, step.said.turn.input) if tool else None


def _words_of(step: Step) -> str:
    """Return the text that the model wrote in a step: its thought and its conclusion."""
    turn = step.said.turn
    return f"{turn.thought}\n{turn.conclusion}" if turn.conclusion else turn.thought


@lru_cache(256)
def _known_words(searches: tuple[tuple[str, ...], ...]) -> Known:
    """Return pairs of a spelling and a name, such as "castling rights" and `castling_rights`."""
    found = dict[str, str]()
    for name in dict.fromkeys(name for names in searches for name in names):
        bare = stem(name)
        parts = word_parts(bare)
        if len(parts) > 1:
            for words in (" ".join(parts), "".join(parts), bare):
                found.setdefault(words, name)
        elif bare.isalnum() and (len(bare) > _SHORTEST or bare.isupper()):
            found.setdefault(bare, name)
    longest = sorted(found.items(), key=lambda pair: -len(pair[0]))
    return tuple(longest[:_MOST_KNOWN])


def mentions(text: str, names: Sequence[str]) -> bool:
    bare = folded(text)
    keys = (folded(key) for name in names for key in (stem(name), name))
    return any(len(key) >= _SHORTEST and key in bare for key in keys)


def rests(step: Step, assumed: Assumption) -> bool:
    """Return whether a step acts, or concludes, on the claim."""
    if step.said.turn.kind is TurnKind.CONCLUSION:
        return step.number == assumed.step.number or mentions(_words_of(step), assumed.names)
    return step.said.turn.kind is TurnKind.ACTION and step.kind in _ACTS


def repeats(step: Step, assumed: Assumption) -> bool:
    """Return whether a step repeats the claim of an assumption."""
    found = claims(_words_of(step), _known_words((assumed.names,)))
    names = (name for claim in found for name in claim.names)
    return any(folded(stem(name)) == folded(stem(assumed.name)) for name in names)
