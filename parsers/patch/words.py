"""Describe repairs and refusals, for people and for the model that must write a better patch."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.changes import Hunk, Nearest, Problem, Repair
from react_agent.parsers.text.gist import clipped

_WIDEST = 80  # characters of a line
_WIDEST_SHOWN = 160
_MOST_LINES = 10


def repairs_in_words(repairs: Sequence[Repair]) -> tuple[str, ...]:
    """Describe the repairs. All repairs of one hunk are on one line."""
    of_hunks = dict[int, list[str]]()
    for one in repairs:
        if one.hunk is not None:
            of_hunks.setdefault(one.hunk, []).append(_fixed(one))
    return (
        *(f"hunk {hunk + 1}: {'; '.join(some)}" for hunk, some in sorted(of_hunks.items())),
        *(_fixed(one) for one in repairs if one.hunk is None),
    )


def problem_in_words(problem: Problem, path: str, hunks: Sequence[Hunk]) -> str:
    at = hunks[problem.hunk or 0].at if hunks else 0
    name = f"{path} (line {at} of the patch)" if at else path
    numbers = problem.numbers
    more = " and more" if len(numbers) > _MOST_LINES else ""
    reason = problem.why.value.format(
        *numbers,
        text=problem.text[:_WIDEST],
        lines=", ".join(map(str, numbers[:_MOST_LINES])) + more,
        name=name,
        path=path,
    )
    if problem.nearest:
        reason = "\n".join(_where(problem.nearest))
    return reason if problem.hunk is None else f"hunk {problem.hunk + 1} of {name} {reason}"


def _fixed(repair: Repair) -> str:
    """Describe a repair. Its first number is a count, or a shift that is negative to the left."""
    first, second = (*repair.numbers, 0, 0)[:2]
    is_one = abs(first) == 1
    return repair.fix.value.format(
        *repair.numbers,
        n=abs(first),
        s="" if is_one else "s",
        its="its" if is_one else "their",
        them="it" if is_one else "them",
        are="is" if is_one else "are",
        were="was" if is_one else "were",
        more="more" if first > 0 else "less",
        kind="tab" if second else "space",
    )


def _where(near: Nearest) -> Iterator[str]:
    if near.unmarked:
        text = clipped(near.unmarked, _WIDEST_SHOWN)
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
        there = (
            f"; line {real[0]} of the file is `{clipped(real[1], _WIDEST_SHOWN)}`" if real else ""
        )
        yield f"  `{clipped(text, _WIDEST_SHOWN)}` is not in the file{there}"
    if near.more:
        yield f"  and {near.more} more of its lines"
    if near.is_found:
        yield "the file says"
    yield from (f"{at:>4}| {clipped(text, _WIDEST_SHOWN)}".rstrip() for at, text in near.shown)
