"""Tables of scenarios, as tests/scenarios/README.md describes them.

table = comment* row*
row   = "== " name NEWLINE field*
field = name ": " words NEWLINE | name ":" NEWLINE line* ["\\ No newline at end of file" NEWLINE]
line  = "|" [" " text] NEWLINE
"""

import re
from dataclasses import dataclass, field

from react_agent.parsers.transcript.quoting import unescape

NO_NEWLINE = "\\ No newline at end of file"
UNSEEN = "a tab, or a space at the end: write <U+0009> or <U+0020>"


class ScenarioError(Exception):
    """A table is not written as its README says."""


@dataclass(slots=True)
class Row:
    name: str
    at: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    unended: set[str] = field(default_factory=set)

    def words(self, name: str) -> str:
        return " ".join(self.fields.get(name, ()))

    def lines(self, name: str) -> tuple[str, ...]:
        return tuple(unescape(line) for line in self.fields.get(name, ()))

    def text(self, name: str) -> str:
        """The lines of the field, without a newline after the last one."""
        return "\n".join(self.lines(name))

    def file_text(self, name: str) -> str:
        """The same as a file has it: each line ends with a newline."""
        has_newline = self.fields.get(name) and name not in self.unended
        return self.text(name) + ("\n" if has_newline else "")


def parse_table(name: str, text: str, *, words: str, texts: str) -> list[Row]:
    """The rows; the names of their fields match the pattern `words` or the pattern `texts`."""
    rows: dict[str, Row] = {}
    current = ""
    for number, line in enumerate(text.split("\n"), 1):
        at = f"{name}:{number}"
        if line != line.rstrip() or "\t" in line:
            raise ScenarioError(f"{at}: {UNSEEN}")
        if line.startswith("== "):
            row, current = Row(line[3:], at), ""
            if row.name in rows:
                raise ScenarioError(f"{at}: the name {row.name!r} again")
            rows[row.name] = row
        elif not rows:
            if line and not line.startswith("#"):
                raise ScenarioError(f"{at}: expected `== name` before any field")
        elif line in ("|", NO_NEWLINE) or line.startswith("| "):
            _take_line(row, current, at, line, texts)
        elif line:
            current = _take_field(row, at, line, words, texts)
    return list(rows.values())


def _take_line(row: Row, current: str, at: str, line: str, texts: str) -> None:
    if not re.fullmatch(texts, current):
        raise ScenarioError(f"{at}: a line of text below no field of text")
    if current in row.unended:
        raise ScenarioError(f"{at}: a line below the end of the text")
    if line == NO_NEWLINE:
        row.unended.add(current)
    else:
        row.fields[current].append(line[2:])


def _take_field(row: Row, at: str, line: str, words: str, texts: str) -> str:
    name, colon, said = line.partition(":")
    is_text = re.fullmatch(texts, name) is not None
    if not colon or not (is_text or re.fullmatch(words, name)):
        raise ScenarioError(f"{at}: expected a field, found {line!r}")
    if name in row.fields:
        raise ScenarioError(f"{at}: `{name}` again")
    if is_text is bool(said) or (said and said[0] != " "):
        raise ScenarioError(f"{at}: `{name}` is no field of this shape")
    row.fields[name] = [said[1:]] if said else []
    return name
