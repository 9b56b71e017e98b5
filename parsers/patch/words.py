"""Repairs and refusals in words, for the model that is to write a better patch, and for people."""

from collections.abc import Callable, Iterator, Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.outcomes import Fix, Nearest, Problem, Repair, Why

_WIDEST = 80  # characters of a line
_WIDEST_SHOWN = 160
_MOST_LINES = 10
_MORE = "quote more of the lines around the one that is meant"


def repairs_in_words(repairs: Sequence[Repair]) -> tuple[str, ...]:
    """Those of a hunk in one line."""
    of_hunks = dict[int, list[str]]()
    for one in repairs:
        if one.hunk is not None:
            of_hunks.setdefault(one.hunk, []).append(_WORDS[one.fix](*one.numbers))
    return (
        *(f"hunk {hunk + 1}: {'; '.join(some)}" for hunk, some in sorted(of_hunks.items())),
        *(_WORDS[one.fix](*one.numbers) for one in repairs if one.hunk is None),
    )


def problem_in_words(problem: Problem, name: str, hunks: Sequence[Hunk]) -> str:
    at = hunks[problem.hunk or 0].at if hunks else 0
    where = f" (line {at} of the patch)" if at else ""
    if problem.hunk is not None:
        return f"hunk {problem.hunk + 1} of {name}{where} {_reason(problem)}"
    text = problem.text[:_WIDEST]
    if problem.why is Why.DELETION_ADDS:
        return (
            f"{name}{where} is to be deleted, but a hunk adds {text!r}: "
            f"to change it, write +++ b/{name}"
        )
    if problem.why is Why.DELETION_MISQUOTES:
        return (
            f"{name}{where} is to be deleted, but {text!r} is not in it: "
            f"quote the lines of {name}, or name another file"
        )
    kept, all_ = problem.numbers
    return (
        f"what was sent as the whole text of {name} holds {kept} of its {all_} lines: write all of "
        "the file, or a diff of what changes"
    )


def _shift(what: str, after: str = "") -> Callable[[int, int], str]:
    def words(by: int, are_tabs: int) -> str:
        count = counted(abs(by), "tab" if are_tabs else "space")
        return f"{what}re-indented by {count} {'more' if by > 0 else 'less'}{after}"

    return words


def _marks(what: str) -> Callable[..., str]:
    def words(count: int, are_new_too: int = 0) -> str:
        its = "its mark" if count == 1 else "their marks"
        too = ", and its new lines too" if are_new_too else ""
        return f"{counted(count, 'context line')} {what.format(its=its)}{too}"

    return words


def _lines(what: str, then: str, kind: str = "line") -> Callable[[int], str]:
    def words(count: int) -> str:
        them = "it" if count == 1 else "them"
        return f"{counted(count, kind)} {what}{then.format(them=them)}"

    return words


def _deleted(quoted: int, strange: int, there: int) -> str:
    if strange:
        verb = "is" if strange == 1 else "are"
        said = f"{strange} of the {counted(quoted, 'line')} quoted {verb} not in it as quoted"
    elif quoted:
        verb = "was" if quoted == 1 else "were"
        said = f"{quoted} of its {counted(there, 'line')} {verb} quoted"
    else:
        said = "no line of it was quoted"
    return f"deleted whole, though {said}"


