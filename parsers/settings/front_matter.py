"""Read front matter: the fields between two lines of `---` before a text.

front_matter = "---" NEWLINE line* ("---" | "...") NEWLINE
line         = name ":" value | "- " item | indented | "#" comment | blank
value        = text | "[" item ("," item)* "]" | ">" | "|"   these two: indented lines follow

If any line has another form, there is no front matter, and the text stays as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.text.late_pattern import LatePattern

_FENCE, _ENDS = "---", ("---", "...")
_NAMED = LatePattern(r"([A-Za-z][\w -]{0,60}?)[ \t]*:(?:[ \t]+(.*)|$)")
_MOST_LINES = 200
_BLOCKS = ("|", ">", "|-", ">-", "|+", ">+")


@dataclass(frozen=True, slots=True)
class Field:
    name: str  # lower-case
    values: tuple[str, ...]  # one for each item of a list; no value is empty


@dataclass(frozen=True, slots=True)
class FrontMatter:
    fields: tuple[Field, ...]
    body: str

    def values(self, *names: str) -> tuple[str, ...]:
        """Return the values of the first of these names that has any."""
        found = {field.name: field.values for field in self.fields}
        return next((found[name] for name in names if found.get(name)), ())

    def value(self, *names: str) -> str:
        return ", ".join(self.values(*names))


def read_front_matter(text: str) -> FrontMatter:
    """Return the fields and the body. A text without front matter has no fields."""
    first, _, rest = text.partition("\n")
    lines = rest.split("\n", _MOST_LINES)[:_MOST_LINES]
    end = next((at for at, line in enumerate(lines) if line.rstrip() in _ENDS), None)
    if first.rstrip() != _FENCE or end is None:
        return FrontMatter((), text)
    found, name = dict[str, list[str]](), ""
    for line in lines[:end]:
        if named := _NAMED.fullmatch(line):
            name = named[1].casefold()
            found[name] = list(_values(named[2] or ""))
        elif line.strip() and line[0] not in " \t#-":
            return FrontMatter((), text)
        elif name and line.strip() and line[0] != "#":
            _take(line, found[name])
    if not found:
        return FrontMatter((), text)
    fields = tuple(Field(name, tuple(values)) for name, values in found.items())
    return FrontMatter(fields, "\n".join(rest.split("\n")[end + 1 :]))


def _take(line: str, values: list[str]) -> None:
    """Add the line as one more item, or to the last value."""
    bare = line.strip()
    if bare.startswith("- "):
        values.extend(filter(None, [_plain(bare[2:])]))
    elif values:
        values[-1] = f"{values[-1]} {bare}"
    else:
        values.append(_plain(bare))


def _values(text: str) -> Iterator[str]:
    bare = text.strip()
    if bare[:1] == "[" and bare[-1:] == "]":
        yield from filter(None, map(_plain, bare[1:-1].split(",")))
    elif bare not in ("", *_BLOCKS) and _plain(bare):
        yield _plain(bare)


def _plain(value: str) -> str:
    bare = value.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        bare = bare[1:-1]
    return bare if bare not in ("null", "~") else ""
