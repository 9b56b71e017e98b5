"""A cut: a bare repository of ours that holds one commit's history and nothing made after it."""

import hashlib
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path

from react_agent.tools.errors import MachineError, WorkspaceError
from react_agent.tools.git import UPLOAD_PACK, Git, GitError, trusting
from react_agent.tools.removal import remove_tree
from react_agent.tools.repository import FETCH_S, Base, find_base, in_repository, places, top_of

BRANCH = "refs/heads/base"
COMMIT_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


def cut(repository: Path, commit: str, cuts: Path, source: Path | None = None) -> Path:
    """The cut for this commit, made if there is none yet; other processes may be doing the same.

    The source is a repository of ours that has the commit where theirs does not.
    """
    place = cuts.absolute() / _name(repository, commit)
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=".building-", dir=place.parent))
    except OSError as error:
        raise MachineError(f"{cuts} can't be written: {error.strerror}") from None
    try:
        _fetch(source or repository, commit, building)
        _move(building, place)
    finally:
        remove_tree(building)
    return place


def base_of(repository: Path, commit: str, cuts: Path) -> Base:
    """The base of an earlier run; a repository that lost its commit may have a cut of it."""
    try:
        return find_base(repository, commit)
    except WorkspaceError:
        top = top_of(repository)
        if not COMMIT_ID.fullmatch(commit) or not (place := cuts / _name(top, commit)).is_dir():
            raise
    return replace(find_base(place, commit), repository=top, held_by=place)


def new_repository(place: Path, commit: str, *options: str) -> Git:
    """An empty repository with nothing of any template, for objects of the kind of this commit."""
    kind = "sha256" if len(commit) == 64 else "sha1"
    place.mkdir(parents=True, exist_ok=True)
    git = Git(place)
    git.run("init", "--quiet", "--template=", f"--object-format={kind}", *options)
    return git


def _name(repository: Path, commit: str) -> str:
    """A commit says all about its history, but for how much of it a shallow clone has."""
    with in_repository(repository) as git:
        answer = git.ask("rev-parse", "--git-path", "shallow")
    shallow = repository / os.fsdecode(answer.out).removesuffix("\n")
    if answer.code or not shallow.is_file():
        return f"{commit}.git"
    return f"{commit}-{hashlib.sha256(shallow.read_bytes()).hexdigest()[:16]}.git"


def _fetch(repository: Path, commit: str, place: Path) -> None:
    new_repository(place, commit, "--bare")
    with trusting(*places(repository)) as config:
        git = Git(place, config)
        try:
            git.run(
                *("fetch", "--quiet", "--keep", "--no-tags", "--no-write-fetch-head"),
                *("--update-shallow", UPLOAD_PACK, "--"),
                *(str(repository), f"{commit}:{BRANCH}"),
                deadline_s=FETCH_S,
            )
        except GitError:
            refuse_partial(repository)
            raise


def refuse_partial(repository: Path) -> None:
    """Raises WorkspaceError where git fetches objects only when they are needed."""
    with in_repository(repository) as git:
        if not git.ask("config", "--get-regexp", r"^remote\..*\.promisor$").code:
            raise WorkspaceError(
                f"{repository} is a partial clone; complete it: git fetch --refetch --no-filter"
            ) from None


def _move(building: Path, place: Path) -> None:
    try:
        building.rename(place)
    except OSError as error:
        if not place.is_dir():  # else another process was first, with the same
            raise MachineError(f"{place} can't be written: {error.strerror}") from None
