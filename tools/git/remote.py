"""Remotes: which one a repository means, what its refs name, the base of a run, and a push.

A push replaces no commit but ours. A remote is talked to from an empty repository of ours.
"""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.parsers.forge.remote_complaint import Trouble
from react_agent.parsers.forge.remote_url import Remote, read_remote_url
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.access import Access, RemoteError, fault, opened, trusted
from react_agent.tools.git.cut import base_of, cut, refuse_partial
from react_agent.tools.git.door import AUTHOR, FLAGS, UPLOAD_PACK, Answer, Git, GitError
from react_agent.tools.git.repository import (
    FETCH_S,
    Base,
    borrowing,
    current_branch,
    enclosing,
    find_base,
    in_repository,
    is_name,
    tell_what_is_there,
    top_of,
)

ASK_S = 60.0
PUSH_S = 600.0
RECEIVE_PACK = "--receive-pack=" + shlex.join(
    ["git", *FLAGS, "-c", "receive.denyCurrentBranch=refuse", "receive-pack"]
)
_USUAL = "origin"
_HEADS = "refs/heads/"
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
        """The commit that it is at; empty where there is none."""
        return self.refs.get(f"{_HEADS}{name}", "")


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    author: str
    subject: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A branch of a remote as it was seen."""

    branch: str
    tip: str = ""  # empty: there was none
    foreign: tuple[Commit, ...] = ()  # beyond its base, and not made by us; the newest first


def find_remote(repository: Path, name: str = "") -> Remote | None:
    """The one of this name; else that of the branch, `origin`, or the only one.

    None where there is none. What is not said to be a remote may be an address.
    """
    top = enclosing(repository)
    if top is None:
        return read_remote_url(name) if name else None
    with in_repository(top) as git:
        names = git.ask("remote").out.decode(errors="replace").split("\n")[:-1]
        chosen = _chosen(git, names, name, current_branch(top))
        if not chosen and name:
            return _as_address(name)
        url = git.ask("remote", "get-url", "--", chosen).out if chosen else b""
    if not chosen:
        return None
    remote = read_remote_url(url.decode(errors="replace").rstrip("\n"))
    if remote is None:
        raise WorkspaceError(f"the address of the remote {chosen} can't be read")
    return _from_the_root(remote, top)


def _chosen(git: Git, names: list[str], wanted: str, branch: str) -> str:
    if wanted:
        return wanted if wanted in names else ""
    followed = git.ask("config", "--get", f"branch.{branch}.remote")
    upstream = followed.out.decode(errors="replace").strip()
    usual = _USUAL if _USUAL in names else ""
    only = names[0] if len(names) == 1 else ""
    return (upstream if upstream in names else "") or usual or only


def _as_address(name: str) -> Remote:
    remote = read_remote_url(name)
    if remote is None or (remote.is_local and "/" not in name):
        raise WorkspaceError(f"there is no remote called {name!r}")
    return remote


def _from_the_root(remote: Remote, top: Path) -> Remote:
    """A folder, which git looks for from the top of the repository."""
    if not remote.is_local or remote.path.startswith("/"):
        return remote
    place = os.path.normpath(top / remote.path)
    return replace(remote, path=place, url=place)


def tips(lender: Git, access: Access, deadline_s: float = ASK_S) -> Tips:
    """What the remote's refs name; the lender is any repository."""
    with borrowing(lender) as git:
        answer = asked(git, access, deadline_s, "ls-remote", options=["--symref"])
    if answer.code:
        raise fault(answer, access, "read")
    return _tips(answer.out.decode(errors="surrogateescape"))


def fetched_base(
    repository: Path, access: Access, branch: str, cuts: Path, deadline_s: float = FETCH_S
) -> Base:
    """The tip of a branch of the remote; their repository and its refs stay as they are.

    Where they do not have that commit, a cut of ours holds it. The branch may be a full name.
    """
    full_name(branch)
    top = top_of(repository)
    refuse_partial(top)
    with in_repository(top) as theirs, borrowing(theirs, cuts) as git:
        tell_what_is_there(theirs, git)
        fetch(git, access, {_BASE: branch}, deadline_s)
        answer = git.ask("rev-parse", "--verify", "--quiet", f"{_BASE}^{{commit}}")
        if answer.code:
            raise RemoteError(f"{branch} of {access.shown} names no commit")
        commit = answer.out.decode().strip()
        try:
            return find_base(top, commit)
        except WorkspaceError:
            cut(top, commit, cuts, source=git.folder)
    return base_of(top, commit, cuts)


def fetch(
    git: Git, access: Access, branches: Mapping[str, str], deadline_s: float = FETCH_S
) -> None:
    """Bring branches of the remote, by the names that they get here."""
    wanted = [f"+{full_name(branch)}:{name}" for name, branch in branches.items()]
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    answer = asked(git, access, deadline_s, "fetch", options=options, refs=wanted)
    if answer.code:
        raise fault(answer, access, "read", ", ".join(branches.values()))


