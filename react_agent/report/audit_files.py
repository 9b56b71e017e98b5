"""Of a run: the files that it was shown, and those that it changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from react_agent.loop.events import SHORT
from react_agent.loop.noted import WROTE
from react_agent.loop.spent import whole_number
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.facts import read_list
from react_agent.report.audit_run import Audited, Done
from react_agent.tools.observation import SHOWN, Status
from react_agent.tools.registry import CHANGES_FILES, Kind

_ANY = "*"


@dataclass(frozen=True, slots=True)
class Count:
    """Lines of a file that came in, and that went."""

    path: str
    added: int = 0
    removed: int = 0
    is_text: bool = True

    def __str__(self) -> str:
        return f"{self.path} {f'+{self.added} -{self.removed}' if self.is_text else '(binary)'}"


def counts_in(text: str) -> list[Count]:
    """What `tools/git/tree_diffs.py` writes; files that were not named have no path."""
    found = []
    for one in read_list(text):
        path, _, numbers = one.rpartition(":")
        added, _, removed = numbers.removeprefix("+").partition("-")
        lines = whole_number(added), whole_number(removed)
        found.append(Count(path, *lines, is_text=numbers != _ANY))
    return found


def read(run: Audited) -> Iterator[str]:
    files, searched = _by_path(run, Kind.READ), _by_path(run, Kind.SEARCH)
    for path, steps in sorted(files.items()):
        yield f"{path}, {_lines(path, steps)}; {_times(steps)}"
    for path, steps in sorted(searched.items()):
        if path not in files:
            yield f"{path}, found by a search; {_times(steps)}"
    commands = sum(_kind(one) in (Kind.RUN, Kind.TEST) for one in run.done)
    if commands:
        yield f"what {counted(commands, 'command')} read is not seen: look at what ran"


def _by_path(run: Audited, kind: Kind) -> dict[str, list[Done]]:
    found = defaultdict[str, list[Done]](list)
    for one in run.done:
        for path in one.step.paths if _kind(one) is kind else ():
            found[path].append(one)
    return found


def _kind(one: Done) -> Kind:
    kind = one.step.kind
    return Kind(kind) if kind in tuple(Kind) else Kind.NONE


def _lines(path: str, steps: Iterable[Done]) -> str:
    shown, is_known = list[tuple[int, int]](), True
    for one in steps:
        parts = [part.rpartition(":") for part in read_list(one.step.seen.facts.get(SHOWN, ""))]
        ranges = [lines for name, _, lines in parts if name == path]
        is_known = is_known and (bool(ranges) or one.step.status is not Status.OK)
        shown += map(_range, ranges)
    told = f"lines {_merged(shown)}" if shown else ""
    return told if is_known and told else ", ".join(filter(None, (told, "lines not recorded")))


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return whole_number(first), whole_number(last)


def _merged(ranges: Iterable[tuple[int, int]]) -> str:
    """`1-80, 120-130`: each line once."""
    found = list[tuple[int, int]]()
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in found)


def _times(steps: Iterable[Done]) -> str:
    numbers = list(dict.fromkeys(one.at for one in steps))
    word = "step" if len(numbers) == 1 else "steps"
    return f"{word} {', '.join(numbers)}"


def wrote(run: Audited) -> Iterator[str]:
    for one in run.done:
        back = "" if one.stands else ", taken back"
        for count in written(one) or ():
            name = str(count) if count.path else f"and {count.added:,} more files, not named"
            yield f"step {one.at}: {name} ({one.step.tool or 'a turn'}{back})"
        if written(one) is None and not one.has_parts and (paths := _unrecorded(one)):
            yield f"step {one.at}: {paths}, lines not recorded{back}"
    yield from _made(run)


def written(one: Done) -> list[Count] | None:
    """None where it is not recorded, or is told by the steps within it."""
    text = one.step.seen.facts.get(WROTE)
    return None if text is None or one.has_parts else counts_in(text)


def _unrecorded(one: Done) -> str:
    """What a step may have written, of which its transcript says no more."""
    facts = one.step.seen.facts
    if _kind(one) == Kind.WRITE and one.step.status is Status.OK:
        return ", ".join(one.step.paths)
    if _kind(one) in CHANGES_FILES and "tree" in facts and facts["tree"][:SHORT] != facts.get("on"):
        return "" if facts.get("on") == "start" else "files that are not named"
    return ""


def _made(run: Audited) -> Iterator[str]:
    last = run.last
    where = "branch" if "branch" in last else "no branch was made of"
    if WROTE in last:
        yield from (f"{where}: {count}" for count in counts_in(last[WROTE]))
    elif "diff" in last:
        yield f"{where}: {last['diff']}, files not recorded"
    for name, why in (("left out", "left out of the branch"), ("dropped", "dropped from it")):
        yield from (f"{why}: {one}" for one in read_list(last.get(name, "")))


def differing(run: Audited) -> Iterator[str]:
    """What the steps say that they wrote, held against what came of it."""
    steps = [one for one in run.done if one.stands]
    told = [written(one) for one in steps]
    known = all(
        counts is not None or one.has_parts or not _may_write(one)
        for one, counts in zip(steps, told, strict=True)
    )
    made = counts_in(run.last.get(WROTE, ""))
    named = (*made, *(count for counts in told for count in counts or ()))
    if not known or "checks" in run.last or not all(one.path for one in named):
        return
    sums = _sums(told)
    for one in made:
        if one.path not in sums:
            yield f"{one.path} is changed in the end, and no step wrote it"
        elif one.is_text and sums[one.path] not in (None, one.added - one.removed):
            yield (
                f"{one.path} has {one.added - one.removed:+} lines in the end, and the steps say "
                f"{sums[one.path]:+}"
            )


def _may_write(one: Done) -> bool:
    return _kind(one) in CHANGES_FILES


def _sums(told: Iterable[list[Count] | None]) -> Mapping[str, int | None]:
    """By files, how many lines more there are; None of those that were ever binary."""
    found = dict[str, int | None]()
    for count in (count for counts in told for count in counts or ()):
        before = found.get(count.path, 0)
        is_known = before is not None and count.is_text
        found[count.path] = (before or 0) + count.added - count.removed if is_known else None
    return found
