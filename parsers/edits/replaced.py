"""Replacements made one after the other: each sees what those before it left.

text    its very text, once, or everywhere if all are meant; else its lines, as those of a patch
lines   its lines, as those of a patch; else a part of a line, of whole words
"""

from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from typing import NamedTuple, cast

from react_agent.parsers.edits.part_of_line import Wanted, part_replaced
from react_agent.parsers.edits.replacement import Replacement
from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Refusal
from react_agent.parsers.patch.line_diff import kept_lines
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.repair import mended, rewritten

_PART = "found as a part of its line"
_SHOWN = 10


class _Done(NamedTuple):
    name: str
    text: str
    repairs: tuple[str, ...] = ()


def replaced(wanted: Sequence[Replacement], files: Mapping[str, str]) -> Repaired | Refused:
    made, repairs = dict[str, str](), list[str]()
    now = ChainMap(made, cast(MutableMapping[str, str], files))
    for number, one in enumerate(wanted, 1):
        done = _one(one, now)
        which = f"edit {number}: " if len(wanted) > 1 else ""
        if isinstance(done, Refusal):
            return Refused((which + done.reason,), of_parts=done.of_parts)
        made[done.name] = done.text
        left_out = (f"left out: {', '.join(one.left_out)}",) if one.left_out else ()
        repairs += (which + said for said in (*left_out, *done.repairs))
    found = rewritten(made, files)
    if isinstance(found, Refused):
        return found
    return found._replace(repairs=tuple(repairs))


def _one(one: Replacement, files: Mapping[str, str]) -> _Done | Refusal:
    change = _change(one)
    meant = named([change], files.keys())
    if isinstance(meant, Refusal):
        return _onto_nothing(change, files) or meant
    [found] = meant
    if found.old is None:
        return _by_lines(change, files)
    if not one.whole_lines:
        return _part(one, found, files) or _by_lines(change, files)
    done = _by_lines(change, files)
    part = None if isinstance(done, _Done) else _part(one, found, files)
    is_told = isinstance(part, _Done) or not _are_lines(one.old, files[found.old])
    return part if part and is_told else done


def _are_lines(old: str, content: str) -> bool:
    """Whether it stands there as whole lines: what is said of those tells more."""
    text, wanted = (
        "\n".join(map(str.strip, one.split("\n"))) for one in (content, old.rstrip("\n"))
    )
    return f"\n{wanted}\n" in f"\n{text}\n"


def _change(one: Replacement) -> FileChange:
    old, new = (text.removesuffix("\n").split("\n") if text else [] for text in (one.old, one.new))
    is_new = not (one.old.strip() if one.whole_lines else one.old)
    lines = kept_lines([] if is_new else old, new)
    endless = is_new and not one.new.endswith("\n")
    hunk = Hunk(0, lines, no_newline=(False, endless), everywhere=one.all, is_block=True)
    return FileChange(0, None if is_new else one.path, one.path, (hunk,))


def _onto_nothing(change: FileChange, files: Mapping[str, str]) -> _Done | None:
    """New lines for a file that is there, and blank."""
    again = change._replace(old=change.new)
    meant = named([again], files.keys()) if change.old is None else ()
    if isinstance(meant, Refusal) or any(one.old and files[one.old].strip() for one in meant):
        return None
    done = _by_lines(again, files) if meant else None
    return done if isinstance(done, _Done) else None


def _by_lines(change: FileChange, files: Mapping[str, str]) -> _Done | Refusal:
    done = mended([change], files)
    if isinstance(done, Refused):
        return Refusal("\n".join(done.reasons))
    [result] = done.results
    return _Done(result.new or "", result.text or "", done.repairs)


def _part(one: Replacement, meant: Named, files: Mapping[str, str]) -> _Done | Refusal | None:
    """None where it does not stand there."""
    name, old, new = meant.old or "", one.old, one.new
    content = files[name]
    if one.whole_lines:
        old, new = old.removesuffix("\n"), new.removesuffix("\n")
        if old in new and new in content:
            return None  # it may have been replaced before
    found = part_replaced(content, Wanted(old, new, one.whole_lines, one.all))
    if isinstance(found, str):
        return _Done(name, found, (*meant.repairs, *([_PART] if one.whole_lines else [])))
    if not found:
        return None
    lines = ", ".join(map(str, dict.fromkeys(found[:_SHOWN])))
    more = " and more" if len(found) > _SHOWN else ""
    return Refusal(
        f"the old text stands in several places of {name}, at lines {lines}{more}: quote more of "
        "the lines around the one that is meant, or say that all are meant",
        of_parts=True,
    )
