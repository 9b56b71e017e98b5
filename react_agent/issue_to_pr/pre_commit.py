"""Run hooks of `.pre-commit-config.yaml`, each by the person's own pre-commit.

pre-commit looks for installed hooks in its store, a folder in the person's cache. Only these
commands see it, read-only; what pre-commit writes there goes to a copy of its table in the
checkout's `.git`. A repository of hooks that is not in the table is left out of the configuration
that pre-commit gets, because pre-commit would fetch it before it runs any hook.

The configuration is read by lines: an item that begins with `repo:` lasts up to the next line that
is indented no deeper, and holds `rev:` and the hooks' `id:`. A file in another form is one block,
which is kept.
"""

import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk

CONFIG = ".pre-commit-config.yaml"
PROGRAM = "pre-commit"
NO_STORE = "pre-commit's store is not visible in this sandbox; see `pre_commit_store`"
NOT_INSTALLED = "it is not installed; run `pre-commit install-hooks`"
_WITHOUT_STORE = ("local", "meta")
_TABLE = "db.db"
_LARGEST = 50_000_000  # bytes of that table
_REPOSITORY = re.compile(r"(?m)^(?P<indent>[ \t]*)-[ \t]repo:(?P<where>.*)\n?")
_REVISION = re.compile(r"(?m)^[ \t]+rev:(.*)")
_ID = re.compile(r"(?<![\w.'\"-])id:[ \t]?([^\s,}]+)")
_RESULT = re.compile(r"(?m)\.{3}(?:\([^()\n]*\))?(Passed|Failed|Skipped)$")
_ABOUT_HOOK = re.compile(r"- (?:hook id|duration|exit code): .*\n?|- files were modified by .*\n?")
_INSTALLS = re.compile(r"\[INFO\] (?:Initializing|Installing) environment for ")
_NO_HOOK = re.compile(r"No hook with id `")


@dataclass(frozen=True, slots=True)
class HookBlock:
    """A repository of hooks, and the lines of the configuration that name it."""

    start: int
    end: int
    repository: str
    revision: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """The hooks that pre-commit has installed on this machine."""

    folder: Path | None  # none: this sandbox does not show it
    repositories: frozenset[tuple[str, str]] = frozenset()  # with their revisions


@dataclass(frozen=True, slots=True)
class HookRun:
    """The output of pre-commit for one hook."""

    said: str = ""
    lacks: str = ""
    has_files: bool = True


def hook_blocks(text: str) -> list[HookBlock]:
    found = list(_REPOSITORY.finditer(text))
    if len(found) != len(re.findall(r"\brepo:", _without_comments(text))):
        return [HookBlock(0, 0, "", "", _ids(text))]
    return [_block(text, one) for one in found]


def _block(text: str, head: re.Match[str]) -> HookBlock:
    deeper = re.compile(rf"(?:{head['indent']}[ \t].*|[ \t]*(?:#.*)?)(?:\n|$)")
    end = head.end()
    while end < len(text) and (line := deeper.match(text, end)):
        end = line.end()
    body = text[head.end() : end]
    revision = _REVISION.search(body)
    named = _plain(revision[1]) if revision else ""
    return HookBlock(head.start(), end, _plain(head["where"]), named, _ids(body))


def _ids(text: str) -> tuple[str, ...]:
    found = _ID.finditer(_without_comments(text))
    return tuple(dict.fromkeys(_plain(one[1]) for one in found))


def _without_comments(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.split("\n"))


def _plain(value: str) -> str:
    return value.partition(" #")[0].strip().strip("'\"")


def store_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of pre-commit's store for this person, or None."""
    cache = environment.get("XDG_CACHE_HOME") or f"{environment.get('HOME', '')}/.cache"
    folder = Path(environment.get("PRE_COMMIT_HOME") or f"{cache}/pre-commit")
    return folder.resolve() if folder.is_absolute() and (folder / _TABLE).is_file() else None


def prepared_store(folder: Path | None, home: Path) -> Store:
    """Return the store, with a writable copy of its table in `home`, where nothing runs yet."""
    disk.mkdir(home)
    if folder is None:
        return Store(None)
    copy = home / _TABLE
    disk.write_bytes(copy, disk.read_bytes(folder / _TABLE)[:_LARGEST])
    try:
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as table:
            rows = table.execute("SELECT repo, ref FROM repos").fetchall()
    except sqlite3.Error:
        return Store(folder)
    return Store(folder, frozenset((str(repo), str(ref)) for repo, ref in rows))


def missing(block: HookBlock, store: Store) -> str:
    """Return why the hooks of this block can't run, or ""."""
    is_there = (block.repository, block.revision) in store.repositories
    if not block.repository or block.repository in _WITHOUT_STORE or is_there:
        return ""
    return NOT_INSTALLED if store.folder else NO_STORE


def configuration(text: str, left_out: Collection[HookBlock]) -> str:
    for block in sorted(left_out, key=lambda one: one.start, reverse=True):
        text = text[: block.start] + text[block.end :]
    return text


def command(id: str, configuration: Path) -> tuple[str, ...]:
    """Return the command that runs a hook; file names are to follow."""
    options = ("--config", str(configuration), "--color", "never", "--verbose")
    return (PROGRAM, "run", *options, id, "--files")


def read_run(code: int, output: str) -> HookRun:
    results = list(_RESULT.finditer(output))
    if results:
        is_skipped = all(found[1] == "Skipped" for found in results)
        said = _ABOUT_HOOK.sub("", output[results[0].end() :]).strip("\n")
        return HookRun("" if code == 0 else said, has_files=not is_skipped)
    if _NO_HOOK.match(output):
        return HookRun(has_files=False)
    if _INSTALLS.search(output):
        return HookRun(lacks=NOT_INSTALLED)
    return HookRun(lacks=_first_line(output.split("\n")))


def _first_line(lines: Sequence[str]) -> str:
    return next((line.strip() for line in lines if line.strip()), "pre-commit printed nothing")
