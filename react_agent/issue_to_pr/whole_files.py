"""Whole files for the first prompt: those that an issue names, then those that are most like it.

For models that look at nothing themselves. How like a file is: the rare words that it shares with
the issue, in relation to its length (BM25, each word counted once).
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.issue_to_pr.places import lines_in, modules, named_files, places_here
from react_agent.memory.words import words
from react_agent.parsers.issue.clues import Kind, clues_of
from react_agent.parsers.issue.places import PathEnds
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Place, Refused, open_inside

TITLE = "The files that the issue names, and those that are most like it, as they are:"
_MOST_BYTES = 200_000  # of a file; a longer one is data
_MOST_READ = 50_000_000  # of all
_MOST_FILES = 20
_FENCE = "```"
_SATURATION, _LENGTH = 1.2, 0.75  # of BM25, as usual


@dataclass(frozen=True, slots=True)
class Chosen:
    texts: Mapping[str, str]  # by path, the first to be shown first
    left_out: int = 0  # files that the issue names, for which there was no room


def text_lines(issue: str, root: Path, tokens: int) -> Iterator[str]:
    """At most so many tokens of them."""
    chosen = chosen_for(issue, root, tokens)
    if chosen.texts:
        yield TITLE
    for path, text in chosen.texts.items():
        yield from _shown(path, text)
    if chosen.left_out:
        yield f"({counted(chosen.left_out, 'file')} that it names would not fit in here.)"


def chosen_for(issue: str, root: Path, tokens: int) -> Chosen:
    try:
        names = file_list(root)
    except ReactAgentError:
        names = []
    texts = dict(_texts(root, names))
    named = [path for path in dict.fromkeys(_named(issue, root, names)) if path in texts]
    like = [path for path in _by_likeness(issue, texts) if path not in named]
    chosen, left = dict[str, str](), tokens
    for path in (*named, *like)[: 2 * _MOST_FILES]:
        cost = estimate_tokens("\n".join(_shown(path, texts[path])))
        if cost <= left and len(chosen) < _MOST_FILES:
            chosen[path] = texts[path]
            left -= cost
    return Chosen(chosen, sum(path not in chosen for path in named))


def _shown(path: str, text: str) -> Iterator[str]:
    yield f"{path}:"
    yield _FENCE
    yield from quote_world(text.removesuffix("\n")).split("\n")
    yield _FENCE


def _texts(root: Path, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    read = 0
    for name in names:
        opened = open_inside(Place(root, name))
        if isinstance(opened, Refused):
            continue
        with opened:
            data = opened.read(_MOST_BYTES + 1)
        read += len(data)
        if read > _MOST_READ:
            return
        if data.strip() and b"\0" not in data and len(data) <= _MOST_BYTES:
            yield name, data.decode(errors="replace")


def _named(issue: str, root: Path, names: Sequence[str]) -> Iterator[str]:
    clues, ends = clues_of(issue), PathEnds(names)
    for here in places_here(clues.frames, ends, lines_in(root)):
        yield here.path
    for one in (
        *named_files(clues.of(Kind.PATH), ends),
        *modules(clues.of(Kind.SYMBOL), ends),
    ):
        yield from one.paths


def _by_likeness(issue: str, texts: Mapping[str, str]) -> list[str]:
    """Only those that share a word with it, the likest first."""
    wanted = words(issue)
    held = {path: words(f"{path}\n{text}") for path, text in texts.items()}
    counts = Counter(term for one in held.values() for term in one & wanted)
    worth = {
        term: math.log(1 + (len(held) - count + 0.5) / (count + 0.5))
        for term, count in counts.items()
    }
    mean = sum(map(len, held.values())) / max(1, len(held))
    like = {
        path: sum(worth[term] for term in sorted(one & wanted)) * _dense(len(one), mean)
        for path, one in held.items()
    }
    return sorted((path for path in like if like[path]), key=lambda path: (-like[path], path))


def _dense(length: int, mean: float) -> float:
    share = 1 - _LENGTH + _LENGTH * length / mean
    return (_SATURATION + 1) / (1 + _SATURATION * share)
