"""react-agent repair: a filter, and so without typer, which takes longer than the work."""

import getopt
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from react_agent.cli import streams
from react_agent.cli.repair_input import given
from react_agent.errors import UsageError
from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.tools.edits.repair_patch import Repair, RepoFiles, files_of, repaired_for_git

REFUSED = 1
_HELP = """\
Usage: react-agent repair [OPTIONS] [FILE]...

  Make a patch that a model wrote into one that applies.

  Reads a reply, a diff, or search and replace blocks, from FILE or from
  standard input. Writes the patch as git does; what was mended goes to
  standard error, a line each. What can't be told for certain is refused, and
  then nothing is written. No file is changed, and no model is asked.

  Example:
    react-agent repair reply.txt > fixed.patch
    pbpaste | react-agent repair | git apply
    react-agent repair --stats patches/ --repo .

  Exit codes:
    0    the patch is on standard output
    1    refused, for the reasons on standard error
    2    what was asked for can't be done
    3    this machine lacks something

Arguments:
  FILE  a text with a patch in it; - or nothing: standard input

Options:
  --repo DIR  the repository, or a folder in it, or any folder  [default: .]
  --explain   say what each part of the text was taken for, and where it goes
  --stats     count what becomes of many files: patches, folders of them,
              .jsonl with a field raw, patch or model_patch
  -h, --help  Show this message and exit.
"""


class _Asked(NamedTuple):
    names: list[str]
    repo: Path
    explain: bool
    stats: bool
    help: bool


def main(arguments: Sequence[str], repair: Repair = repair) -> int:
    asked = _asked(arguments)
    if asked.help:
        streams.give(_HELP.encode())
        return 0
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
    from react_agent.cli.repair_explained import explained

    return explained(text, found)


def _asked(arguments: Sequence[str]) -> _Asked:
    long = ["help", "repo=", "explain", "stats"]
    try:
        options, names = getopt.gnu_getopt(list(arguments), "h", long)
    except getopt.GetoptError as error:
        raise UsageError(f"{error} (see react-agent repair --help)") from None
    named = dict(options)
    asked = _Asked(
        names,
        Path(named.get("--repo", "")),
        "--explain" in named,
        "--stats" in named,
        not named.keys().isdisjoint({"-h", "--help"}),
    )
    if asked.stats and not names and not asked.help:
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
