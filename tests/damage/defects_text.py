"""What stands around a patch, and what became of the text as a whole."""

from collections.abc import Callable
from random import Random

from draft import Draft, Hunk, Line
from made_files import NAMES
from row import Damage, Defect, Kind, Told, yes
from true_edits import changed

_ABOVE = (
    "The loop stops one too early. Here is the patch:",
    "I looked at the code, and this should fix it.\n\n1. the name is wrong\n2. so is the test",
    "Sure!",
)
_BELOW = (
    "This makes the test pass. Let me know if there is more to do.",
    "Note:\n- the old name is still read\n- nothing else changes",
)
_WAIT = "Wait, that is not right: the {} is used below, too. Here is the final patch:"


def _finish(*finishes: Callable[[str], str]) -> Damage:
    def damage(draft: Draft, rng: Random) -> Told:
        if any("```" in text for text in draft.before.values()):
            return Told.UNFIT
        draft.finishes.extend(finishes)
        return Told.YES

    return damage


def _fenced(language: str, closed: bool = True) -> Callable[[str], str]:
    return lambda text: f"```{language}\n{text}" + ("```\n" if closed else "")


def _with_prose(fence: str, closed: bool = True) -> Damage:
    def damage(draft: Draft, rng: Random) -> Told:
        above, below = rng.choice(_ABOVE), rng.choice(_BELOW)
        wrap = _fenced(fence, closed)
        end = f"\n{below}\n" if closed else ""
        return _finish(lambda text: f"{above}\n\n{wrap(text)}{end}")(draft, rng)

    return damage


def _prose_only(draft: Draft, rng: Random) -> Told:
    above, below = rng.choice(_ABOVE), rng.choice(_BELOW)
    told = _finish(lambda text: f"{above}\n\n{text}\n{below}\n")(draft, rng)
    # Without a fence and without counts, where does a hunk end? A list below it begins with "- ".
    return yes("- " not in below) if told is Told.YES else told


def _draft_first(draft: Draft, rng: Random) -> Told:
    """A first try of the first file, in a fence of its own; the last one counts."""
    file = draft.files[0]
    if draft.write or draft.finishes or not file.is_plain:
        return Told.UNFIT
    if any("```" in text for text in draft.before.values()):
        return Told.UNFIT
    if any(hunk.is_idle for hunk in file.hunks):
        return Told.UNFIT  # whether it takes back the first try, nobody knows
    kept = file.hunks
    file.hunks = [_tried(hunk, rng) for hunk in kept[: rng.randint(1, len(kept))]]
    first = "".join(f"{line}\n" for line in file.written())
    file.hunks = kept
    wait = _WAIT.format(rng.choice(NAMES))
    draft.finishes.append(lambda text: f"```diff\n{first}```\n\n{wait}\n\n```diff\n{text}```\n")
    return Told.YES


def _tried(hunk: Hunk, rng: Random) -> Hunk:
    lines = [
        Line(
            line.mark, changed(rng, line.text) if line.mark == "+" else line.text, line.at, line.end
        )
        for line in hunk.lines
    ]
    return Hunk(hunk.start, hunk.moved, lines, hunk.header, hunk.off, hunk.counts_off)


def _fence_for_each_file(draft: Draft, rng: Random) -> Told:
    if len(draft.files) < 2 or draft.write or draft.is_cut:
        return Told.UNFIT
    if any("```" in text for text in draft.before.values()):
        return Told.UNFIT

    def written(draft: Draft) -> str:
        blocks = ["".join(f"{line}\n" for line in file.written()) for file in draft.files]
        return "\nAnd then:\n\n".join(f"```diff\n{block}```\n" for block in blocks)

    draft.write = written
    return Told.YES


def _crlf(draft: Draft, rng: Random) -> Told:
    draft.finishes.append(lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"))
    return yes(not any(file.is_mixed for file in draft.files))


def _lf(draft: Draft, rng: Random) -> Told:
    """A patch of a file with CRLF that was not seen to have it."""
    lines = [line for hunk in draft.hunks for line in hunk.lines if line.end]
    for line in lines:
        line.end = ""
    return yes(not any(file.is_mixed for file in draft.files)) if lines else Told.UNFIT


def _truncated(draft: Draft, rng: Random) -> Told:
    """Ends in a change, with more announced than came."""
    if draft.write or not draft.hunks:
        return Told.UNFIT
    file = next(file for file in reversed(draft.files) if file.hunks)
    hunk = file.hunks[-1]
    changes = [n for n, line in enumerate(hunk.lines[:-2]) if line.mark in ("-", "+")]
    if not changes or draft.files[-1] is not file:
        return Told.UNFIT
    hunk.counts_off = (0, 0)
    header, last = hunk.written_header(), rng.choice(changes)
    if hunk.header is None:
        hunk.header = header
    hunk.lines = hunk.lines[: last + 1]
    hunk.is_literal = False
    draft.is_cut = True
    return Told.NO


def _indented(draft: Draft, rng: Random) -> Told:
    by = rng.choice(("    ", "  ", "\t"))
    draft.finishes.append(lambda text: "".join(f"{by}{line}\n" for line in text.split("\n")[:-1]))
    return Told.YES


def _one_line(draft: Draft, rng: Random) -> Told:
    if any("\\" in text for text in [*draft.before.values(), *draft.after.values()]):
        return Told.UNFIT
    draft.finishes.append(lambda text: text.replace("\n", "\\n"))
    return Told.YES


def _no_final_newline(draft: Draft, rng: Random) -> Told:
    draft.finishes.append(lambda text: text.removesuffix("\n"))
    return Told.YES


def _not_a_diff(draft: Draft, rng: Random) -> Told:
    draft.finishes.append(lambda text: f"{rng.choice(_ABOVE)}\n\n{rng.choice(_BELOW)}\n")
    return Told.NO


_AROUND = "around"
CUTS = (Defect("truncated", _truncated, 65, Kind.LOSING),)
TEXTS = (
    Defect("patch with LF for a file with CRLF", _lf),
    Defect("patch all indented", _indented, moves_columns=True),
    Defect("draft, then the final block", _draft_first, 104, group=_AROUND),
    Defect("a fence for each file", _fence_for_each_file, 4, group=_AROUND),
    Defect("fence", _finish(_fenced("diff")), 150, group=_AROUND),
    Defect("fence without a language", _finish(_fenced("")), group=_AROUND),
    Defect("fence and prose", _with_prose("diff"), 100, group=_AROUND),
    Defect("prose around it", _prose_only, 61, Kind.DEPENDS, group=_AROUND),
    Defect("fence never closed", _with_prose("diff", closed=False), 4, group=_AROUND),
    Defect("patch with CRLF", _crlf),
    Defect("no newline at its end", _no_final_newline),
    Defect("all in one line", _one_line, group=_AROUND),
    Defect("not a diff", _not_a_diff, 143, Kind.LOSING),
)
