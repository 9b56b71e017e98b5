"""Describe repairs and refusals, for the model that is to write a better patch, and for people."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.changes import Fix, Hunk, Nearest, Problem, Repair, Why

_WIDEST = 80  # characters of a line
_WIDEST_SHOWN = 160
_MOST_LINES = 10
_MORE = "quote more of the lines around the one you mean"


def repairs_in_words(repairs: Sequence[Repair]) -> tuple[str, ...]:
    """Describe the repairs, those of one hunk in one line."""
    of_hunks = dict[int, list[str]]()
    for one in repairs:
        if one.hunk is not None:
            of_hunks.setdefault(one.hunk, []).append(_fixed(one))
    return (
        *(f"hunk {hunk + 1}: {'; '.join(some)}" for hunk, some in sorted(of_hunks.items())),
        *(_fixed(one) for one in repairs if one.hunk is None),
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
        f"what was sent as the whole text of {name} has only {kept} of its {all_} lines: write the "
        "whole file, or a diff of the changes"
    )


_AS_FILE = "taken as the file has {them}"
_CONTEXT = "{n} context line{s} "
_END = "the file has {} newline at its end, "
_WORDS: dict[Fix, str] = {
    Fix.START: "its header gave line {0}, found at {1}",
    Fix.COUNTS: "its header counted {0} and {1} lines, there are {2} and {3}",
    Fix.UNMARKED: f"{_CONTEXT}without {{its}} mark{{s}} read as context",
    Fix.TRAILING_SPACES: "matched ignoring spaces at the ends of lines",
    Fix.LOST_MARK: f"{_CONTEXT}without {{its}} mark{{s}} read as context{{too}}",
    Fix.DOUBLED_MARK: f"{_CONTEXT}had one space too many in front{{too}}",
    Fix.SHIFTED: "re-indented by {n} {kind}{s} {more}, its new lines too",
    Fix.CHANGES_SHIFTED: "its changed lines re-indented by {n} {kind}{s} {more}",
    Fix.REMOVED_SHIFTED: "its removed lines re-indented by {n} {kind}{s} {more}",
    Fix.CONTEXT_SHIFTED: f"{_CONTEXT}indented differently, {_AS_FILE}",
    Fix.TABS: "indented with tabs, as the file is",
    Fix.SPACES: "indented with spaces, as the file is",
    Fix.PUNCTUATION: "matched ignoring typographic punctuation and spaces inside lines",
    Fix.LISTING: "the line numbers of a listing were left out",
    Fix.TRANSCRIPT_MARKS: "marks that only a transcript has were left out",
    Fix.BACKSLASHES: "backslashes before quotes were removed",
    Fix.ENTITIES: "HTML entities such as `&lt;` were replaced",
    Fix.BLANK_ENDS: "blank lines at its ends were left out",
    Fix.ELIDED: "the lines that its `...` stands for were found and kept",
    Fix.MISQUOTED: f"{{n}} line{{s}} misquoted, {_AS_FILE}",
    Fix.ABSENT: "left out {n} line{s} that the file does not have",
    Fix.UNQUOTED: "kept {n} line{s} of the file that it does not quote",
    Fix.ALREADY_APPLIED: "skipped: already applied at line {0}",
    Fix.ORDER: "the hunks were out of order",
    Fix.WITHOUT_PLUS: "{n} line{s} without a + read as added",
    Fix.NOTE_LEFT_OUT: "a `No newline` note before the end of the file was left out",
    Fix.NO_NEWLINE_KEPT: f"{_END.format('no')}and stays so",
    Fix.NEWLINE_THERE: f"{_END.format('a')}though the patch says that it has none",
    Fix.NEWLINE_MISSING: f"{_END.format('no')}though the patch says that it has one",
    Fix.DELETED_WHOLE: "deleted whole, though {n} of its {1} line{s} {were} quoted",
    Fix.DELETED_MISQUOTED: (
        "deleted whole, though {n} of the {1} lines quoted {are} not in it as quoted"
    ),
}


def _fixed(repair: Repair) -> str:
    """Describe a repair. Its first number is a count or a shift, negative to the left."""
    first, second = (*repair.numbers, 0, 0)[:2]
    is_one = abs(first) == 1
    return _WORDS[repair.fix].format(
        *repair.numbers,
        n=abs(first),
        s="" if is_one else "s",
        its="its" if is_one else "their",
        them="it" if is_one else "them",
        are="is" if is_one else "are",
        were="was" if is_one else "were",
        more="more" if first > 0 else "less",
        kind="tab" if second else "space",
        too=", and its new lines too" if second else "",
    )


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
        "looks cut off: its header announces more lines than it has; send all of it, with three "
        "unchanged lines at its end"
    ),
    Why.PLACEHOLDER: (
        "adds `{text}`, which would replace lines of the file: write those lines out, or leave "
        "them as they are"
    ),
    Why.NOT_EMPTY: "removes `{text}`, but the file is new or empty: write + before each line",
    Why.QUOTES_NOTHING: (
        "quotes no line of the file: quote the lines above and below the new ones"
    ),
    Why.OVERLAP: "changes lines that hunk {} changes too: write both as one hunk",
    Why.ALREADY_APPLIED: (
        "may already be applied: its result is at line {}: {more}, or write the right line number"
    ),
    Why.NEAR_END: (
        "ends in a change, as if at the end of the file, but fits further up, at line {}: quote "
        "the unchanged lines below it"
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
        yield "does not match the file:"
    elif near.unquoted:
        lines = ", ".join(map(str, near.unquoted))
        yield f"leaves out lines between those it quotes (line {lines} of the file): quote them too"
    else:
        yield "is in the file with different spaces: quote it exactly"
    for text, real in near.misquoted:
        there = f"; line {real[0]} of the file is `{_cut(real[1])}`" if real else ""
        yield f"  `{_cut(text)}` is not in the file{there}"
    if near.more:
        yield f"  and {near.more} more of its lines"
    if near.is_found:
        yield "the file says"
    yield from (f"{at:>4}| {_cut(text)}".rstrip() for at, text in near.shown)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST_SHOWN else text[:_WIDEST_SHOWN] + "..."
