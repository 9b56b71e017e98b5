"""Install git hooks, and restore the earlier hooks on uninstall.

Usually an existing hook is renamed, and ours calls it. If a setting names the hooks folder, as with
hook managers, or the folder is a link, nothing in it is changed. Instead, git is configured to use
a folder of ours, whose scripts call the hooks that they replace. This configuration is included
only while the repository is where it is: in a moved or copied one, the user's setting applies.
"""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.hook.queue import NAME, Spool
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.runs.run_folder import write_whole
from react_agent.tools import disk, package_data
from react_agent.tools.disk import remove_tree
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
_INCLUDED = f"{NAME}/hooks.cfg"  # the file that sets it to our folder
_SCOPES = ("local", "worktree")
EARLIER = ".before-react-agent"
_LEGACY = ".legacy"  # what pre-commit calls a hook that it found
# Left out: hooks whose mere presence changes what git does, and hooks that git calls often.
_OTHERS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"),
    *("prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"),
    *("post-merge", "pre-push", "pre-receive", "update", "post-receive", "post-update"),
    *("pre-auto-gc", "post-rewrite", "sendemail-validate"),
)


def script(name: str, python: str, state: str, earlier: str) -> str:
    """Return a hook's script. The shell words `state` and `earlier` may use its folder, $here."""
    values = f"name={name}\npython={shlex.quote(python)}\nstate={state}\nearlier={earlier}\n"
    body = package_data.text("react_agent.hook", "script.sh")
    return _marked(_HERE + values + body)


def passing_on(earlier: str) -> str:
    """Return a script for our hooks folder that calls a hook that is not ours."""
    return _marked(
        f"hook={shlex.quote(earlier)}\n"
        '[ -f "$hook" ] && [ -x "$hook" ] || exit 0\n'
        'exec "$hook" "$@"\n'
    )


def is_ours(text: str) -> bool:
    return _MARKED.match(text) is not None


def is_unchanged(text: str) -> bool:
    """Return whether the script is exactly as we wrote it, without lines added by a person."""
    found = _MARKED.match(text)
    return found is not None and _checksum(text[found.end() :]) == found[1]


def _marked(text: str) -> str:
    return f"#!/bin/sh\n{_MARK}{_checksum(text)}{_ENDING}\n{text}"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class HooksPath:
    common: Path  # the git folder that all work trees share
    top: Path
    is_bare: bool
    named: str  # by the user's setting, as it counts; empty: none is
    scope: str  # where that is set: system, global, local, worktree
    is_ours: bool  # git uses our folder
    is_link: bool  # its own folder, or a hook in it, is one to somewhere else

    @property
    def own(self) -> Path:
        return self.common / "hooks"

    @property
    def state(self) -> Path:
        return self.common / NAME

    @property
    def ours(self) -> Path:
        """Our folder of scripts, used when the hooks folder is tracked or shared."""
        return self.state / "hooks"

    @property
    def earlier(self) -> str:
        """The folder of the user's hooks, absolute or relative to the work tree."""
        return self.named or str(self.own)

    @property
    def installed(self) -> dict[str, str]:
        """The facts that we recorded when our folder came into use."""
        return read_facts(_text(self.state / "installed").strip())

    @property
    def is_elsewhere(self) -> bool:
        return bool(self.named) or self.is_link


def find(repository: Path, environment: Mapping[str, str]) -> HooksPath:
    top = top_of(repository)
    with in_repository(top) as git:
        if git.ask("rev-parse", "--git-dir").code:
            raise UsageError(f"{repository} is not a git repository")
        common = Path(git.line("rev-parse", "--path-format=absolute", "--git-common-dir"))
        is_bare = git.line("rev-parse", "--is-bare-repository") == "true"
        named = _named(git, environment)
    ours, own = str(common / NAME / "hooks"), common / "hooks"
    theirs = [one for one in named if not one[0].endswith(f"/{NAME}/hooks")]
    is_ours = bool(named) and named[-1][0] == ours
    is_link = own.is_symlink() or any((own / hook).is_symlink() for hook in HOOKS)
    return HooksPath(common, top, is_bare, *(theirs or [("", "")])[-1], is_ours, is_link)


def _include(path: HooksPath, *, is_wanted: bool) -> None:
    """Include our configuration, or exclude it, also where the repository was before."""
    with in_repository(path.top) as git:
        for scope in _SCOPES:
            keys = (r"^includeif\..*\.path$", f"/{re.escape(_INCLUDED)}$")
            listed = git.ask("config", f"--{scope}", "-z", "--name-only", "--get-regexp", *keys)
            for key in filter(None, os.fsdecode(listed.out).split("\0")):
                git.run("config", f"--{scope}", "--unset", key)
        place = re.sub(r"([*?[\\])", r"\\\1", str(path.common))
        scope = path.scope if path.scope in _SCOPES else "local"
        for folder in (place, f"{place}/worktrees/") if is_wanted else ():
            key = f"includeIf.gitdir:{folder}.path"
            git.run("config", f"--{scope}", key, str(path.common / _INCLUDED))


def _updated(path: HooksPath) -> HooksPath:
    """Restore the user's setting, which older versions replaced by ours."""
    facts = path.installed
    if "scope" not in facts:
        return path
    scope = facts["scope"] if facts["scope"] in _SCOPES else "local"
    with in_repository(path.top) as git:
        git.ask("config", f"--{scope}", "--unset", _KEY)
        if facts.get("local"):
            git.run("config", f"--{scope}", _KEY, facts["local"])
    folder = facts.get("folder", "")
    write_whole(path.state / "installed", write_facts({"folder": folder}) + "\n")
    named = "" if path.is_link else folder
    return replace(path, named=named, scope=facts["scope"], is_ours=False)


