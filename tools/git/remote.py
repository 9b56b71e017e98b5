"""Remotes: find a repository's remote, read its refs, fetch the base of a run, and push.

A push replaces no commits except our own. git contacts a remote from an empty repository of ours.
"""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.parsers.forge.remote import Remote, read_remote_url
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.access import Access, RemoteError, fault, opened
from react_agent.tools.git.door import AUTHOR, FLAGS, UPLOAD_PACK, Answer, Git, GitError
from react_agent.tools.git.repository import (
    FETCH_S,
    Base,
    base_of,
    borrowing,
    configured_hooks,
    current_branch,
    cut,
    enclosing,
    find_base,
    in_repository,
    is_name,
    refuse_partial,
    tell_what_is_there,
    top_of,
)

ASK_S = 60.0
PUSH_S = 600.0
RECEIVE_PACK = "--receive-pack=" + shlex.join(
    ["git", *FLAGS, "-c", "receive.denyCurrentBranch=refuse", "receive-pack"]
)
_HEADS, _REF = "refs/heads/", "ref: "
_BASE, _TIP = "refs/wanted/base", "refs/wanted/tip"
_PACKS = {"ls-remote": UPLOAD_PACK, "fetch": UPLOAD_PACK, "push": RECEIVE_PACK}
_GATES = ("pre-receive", "update", "proc-receive", "reference-transaction")
_FORMAT = "--format=%H%n%cn%n%ce%n%an%n%s"
_LONGEST = 80  # of a name or a subject that is shown
_FIELDS = _FORMAT.count("%n") + 1


@dataclass(frozen=True, slots=True)
class Tips:
    refs: Mapping[str, str]  # by their full names: HEAD, refs/heads/main
    default: str = ""  # the branch that HEAD names, if it does

    def branch(self, name: str) -> str:
        """Return the commit that the branch points to, or an empty string if it does not exist."""
        return self.refs.get(f"{_HEADS}{name}", "")


@dataclass(frozen=True, slots=True)
class Standing:
    """A branch of a remote in its last known state."""

    branch: str
    tip: str = ""  # empty: there was none
    foreign: str = ""  # commits beyond its base that are not ours, in words


def find_remote(repository: Path, name: str = "") -> Remote | None:
    """Return the remote of this name, or else that of the branch, or `origin`, or the only remote.

    Returns None if there is none. If the name is not that of a remote, it may be an address.
    """
    top = enclosing(repository)
    if top is None:
        return read_remote_url(name) if name else None
    with in_repository(top) as git:
        names = git.ask("remote").out.decode(errors="replace").split("\n")[:-1]
        followed = git.ask("config", "--get", f"branch.{current_branch(top)}.remote")
        upstream = followed.out.decode(errors="replace").strip()
        wanted = [name] if name else [upstream, "origin", *names[: len(names) == 1]]
        chosen = next((one for one in wanted if one in names), "")
        url = git.ask("remote", "get-url", "--", chosen).out if chosen else os.fsencode(name)
    remote = read_remote_url(url.decode(errors="replace").rstrip("\n"))
    if chosen and remote is None:
        raise WorkspaceError(f"the address of the remote {chosen} can't be read")
    if remote is None or (not chosen and remote.is_local and "/" not in name):
        if name:
            raise WorkspaceError(f"there is no remote called {name!r}")
        return None
    if chosen and remote.is_local:  # git looks for it from the top of the repository
        place = os.path.normpath(top / remote.path)
        return replace(remote, path=place, url=place)
    return remote


def tips(lender: Git, access: Access, deadline_s: float = ASK_S) -> Tips:
    """Return the refs of a remote. `lender` may be any repository."""
    with borrowing(lender) as git:
        answer = asked(git, access, deadline_s, "ls-remote", options=["--symref"])
    if answer.code:
        raise fault(answer, access, "read")
    rows = [line.split("\t", 1) for line in os.fsdecode(answer.out).split("\n") if "\t" in line]
    named = [what.removeprefix(_REF) for what, ref in rows if ref == "HEAD" and _REF in what]
    default = "".join(one.removeprefix(_HEADS) for one in named if one.startswith(_HEADS))
    return Tips({ref: what for what, ref in rows if not what.startswith(_REF)}, default)


def fetched_base(repository: Path, access: Access, branch: str, cuts: Path) -> Base:
    """Fetch the tip of a remote branch as a base. The user's repository and refs do not change.

    A commit that this repository lacks is stored in our own copy. Full ref names are accepted.
    """
    full_name(branch)
    top = top_of(repository)
    refuse_partial(top)
    with in_repository(top) as theirs, borrowing(theirs, cuts) as git:
        tell_what_is_there(theirs, git)
        fetch(git, access, {_BASE: branch})
        answer = git.ask("rev-parse", "--verify", "--quiet", f"{_BASE}^{{commit}}")
        if answer.code:
            raise RemoteError(f"{branch} of {access.shown} does not point to a commit")
        commit = answer.out.decode().strip()
        try:
            return find_base(top, commit)
        except WorkspaceError:
            cut(top, commit, cuts, source=git.folder)
    return base_of(top, commit, cuts)


