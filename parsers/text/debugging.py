"""Lines that somebody looked for a fault with, and that should not stay.

A statement that stops a program in a debugger is one wherever it stands. A line that prints is one
only where its words say so, or where it prints a bare name: the caller knows whether the file
prints otherwise.
"""

import re
from pathlib import PurePosixPath

from react_agent.parsers.text.late_pattern import LatePattern

_JS = ("js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte")
_STOPS = {
    "py": r"breakpoint\(\)"
    r"|import (?:pdb|ipdb|pudb|web_pdb)\b|from (?:pdb|ipdb|pudb) import\b"
    r"|(?:pdb|ipdb|pudb|web_pdb)\.(?:set_trace|post_mortem)\(",
    **dict.fromkeys(_JS, r"debugger;?\s*$"),
    "rs": r".*\bdbg!\(",
    "rb": r"binding\.(?:pry|irb)\b|byebug\b",
    "php": r"var_dump\(|dd\(",
    "go": r"runtime\.Breakpoint\(\)",
}
_PRINTS = {
    "py": r"print\(",
    **dict.fromkeys(_JS, r"console\.(?:log|debug|error)\("),
    "go": r"fmt\.Print(?:ln|f)?\(|println\(",
    "rs": r"e?println!\(",
    "rb": r"(?:puts|p)[ (]",
    "php": r"(?:echo|print)[ (]",
    "java": r"System\.(?:out|err)\.print(?:ln|f)?\(",
    **dict.fromkeys(("c", "cc", "cpp", "cxx", "h", "hpp"), r"f?printf\((?:stderr,\s*)?"),
    "sh": r"echo ",
}
# Right behind the quotation mark that a message begins with.
_WORDS = (
    r"[fbru]?['\"`]\W*(?:"
    r"debug(?:ging)?\s*(?:[:=\d>{%\\-]|['\"`])|dbg\b|xxx+|zzz+|asdf"
    r"|(?:got |i'?m |we are )?here\s*(?:\d+|[:=!\\]|['\"`])|!!!"
    r")"
)
_LOUD = r"[fbru]?['\"`](?:!!!|>>>>|####|@@@|\*\*\*\*)"
_NAME = r"[A-Za-z_][\w.]*(?:\[[^\]]*\])?"
_BARE = (  # perhaps behind a word that says which it is
    rf"{{call}}\s*(?:(['\"`])[\w.]+ ?[:=]* ?\1,\s*)?(?:{_NAME}|f['\"]\{{{{{_NAME}=?\}}}}['\"])"
    rf"(?:\s*,\s*{_NAME})*\s*\)?;?\s*$"
)
_LONGEST = 400  # characters of a line that are looked at
_TO_GO = LatePattern(
    r"(?:#|//|/\*|--|<!--).*?(?:\b(?:TODO|FIXME|XXX|HACK)\b.{0,20}\b(?:remove|delete)"
    r"(?:\s*$| (?:this|me|it|again|later|before|after|debug|once)\b)"
    r"|\bremove (?:this )?before (?:commit|merg)|\bdo not commit\b|\bdebug(?:ging)? only\b)",
    re.IGNORECASE,
)


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower().removeprefix(".")


def is_debugging(path: str, line: str) -> bool:
    """Whatever else the file does."""
    suffix, text = _suffix(path), line[:_LONGEST].strip()
    stops, prints = _STOPS.get(suffix), _PRINTS.get(suffix)
    if stops and re.match(stops, text):
        return True
    if prints and re.match(rf"(?:{prints})\s*(?:{_WORDS}|{_LOUD})", text, re.IGNORECASE):
        return True
    return _TO_GO.search(text) is not None


def prints(path: str, line: str) -> bool:
    call = _PRINTS.get(_suffix(path))
    return bool(call and re.match(call, line.strip()))


def prints_a_name(path: str, line: str) -> bool:
    """And nothing around it that a user could read."""
    call = _PRINTS.get(_suffix(path))
    return bool(call and re.fullmatch(_BARE.format(call=f"(?:{call})"), line.strip()))
