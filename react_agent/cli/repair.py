"""react-agent repair: a filter, and so without typer, which takes longer than the work."""

import getopt
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from react_agent.cli import streams
from react_agent.errors import UsageError
from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import Result, Role
from react_agent.tools import disk
from react_agent.tools.edits.repair_patch import Repair, RepoFiles, files_of, repaired_for_git
from react_agent.tools.errors import ReactAgentError

MOST_BYTES = 20 * 1024 * 1024
_BOM = "\ufeff"
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # UTF-16, as some shells write files
_NOTHING = (
    "no patch was given: pipe one in (react-agent repair < reply.txt), or name a FILE "
    "(see react-agent repair --help)"
)


class NotText(ReactAgentError):
    """What was given can't be a patch."""

    exit_code = 1


def given(names: Sequence[str]) -> str:
    """Of the one file named, or of standard input."""
    if names and names[0] != "-":
        return text_in(Path(names[0]))
    if not sys.stdin:
        raise UsageError(_NOTHING)
    on_terminal = sys.stdin.isatty()
    if on_terminal:
        streams.say(["Paste the patch; end it with Ctrl-D:"])
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if on_terminal and not data.strip():
        raise UsageError(_NOTHING)
    return decoded(data, "standard input")


def text_in(path: Path) -> str:
    return decoded(bytes_in(path, MOST_BYTES + 1), str(path))


def bytes_in(path: Path, most: int) -> bytes:
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file, or count all in it with --stats")
        return disk.start_of(path, most)
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}") from None
    except ValueError:  # a NUL
        raise UsageError(f"there can't be a file {str(path)!r}") from None


def decoded(data: bytes, name: str) -> str:
    if len(data) > MOST_BYTES:
        raise NotText(f"{name} is larger than 20 MB: cut it down to the patch")
    if data.startswith(_WIDE):
        raise NotText(f"{name} is in UTF-16: save it as UTF-8")
    if b"\0" in data:
        raise NotText(f"{name} is binary: a patch is text")
    return data.decode(errors="surrogateescape").removeprefix(_BOM)


_WIDTH = 80
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def explained(text: str, found: Repaired | Refused) -> list[str]:
    said = ["the text:", *_ranges(text.split("\n"), found.roles)]
    if isinstance(found, Refused):
        return [*said, "refused:", *_listed(found.reasons)]
    hunks = list(_hunks(found.patch.split("\n"), found.results))
    said += ["the patch:", *hunks]
    said += ["mended:", *_listed(found.repairs)] if found.repairs else []
    return [*said, _summary(found)]


def _ranges(lines: Sequence[str], roles: Sequence[Role]) -> Iterator[str]:
    """Lines of one role that follow each other, with the first of them."""
    numbered = list(zip(range(1, len(lines) + 1), roles, strict=False))
    if numbered and not lines[-1] and len(numbered) == len(lines):
        numbered.pop()  # what follows the last newline is no line to a person
    for role, group in groupby(numbered, lambda one: one[1]):
        first, *others = (number for number, _ in group)
        where = f"{first}-{others[-1]}" if others else f"{first}"
        yield _clipped(f"  {where:>9}  {role.value:<7} {lines[first - 1]}".rstrip())


def _clipped(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def _hunks(lines: Sequence[str], results: Sequence[Result]) -> Iterator[str]:
    """Of a patch as git writes it: a line of a hunk never begins with a letter or an @."""
    files, number = iter(results), 0
    for at, line in enumerate(lines):
        if line.startswith("diff --git "):
            yield f"  {_title(next(files))}"
            number = 0
        elif header := _HUNK.match(line):
            number += 1
            yield f"    hunk {number}: {_place(int(header[1]), _body(lines, at + 1))}"


def _title(result: Result) -> str:
    if result.old is None:
        return f"{result.new} (new)"
    if result.new is None:
        return f"{result.old} (deleted)"
    return result.new if result.new == result.old else f"{result.old} -> {result.new}"


def _body(lines: Sequence[str], start: int) -> list[str]:
    end = start
    while end < len(lines) and lines[end][:1] in (" ", "-", "+", "\\"):
        end += 1
    return [line for line in lines[start:end] if line]


def _place(start: int, body: Sequence[str]) -> str:
    before = next((at for at, line in enumerate(body) if line[0] != " "), 0)
    gone, come = (sum(line[0] == mark for line in body) for mark in "-+")
    return f"line {max(start, 1) + before}: {_lines(gone)} out, {come} in"


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _listed(clauses: Sequence[str]) -> Iterator[str]:
    for clause in clauses:
        first, *others = clause.split("\n")
        yield from textwrap.wrap(
            first,
            _WIDTH,
            initial_indent="  - ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from (f"    {line}" for line in others)


def _summary(found: Repaired) -> str:
    hunks = sum(line.startswith("@@ ") for line in found.patch.split("\n"))
    counts = ((len(found.results), "file"), (hunks, "hunk"), (len(found.repairs), "repair"))
    return ", ".join(f"{number} {name}{'s' * (number != 1)}" for number, name in counts)


REFUSED = 1


class _Asked(NamedTuple):
    names: list[str]
    repo: Path
    explain: bool
    stats: bool


def main(arguments: Sequence[str], repair: Repair = repair) -> int:
    asked = _asked(arguments)
    files = files_of(asked.repo)
    if asked.stats:
        from react_agent.cli.repair_stats import counted

        each = asked.explain
        return counted(asked.names, lambda text: repaired_for_git(text, files, repair), each)
    text = given(asked.names)
    found = repaired_for_git(text, files, repair)
    return _told(found, [*_words(text, found, asked.explain), *_where(found, files)])


def _words(text: str, found: Repaired | Refused, explain: bool) -> Sequence[str]:
    if not explain:
        return found.repairs if isinstance(found, Repaired) else found.reasons
    return explained(text, found)


def _asked(arguments: Sequence[str]) -> _Asked:
    long = ["repo=", "explain", "stats"]
    try:
        options, names = getopt.gnu_getopt(list(arguments), "", long)
    except getopt.GetoptError as error:
        raise UsageError(f"{error} (see react-agent repair --help)") from None
    named = dict(options)
    asked = _Asked(
        names,
        Path(named.get("--repo", "")),
        "--explain" in named,
        "--stats" in named,
    )
    if asked.stats and not names:
        raise UsageError("--stats wants files: name patches, folders of them, or .jsonl files")
    if len(names) > 1 and not asked.stats:
        raise UsageError("one patch at a time: name one FILE, or count many with --stats")
    return asked


def _told(found: Repaired | Refused, said: Sequence[str]) -> int:
    """The patch first: it must arrive whatever becomes of the words."""
    if isinstance(found, Repaired):
        streams.give(found.patch.encode(errors="surrogateescape"))
    streams.say(line for one in said for line in one.split("\n"))
    return 0 if isinstance(found, Repaired) else REFUSED


def _where(found: Repaired | Refused, files: RepoFiles) -> list[str]:
    """`git apply` passes over what lies outside the folder that it is called in."""
    here = Path().absolute()
    if isinstance(found, Refused) or not here.is_relative_to(files.root):
        return []
    names = [name for one in found.results for name in (one.old, one.new) if name is not None]
    if all((files.root / name).is_relative_to(here) for name in names):
        return []
    return [f"apply it in {files.root}: its paths begin there"]