def full_name(branch: str) -> str:
    """Raises RemoteError for what no branch can be called."""
    name = branch if branch.startswith("refs/") else f"{_HEADS}{branch}"
    if branch.startswith("-") or not is_name(name):
        raise RemoteError(f"a branch can't be called {branch!r}")
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
    """What a command says that talks to the remote."""
    # on another machine it would be the name of a program there
    pack = (_PACKS[command],) if access.remote.is_local else ()
    with opened(git, access) as reaching:
        try:
            words = (command, *options, *pack, "--", access.remote.url, *refs)
            return reaching.ask(*words, deadline_s=deadline_s)
        except GitError as error:
            if not error.is_late:
                raise
            line = f"{access.shown} did not answer within {deadline_s:g} s; try again later"
            raise RemoteError(line, Trouble.UNREACHABLE) from None


def _tips(listed: str) -> Tips:
    rows = [line.split("\t") for line in listed.split("\n") if "\t" in line]
    named = [what for what, ref in rows if ref == "HEAD" and what.startswith("ref: ")]
    refs = {ref: what for what, ref in rows if not what.startswith("ref: ")}
    default = named[0].removeprefix("ref: ") if named else ""
    return Tips(refs, default.removeprefix(_HEADS) if default.startswith(_HEADS) else "")


def standing(
    lender: Git,
    access: Access,
    branch: str,
    base: str,
    upstream: Access | None = None,
    deadline_s: float = ASK_S,
) -> Standing:
    """How a branch stands that is to come into `base`; what the lender has is not fetched.

    Where the branch is in a fork, `base` is that of the repository it was made from.
    """
    if full_name(branch) == full_name(base):
        raise RemoteError(f"{escape(branch)} is the branch that the change is for: name another")
    if not tips(lender, access, deadline_s).branch(branch):
        return Standing(branch)
    with borrowing(lender) as git:
        tell_what_is_there(lender, git)
        fetch(git, access, {_TIP: branch})
        fetch(git, upstream or access, {_BASE: base})
        tip = git.line("rev-parse", _TIP)
        listed = git.run("log", "--no-mailmap", _FORMAT, f"{_BASE}..{_TIP}")
    return Standing(branch, tip, tuple(_foreign(listed.decode(errors="replace"))))


def push(
    lender: Git, commit: str, access: Access, seen: Standing, deadline_s: float = PUSH_S
) -> None:
    """Have the branch at this commit, which the lender has, if it still stands as it was seen.

    Raises RemoteError where that would take away commits that are not ours.
    """
    ref = full_name(seen.branch)
    if access.remote.is_local:
        _check_gates(access)
    with borrowing(lender) as git:
        if git.ask("cat-file", "commit", commit).code:
            raise RemoteError(f"there is no commit {commit} to push to {seen.branch}")
        _check_foreign(git, commit, access, seen)
        options = (
            *("--porcelain", "--no-verify", "--no-signed", "--no-follow-tags"),
            *("--recurse-submodules=no", f"--force-with-lease={ref}:{seen.tip}"),
        )
        refs = (f"{commit}:{ref}",)
        answer = asked(git, access, deadline_s, "push", options=options, refs=refs)
    if answer.code:
        raise fault(answer, access, "write", seen.branch)


def _foreign(listed: str) -> Iterator[Commit]:
    lines = listed.removesuffix("\n").split("\n")
    for at in range(0, len(lines) - 1, _FIELDS):
        commit, *committer, author, subject = lines[at : at + _FIELDS]
        if tuple(committer) != AUTHOR:
            yield Commit(commit, escape(author)[:_LONGEST], escape(subject)[:_LONGEST])


def _check_foreign(git: Git, commit: str, access: Access, seen: Standing) -> None:
    if not seen.foreign or not git.ask("merge-base", "--is-ancestor", seen.tip, commit).code:
        return
    last, count = seen.foreign[0], len(seen.foreign)
    commits = "a commit that is" if count == 1 else f"{count} commits that are"
    raise RemoteError(
        f"{seen.branch} at {access.shown} has {commits} not ours, {last.id[:10]} by {last.author} "
        f"({last.subject}), and is left as it is: delete or rename it there, then try again"
    )


def _check_gates(access: Access) -> None:
    """No hook runs here; one that could refuse must not be passed over either."""
    folder = Path(access.remote.path)
    for place in (folder, Path(f"{folder}.git")):
        hook = _gate(place) if place.is_dir() else ""
        if hook:
            raise RemoteError(
                f"{access.shown} has a {hook} hook, which is not run from here; "
                "push the branch there yourself",
                Trouble.FORBIDDEN,
            )


def _gate(place: Path) -> str:
    with trusted(place) as config:
        git = Git(place, config).having(GIT_CEILING_DIRECTORIES=str(place.parent))
        found = git.ask("rev-parse", "--git-common-dir")
        own = ("config", "--local", "--includes", "--type=path", "--get", "core.hooksPath")
        named = git.ask(*own)
    if found.code:
        return ""
    git_dir = place / os.fsdecode(found.out).removesuffix("\n")
    hooks = git_dir / (os.fsdecode(named.out).removesuffix("\n") or "hooks")
    return next((name for name in _GATES if os.access(hooks / name, os.X_OK)), "")
