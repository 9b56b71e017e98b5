"""The checks that prove an assumption wrong: a row each, the strictest first. None asks a model.

They are told what is sought and return a Proof or nothing. What is really not there must pass
all of them, so each asks for more than a likeness: a definition, or a line of data, in the project
itself, of the sort that is denied, and the only one that can be meant.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import basename

from react_agent.backtrack.assumption import is_file_name, stem
from react_agent.backtrack.files import FILE_CHECKS
from react_agent.backtrack.hits import DISTINCT, Hit, told_by, wanted_hits
from react_agent.backtrack.proof import Proof, escaped, lines_of, shown_by_grep, usages
from react_agent.backtrack.question import Question, is_a_slip
from react_agent.backtrack.wanted import is_wanted
from react_agent.parsers.claims.claims import HERE, About
from react_agent.parsers.claims.definitions import Sort, defined_as
from react_agent.parsers.claims.found_lines import FoundLine
from react_agent.parsers.claims.search_variants import misspelled
from react_agent.parsers.claims.spelling import (
    folded,
    is_restyled,
    like_pattern,
    misspelled_word,
    runs_of_words,
)
from react_agent.parsers.claims.word_parts import word_parts

_WORD_OF_LINE = re.compile(r"--[\w-]+|[A-Za-z_$][\w$]*")
_SHORTEST = 6  # letters of a name that may be misspelled
_TWO_SLIPS = 12
_MOST_LINES = 60  # that match: a name of which there are more says little

Check = Callable[[Question], Proof | None]


def proved_wrong(question: Question, checks: tuple[str, ...]) -> Proof | None:
    """By the first check of the table that can."""
    table = FILE_CHECKS if question.assumed.is_of_file else CHECKS
    if question.assumed.claim.about is About.USE:
        table = USE_CHECKS
    if is_wanted(question.objective, question.name):
        checks = tuple(check for check in checks if check == "stale")
    chosen = (check for name, check in table.items() if name in checks)
    return next((proof for check in chosen if (proof := check(question))), None)


def _stale(question: Question) -> Proof | None:
    """It has come since the file was read, or looked through."""
    assumed = question.assumed
    looked = (*assumed.rests_on.paths, *assumed.looked.places)
    paths = {path for path in looked if path.endswith(assumed.claim.place) and is_file_name(path)}
    if not assumed.is_stale or len(paths) != 1:
        return None
    path = paths.pop()
    found = wanted_hits(
        question, _exact(question, lines_of(question.means, escaped(question.name), path))
    )
    return _shown(question, "stale", found[0], "has it by now") if found else None


def _tree(question: Question) -> Proof | None:
    """The very name, in all files of the tree."""
    return None if question.assumed.looked.by_name else _elsewhere(question, "tree")


def _contents(question: Question) -> Proof | None:
    """The same, where only names of files were looked through."""
    return _elsewhere(question, "contents") if question.assumed.looked.by_name else None


def _elsewhere(question: Question, check: str) -> Proof | None:
    if question.assumed.claim.place or question.is_of_one_file:
        return None
    lines = lines_of(question.means, escaped(question.name))
    found = [
        hit
        for hit in wanted_hits(question, _exact(question, lines))
        if _stands_out(question, hit) and not question.was_made(hit.line.path)
    ]
    if not found or (len({hit.line.path for hit in found}) > 1 and not told_by(question)):
        return None
    return _shown(question, check, found[0], "has it")


def _stands_out(question: Question, hit: Hit) -> bool:
    """Or it was looked for as what it is: `def page`."""
    was_sought = hit.sort is not None and question.assumed.sought_as is hit.sort
    return hit.stands_out or (was_sought and hit.is_outer)


def _exact(question: Question, lines: Iterable[FoundLine]) -> Iterator[tuple[FoundLine, str]]:
    """With the name as it stands there: whole, or where the word was only looked for, a part."""
    wanted = question.name
    for line in lines:
        if told_by(question) and wanted in line.text:
            yield line, wanted
            continue
        for name in dict.fromkeys(_WORD_OF_LINE.findall(line.text)):
            is_part = question.is_loose and wanted in name and folded(wanted) in runs_of_words(name)
            if name == wanted or is_part:
                yield line, name


def _shown(question: Question, check: str, hit: Hit, how: str) -> Proof | None:
    verb = "defines" if hit.sort else how
    truth = (
        f"{hit.line.path} {verb} {hit.name}"
        if how != "has it by now"
        else (f"{hit.line.path} has {hit.name} by now, in line {hit.line.number}")
    )
    return shown_by_grep(question.means, check, hit.line, hit.name, truth)


def _case(question: Question) -> Proof | None:
    """The same words in another style; a constant is no variable, and a class no function."""
    words = word_parts(question.name)
    if not words or (len(words) < 2 and question.assumed.sort is None and not question.is_loose):
        return None
    pattern, key = "[-_ ]?".join(map(re.escape, words)), folded(question.name)
    same = (
        (line, name)
        for line, name in _names(question, _lines_like(question, pattern))
        if not _is_no_constant(question, name)
        and (
            is_restyled(question.name, name)
            or (question.is_loose and name != question.name and key in runs_of_words(name))
        )
    )
    return _only_one(question, same, "case")


def _is_no_constant(question: Question, name: str) -> bool:
    return question.assumed.claim.kind == "constant" and not name.isupper()


def _spelling(question: Question) -> Proof | None:
    """A slip of the pen in one word, here or there."""
    if len(folded(question.name)) < _SHORTEST:
        return None
    lines = _widened(question)
    if len(folded(question.name)) >= _TWO_SLIPS:
        lines = (*lines, *_lines_like(question, like_pattern(question.name)))
    slips = (
        (line, name)
        for line, name in _names(question, lines)
        if (meant := _meant(question, name)) and is_a_slip(question, question.name, meant, name)
    )
    return _only_one(question, slips, "spelling") or FILE_CHECKS["spelling"](question)


def _meant(question: Question, name: str) -> str:
    """The name, or the words of it that are meant."""
    if misspelled_word(question.name, name):
        return name
    if not question.is_loose:
        return ""
    count, parts = len(word_parts(question.name)), word_parts(name)
    spans = ("_".join(parts[at : at + count]) for at in range(len(parts) - count + 1))
    return next((span for span in spans if misspelled_word(question.name, span)), "")


def _widened(question: Question) -> tuple[FoundLine, ...]:
    """With one letter of it other."""
    other = next(misspelled(question.name), None)
    return _lines_like(question, other.pattern) if other else ()


def _lines_like(question: Question, pattern: str) -> tuple[FoundLine, ...]:
    lines = lines_of(question.means, f"(?i){pattern}")
    return lines if len(lines) <= _MOST_LINES else ()


def _names(question: Question, lines: Iterable[FoundLine]) -> Iterator[tuple[FoundLine, str]]:
    place = question.assumed.claim.place
    if place and (place == HERE or not is_file_name(place)):
        return
    for line in lines:
        if line.path.endswith(place) and not question.was_made(line.path):
            yield from ((line, name) for name in dict.fromkeys(_WORD_OF_LINE.findall(line.text)))


def _only_one(
    question: Question, named: Iterable[tuple[FoundLine, str]], check: str
) -> Proof | None:
    """Where one name alone is meant, and is there."""
    found = [hit for hit in wanted_hits(question, named) if hit.is_outer or hit.is_inner_function]
    if len({hit.name for hit in found}) != 1:
        return None
    hit = found[0]
    truth = f"the name is {hit.name}, in {hit.line.path}"
    return shown_by_grep(question.means, check, hit.line, hit.name, truth)


def _used(question: Question) -> Proof | None:
    """Something of the project uses it, outside of what was looked through."""
    name = question.name
    is_rare = len(word_parts(name)) > 1 or len(folded(name)) >= DISTINCT
    if question.assumed.claim.place or not is_rare or question.is_of_one_file:
        return None
    lines = lines_of(question.means, rf"\b{escaped(question.name)}\b")
    own = {line.path for line in lines if defined_as(line.text, name)}
    for line in usages(lines, name):
        is_by_itself = line.path in own and line.text[:1].isspace()
        if not question.was_made(line.path) and not is_by_itself:
            truth = f"{line.path} uses {name}"
            return shown_by_grep(question.means, "tree", line, name, truth)
    return None


def _named_file(question: Question) -> Proof | None:
    """It is a file itself: `the module dates` is dates.py."""
    is_other = question.assumed.sort not in (None, Sort.FILE)
    if question.assumed.claim.place or len(question.name) < 4 or is_other:
        return None
    look = question.means.look
    paths = look("find_file", question.name).paths if look else ()
    same = [path for path in paths if stem(basename(path)) == question.name]
    return FILE_CHECKS["names"](question) if len(same) == 1 else None


CHECKS: Mapping[str, Check] = {
    "stale": _stale,
    "tree": _tree,
    "contents": _contents,
    "names": _named_file,
    "case": _case,
    "spelling": _spelling,
}
USE_CHECKS: Mapping[str, Check] = {"tree": _used}
