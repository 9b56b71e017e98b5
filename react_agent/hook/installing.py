"""Hooks put in place, and what was there before brought back.

Mostly a hook that is there is renamed, and called by ours. Where a setting names the folder, as
hook managers have it, or the folder is a link, nothing in it is touched: git is told to look into a
folder of ours instead, whose scripts call what they stand for.
"""

import contextlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.hook import hooks_path
from react_agent.hook.hooks_path import HooksPath
from react_agent.hook.script import HOOKS, is_ours, is_unchanged, passing_on, script
from react_agent.hook.spool import Spool, write_synced
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree

EARLIER = ".before-react-agent"
_LEGACY = ".legacy"  # what pre-commit calls a hook that it found
# Not among them: those whose mere presence changes what git does, and those called all the time.
_OTHERS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"),
    *("prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"),
    *("post-merge", "pre-push", "pre-receive", "update", "post-receive", "post-update"),
    *("pre-auto-gc", "post-rewrite", "sendemail-validate"),
)


def install(names: Sequence[str], path: HooksPath, python: str) -> list[str]:
    """Lines that say what was done. Once more brings the scripts up to date."""
    Spool(path.state).make()
    said = list[str]()
    if path.is_elsewhere and not path.is_ours:
        said.append(_in_front(path))
    elif not path.is_elsewhere and path.ours.exists():  # somebody has unset it
        _behind(path)
    for name in names:
        said += [f"{name}: installed", *(_kept(name, path))]
        if path.is_elsewhere:
            if _in_own_folder(name, path):  # from before the setting
                _take_away(name, path)
            _write(path.ours / name, script(name, python, "$here/..", _before(name, path)))
        else:
            _put(name, path, python)
    if path.is_elsewhere and not path.is_ours:
        hooks_path.name(path, str(path.ours))
    return said


def uninstall(names: Sequence[str], path: HooksPath) -> list[str]:
    found = [name for name in names if standing(name, path)]
    for name in found:
        _check_unchanged(_place(name, path))
    for name in found:
        if _in_own_folder(name, path):
            _take_away(name, path)
        else:
            _write(path.ours / name, passing_on(f"{_earlier_folder(path)}/{name}"))
    if path.ours.is_dir() and not any(standing(name, path) for name in HOOKS):
        _behind(path)
    return [f"{name}: taken away" for name in found]


def standing(name: str, path: HooksPath) -> str:
    """How this hook stands, in words; empty: it is not installed."""
    place = _place(name, path)
    if place is None:
        return ""
    if place.parent == path.ours and not path.is_ours:
        now = path.named or path.own
        return f"out of use: git now looks for hooks in {now}; install it again"
    if place.parent == path.own and path.named:
        return f"out of use: core.hooksPath now names {path.named}; install it again"
    changed = "" if is_unchanged(_text(place)) else ", changed by somebody since"
    return f"installed{changed}"


def _place(name: str, path: HooksPath) -> Path | None:
    """Of our script, if there is one."""
    for place in (path.ours / name, path.own / name, path.own / f"{name}{_LEGACY}"):
        text = _text(place)
        if is_ours(text) and "\nname=" in text:
            return place
    return None


def _in_own_folder(name: str, path: HooksPath) -> bool:
    place = _place(name, path)
    return place is not None and place.parent == path.own


def _text(place: Path) -> str:
    try:
        return disk.read_bytes(place).decode(errors="surrogateescape") if place.is_file() else ""
    except OSError as error:
        raise MachineError(f"can't read {place}: {error.strerror}") from None


def _check_unchanged(place: Path | None) -> None:
    if place and not is_unchanged(_text(place)):
        raise UsageError(f"{place} was changed since: keep its other lines elsewhere, delete it")


def _put(name: str, path: HooksPath, python: str) -> None:
    """In the repository's own folder; a hook that is there gets another name, and is called."""
    target = _place(name, path) or path.own / name
    earlier = path.own / f"{name}{EARLIER}"
    try:
        disk.mkdir(path.own, exist_ok=True)
        if target.exists() and not is_ours(_text(target)):
            if earlier.exists():
                raise UsageError(f"{earlier} is in the way: an earlier hook is kept there")
            _keep(target, earlier)
        elif is_ours(_text(target)):
            _check_unchanged(target)
    except OSError as error:
        raise MachineError(f"can't keep {target}: {error.strerror}") from None
    text = script(name, python, "$here/../react-agent", f"$here/{name}{EARLIER}")
    _write(target, text)


def _keep(target: Path, earlier: Path) -> None:
    """Under both names, where links are possible, until ours takes its place."""
    if target.is_symlink() or not target.is_file():
        disk.rename(target, earlier)
        return
    try:
        disk.hardlink(earlier, target)
    except OSError:
        disk.rename(target, earlier)


def _take_away(name: str, path: HooksPath) -> None:
    place, earlier = _place(name, path), path.own / f"{name}{EARLIER}"
    assert place is not None
    try:
        if earlier.exists() or earlier.is_symlink():
            disk.rename(earlier, place)
        else:
            disk.unlink(place)
    except OSError as error:
        raise MachineError(f"can't bring {earlier} back: {error.strerror}") from None


def _in_front(path: HooksPath) -> str:
    """Scripts that pass on to what git called so far, before git is told to call them."""
    folder = path.named or str(path.own)
    try:
        disk.mkdir(path.ours, mode=0o700, exist_ok=True)
        there = {one.name for one in list(_folder(folder, path).glob("*")) if "." not in one.name}
    except OSError as error:
        raise MachineError(f"can't make {path.ours}: {error.strerror}") from None
    local = path.named if path.scope in ("local", "worktree") else ""
    facts = {"folder": folder, "local": local, "scope": path.scope}
    write_synced(path.state / "installed", write_facts(facts) + "\n")
    for name in sorted({*there, *_OTHERS}):
        _write(path.ours / name, passing_on(f"{folder}/{name}"))
    return f"core.hooksPath: {path.ours}, which calls the hooks in {folder}"


def _behind(path: HooksPath) -> None:
    """As it was: git is told to look where it looked before."""
    facts = _installed(path)
    if path.is_ours:
        hooks_path.name(path, facts.get("local", ""))
    remove_tree(path.ours)
    with contextlib.suppress(OSError):
        disk.unlink(path.state / "installed", missing_ok=True)


def _installed(path: HooksPath) -> dict[str, str]:
    return read_facts(_text(path.state / "installed").strip())


def _earlier_folder(path: HooksPath) -> str:
    """Relative to the work tree, or absolute."""
    if path.is_ours:
        return _installed(path).get("folder", str(path.own))
    return path.named or str(path.own)


def _folder(named: str, path: HooksPath) -> Path:
    return path.top / named


def _before(name: str, path: HooksPath) -> str:
    return shlex.quote(f"{_earlier_folder(path)}/{name}")


def _kept(name: str, path: HooksPath) -> list[str]:
    folder = _folder(_earlier_folder(path), path) if path.is_elsewhere else path.own
    there = folder / name
    if path.is_elsewhere:
        return [f"    {there} is called first"] if os.access(there, os.X_OK) else []
    earlier = path.own / f"{name}{EARLIER}"
    is_theirs = there.exists() and not is_ours(_text(there)) and _place(name, path) is None
    return [f"    the hook that is there is called first, as {earlier}"] if is_theirs else []


def _write(target: Path, text: str) -> None:
    try:
        disk.write_over(target, text.encode(errors="surrogateescape"), mode=0o755)
    except OSError as error:
        raise MachineError(f"can't write {target}: {error.strerror}") from None
