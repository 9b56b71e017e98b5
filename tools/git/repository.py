"""The user's repository, which a run starts from, and our bare copies of it, called cuts.

The user's repository is only read, except that it gets a branch at the end of a run. A cut is a
bare repository of ours that contains the history of one commit and nothing newer. A long history is
not fetched for each of its commits: some commits are milestones, and a cut shares the packs of an
earlier milestone's cut through hard links. So each cut is complete and can be removed.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree, sync, sync_below, write_over
from react_agent.tools.errors import MachineError, WorkspaceError, writing
from react_agent.tools.git.door import UPLOAD_PACK, Git, GitError, names, trusting
from react_agent.tools.git.objects import is_known, object_id

FETCH_S = 1800.0
_HEADS = "refs/heads/"
_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = {bare}
"""
_MACOS = "[core]\n\tignorecase = true\n\tprecomposeunicode = true\n"
# What git's check-ref-format refuses.
_NO_REF = re.compile(r"[\0-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.$|\.lock(?:/|$)|^[./]|/$")
_SHA1 = 40  # characters of an id
LARGEST_TEXT = 4_000_000  # bytes of a file that is read for what it says
MOST_REFS = 200  # of those that tell a remote what need not be sent
_REFS = ("refs/heads", "refs/remotes", "refs/tags")
_LONGEST = 10_000  # bytes of the file that names another repository
_SYNCED = "core.fsync=committed,reference"  # a run that has ended is not resumed: sync first
BRANCH = "base"
_STEP = 32  # commits from one milestone to the next


@dataclass(frozen=True, slots=True)
class Base:
    repository: Path  # the top of its work tree; of a bare one, itself
    commit: str
    held_by: Path | None = None  # our cut, where their repository has lost the commit


def find_base(repository: Path, rev: str = "HEAD") -> Base:
    """Return the commit that a run starts from, in the repository that contains this folder."""
    top = top_of(repository)
    with in_repository(top) as git:
        asked = b"" if "\n" in rev else os.fsencode(f"{rev}^{{commit}}\n")
        answer = git.ask("cat-file", "--batch-check", stdin=asked)
        if answer.code and git.ask("rev-parse", "--git-dir").code:
            raise WorkspaceError(f"{repository} is not a git repository")
        id, kind, *_ = (*answer.out.decode("ascii", "replace").split(" "), "", "")
        if kind == "commit" and is_known(id):
            return Base(top, id)
        is_unborn = git.ask("rev-parse", "--quiet", "--verify", "HEAD").code != 0
    if kind == "commit" and len(id) > _SHA1:
        raise WorkspaceError(f"{repository} uses SHA-256 object ids, and only SHA-1 is supported")
    if rev == "HEAD" and is_unborn:
        raise WorkspaceError(f"{repository} has no commits yet; commit something first")
    raise WorkspaceError(f"{repository} has no commit called {rev!r}")


def file_at(base: Base, path: str) -> str | None:
    """Return the text of a file in the base, or None if it is missing, too large or binary."""
    with in_repository(base.held_by or base.repository) as git:
        try:
            few = replace(git, most_bytes=LARGEST_TEXT)
            return few.run("cat-file", "blob", f"{base.commit}:{path}").decode()
        except (GitError, UnicodeDecodeError):
            return None


def current_branch(repository: Path) -> str:
    """Return the branch that HEAD refers to, or an empty string if HEAD is detached."""
    with in_repository(top_of(repository)) as git:
        answer = git.ask("symbolic-ref", "--quiet", "HEAD")
    return os.fsdecode(answer.out).strip().removeprefix(_HEADS)


def uncommitted(repository: Path) -> list[str]:
    """Return the tracked files that differ from the last commit, if there is one."""
    top = top_of(repository)
    with in_repository(top) as git:
        options = ("--raw", "-z", "--no-renames", "--ignore-submodules")
        parts = names(git.ask("diff-index", *options, "HEAD", "--").out)
    rows = zip(parts[::2], parts[1::2], strict=False)
    return [path for row, path in rows if not _only_looks_changed(row, top / path)]


def _only_looks_changed(row: str, path: Path) -> bool:
    """Whether a file has another time than git noted, as in a copied repository, but no change."""
    mode, mode_now, id, id_now, _ = row.removeprefix(":").split(" ")
    if mode != mode_now or id_now.strip("0"):
        return False
    try:
        return id == object_id("blob", disk.start_of_regular(path, LARGEST_TEXT))
    except OSError:
        return False


def tracked(repository: Path) -> list[str]:
    with in_repository(top_of(repository)) as git:
        return names(git.run("ls-files", "-z"))


