"""A cut: a bare repository of ours that holds one commit's history and nothing made after it.

A long history is not fetched for each of its commits. Some commits are milestones, and a cut shares
the packs of an earlier milestone's cut by hard links. So each cut is complete, holds no more than
its own history, and can be removed without breaking another one.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree, sync, sync_below
from react_agent.tools.errors import MachineError, WorkspaceError, writing
from react_agent.tools.git.door import UPLOAD_PACK, Git, GitError, trusting
from react_agent.tools.git.objects import is_known
from react_agent.tools.git.repository import (
    FETCH_S,
    Base,
    find_base,
    in_repository,
    new_repository,
    places,
    set_branch,
    shallow_file,
    top_of,
)

BRANCH = "base"
_STEP = 32  # commits from one milestone to the next


def cut(repository: Path, commit: str, cuts: Path, source: Path | None = None) -> Path:
    """Return the cut for this commit; make it if there is none, even if others do so, too.

    `source` is a repository of ours that has the commit if the user's repository does not.
    """
    place = cuts.absolute() / _name(repository, commit)
    if place.is_dir():
        return place
    with writing(cuts):
        disk.mkdir(place.parent, parents=True, exist_ok=True)
        building = disk.new_folder(".building-", place.parent)
    try:
        is_shallow = place.name != f"{commit}.git"
        milestone = "" if is_shallow else _milestone(source or repository, commit)
        lender = cut(repository, milestone, cuts, source) if milestone else None
        _fetch(source or repository, commit, building, lender)
        _move(building, place)
    finally:
        remove_tree(building)
    return place


def base_of(repository: Path, commit: str, cuts: Path) -> Base:
    """Return the base of an earlier run; use a cut of it if the repository lost the commit."""
    try:
        return find_base(repository, commit)
    except WorkspaceError:
        top = top_of(repository)
        if not is_known(commit) or not (place := cuts / _name(top, commit)).is_dir():
            raise
    return replace(find_base(place, commit), repository=top, held_by=place)


def _name(repository: Path, commit: str) -> str:
    """Return a cut's name: the commit, and for a shallow clone a hash of where it is cut off."""
    shallow = shallow_file(repository)
    if not shallow.is_file():
        return f"{commit}.git"
    return f"{commit}-{hashlib.sha256(disk.read_bytes(shallow)).hexdigest()[:16]}.git"


def _milestone(repository: Path, commit: str) -> str:
    """Return the milestone whose packs this commit shares; empty if there is none.

    Milestones are numbered by commits from the first one. The one before a milestone has its number
    without the last binary 1, so that few are on the way from any commit to the first one.
    """
    with in_repository(repository) as git:
        answer = git.ask("rev-list", "--first-parent", "--count", commit, deadline_s=FETCH_S)
        number = 0 if answer.code else int(answer.out)
        since = number % _STEP or number & -number
        if since == number:
            return ""
        back = ("--first-parent", f"--skip={since}", "--max-count=1")
        return git.run("rev-list", *back, commit, deadline_s=FETCH_S).decode().strip()


def _fetch(repository: Path, commit: str, place: Path, lender: Path | None) -> None:
    new_repository(place)
    if lender:
        try:
            for file in list((lender / "objects" / "pack").iterdir()):
                disk.hardlink(place / "objects" / "pack" / file.name, file)
            set_branch(place, BRANCH, disk.read_text(lender / "refs" / "heads" / BRANCH).strip())
            return _bring(repository, commit, place)
        except (GitError, OSError):  # there are no links here, or it only seemed an ancestor
            remove_tree(place)
            disk.mkdir(place, mode=0o700)
            new_repository(place)
    try:
        _bring(repository, commit, place)
    except GitError:
        refuse_partial(repository)
        raise


def _bring(repository: Path, commit: str, place: Path) -> None:
    """Fetch what is missing. git refuses if the branch is not at an ancestor of this commit."""
    with trusting(*places(repository)) as config:
        Git(place, config).run(
            *("fetch", "--quiet", "--keep", "--no-tags", "--no-write-fetch-head"),
            *("--update-shallow", UPLOAD_PACK, "--"),
            *(str(repository), f"{commit}:refs/heads/{BRANCH}"),
            deadline_s=FETCH_S,
        )


def refuse_partial(repository: Path) -> None:
    """Raise WorkspaceError if the repository is a partial clone, which fetches on demand."""
    with in_repository(repository) as git:
        if not git.ask("config", "--get-regexp", r"^remote\..*\.promisor$").code:
            raise WorkspaceError(
                f"{repository} is a partial clone; complete it: git fetch --refetch --no-filter"
            ) from None


def _move(building: Path, place: Path) -> None:
    try:
        sync_below(building)  # else a power failure could leave an empty cut
        disk.rename(building, place)
        sync(place.parent)
    except OSError as error:
        if not place.is_dir():  # else another process made it first
            raise MachineError(f"{place} can't be written: {error.strerror}") from None
