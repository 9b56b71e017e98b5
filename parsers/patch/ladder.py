"""The ways in which the old lines of a hunk may differ from the file's, strictest first.

A rung is a row: what it is called, how it looks at a line, and the rule by which indentations may
differ. The first one that finds a place decides, and what finds two is one too lax or too short.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.aligned import aligned
from react_agent.parsers.patch.changes import Hunk, Line
from react_agent.parsers.patch.columns import column_doubled, column_lost
from react_agent.parsers.patch.elided import elided
from react_agent.parsers.patch.loose_blanks import loose_blanks
from react_agent.parsers.patch.match import ABSENT, Match, holds_context, in_a_row
from react_agent.parsers.patch.meanings import NEW_BLANK, meanings, undoes_too_much
from react_agent.parsers.patch.punctuation import punctuated
from react_agent.parsers.patch.sought import Look, Sought, as_it_is
from react_agent.parsers.patch.splicing import spliced

Find = Callable[[tuple[Line, ...], Sought], list[Match]]


class Rung(NamedTuple):
    name: str
    find: Find


def matches(hunk: Hunk, sought: Sought, rungs: Sequence[Rung]) -> list[Match]:
    """All places on the strictest rung that has one."""
    meant = [one for one in meanings(hunk.lines) if rungs is STRICT or NEW_BLANK not in one[0]]
    sought.expected = None if hunk.start is None else hunk.start - 1
    for rung in rungs:
        best = list[Match]()
        for said, lines in meant:
            some = (one._replace(said=(*said, *one.said)) for one in rung.find(lines, sought))
            found = [
                match._replace(splices=splices)
                for match in some
                if (splices := spliced(match, sought.source))
                and (rung is STRICT[0] or not _is_disproved(match, sought.source.lines))
            ]
            if found and (not best or found[0].score > best[0].score):
                best = found
            if best and best[0].score == 1:
                return best
        if best:
            return best
    return []


def _is_disproved(match: Match, file: Sequence[str]) -> bool:
    return holds_context(match, file) or undoes_too_much(match, file)


def _block(look: Look, rule: indentation.Rule, said: str = "") -> Find:
    """The old lines stand one below the other."""

    def find(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
        return list(_fitting(lines, sought, look, rule, said))

    return find


def _fitting(
    lines: tuple[Line, ...], sought: Sought, look: Look, rule: indentation.Rule, said: str
) -> Iterator[Match]:
    old = [line.text for line in lines if line.mark != "+"]
    if not any(line.strip() for line in old) and look is not as_it_is:
        return
    for start in sought.starts(old, look):
        pairs = in_a_row(lines, start)
        fit = rule(lines, pairs, sought.source.lines)
        if fit:
            yield Match(fit.lines, pairs, tuple(filter(None, (said, fit.said))))


def _exact(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> indentation.Fit:
    return indentation.Fit(tuple(lines), "")


def _trimmed(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> indentation.Fit:
    """If each old line has the same blanks more at its end, so have the new ones."""
    old = [(line.text, file[at]) for line, at in zip(lines, pairs, strict=True) if at != ABSENT]
    more = {text[len(real) :] if text.startswith(real) else "" for text, real in old}
    blanks = more.pop() if len(more) == 1 else ""
    has_some = any(real[-1:].isspace() for _, real in old)
    new = (
        Line("+", line.text.removesuffix(blanks))
        if line.mark == "+" and not (has_some and line.text.strip())
        else line
        for line in lines
    )
    return indentation.Fit(tuple(new), "")


STRICT: tuple[Rung, ...] = (
    Rung("as it stands", _block(as_it_is, _exact)),
    Rung(
        "blanks at the ends of lines",
        _block(str.rstrip, _trimmed, "found with other blanks at the ends of lines"),
    ),
    Rung("context without its mark", _block(str.strip, column_lost)),
    Rung("context with two marks", _block(str.strip, column_doubled)),
    Rung("indented otherwise", _block(str.strip, indentation.shifted)),
    Rung("only changed lines indented otherwise", _block(str.strip, indentation.shifted_changes)),
    Rung("tabs for blanks", _block(str.strip, indentation.tabs)),
    Rung("typographic punctuation", punctuated),
)
LAX: tuple[Rung, ...] = (
    Rung("blank lines left out or added", loose_blanks),
    Rung("a middle left out", elided),
    Rung("misquoted", aligned),
)
