"""What becomes of many patches: how many as they are, mended, refused, and why."""

import json
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from react_agent.cli import streams
from react_agent.cli.repair import NotText, bytes_in, decoded, text_in
from react_agent.parsers.patch import Refused, Repaired
from react_agent.tools.errors import ReactAgentError

_FIELDS = ("raw", "patch", "model_patch")
_WIDTH = 80
_ALL = -1  # a file of records may be of any size
# What stands for a number, a name or a quoted text, so that alike clauses are alike.
_TAKEN_OUT = (
    (re.compile(r"^hunk \d+(?: of .+? \(line \d+ of the patch\)| of \S+)?:? +"), ""),
    (re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)"), "`...`"),
    (re.compile(r"\S*\w[/.]\w\S*(?<![:;,])"), "PATH"),
    (re.compile(r"\b\d+(?:[-,.]\d+)*\b"), "N"),
    (re.compile(r"\bN((?: \w+)?) (line|place|hunk|file)s?\b"), r"N\1 \2s"),
    (re.compile(r"\bN(?:, N)+\b"), "N, N"),
    (re.compile(r"\bN(?:, N)*(?: (and|or) N)\b"), r"N \1 N"),
)


class Sample(NamedTuple):
    name: str
    text: str
    problem: str = ""  # it can't be read


def counted(names: Sequence[str], repaired: Callable[[str], Repaired | Refused], each: bool) -> int:
    ends, mended, refused = Counter[str](), Counter[str](), Counter[str]()
    for sample in _samples(names):
        if sample.problem:
            found: Repaired | Refused = Refused((sample.problem,))
        else:
            found = repaired(sample.text)
        end = _end(found)
        ends[end] += 1
        if isinstance(found, Refused):
            refused.update({kind(reason) for reason in found.reasons})
        else:
            mended.update({kind(part) for one in found.repairs for part in one.split("; ")})
        if each:
            _print([_line(sample.name, end, found)])
    _print(_table(ends, mended, refused))
    return 0


def kind(clause: str) -> str:
    """Its words, without numbers and names."""
    line = clause.split("\n")[0]
    for pattern, instead in _TAKEN_OUT:
        line = pattern.sub(instead, line)
    return line


def _end(found: Repaired | Refused) -> str:
    if isinstance(found, Refused):
        return "refused"
    return "mended" if found.repairs else "as it is"


def _line(name: str, end: str, found: Repaired | Refused) -> str:
    said = found.reasons if isinstance(found, Refused) else found.repairs
    first = f": {said[0].split(chr(10))[0]}" if said else ""
    more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
    return f"{name}: {end}{first}{more}"


def _table(ends: Counter[str], mended: Counter[str], refused: Counter[str]) -> Iterator[str]:
    whole = ends.total()
    yield f"{whole} patch{'es' * (whole != 1)}"
    for end in ("as it is", "mended", "refused"):
        yield f"{ends[end]:>7}  {end}"
    for title, kinds in (("mended", mended), ("refused", refused)):
        if kinds:
            yield f"{title}, in how many patches:"
            yield from _rows(kinds)


def _rows(kinds: Counter[str]) -> Iterator[str]:
    for words, number in sorted(kinds.items(), key=lambda one: (-one[1], one[0])):
        lines = textwrap.wrap(words, _WIDTH - 9, break_long_words=False, break_on_hyphens=False)
        yield f"{number:>7}  {''.join(lines[:1])}"
        yield from (f"{'':>9}{line}" for line in lines[1:])


def _samples(names: Iterable[str]) -> Iterator[Sample]:
    for path in map(Path, names):
        for file in _files_in(path) if path.is_dir() else [path]:
            if file.suffix == ".jsonl":
                yield from _records(file)
            else:
                yield _sample(file)


def _files_in(folder: Path) -> list[Path]:
    found = (path for path in list(folder.rglob("*")) if ".git" not in path.parts)
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def _sample(file: Path) -> Sample:
    try:
        return Sample(str(file), text_in(file))
    except NotText as error:
        return Sample(str(file), "", str(error).removeprefix(f"{file} is "))


def _records(file: Path) -> Iterator[Sample]:
    for number, line in enumerate(bytes_in(file, _ALL).split(b"\n"), 1):
        if line.strip():
            name = f"{file}:{number}"
            try:
                yield Sample(name, _field(line))
            except ReactAgentError as error:
                yield Sample(name, "", str(error))


def _field(line: bytes) -> str:
    try:
        record = json.loads(decoded(line, "the line"))
    except ValueError:
        raise NotText("the line is not JSON") from None
    for name in _FIELDS if isinstance(record, dict) else ():
        if isinstance(text := record.get(name), str):
            return text
    raise NotText(f"the record has no text in any of the fields {', '.join(_FIELDS)}")


def _print(lines: Iterable[str]) -> None:
    streams.give("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
