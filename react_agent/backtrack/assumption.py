"""A claim of a Thought, and the step it rests on: one that found nothing, or a read grown old."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import basename

from react_agent.loop.steps import READABLE, Step
from react_agent.parsers.claims.claims import About, Claim, claims
from react_agent.parsers.claims.definitions import Sort, defined_as, sort_before, sort_of_kind
from react_agent.parsers.claims.plain_sentences import Known
from react_agent.parsers.claims.search_scope import Searched, not_imported, searched
from react_agent.parsers.claims.spelling import folded
from react_agent.parsers.claims.vague_denial import bare_denial
from react_agent.parsers.claims.word_parts import word_parts
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

OURS = "backtrack"  # who made a step
_BACK = 6  # steps: a claim rests on one of them
_LOOKED_AT = 12  # newest steps, whose claims are still of interest
_MOST_KNOWN = 12
_MOST_SOUGHT = 3
_SHORTEST = 3  # letters of a name
_LOOKS = (Kind.READ, Kind.SEARCH)
_NO_OUTPUT = re.compile(r"exit code \d+, no output")
_ONLY_ZEROS = re.compile(r"exit code \d+\n(?:[^\n]*:)?0(?:\n[^\n]*:0)*")
_NOT_THERE = re.compile(
    r"no such file|not found|cannot access|does not exist|no matches", re.IGNORECASE
)
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,5}$")


@dataclass(frozen=True, slots=True)
class Assumption:
    step: Step  # whose Thought says it
    claim: Claim
    names: tuple[str, ...]
    rests_on: Step
    looked: Searched
    is_stale: bool = False  # it rests on what was so when it was read

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def key(self) -> str:
        """The same for the same claim, however it is written."""
        return f"{self.claim.about}:{folded(self.name)}"

    @property
    def is_of_file(self) -> bool:
        is_named_so = is_file_name(self.name) and (
            self.looked.by_name or bool(_EXTENSION.search(self.name))
        )
        return self.sort is Sort.FILE or is_named_so

    @property
    def sort(self) -> Sort | None:
        """What is denied: by the word for it, or by the keyword that was looked for with it."""
        said = sort_of_kind(self.claim.kind)
        return Sort.FILE if self.looked.is_module else said or self.sought_as

    @property
    def sought_as(self) -> Sort | None:
        """By the keyword that stood before it where it was looked for."""
        turns = (self.rests_on.said.turn.input, self.step.said.turn.input, self.claim.sentence)
        written = (sort_before(text, self.name) for text in turns)
        return next(filter(None, written), None)


def is_file_name(name: str) -> bool:
    return "/" in name or (bool(_EXTENSION.search(name)) and name.count(".") == 1)


def stem(name: str) -> str:
    """Of `src/dates.py`, `dates`; of `dates.parse_date`, `parse_date`."""
    last = basename(name.rstrip("/"))
    if "/" in name or is_file_name(name):
        return _EXTENSION.sub("", last)
    return last.rpartition(".")[2]


def is_ours(step: Step) -> bool:
    return step.said.facts.get("by") == OURS


def words_of(step: Step) -> str:
    """What the model itself says in it."""
    turn = step.said.turn
    return f"{turn.thought}\n{turn.conclusion}" if turn.conclusion else turn.thought


def looked_for(step: Step) -> Searched | None:
    """None of a step that did more than to look."""
    tool = step.tool or step.said.turn.action
    return searched(tool, step.said.turn.input) if tool else None


def assumptions(standing: Sequence[Step]) -> list[Assumption]:
    """The oldest first."""
    start = max(0, len(standing) - _LOOKED_AT)
    doubts = {step.number: found for step in standing[max(0, start - _BACK) :]
              if (found := _doubtful(step))}  # fmt: skip
    made = list[Assumption]()
    for at in range(start, len(standing)):
        if not is_ours(standing[at]):
            made += _of_step(standing, at, doubts)
    return made


def _doubtful(step: Step) -> Searched | None:
    """What was looked for in a step that found nothing, or could not be made."""
    if step.said.turn.kind is not TurnKind.ACTION or is_ours(step):
        return None
    is_empty = step.status is not Status.OK
    if step.kind == Kind.RUN:
        text = step.seen.text
        is_empty = bool(_NO_OUTPUT.match(text) or _ONLY_ZEROS.fullmatch(text)) or (
            is_empty and bool(_NOT_THERE.search(text))
        )
        if step.status is Status.FAILED and (module := not_imported(text)):
            return module
    found = looked_for(step) if is_empty else None
    return found if found and found.names else None


def _of_step(
    standing: Sequence[Step], at: int, doubts: dict[int, Searched]
) -> Iterator[Assumption]:
    step, before = standing[at], standing[max(0, at - _BACK) : at]
    near = [(one, doubts[one.number]) for one in reversed(before) if one.number in doubts]
    changed = [one for one in before if may_change(one)]
    if not near and not changed:
        return
    known = known_words(tuple(found.names for _, found in near))
    found = claims(words_of(step), known)
    made = [
        Assumption(step, claim, names, on, looked, is_stale)
        for claim in found
        for on, looked, names, is_stale in _ties(claim, near, before)
    ]
    if made or any(claim.names for claim in found):
        yield from made
    else:
        yield from _in_other_words(step, known, near, before)


def _ties(
    claim: Claim, near: Sequence[tuple[Step, Searched]], before: Sequence[Step]
) -> Iterator["_Tie"]:
    if tied := _tied(claim, near, before) or _grown_old(claim, before):
        yield tied


def _in_other_words(
    step: Step, known: Known, near: Sequence[tuple[Step, Searched]], before: Sequence[Step]
) -> Iterator[Assumption]:
    """Right behind a search that found nothing, it is denied that there is what was sought."""
    if not near or near[0][0] is not before[-1]:
        return
    on, looked = near[0]
    if claim := bare_denial(words_of(step), known):
        for name in looked.names[:_MOST_SOUGHT]:
            yield Assumption(step, claim, (name,), on, looked)


@lru_cache(256)
def known_words(searches: tuple[tuple[str, ...], ...]) -> Known:
    """The names that were looked for, as prose has them too: `castling_rights`, castling rights."""
    found = dict[str, str]()
    for name in dict.fromkeys(name for names in searches for name in names):
        bare = stem(name)
        parts = word_parts(bare)
        if len(parts) > 1:
            found.setdefault(" ".join(parts), name)
        if bare.isalnum() and (len(bare) > _SHORTEST or bare.isupper()):
            found.setdefault(bare, name)
        if len(parts) > 1:
            found.setdefault("".join(parts), name)
            found.setdefault(bare, name)
    longest = sorted(found.items(), key=lambda pair: -len(pair[0]))
    return tuple(longest[:_MOST_KNOWN])


_Tie = tuple[Step, Searched, tuple[str, ...], bool]


def _has_changed_since(step: Step, before: Sequence[Step]) -> bool:
    return any(one.number > step.number and may_change(one) for one in before)


def _tied(
    claim: Claim, near: Sequence[tuple[Step, Searched]], before: Sequence[Step]
) -> _Tie | None:
    last = before[-1]
    for step, looked in near:
        if claim.names:
            if mentions(f"{step.said.turn.input} {' '.join(looked.names)}", claim.names):
                names = _module(claim) if looked.is_module else claim.names
                return step, looked, names, _has_changed_since(step, before)
        elif step is last and claim.about is not About.DOING:
            return step, looked, looked.names[:1], False
    return None


def _module(claim: Claim) -> tuple[str, ...]:
    """`package.module` is a file of the last name."""
    return (claim.names[0].rpartition(".")[2],)


def _grown_old(claim: Claim, before: Sequence[Step]) -> _Tie | None:
    """A file that is said not to hold something was changed after it was read."""
    if not claim.names or claim.about is About.DOING:
        return None
    for at, step in enumerate(before):
        looked = looked_for(step) if step.kind in (*_LOOKS, Kind.RUN) else None
        if looked is None or step.status is not Status.OK or not step.paths:
            continue
        if claim.place and not any(path.endswith(claim.place) for path in step.paths):
            continue
        changed = [one for one in before[at + 1 :] if may_change(one)]
        if any(not one.paths or set(one.paths) & set(step.paths) for one in changed):
            return step, looked, claim.names, True
    return None


def may_change(step: Step) -> bool:
    return "tree" in step.seen.facts and not (step.kind == Kind.RUN and looked_for(step))


def mentions(text: str, names: Sequence[str]) -> bool:
    bare = folded(text)
    keys = (folded(stem(name)) for name in names)
    whole = (folded(name) for name in names)
    return any(len(key) >= _SHORTEST and key in bare for key in (*keys, *whole))


def made_since(standing: Sequence[Step], number: int, name: str) -> bool:
    """Whether the model itself has written it since: a file of that name, or what defines it."""
    written = (
        step.said.turn.input for step in standing if step.number >= number and may_change(step)
    )
    if is_file_name(name):
        return any(name in text for text in written)
    return any(defined_as(line.lstrip("+"), name) for text in written for line in text.split("\n"))


def was_shown(steps: Sequence[Step], fact: str, *, is_word: bool) -> bool:
    """Whether an Observation has it that the prompt still holds."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(fact)}(?![\w-])") if is_word else None
    texts = (step.seen.text for step in steps if step.shown in READABLE)
    return any(pattern.search(text) if pattern else fact in text for text in texts)
