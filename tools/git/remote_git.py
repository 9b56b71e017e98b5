"""A remote, read: which commits its refs name, and the commit that a run starts from."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.access import Access, RemoteError, opened
from react_agent.tools.git.borrowing import borrowing, tell_what_is_there
from react_agent.tools.git.cut import base_of, cut, refuse_partial
from react_agent.tools.git.door import FLAGS, UPLOAD_PACK, Answer, Git, GitError
from react_agent.tools.git.remote_errors import fault, too_slow
from react_agent.tools.git.repository import FETCH_S, Base, find_base, in_repository, top_of

ASK_S = 60.0
RECEIVE_PACK = "--receive-pack=" + shlex.join(
    ["git", *FLAGS, "-c", "receive.denyCurrentBranch=refuse", "receive-pack"]
)
_HEADS = "refs/heads/"
_WANTED = "refs/wanted/base"
_PACKS = {"ls-remote": UPLOAD_PACK, "fetch": UPLOAD_PACK, "push": RECEIVE_PACK}


@dataclass(frozen=True, slots=True)
class Tips:
    refs: Mapping[str, str]  # by their full names: HEAD, refs/heads/main
    default: str = ""  # the branch that HEAD names, if it does

    def branch(self, name: str) -> str:
        """The commit that it is at; empty where there is none."""
        return self.refs.get(f"{_HEADS}{name}", "")


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
        fetch(git, access, {_WANTED: branch}, deadline_s)
        commit = _commit(git, access, branch)
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
    if branch.startswith("-") or Git(Path("/")).ask("check-ref-format", name).code:
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
            raise too_slow(access, deadline_s) from None


def _commit(git: Git, access: Access, branch: str) -> str:
    answer = git.ask("rev-parse", "--verify", "--quiet", f"{_WANTED}^{{commit}}")
    if answer.code:
        raise RemoteError(f"{branch} of {access.shown} names no commit")
    return answer.out.decode().strip()


def _tips(listed: str) -> Tips:
    rows = [line.split("\t") for line in listed.split("\n") if "\t" in line]
    named = [what for what, ref in rows if ref == "HEAD" and what.startswith("ref: ")]
    refs = {ref: what for what, ref in rows if not what.startswith("ref: ")}
    default = named[0].removeprefix("ref: ") if named else ""
    return Tips(refs, default.removeprefix(_HEADS) if default.startswith(_HEADS) else "")