def _named(git: Git, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the configured hooks folders and their scopes. The last one counts."""
    listed = _as_theirs(git, environment).ask(
        "config", "--show-scope", "-z", "--type=path", "--get-all", _KEY
    )
    words = os.fsdecode(listed.out).split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return [(value, scope) for scope, value in pairs if scope != "command"]  # ours, in this call


def _as_theirs(git: Git, environment: Mapping[str, str]) -> Git:
    """Return git with the user's and the system's settings, which apply when hooks run."""
    lines = (f"[include]\n\tpath = {quoted(path)}\n" for path in _files(environment))
    disk.append_text(git.config, "".join(lines), errors="surrogateescape")
    home = environment.get("HOME", "/nonexistent")
    return git.having(HOME=home, GIT_CONFIG_NOSYSTEM=environment.get("GIT_CONFIG_NOSYSTEM", "0"))


def _files(environment: Mapping[str, str]) -> Iterator[str]:
    if "GIT_CONFIG_GLOBAL" in environment:
        yield environment["GIT_CONFIG_GLOBAL"]
        return
    home = environment.get("HOME", "/nonexistent")
    yield f"{environment.get('XDG_CONFIG_HOME') or f'{home}/.config'}/git/config"
    yield f"{home}/.gitconfig"


def install(names: Sequence[str], path: HooksPath, python: str) -> list[str]:
    """Install or update the hooks. Return lines that say what was done."""
    if path.is_bare:
        raise UsageError(f"{path.common} is bare: commits are made and pushed in its clones")
    Spool(path.state).make()
    path = _updated(path)
    is_current = path.is_ours and path.installed.get("folder") == path.earlier
    said, is_new = list[str](), path.is_elsewhere and not is_current
    if is_new:
        said.append(_in_front(path))
    elif not path.is_elsewhere and path.ours.exists():  # somebody has unset it
        _behind(path)
    for name in names:
        said.append(f"{name}: installed")
        if not path.is_elsewhere:
            said += _put(name, path, python)
            continue
        earlier = f"{path.earlier}/{name}"
        if os.access(path.top / earlier, os.X_OK):
            said.append(f"    {path.top / earlier} is called first")
        place = _place(name, path)
        if place and place.parent == path.own:  # from before the setting
            _take_away(name, place, path)
        write_whole(
            path.ours / name, script(name, python, "$here/..", shlex.quote(earlier)), mode=_RUNS
        )
    if is_new:
        _include(path, is_wanted=True)
    return said


def uninstall(names: Sequence[str], path: HooksPath) -> list[str]:
    path = _updated(path)
    found = {name: place for name in names if (place := _place(name, path))}
    for place in found.values():
        _check_unchanged(place)
    for name, place in found.items():
        if place.parent == path.own:
            _take_away(name, place, path)
        else:
            write_whole(path.ours / name, passing_on(f"{path.earlier}/{name}"), mode=_RUNS)
    if path.ours.is_dir() and not any(standing(name, path) for name in HOOKS):
        _behind(path)
    return [f"{name}: removed" for name in found]


def standing(name: str, path: HooksPath) -> str:
    """Return a description of the hook's state, or "" if it is not installed."""
    place = _place(name, path)
    if place is None:
        return ""
    if place.parent == path.ours and not path.is_ours:
        return f"out of use: git now looks for hooks in {path.earlier}; install it again"
    if place.parent == path.ours and path.installed.get("folder") != path.earlier:
        return f"out of date: your hooks are now in {path.earlier}; install it again"
    if place.parent == path.own and path.named:
        return f"out of use: core.hooksPath is now {path.named}; install it again"
    return "installed" + ("" if is_unchanged(_text(place)) else ", changed since")


def _place(name: str, path: HooksPath) -> Path | None:
    """Return the path of our script, or None if it is not installed."""
    for place in (path.ours / name, path.own / name, path.own / f"{name}{_LEGACY}"):
        text = _text(place)
        if is_ours(text) and "\nname=" in text:
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


def _take_away(name: str, place: Path, path: HooksPath) -> None:
    earlier = path.own / f"{name}{EARLIER}"
    with machine_error(f"can't restore {earlier}"):
        if earlier.exists() or earlier.is_symlink():
            disk.rename(earlier, place)
        else:
            disk.unlink(place)


def _in_front(path: HooksPath) -> str:
    """Write scripts that call the existing hooks, before git is configured to use them."""
    folder = path.earlier
    with machine_error(f"can't make {path.ours}"):
        disk.mkdir(path.ours, mode=0o700, exist_ok=True)
        there = {one.name for one in list((path.top / folder).glob("*")) if "." not in one.name}
    write_whole(path.state / "installed", write_facts({"folder": folder}) + "\n")
    setting = f"[core]\n\thooksPath = {quoted(str(path.ours))}\n"
    write_whole(path.common / _INCLUDED, setting)
    for name in sorted({*there, *_OTHERS}):
        write_whole(path.ours / name, passing_on(f"{folder}/{name}"), mode=_RUNS)
    return f"core.hooksPath: {path.ours}, which calls the hooks in {folder}"


def _behind(path: HooksPath) -> None:
    """Restore the folder in which git looked for hooks before."""
    _include(path, is_wanted=False)
    remove_tree(path.ours, path.state / "installed", path.common / _INCLUDED)
