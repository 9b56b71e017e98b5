"""A branch for a remote: how it stands there, and the push, which replaces nothing but ours."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.parsers.quoting import escape
from react_agent.tools.git.access import Access, NotAllowed, RemoteError, trusted
from react_agent.tools.git.borrowing import borrowing, tell_what_is_there
from react_agent.tools.git.door import AUTHOR, Git
from react_agent.tools.git.remote_errors import Foreign, fault
from react_agent.tools.git.remote_git import ASK_S, asked, fetch, full_name, tips

PUSH_S = 600.0
_GATES = ("pre-receive", "update", "proc-receive", "reference-transaction")
_TIP, _BASE = "refs/wanted/tip", "refs/wanted/base"
_FORMAT = "--format=%H%n%cn%n%ce%n%an%n%s"
_LONGEST = 80  # of a name or a subject that is shown
_FIELDS = _FORMAT.count("%n") + 1


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

    Raises Foreign where that would take away commits that are not ours.
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
    raise Foreign(
        f"{seen.branch} at {access.shown} has {commits} not ours, {last.id[:10]} by {last.author} "
        f"({last.subject}), and is left as it is: delete or rename it there, then try again"
    )


def _check_gates(access: Access) -> None:
    """No hook runs here; one that could refuse must not be passed over either."""
    folder = Path(access.remote.path)
    for place in (folder, Path(f"{folder}.git")):
        hook = _gate(place) if place.is_dir() else ""
        if hook:
            raise NotAllowed(
                f"{access.shown} has a {hook} hook, which is not run from here; "
                "push the branch there yourself"
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
