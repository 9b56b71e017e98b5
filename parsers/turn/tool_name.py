"""The name behind `Action:`, and what was written beside it.

name      = word | words                    as a tool is called, but for case, `-`, `_` and humps
call      = name "(" arguments ")" | name "[" argument "]" | name ":" argument | name argument

What needs more than that is not run: it stays as it is written, and the registry suggests.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from react_agent.parsers.turn.special import cleaned_name

_DECORATION = "`'\"*[](){}<> \t.,:;!“”‘’«»"
_CLOSERS = {"(": ")", "[": "]"}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # of `readFile`
_NUMBER = re.compile(r"^\d{1,2}[.)]\s+")  # of a list
_NAME = re.compile(r"[^\W\d][\w.\- ]*")
_WORD = re.compile(
    r"[`'\"*“‘]*(?P<name>[^\W\d][\w.\-]*)[`'\"*”’]*(?P<mark>[:,;]?)[ \t]+(?P<rest>.+)"
)
_KEYWORD = re.compile(r"(?P<key>[A-Za-z_]\w*)\s*=\s*(?P<value>.*)", re.DOTALL)
_PART = re.compile(
    r""""(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\{[^{}]*+\}|\[[^\[\]]*+\]|,|.""", re.DOTALL
)
_QUOTED = re.compile(r""""(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'""", re.DOTALL)
_IN_TICKS = re.compile(r"`([^`]+)`")
_PREFIXES = ("functions.", "function.", "tools.", "tool.", "default_api.")
_NO_TOOL = re.compile(
    r"(?:|-|none|n/?a|nil|null|nothing|noop|no (?:further |more )?(?:action|tool)s?"
    r"|not (?:applicable|needed))(?: (?:needed|required))?"
)
_REASON = re.compile(r"\s*[(,.:;]|\s+[-–—]")  # `None (a direct answer is needed)`
_FEWEST_TOLD = 4  # words: fewer can be a name


@dataclass(slots=True)
class Named:
    name: str
    given: str = ""  # an argument that stood beside it


def folded(name: str) -> str:
    """Two names of tools that are equal in this are taken for the same."""
    return _HUMP.sub("_", name).casefold().replace("-", "_").replace(" ", "_")


def without_prefix(name: str) -> str:
    """Without what other programs put before the names of their functions."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def read_name(written: str, tools: Collection[str] | None) -> Named | None:
    """None where nothing in the line can be a name."""
    if tools and written and written in tools:
        return Named(written)
    line = _NUMBER.sub("", cleaned_name(written).strip().replace("\\_", "_"), count=1)
    known = _known(line, tools)
    if known:
        return Named(known)
    bare = line.strip(_DECORATION)
    if line.startswith("<") and line.endswith(">"):
        return None  # a placeholder: `<tool name>`
    if says_none(line):
        return None
    return _called(line, tools) or _with_words(line, tools) or _plain(bare)


def says_none(written: str) -> bool:
    """`None`, or the like, with or without a reason."""
    bare = cleaned_name(written).strip(_DECORATION).casefold()
    return any(_NO_TOOL.fullmatch(one) for one in (bare, _REASON.split(bare, maxsplit=1)[0]))


def names_none(written: str) -> bool:
    """The same, or a sentence in place of a name."""
    words = written.split()
    is_told = len(words) >= _FEWEST_TOLD and written.endswith(".") and "\n" not in written
    is_told = is_told and all(word.strip("'’,.").isalpha() for word in words)
    return is_told or says_none(written)


def _known(name: str, tools: Collection[str] | None) -> str:
    """The one tool that differs from it in case, joints or decoration only."""
    bare = name.strip(_DECORATION)
    if not tools or not bare:
        return ""
    if bare in tools:
        return bare
    bare = without_prefix(bare)
    wanted = folded(bare)
    meant = [tool for tool in tools if folded(tool) == wanted]
    return meant[0] if len(meant) == 1 else ""


def _called(line: str, tools: Collection[str] | None) -> Named | None:
    bare = line.strip("`*").strip()
    mark = next((character for character in bare if character in _CLOSERS), "")
    head, found, inside = bare.partition(mark) if mark else (bare, "", "")
    name = _known(head, tools) or head.strip(_DECORATION)
    inside = inside.rstrip("`*.;, \t")
    if not found or not _NAME.fullmatch(name) or not inside.endswith(_CLOSERS[mark]):
        return None
    if " " in name and not _known(head, tools):
        return None
    inside = inside[:-1].strip()
    given = _argument(inside)
    return None if given is None else Named(name, given)


def _argument(inside: str) -> str | None:
    """The text of one argument; several with keywords, a line for each; none if they have none."""
    parts = [part.strip() for part in _parts(inside)]
    pairs = [_KEYWORD.fullmatch(part) for part in parts]
    if len(parts) == 1:
        return _unquoted(pairs[0]["value"] if pairs[0] else parts[0])
    if all(pairs):
        return "\n".join(f"{pair['key']}: {_unquoted(pair['value'])}" for pair in pairs if pair)
    return None if inside[:1] in ("'", '"') else inside


def _parts(inside: str) -> list[str]:
    """Parted at commas, but for those in quotes and brackets."""
    parts, begin = list[str](), 0
    for found in _PART.finditer(inside):
        if found[0] == ",":
            parts.append(inside[begin : found.start()])
            begin = found.end()
    return [*parts, inside[begin:]]


def _unquoted(value: str) -> str:
    bare = value.strip()
    found = _QUOTED.fullmatch(bare)
    return bare[1:-1].replace(f"\\{bare[0]}", bare[0]) if found else bare


def _with_words(line: str, tools: Collection[str] | None) -> Named | None:
    found = _WORD.fullmatch(line.strip("*").strip())
    if not found:
        return None
    name, rest = _known(found["name"], tools), found["rest"].strip()
    if name and _NO_TOOL.fullmatch(rest.casefold().strip(".")):
        return Named(name)
    if _known(rest.lstrip("&+/ ").removeprefix("and "), tools):
        return None  # two names
    if name and (quoted := _IN_TICKS.fullmatch(rest)):
        return Named(name, quoted[1])
    if not name and found["mark"] != ":":
        return None
    is_told = len(rest.split()) >= _FEWEST_TOLD and rest.replace(" ", "").isalpha()
    return None if is_told else Named(name or found["name"], rest)


def _plain(bare: str) -> Named | None:
    """A name unknown to all, as written: the registry answers it."""
    is_name = _NAME.fullmatch(bare) and len(bare.split()) < _FEWEST_TOLD and " and " not in bare
    return Named(bare) if is_name else None