def branches(base: Base) -> dict[str, str]:
    with in_repository(base.repository) as git:
        listed = git.run("for-each-ref", "--format=%(objectname) %(refname)", _HEADS)
    rows = (row.partition(" ") for row in os.fsdecode(listed).splitlines())
    return {ref.removeprefix(_HEADS): commit for commit, _, ref in rows}


def is_free(branch: str, taken: Iterable[str]) -> bool:
    """Return whether a branch of this name can be created: git can't have both `a` and `a/b`."""
    wanted = f"{branch}/"
    return not any(f"{ref}/".startswith(wanted) or wanted.startswith(f"{ref}/") for ref in taken)


def is_name(ref: str) -> bool:
    """Return whether git accepts this text as the full name of a ref."""
    return "/" in ref and _NO_REF.search(ref) is None


def give(base: Base, branch: str, commit: str, *, source: Path) -> None:
    """Create a branch in the user's repository, at a commit that is in another repository."""
    with in_repository(base.repository) as found:
        git = replace(without_hooks(found), settings=(*found.settings, _SYNCED))
        git.run(
            *("fetch", "--quiet", "--no-write-fetch-head", "--no-auto-maintenance"),
            *("--no-tags", "--no-prune", "--no-recurse-submodules", UPLOAD_PACK),
            *("--", str(source), commit),
            deadline_s=FETCH_S,
        )
        # Not by the fetch: that would move a branch that somebody made in the meantime.
        nothing = "0" * len(commit)
        git.run("update-ref", "-m", "react-agent", f"refs/heads/{branch}", commit, nothing)


def configured_hooks(git: Git) -> list[str]:
    """Return the hooks in a repository's settings, such as `hook.NAME`. Since 2.54, git runs them.

    They run whatever `core.hooksPath` says.
    """
    listed = git.ask("config", "-z", "--name-only", "--get-regexp", r"^hook\..*\.").out
    return list(dict.fromkeys(key.rpartition(".")[0] for key in names(listed)))


def without_hooks(git: Git) -> Git:
    """Return a Git object that does not run the hooks in the repository's settings."""
    hooks = configured_hooks(git)
    off = {"GIT_CONFIG_COUNT": str(len(hooks))}  # not -c: a name may contain `=`
    for at, hook in enumerate(hooks):
        off |= {f"GIT_CONFIG_KEY_{at}": f"{hook}.enabled", f"GIT_CONFIG_VALUE_{at}": "false"}
    return git.having(**off)


@contextlib.contextmanager
def in_repository(top: Path) -> Iterator[Git]:
    """Yield a Git object for a repository that is not ours. It ignores parent folders."""
    with trusting(*places(top)) as config:
        yield Git(top, config).having(GIT_CEILING_DIRECTORIES=str(top.parent))


def places(top: Path) -> tuple[Path, ...]:
    """Return the paths that git may use for a repository when it checks whether to trust it."""
    return (top, top / ".git", _git_dir(top))


def _git_dir(top: Path) -> Path:
    git_dir = top / ".git"
    if not git_dir.is_file():
        return git_dir if git_dir.exists() else top
    try:  # a linked worktree, a submodule
        named = os.fsdecode(disk.start_of(git_dir, _LONGEST)).removeprefix("gitdir:").strip()
        return (top / named).resolve()
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle
        raise WorkspaceError(f"{git_dir} names no repository") from None


def common_dir(place: Path) -> Path:
    """Return the git directory that all work trees share. Raises WorkspaceError."""
    with in_repository(place) as git:
        answer = git.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
    if answer.code:
        raise WorkspaceError(f"git can't read the repository {place}")
    return Path(os.fsdecode(answer.out).removesuffix("\n")).resolve()


def top_of(folder: Path) -> Path:
    """Return the top folder of the repository that contains this folder. Raises WorkspaceError."""
    found = enclosing(folder)
    if found is None:
        raise WorkspaceError(f"{folder} is not a git repository")
    return found


def enclosing(folder: Path) -> Path | None:
    """Return the top folder of the repository that contains this folder, or None."""
    try:
        place = folder.resolve(strict=True)
        if not place.is_dir():
            raise WorkspaceError(f"{folder} is not a folder")
        for candidate in (place, *place.parents):
            bare = (candidate / name for name in ("HEAD", "objects", "refs"))
            if (candidate / ".git").exists() or all(one.exists() for one in bare):
                return candidate
    except FileNotFoundError:
        raise WorkspaceError(f"there is no folder {folder}") from None
    except OSError as error:
        raise WorkspaceError(f"{folder} can't be read: {error.strerror}") from None
    except (RuntimeError, ValueError):  # links in a circle, a NUL
        raise WorkspaceError(f"there can't be a folder {str(folder)!r}") from None
    return None


