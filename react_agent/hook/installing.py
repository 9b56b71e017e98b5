"""Install git hooks, and restore the earlier hooks on uninstall.

An existing hook is renamed, and ours calls it. If a setting names the hooks folder, as with hook
managers, or the folder is a link, nothing is installed: the folder may be tracked or shared.
"""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.hook.queue import NAME, Spool
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk, package_data
from react_agent.tools.errors import machine_error
from react_agent.tools.git.door import Git, quoted
from react_agent.tools.git.repository import in_repository, top_of

HOOKS = ("post-commit", "pre-push")
_MARK = "# react-agent hook "
_ENDING = ", which `react-agent hook uninstall` removes"
_MARKED = re.compile(rf"#!/bin/sh\n{_MARK}([0-9a-f]{{16}}){_ENDING}\n")
_HERE = "case $0 in */*) here=${0%/*} ;; *) here=. ;; esac\n"
_RUNS = 0o755  # mode of a script
_KEY = "core.hooksPath"
EARLIER = ".before-react-agent"
_LEGACY = ".legacy"  # what pre-commit calls a hook that it found


def script(name: str, python: str, state: str, earlier: str) -> str:
    """Return a hook's script. The shell words `state` and `earlier` may use its folder, $here."""
    values = f"name={name}\npython={shlex.quote(python)}\nstate={state}\nearlier={earlier}\n"
    text = _HERE + values + package_data.text("react_agent.hook", "script.sh")
    return f"#!/bin/sh\n{_MARK}{_checksum(text)}{_ENDING}\n{text}"


def is_ours(text: str) -> bool:
    return _MARKED.match(text) is not None


def is_unchanged(text: str) -> bool:
    """Return whether the script is exactly as we wrote it, without lines added by a person."""
    found = _MARKED.match(text)
    return found is not None and _checksum(text[found.end() :]) == found[1]


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class HooksPath:
    common: Path  # the git folder that all work trees share
    is_bare: bool
    elsewhere: str  # the folder in which git looks for hooks, if it is not our `own`

    @property
    def own(self) -> Path:
        return self.common / "hooks"

    @property
    def state(self) -> Path:
        return self.common / NAME


def find(repository: Path, environment: Mapping[str, str]) -> HooksPath:
    top = top_of(repository)
    with in_repository(top) as git:
        if git.ask("rev-parse", "--git-dir").code:
            raise UsageError(f"{repository} is not a git repository")
        common = Path(git.line("rev-parse", "--path-format=absolute", "--git-common-dir"))
        is_bare = git.line("rev-parse", "--is-bare-repository") == "true"
        named = _named(git, environment)
    own = common / "hooks"
    real = os.path.realpath(own)
    # some tools write down where git looks anyway
    if not named or os.path.realpath(top / named) == real:
        named = real if own.is_symlink() else ""
    return HooksPath(common, is_bare, named)


def _named(git: Git, environment: Mapping[str, str]) -> str:
    """Return the hooks folder that the user's settings name, or an empty string.

    Here git reads the user's and the system's settings, which apply when hooks run.
    """
    lines = (f"[include]\n\tpath = {quoted(path)}\n" for path in _files(environment))
    disk.append_text(git.config, "".join(lines), errors="surrogateescape")
    no_system = environment.get("GIT_CONFIG_NOSYSTEM", "0")
    theirs = git.having(HOME=_home(environment), GIT_CONFIG_NOSYSTEM=no_system)
    listed = theirs.ask("config", "--show-scope", "-z", "--type=path", "--get-all", _KEY)
    words = os.fsdecode(listed.out).split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    values = [value for scope, value in pairs if scope != "command"]  # that is ours, in this call
    return values[-1] if values else ""


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME", "/nonexistent")


def _files(environment: Mapping[str, str]) -> Iterator[str]:
    if "GIT_CONFIG_GLOBAL" in environment:  # if it is empty, git reads no file
        yield from filter(None, [environment["GIT_CONFIG_GLOBAL"]])
        return
    home = _home(environment)
    yield f"{environment.get('XDG_CONFIG_HOME') or f'{home}/.config'}/git/config"
    yield f"{home}/.gitconfig"


def install(names: Sequence[str], path: HooksPath, python: str) -> list[str]:
    """Install or update the hooks. Return lines that say what was done."""
    if path.is_bare:
        raise UsageError(f"{path.common} is bare: commits are made and pushed in its clones")
    if path.elsewhere:
        lines = " and ".join(f"`react-agent hook run {name}` to your hook {name}" for name in names)
        raise UsageError(
            f"git looks for hooks in {path.elsewhere}, which react-agent does not change:"
            f" add {lines}"
        )
    Spool(path.state).make()
    said = list[str]()
    for name in names:
        said += [f"{name}: installed", *_put(name, path, python)]
    return said


def uninstall(names: Sequence[str], path: HooksPath) -> list[str]:
    found = {name: place for name in names if (place := _place(name, path))}
    for place in found.values():
        _check_unchanged(place)
    for name, place in found.items():
        earlier = path.own / f"{name}{EARLIER}"
        with machine_error(f"can't restore {earlier}"):
            if earlier.exists() or earlier.is_symlink():
                disk.rename(earlier, place)
            else:
                disk.unlink(place)
    return [f"{name}: removed" for name in found]


def standing(name: str, path: HooksPath) -> str:
    """Return a description of the hook's state, or "" if it is not installed."""
    place = _place(name, path)
    if place is None:
        return ""
    if path.elsewhere:
        return f"out of use: git looks for hooks in {path.elsewhere}"
    return "installed" + ("" if is_unchanged(_text(place)) else ", changed since")


def _place(name: str, path: HooksPath) -> Path | None:
    """Return the path of our script, or None if it is not installed."""
    for place in (path.own / name, path.own / f"{name}{_LEGACY}"):
        if is_ours(_text(place)):
            return place
    return None


def _text(place: Path) -> str:
    with machine_error(f"can't read {place}"):
        return disk.read_bytes(place).decode(errors="surrogateescape") if place.is_file() else ""


def _check_unchanged(place: Path) -> None:
    if not is_unchanged(_text(place)):
        raise UsageError(f"{place} was changed since: save its other lines, then delete it")


def _put(name: str, path: HooksPath, python: str) -> list[str]:
    """Write the script to the repository's own folder. An existing hook is renamed and called."""
    target = _place(name, path) or path.own / name
    earlier, said = path.own / f"{name}{EARLIER}", list[str]()
    with machine_error(f"can't keep {target}"):
        disk.mkdir(path.own, exist_ok=True)
        if target.exists() and not is_ours(_text(target)):
            if earlier.exists():
                raise UsageError(f"{earlier} is in the way: an earlier hook is kept there")
            said = [f"    the existing hook is called first, as {earlier}"]
            try:  # under both names, where links are possible, until ours takes its place
                if target.is_symlink() or not target.is_file():
                    raise IsADirectoryError
                disk.hardlink(earlier, target)
            except OSError:
                disk.rename(target, earlier)
        elif is_ours(_text(target)):
            _check_unchanged(target)
    write_whole(
        target, script(name, python, "$here/../react-agent", f"$here/{name}{EARLIER}"), mode=_RUNS
    )
    return said
