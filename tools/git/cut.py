"""A cut: a bare repository of ours that holds one commit's history and nothing made after it.

A long history is not fetched for each of its commits. Some of them are milestones, and a cut shares
the packs of the cut of a milestone before it, by hard links. So each cut is whole, holds no more
than its own history, and can be removed without another one missing something.
"""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree, sync, sync_below
from react_agent.tools.errors import MachineError, WorkspaceError, writing
from react_agent.tools.git.door import UPLOAD_PACK, Git, GitError, trusting
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
COMMIT_ID = re.compile("[0-9a-f]{40}")


def cut(repository: Path, commit: str, cuts: Path, source: Path | None = None) -> Path:
    """The cut for this commit, made if there is none yet; other processes may be doing the same.

    The source is a repository of ours that has the commit where theirs does not.
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
    """The base of an earlier run; a repository that lost its commit may have a cut of it."""
    try:
        return find_base(repository, commit)
    except WorkspaceError:
        top = top_of(repository)
        if not COMMIT_ID.fullmatch(commit) or not (place := cuts / _name(top, commit)).is_dir():
            raise
    return replace(find_base(place, commit), repository=top, held_by=place)


def _name(repository: Path, commit: str) -> str:
    """A commit says all about its history, but for how much of it a shallow clone has."""
    shallow = shallow_file(repository)
    if not shallow.is_file():
        return f"{commit}.git"
    return f"{commit}-{hashlib.sha256(disk.read_bytes(shallow)).hexdigest()[:16]}.git"


def _milestone(repository: Path, commit: str) -> str:
    """The one that this commit shares with; empty where it has none.

    Of a milestone's number, which counts from the first commit, that is the number without its last
    binary 1: so few are on the way from any commit to the first one.
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
    """What is missing. Where the branch stands on no ancestor of this commit, git refuses."""
    with trusting(*places(repository)) as config:
        Git(place, config).run(
            *("fetch", "--quiet", "--keep", "--no-tags", "--no-write-fetch-head"),
            *("--update-shallow", UPLOAD_PACK, "--"),
            *(str(repository), f"{commit}:refs/heads/{BRANCH}"),
            deadline_s=FETCH_S,
        )


def refuse_partial(repository: Path) -> None:
    """Raises WorkspaceError where git fetches objects only when they are needed."""
    with in_repository(repository) as git:
        if not git.ask("config", "--get-regexp", r"^remote\..*\.promisor$").code:
            raise WorkspaceError(
                f"{repository} is a partial clone; complete it: git fetch --refetch --no-filter"
            ) from None


def _move(building: Path, place: Path) -> None:
    try:
        sync_below(building)  # else a loss of power leaves one that is there and holds nothing
        disk.rename(building, place)
        sync(place.parent)
    except OSError as error:
        if not place.is_dir():  # else another process was first, with the same
            raise MachineError(f"{place} can't be written: {error.strerror}") from None
