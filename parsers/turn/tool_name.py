"""Read the tool name after `Action:`, and an argument written next to it.

name = word | words                    a tool's name, ignoring case, `-`, `_` and CamelCase
call = name "(" arguments ")" | name "[" argument "]" | name ":" argument | name argument
none = "none" | "n/a" | "no action" | ... reason?

A name that needs more repair is not run. It is kept as written, and the registry suggests others.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from react_agent.parsers.turn.special import cleaned_name
from react_agent.parsers.values.arguments import unquoted

_DECORATION = "`'\"*[](){}<> \t.,:;!“”‘’«»"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # of `readFile`
_NUMBER = re.compile(r"^\d{1,2}[.)]\s+")  # of a list
_NAME = re.compile(r"[^\W\d][\w.\- ]*")
_CALL = re.compile(r"(?P<name>[^\[(]*)(?:\((?P<round>.*)\)|\[(?P<square>.*)\])[`*.;, \t]*")
_WORD = re.compile(
    r"[`'\"*“‘]*(?P<name>[^\W\d][\w.\-]*)[`'\"*”’]*(?P<mark>[:,;]?)[ \t]+(?P<rest>.+)"
)
_NEXT_KEYWORD = re.compile(r",\s*(?=[A-Za-z_]\w*\s*=)")
_QUOTED = re.compile(r"""(?<!\w)(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')""")
_KEYWORD = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)
_TWO_TEXTS = re.compile(r"([\"']).*\1\s*,.*")
_IN_TICKS = re.compile(r"`([^`]+)`")
_PREFIXES = ("functions.", "function.", "tools.", "tool.", "default_api.")
_NO_TOOL = re.compile(
    r"(?:|-|none|n/?a|nil|null|nothing|no (?:further |more )?(?:action|tool)s?"
    r"|not (?:applicable|needed))(?: (?:needed|required))?"
)
_REASON = re.compile(r"\s*[(,.:;]|\s+[-–—]")  # `None (a direct answer is needed)`
_SENTENCE = re.compile(r"(?:[\w'’-]+,? ){3,}[\w'’-]+\.?")


@dataclass(slots=True)
class Named:
    name: str
    given: str = ""  # an argument written beside the name


def folded(name: str) -> str:
    """Return the name in a normal form that is the same for all spellings of a tool's name."""
    return _HUMP.sub("_", name).casefold().replace("-", "_").replace(" ", "_")


def without_prefix(name: str) -> str:
    """Return the name without the prefixes that other programs add to function names."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def read_name(written: str, tools: Collection[str] | None) -> Named | None:
    """Return the name and the argument next to it, or None if no part of the line can be a name."""
    if tools and written and written in tools:
        return Named(written)
    line = _NUMBER.sub("", cleaned_name(written).strip().replace("\\_", "_"), count=1)
    if known := _known(line, tools):
        return Named(known)
    is_placeholder = line.startswith("<") and line.endswith(">")
    if is_placeholder or says_none(line):
        return None
    return _called(line, tools) or _with_words(line, tools) or _plain(line.strip(_DECORATION))


def says_none(written: str) -> bool:
    """Return whether the text is `None` or similar, with or without a reason."""
    bare = cleaned_name(written).strip(_DECORATION).casefold()
    return any(_NO_TOOL.fullmatch(one) for one in (bare, _REASON.split(bare, maxsplit=1)[0]))


def names_none(written: str) -> bool:
    """Return whether the text means `None`, or is a sentence instead of a name."""
    is_sentence = written.endswith(".") and _SENTENCE.fullmatch(written)
    return bool(is_sentence) or says_none(written)


def _known(name: str, tools: Collection[str] | None) -> str:
    """Return the only tool whose name differs just in case, separators or decoration, or ""."""
    wanted = folded(without_prefix(name.strip(_DECORATION)))
    meant = [tool for tool in tools or () if wanted and folded(tool) == wanted]
    return meant[0] if len(meant) == 1 else ""


def _called(line: str, tools: Collection[str] | None) -> Named | None:
    found = _CALL.fullmatch(line.strip("`* "))
    if not found:
        return None
    known = _known(found["name"], tools)
    name = known or found["name"].strip(_DECORATION)
    given = _argument((found["round"] or found["square"] or "").strip())
    is_name = _NAME.fullmatch(name) and (known or " " not in name)
    return Named(name, given) if is_name and given is not None else None


def _argument(inside: str) -> str | None:
    """Return the argument's text, with a line per keyword, or None for several bare arguments."""
    bare = _QUOTED.sub(lambda text: "_" * len(text[0]), inside)
    commas = [found.span() for found in _NEXT_KEYWORD.finditer(bare)]
    starts, ends = [0, *(end for _, end in commas)], [*(at for at, _ in commas), len(inside)]
    parts = (inside[start:end].strip() for start, end in zip(starts, ends, strict=True))
    pairs = [_KEYWORD.fullmatch(part) for part in parts]
    if not all(pairs):
        return None if _TWO_TEXTS.fullmatch(inside) else unquoted(inside)
    texts = [(pair[1], unquoted(pair[2].strip())) for pair in pairs if pair]
    return texts[0][1] if len(texts) == 1 else "\n".join(f"{key}: {text}" for key, text in texts)


def _with_words(line: str, tools: Collection[str] | None) -> Named | None:
    found = _WORD.fullmatch(line.strip("* "))
    if not found:
        return None
    name, rest = _known(found["name"], tools), found["rest"].strip()
    if name and says_none(rest):
        return Named(name)
    if _known(rest.lstrip("&+/ ").removeprefix("and "), tools):
        return None  # two names
    if name and (quoted := _IN_TICKS.fullmatch(rest)):
        return Named(name, quoted[1])
    if _SENTENCE.fullmatch(rest) or not (name or found["mark"] == ":"):
        return None
    return Named(name or found["name"], rest)


def _plain(bare: str) -> Named | None:
    """Return an unknown tool name as it is written. The registry then reports the error."""
    is_name = _NAME.fullmatch(bare) and len(bare.split()) < 4 and " and " not in bare
    return Named(bare) if is_name else None
