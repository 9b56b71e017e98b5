"""The logins that command lines of forges keep, in as much of YAML as they write.

block = (key ":" [value] NEWLINE)+       all at one indent, below a key or behind a "- "
value = plain | "'" text "'" | '"' text '"', with a tag such as `!!null` in front
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_KEY = r"""\"[^\"]*\"|'[^']*'|[^\s#:\"'-][^:]*(?::[0-9]+(?=:))?"""
_LINE = re.compile(rf"(?P<indent> *)(?P<dash>-  *)?(?P<key>{_KEY}):(?:\s+(?P<value>.*))?")
_TAG = re.compile(r"![!\w]*(?:\s+|$)")
_QUOTED = re.compile(r"(['\"])(.*)\1(?:\s+#.*)?")
_COMMENT = re.compile(r"(?:^|\s+)#.*")
_MOST_LINES = 10_000


@dataclass(frozen=True, slots=True)
class Block:
    name: str  # the key above it; of an item of a list, the list's
    values: dict[str, str] = field(repr=False)  # tokens are among them


def read_blocks(text: str) -> Iterator[Block]:
    """In the order in which they end. What is below a line that can't be read has no name."""
    deeper: list[tuple[int, Block]] = []
    for line in text.split("\n")[:_MOST_LINES]:
        bare = line.rstrip()
        if not bare.strip() or bare.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(bare)
        dash = found["dash"] if found else None
        depth = len(bare) - len(bare.lstrip(" ")) + len(dash or "")
        name = ""
        while deeper and (deeper[-1][0] > depth or (deeper[-1][0] == depth and dash)):
            _, ended = deeper.pop()
            name = ended.name
            yield ended
        if not deeper or deeper[-1][0] < depth:
            deeper.append((depth, Block(name if dash and name else _last(deeper), {})))
        key, value = (_plain(found["key"]), _plain(found["value"] or "")) if found else ("", "")
        _put(deeper[-1][1].values, key, value)
    yield from (block for _, block in reversed(deeper))


def _put(values: dict[str, str], key: str, value: str) -> None:
    values.pop(key, None)  # the newest is the last
    values[key] = value


def _last(deeper: list[tuple[int, Block]]) -> str:
    return next(reversed(deeper[-1][1].values), "") if deeper else ""


def _plain(text: str) -> str:
    bare = _TAG.sub("", text.strip(), count=1) if text.strip().startswith("!") else text.strip()
    quoted = _QUOTED.fullmatch(bare)
    return quoted[2] if quoted else _COMMENT.sub("", bare)