_AS_FILE = ", taken as the file has {them}"
_END = "the file has {} newline at its end, "
_WORDS: dict[Fix, Callable[..., str]] = {
    Fix.START: "its header gave line {}, found at {}".format,
    Fix.COUNTS: "its header counted {} and {} lines, there are {} and {}".format,
    Fix.UNMARKED: _marks("without {its} read as context"),
    Fix.TRAILING_SPACES: "matched ignoring spaces at the ends of lines".format,
    Fix.LOST_MARK: _marks("without {its} read as context"),
    Fix.DOUBLED_MARK: _marks("had one space too many in front"),
    Fix.SHIFTED: _shift("", ", its new lines too"),
    Fix.CHANGES_SHIFTED: _shift("its changed lines "),
    Fix.REMOVED_SHIFTED: _shift("its removed lines "),
    Fix.CONTEXT_SHIFTED: _lines("indented differently", _AS_FILE, "context line"),
    Fix.TABS: "indented with tabs, as the file is".format,
    Fix.SPACES: "indented with spaces, as the file is".format,
    Fix.PUNCTUATION: "matched ignoring typographic punctuation and spaces inside lines".format,
    Fix.LISTING: "the line numbers of a listing were left out".format,
    Fix.TRANSCRIPT_MARKS: "marks that only a transcript has were left out".format,
    Fix.BACKSLASHES: "backslashes before quotes were removed".format,
    Fix.ENTITIES: "HTML entities such as `&lt;` were replaced".format,
    Fix.BLANK_ENDS: "blank lines at its ends were left out".format,
    Fix.NEW_BLANKS: "an empty line between new ones was taken as new".format,
    Fix.ELIDED: "the lines that its `...` leaves out were found and stay".format,
    Fix.MISQUOTED: _lines("misquoted", _AS_FILE),
    Fix.ABSENT: _lines("that the file does not have left out", ""),
    Fix.UNQUOTED: _lines("of the file that it does not quote kept", ""),
    Fix.ALREADY_APPLIED: "skipped: already applied at line {}".format,
    Fix.ORDER: "the hunks were out of order".format,
    Fix.WITHOUT_PLUS: _lines("without a + taken as new", ""),
    Fix.NOTE_LEFT_OUT: "a note on a missing newline above the file's end was left out".format,
    Fix.NO_NEWLINE_KEPT: f"{_END.format('no')}and stays so".format,
    Fix.NEWLINE_THERE: f"{_END.format('a')}though the patch says that it has none".format,
    Fix.NEWLINE_MISSING: f"{_END.format('no')}though the patch says that it has one".format,
    Fix.DELETED_WHOLE: _deleted,
}


def _reason(problem: Problem) -> str:
    text, numbers = problem.text[:_WIDEST], problem.numbers
    if problem.why is Why.MISSING and problem.nearest:
        return "\n".join(_where(problem.nearest))
    if problem.why is Why.AMBIGUOUS:
        more = " and more" if len(numbers) > _MOST_LINES else ""
        lines = ", ".join(map(str, numbers[:_MOST_LINES]))
        return f"fits equally well at lines {lines}{more}: {_MORE}, or write its line number"
    return _REASONS[problem.why].format(*numbers, text=text, more=_MORE)


_REASONS: dict[Why, str] = {
    Why.CUT_OFF: (
        "looks cut off: its header announces lines that did not come: send all of it, with three "
        "unchanged lines at its end"
    ),
    Why.PLACEHOLDER: (
        "adds `{text}`, which would replace lines of the file: write these lines, or leave them "
        "as they are"
    ),
    Why.NOT_EMPTY: "removes `{text}`, but the file is new or empty: write + before each line",
    Why.QUOTES_NOTHING: (
        "quotes no line of the file: quote the lines between which the new ones belong"
    ),
    Why.OVERLAP: "changes lines that hunk {} changes, too: make one hunk of them",
    Why.ALREADY_APPLIED: (
        "may be applied already: its result is at line {}: {more}, or write the right line number"
    ),
    Why.NEAR_END: (
        "ends in a change, as at the end of a file, but was found above it, at line {}: quote the "
        "unchanged lines below it"
    ),
    Why.UNEVEN: (
        "has new lines that may repeat a mistake that was corrected in other hunks: send every "
        "hunk exactly as the file should read"
    ),
}


def _where(near: Nearest) -> Iterator[str]:
    if near.unmarked:
        text = _cut(near.unmarked)
        yield f"has `{text}`, which is a line of the file: if it stays, put a space before it"
        return
    if not near.is_found:
        yield "quotes lines that the file does not have: read the file again, and quote it"
    elif near.misquoted:
        yield "is not in the file as it quotes it:"
    elif near.unquoted:
        lines = ", ".join(map(str, near.unquoted))
        yield f"leaves out lines between those it quotes (line {lines} of the file): quote them too"
    else:
        yield "is in the file with different spaces: quote it exactly"
    for text, real in near.misquoted:
        there = f"; line {real[0]} of the file is `{_cut(real[1])}`" if real else ""
        yield f"  `{_cut(text)}` is not there{there}"
    if near.more:
        yield f"  and {near.more} more of its lines"
    if near.is_found:
        yield "the file says"
    yield from (f"{at:>4}| {_cut(text)}".rstrip() for at, text in near.shown)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST_SHOWN else text[:_WIDEST_SHOWN] + "..."