def fetch(git: Git, access: Access, branches: Mapping[str, str]) -> None:
    """Fetch branches of the remote. `branches` maps local ref names to those of the remote."""
    wanted = [f"+{full_name(branch)}:{name}" for name, branch in branches.items()]
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    answer = asked(git, access, FETCH_S, "fetch", options=options, refs=wanted)
    if answer.code:
        raise fault(answer, access, "read", ", ".join(branches.values()))


def full_name(branch: str) -> str:
    """Return the full name of a branch. Raises RemoteError if it is not a valid branch name."""
    name = branch if branch.startswith("refs/") else f"{_HEADS}{branch}"
    if branch.startswith("-") or not is_name(name):
        raise RemoteError(f"not a valid branch name: {branch!r}")
    return name


def asked(
    git: Git,
    access: Access,
    deadline_s: float,
    command: str,
    *,
    options: Sequence[str] = (),
    refs: Sequence[str] = (),
) -> Answer:
    """Run a git command that contacts the remote, and return its output."""
    # only for local remotes: on another machine it would name a program there
    pack = (_PACKS[command],) if access.remote.is_local else ()
    with opened(git, access) as reaching:
        try:
            words = (command, *options, *pack, "--", access.remote.url, *refs)
            return reaching.ask(*words, deadline_s=deadline_s)
        except GitError as error:
            if not error.is_late:
                raise
            line = f"{access.shown} did not answer within {deadline_s:g} s; try again later"
            raise RemoteError(line) from None


def standing(
    lender: Git,
    access: Access,
    branch: str,
    base: str,
    upstream: Access | None = None,
) -> Standing:
    """Return the state of a branch to be merged into `base`. The lender's objects are not fetched.

    If the branch is in a fork, `base` is a branch of the original repository.
    """
    if full_name(branch) == full_name(base):
        raise RemoteError(f"{escape(branch)} is the branch to merge into: name another")
    if not tips(lender, access).branch(branch):
        return Standing(branch)
    with borrowing(lender) as git:
        tell_what_is_there(lender, git)
        fetch(git, access, {_TIP: branch})
        fetch(git, upstream or access, {_BASE: base})
        tip = git.line("rev-parse", _TIP)
        listed = git.run("log", "--no-mailmap", _FORMAT, f"{_BASE}..{_TIP}")
    return Standing(branch, tip, _foreign(listed.decode(errors="replace")))


def push(lender: Git, commit: str, access: Access, seen: Standing) -> None:
    """Push a commit from the `lender` repository, unless the branch has changed since it was read.

    Raises RemoteError if the push would remove commits that are not our own.
    """
    ref = full_name(seen.branch)
    if access.remote.is_local:
        _check_gates(access)
    with borrowing(lender) as git:
        if seen.foreign and git.ask("merge-base", "--is-ancestor", seen.tip, commit).code:
            raise RemoteError(
                f"{seen.branch} at {access.shown} has {seen.foreign}; it was not changed: "
                "delete or rename it there, then try again"
            )
        options = (
            *("--porcelain", "--no-verify", "--no-signed", "--no-follow-tags"),
            *("--recurse-submodules=no", f"--force-with-lease={ref}:{seen.tip}"),
        )
        answer = asked(git, access, PUSH_S, "push", options=options, refs=[f"{commit}:{ref}"])
    if answer.code:
        raise fault(answer, access, "write", seen.branch)


def _foreign(listed: str) -> str:
    lines = listed.removesuffix("\n").split("\n")
    commits = [lines[at : at + _FIELDS] for at in range(0, len(lines) - 1, _FIELDS)]
    others = [one for one in commits if tuple(one[1:3]) != AUTHOR]
    if not others:
        return ""
    id, _, _, author, subject = (escape(field)[:_LONGEST] for field in others[0])
    are = "a commit that is" if len(others) == 1 else f"{len(others)} commits that are"
    return f"{are} not ours: {id[:10]} by {author} ({subject})"


def _check_gates(access: Access) -> None:
    """Refuse to push to a local repository whose hooks could reject it: they do not run here."""
    folder = access.remote.path
    git_dirs = (Path(folder), Path(folder, ".git"), Path(f"{folder}.git"))
    hooks = (git_dir / "hooks" / name for git_dir in git_dirs for name in _GATES)
    hook = next((hook.name for hook in hooks if os.access(hook, os.X_OK)), "")
    for place in filter(Path.is_dir, (Path(folder), Path(f"{folder}.git"))):
        with in_repository(place) as git:
            hook = hook or ("configured" if configured_hooks(git) else "")
    if hook:
        raise RemoteError(
            f"{access.shown} has a {hook} hook, which is not run from here; "
            "push the branch there yourself"
        )
