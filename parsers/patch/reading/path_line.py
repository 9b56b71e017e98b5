"""Where a text names a file: above a change, in its fence, or in words beside it.

line    = lead? verb? label? path note? ":"?           lead: `- `, `1. `, `## `; note: `(new file)`
        | [words] "`" path "`" words ":"         the only path in it; also in a heading
tag     = "<path>" path "</path>" | "<file path=" QUOTE path QUOTE ">"
info    = [language [":" | " "]] [("file" | "title" ...) "="] path
comment = ("#" | "//" | "/*" | "<!--" | "--" | ";" | "%") line
"""

import re
from collections.abc import Collection, Iterator, Sequence

from react_agent.parsers.edits.marks import labelled_path, looks_like_path
from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.text.fence import opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_LONGEST = 300  # characters of a line that is looked at
_MOST_SPACES = 12
_LONGEST_PROSE = 2_000  # characters of a line in which known files are looked for
_LEAD = LatePattern(r"(?:#+|[-*+•]|\d{1,3}[.)]|[Ss]tep \d{1,3}[:.]?)[ \t]+")
_VERB = LatePattern(
    r"(?:create|update|edit|modify|add|rewrite|new|file)(?:[ \t]+file)?:?[ \t]+", re.IGNORECASE
)
_NOTE = LatePattern(
    r"[ \t]*[(\[](?:new|whole|full|entire|complete|updated|modified|changed|edited|created)"
    r"(?:[ \t]+(?:file|content|contents|version))?[)\]]:?[*`]*$",
    re.IGNORECASE,
)
_TAG = LatePattern(
    r"[ \t]*(?:<(?P<tag>path|file|filename|file_path)>(?P<path>[^<>]+)</(?P=tag)>"
    r"|<file[ \t][^<>]*?(?:path|name)[ \t]*=[ \t]*(?P<quote>[\"'])(?P<of>[^\"'<>]+)(?P=quote)"
    r"[^<>]*>)[ \t]*"
)
_ENDING = LatePattern(r"(?:[^/]*\.[A-Za-z][\w+-]{0,11}|[A-Z]\w*file|LICENSE|README|\.[\w.-]+)")
_KEYED = LatePattern(r"(?:file|title|path|filename|name)=[\"']?(?P<path>[^\"'\s]+)[\"']?")
_RANGE = LatePattern(r"\d+:\d+:")  # quotes lines of a file: it changes nothing
_COMMENT = LatePattern(r"[ \t]*(?:#+|//+|/\*+|<!--|--+|;+|%+|\"{3}|'{3})[ \t]*(?P<text>\S.*)")
_COMMENT_END = LatePattern(r"(?<![ \t])[ \t]*+(?:(?:\*+/|-->|\"{3}|'{3})[ \t]*+)?$")
_IN_MARKS = LatePattern(r"`([^`\n]{1,200})`")
_LINE_NUMBER = LatePattern(r":\d{1,7}(?:[-:]\d{1,7})?$")
_AROUND = "`*'\"()[]<>,:;."


def path_of(line: str) -> str:
    """The path that is all that the line holds; empty where there is more."""
    if len(line) > _LONGEST or line.count(" ", len(line) - len(line.lstrip())) > _MOST_SPACES:
        return ""
    if tagged := _TAG.fullmatch(line) if "<" in line else None:
        return (tagged["path"] or tagged["of"]).strip()
    bare = _VERB.sub("", _LEAD.sub("", line.strip(), count=1), count=1)
    found = labelled_path(_NOTE.sub("", bare))
    if looks_like_path(found) and ("/" in found or has_ending(found)):
        return found
    text = bare.strip("*").removesuffix(":").strip("*")
    text = text[1:-1] if text[:1] == text[-1:] == "`" else ""
    return text if has_ending(text) and looks_like_path(text.replace(" ", "_")) else ""


def path_above(line: str) -> str:
    """The same, or the only name in backticks of a heading or a line that ends in a colon."""
    if path := path_of(line):
        return path
    bare = line.strip()
    if len(bare) > _LONGEST or not (bare[:1] == "#" or bare.rstrip("*").endswith(":")):
        return ""
    found = {name for name in _IN_MARKS.findall(bare) if looks_like_path(name)}
    return name if len(found) == 1 and has_ending(name := found.pop()) else ""


def path_in_info(info: str) -> str:
    for word in info.split()[::-1] if len(info) <= _LONGEST else ():
        keyed = _KEYED.fullmatch(word.strip("{}"))
        text = keyed["path"] if keyed else labelled_path(word)
        if _RANGE.match(text):
            return ""
        text = text.rpartition(":")[2]
        if looks_like_path(text) and ("/" in text or has_ending(text)):
            return text
    return ""


def path_in_comment(line: str) -> str:
    """In the first line of a fence; an import or a heading of words is none."""
    found = _COMMENT.fullmatch(line) if len(line) <= _LONGEST else None
    text = _COMMENT_END.sub("", found["text"]).strip() if found else "!"
    return "" if text.startswith("!") else path_of(text)


def named_above(lines: Sequence[str], at: int) -> tuple[str, int] | None:
    """The path above a line, or in the fence that opens there, and the line that has it."""
    for above in range(at - 1, -1, -1):
        fence, line = opening_fence(lines[above]), lines[above]
        if path := path_in_info(fence.info) if fence else path_above(line):
            return path, above
        if line.strip() and not fence:
            return None
    return None


def has_ending(path: str) -> bool:
    """Whether it names a file by itself; `Input/Output` may be a heading."""
    return _ENDING.fullmatch(path.rpartition("/")[2]) is not None


def files_in(line: str) -> set[str]:
    """The words of a line that may be files."""
    words = (_LINE_NUMBER.sub("", word.strip(_AROUND)) for word in line[:_LONGEST].split())
    return {word for word in words if word and looks_like_path(word)}


def known_first(line: str, files: Collection[str]) -> str:
    """The known file that a line begins with, if it names no other."""
    alone = line.strip()
    if alone and len(alone) <= _LONGEST and alone in files:
        return alone
    first = set(_known(alone.partition(" ")[0], files))
    return first.pop() if first and len(set(_known(line, files))) == 1 else ""


def with_names(reading: Reading, lines: Sequence[str], files: Collection[str]) -> Reading:
    """A change that names no file is one of the only known file that the text names."""
    outside = (Role.PROSE, Role.HEADER, Role.FENCE)
    places = {
        name: at
        for at, (line, role) in enumerate(zip(lines, reading.roles, strict=True), 1)
        for name in (_known(line, files) if role in outside else ())
    }
    if len(places) != 1:
        return reading
    [(name, at)] = places.items()
    changes, repairs = list[FileChange](), list[str]()
    for change in reading.changes:
        if change.old == "" == change.new:
            repairs.append(f"line {change.at} names no file: read as {name}, which line {at} names")
            change = change._replace(old=name, new=name)
        changes.append(change)
    return reading._replace(changes=tuple(changes), repairs=(*reading.repairs, *repairs))


def _known(line: str, files: Collection[str]) -> Iterator[str]:
    """In a sentence a word in lower case is no name, though there is a file `fix`."""
    words = line[:_LONGEST_PROSE].split()
    for word in words:
        name = _LINE_NUMBER.sub("", word.strip(_AROUND)).removeprefix("./")
        is_word = len(words) > 1 and name.isalpha() and name.islower()
        if not is_word and name in files:
            yield name
