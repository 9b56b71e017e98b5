"""Read front matter: the fields between two lines of `---` before a text.

front_matter = "---" NEWLINE line* ("---" | "...") NEWLINE
line         = name ":" value | "- " item | indented | "#" comment | blank
value        = text | "[" item ("," item)* "]" | ">" | "|"   with ">" or "|", indented lines follow

If any line has another form, the text has no front matter and is returned unchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from react_agent.parsers.text.late_pattern import LatePattern

_FENCE, _ENDS = "---", ("---", "...")
_NAMED = LatePattern(r"([A-Za-z][\w -]{0,60}?)[ \t]*:(?:[ \t]+(.*)|$)")
_MOST_LINES = 200
_BLOCKS = ("|", ">", "|-", ">-", "|+", ">+")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    fields: Mapping[str, tuple[str, ...]]  # by lower-case names; no value of a list is empty
    body: str

    def values(self, *names: str) -> tuple[str, ...]:
        """Return the values of the first of these names that has values."""
        return next((self.fields[name] for name in names if self.fields.get(name)), ())

    def value(self, *names: str) -> str:
        return ", ".join(self.values(*names))


def read_front_matter(text: str) -> FrontMatter:
    """Return the fields and the body. A text without front matter has no fields."""
    first, _, rest = text.partition("\n")
    lines = rest.split("\n", _MOST_LINES)[:_MOST_LINES]
    end = next((at for at, line in enumerate(lines) if line.rstrip() in _ENDS), None)
    if first.rstrip() != _FENCE or end is None:
        return FrontMatter({}, text)
    found = dict[str, list[str]]()
    values = list[str]()  # of the field that is open
    for line in lines[:end]:
        bare = line.strip()
        if named := _NAMED.fullmatch(line):
            values = found[named[1].casefold()] = _values(named[2] or "")
        elif bare and line[0] not in " \t#-":
            return FrontMatter({}, text)
        elif bare.startswith("- "):
            values += _values(bare[2:])
        elif bare and line[0] != "#" and values:
            values[-1] = f"{values[-1]} {bare}"
        elif bare and line[0] != "#":
            values.append(_plain(bare))
    if not found:
        return FrontMatter({}, text)
    fields = {name: tuple(values) for name, values in found.items()}
    return FrontMatter(fields, "\n".join(rest.split("\n")[end + 1 :]))


def _values(text: str) -> list[str]:
    bare = text.strip()
    parts = bare[1:-1].split(",") if bare[:1] == "[" and bare[-1:] == "]" else [bare]
    return [one for one in map(_plain, parts) if one not in ("", *_BLOCKS)]


def _plain(value: str) -> str:
    bare = value.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        bare = bare[1:-1]
    return bare if bare not in ("null", "~") else ""