def new_repository(git_dir: Path, branch: str = "main") -> Path:
    """Create an empty repository without git's templates."""
    for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        disk.mkdir(git_dir / folder, parents=True, exist_ok=True)
    is_bare = str(git_dir.name != ".git").lower()
    disk.write_text(git_dir / "config", _CONFIG.format(bare=is_bare))
    if (git_dir / "CONFIG").exists():  # a disk that tells no two names apart by case
        disk.append_text(git_dir / "config", _MACOS)
    disk.write_text(git_dir / "HEAD", f"ref: {_HEADS}{branch}\n")
    return git_dir


def set_branch(git_dir: Path, branch: str, commit: str) -> None:
    """Set a branch in one of our repositories so that it survives a power failure."""
    place = git_dir / _HEADS / branch
    disk.mkdir(place.parent, parents=True, exist_ok=True)
    write_over(place, f"{commit}\n".encode())


@contextlib.contextmanager
def borrowing(lender: Git, within: Path | None = None) -> Iterator[Git]:
    """Yield a temporary bare repository of ours that borrows the objects of another one.

    It reads only our configuration, and the other repository does not change. It is created in
    `within` if it may become large.
    """
    with writing(within or "a temporary folder"):
        if within:
            disk.mkdir(within, parents=True, exist_ok=True)
        place = disk.new_folder(".errand-", within).absolute()
    try:
        common = lender.line("rev-parse", "--git-common-dir")
        lend(lender.folder.absolute() / common, new_repository(place))
        yield Git(place)
    finally:
        remove_tree(place)


def lend(lender: Path, git_dir: Path) -> None:
    """Let a git directory borrow the objects and the shallow boundary of another one."""
    alternates = git_dir / "objects" / "info" / "alternates"
    disk.write_bytes(alternates, os.fsencode(lender / "objects") + b"\n")
    if (lender / "shallow").is_file():
        disk.copy(lender / "shallow", git_dir / "shallow")


def tell_what_is_there(lender: Git, git: Git) -> None:
    """Create refs to the commits of the lending repository, so that a fetch skips them."""
    newest = ("--sort=-committerdate", f"--count={MOST_REFS}", "--format=%(objectname)")
    listed = lender.ask("for-each-ref", *newest, *_REFS)
    head = lender.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    names = dict.fromkeys(f"{head.out.decode()}\n{listed.out.decode()}".split())
    lines = (f"create refs/theirs/{at} {name}\n" for at, name in enumerate(names))
    git.ask("update-ref", "--stdin", stdin="".join(lines).encode())  # else it brings all


def cut(repository: Path, commit: str, cuts: Path, source: Path | None = None) -> Path:
    """Return our bare copy (cut) for this commit. It is created if it does not exist.

    Several processes may create it. `source` is our own repository with a commit of a remote.
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
        sync_below(building)  # else a power failure could leave an empty cut
        disk.rename(building, place)
        sync(place.parent)
    except OSError as error:
        if not place.is_dir():  # else another process made it first
            raise MachineError(f"{place} can't be written: {error.strerror}") from None
    finally:
        remove_tree(building)
    return place


def base_of(repository: Path, commit: str, cuts: Path) -> Base:
    """Return the base of an earlier run, from our copy if the repository lost the commit."""
    try:
        return find_base(repository, commit)
    except WorkspaceError:
        top = top_of(repository)
        if not is_known(commit) or not (place := cuts / _name(top, commit)).is_dir():
            raise
    return replace(find_base(place, commit), repository=top, held_by=place)


def _name(repository: Path, commit: str) -> str:
    """Return the name of a cut: the commit, plus a hash of the boundary for a shallow clone."""
    git_dir = _git_dir(repository)
    common = git_dir / "commondir"  # of a linked worktree
    named = os.fsdecode(disk.start_of(common, _LONGEST)).strip() if common.is_file() else ""
    shallow = git_dir / named / "shallow"
    if not shallow.is_file():
        return f"{commit}.git"
    return f"{commit}-{hashlib.sha256(disk.read_bytes(shallow)).hexdigest()[:16]}.git"


def _milestone(repository: Path, commit: str) -> str:
    """Return the milestone whose packs this commit shares, or an empty string if there is none.

    Milestones are numbered by the count of commits from the first one. The previous milestone has
    the same number with its last binary 1 cleared, so that few are on the way to the first commit.
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
    """Fetch the missing commits. git refuses unless the branch is at an ancestor of this commit."""
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
