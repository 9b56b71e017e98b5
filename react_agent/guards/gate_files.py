"""Checks of a Conclusion: the files of the change."""

from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from react_agent.guards.gate_known import Known, listed
from react_agent.guards.litter import BY_PRODUCT, LOCK, SCRATCH, Around, is_named_elsewhere, litter
from react_agent.guards.points import Fault
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.file_roles import (
    is_by_product,
    is_data,
    is_named_to_be_used,
    is_of_tests,
    is_scratch,
)
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.tools.edits.syntax import Flaw, check_of, flaw_of

_MOST = 50  # files that are read
_OTHERS = 4  # files of the same folder
_MEND = {
    SCRATCH: "remove it, or name it after what it is for",
    BY_PRODUCT: "remove it",
    LOCK: "bring it back as it was",
}


def empty(known: Known) -> Iterator[Fault]:
    if not known.changes and not known.state.threads:  # of a review, that all may be declined
        how = "change what the objective asks for; if that can't be done, write"
        yield Fault("nothing was changed", f"{how} `Conclusion: I give up because ...`")


def left_out(known: Known) -> Iterator[Fault]:
    """What tools make beside their work, and what has the name of scratch, nobody misses."""
    found = [path for path in known.left_out if not is_by_product(path) and not is_scratch(path)]
    if found:
        few = "it" if len(found) == 1 else "them"
        yield Fault(
            f"only commands made {listed(found)}, so the change is without {few}",
            "git add what belongs to it, and remove the rest",
        )


def scratch(known: Known) -> Iterator[Fault]:
    """What the end of the run would drop."""
    around = around_of(known)
    for one in known.changes:
        if why := litter(one, around):
            said = f"{one.new} is new and {why}" if not one.old else f"{one.new} {why}"
            yield Fault(f"{said}, so the change will be without it", _MEND[why])


def around_of(known: Known) -> Around:
    state, holding = known.state, known.holding
    title = title_of(state.objective or "")
    return Around(known.changes, title, state.wrote, holding.mentions, holding.files)


def unused(known: Known) -> Iterator[Fault]:
    for one in known.changes:
        path = one.new
        if one.old or is_of_tests(path) or is_scratch(path) or not is_named_to_be_used(path):
            continue
        if not _can_be_started(path, known) and _is_alone_unnamed(path, known):
            yield Fault(f"{path} is new, and nothing refers to it", "use it, or remove it")


def syntax(known: Known) -> Iterator[Fault]:
    for one in known.changes[:_MOST]:
        if one.new and (flaw := _flaw(one.new, known.holding.now(one.new))):
            if _is_broken_on_purpose(one) or _flaw(one.old, known.holding.before(one.old)):
                continue
            place = f"{one.new}:{flaw.line}" if flaw.line else one.new
            yield Fault(f"{place} does not parse, {flaw.reason}", "mend it")


def _flaw(path: str, data: bytes | None) -> Flaw | None:
    check = check_of(path, data) if path and data is not None else None
    return flaw_of(check, data) if check and data is not None else None


def _is_broken_on_purpose(one: FileDiff) -> bool:
    return not one.old and is_data(one.new)


def _can_be_started(path: str, known: Known) -> bool:
    data = known.holding.now(path) or b""
    return data.startswith(b"#!") or b"__main__" in data


def _is_alone_unnamed(path: str, known: Known) -> bool:
    """Where nothing names the files beside it either, they are found in another way."""
    if is_named_elsewhere(path, known.holding.mentions):
        return False
    place, new = PurePosixPath(path), {one.new for one in known.changes if not one.old}
    others = (
        name
        for name in known.holding.files()
        if PurePosixPath(name).parent == place.parent
        and PurePosixPath(name).suffix == place.suffix
        and name not in new
        and is_named_to_be_used(name)
    )
    mentions = known.holding.mentions
    return all(is_named_elsewhere(name, mentions) for name in islice(others, _OTHERS))
