"""The patch for texts that files are to have."""

from collections.abc import Mapping

from react_agent.parsers.patch.canonical import canonical
from react_agent.parsers.patch.changes import FileChange, Named, Placement, Result, Splice
from react_agent.parsers.patch.line_diff import differing
from react_agent.parsers.patch.proof import applied
from react_agent.parsers.patch.repairing import Refused, Repaired
from react_agent.parsers.patch.source import Source, source_of

_FILE = "100644"


def rewritten(texts: Mapping[str, str], files: Mapping[str, str]) -> Repaired | Refused:
    parts = [_part(name, text, files) for name, text in texts.items()]
    patch = canonical(parts)
    if not patch:
        return Refused(("it changes nothing: the new text is what stands there",))
    after = applied(patch, files)
    results = [
        Result(one.old, one.new, after[one.new], one.change.new_mode)
        for one, _, _ in parts
        if one.new in after
    ]
    return Repaired(patch, tuple(results), ())


def _part(name: str, text: str, files: Mapping[str, str]) -> tuple[Named, Source, Placement]:
    old = name if name in files else None
    before, after = source_of(files[name] if old else ""), source_of(text)
    splices = (
        Splice(start, end, tuple(after.raw[first:last]))
        for start, end, first, last in differing(before.raw, after.raw)
    )
    change = FileChange(0, old, name, new_mode="" if old else _FILE)
    return Named(change, old, name), before, Placement(tuple(splices), after.final_newline)
