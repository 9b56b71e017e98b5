"""The repository that a row names: a folder, a folder below --repositories, or a mirror of ours.

repo = path | URL | OWNER "/" NAME
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.parsers.forge.remote import Remote, read_remote_url
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.disk import locked
from react_agent.tools.git.access import Access, fault
from react_agent.tools.git.door import Git
from react_agent.tools.git.objects import is_known
from react_agent.tools.git.remote import asked
from react_agent.tools.git.repository import FETCH_S, new_repository, top_of

_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?")
_SCHEMES = ("https", "ssh", "file")
_FORGE = "https://github.com/{name}.git"  # the address of a repository named OWNER/NAME
_ALL = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_HOW = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--keep")
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Mirrors:
    ours: Path  # the folder of our own mirrors
    given: Path | None = None  # --repositories: OWNER/NAME, OWNER__NAME or NAME
    environment: Mapping[str, str] | None = None  # of the commands that access a remote

    def repository(self, named: str, commits: Sequence[str]) -> Path:
        """Return a repository that has these commits, if possible. Raises ReactAgentError."""
        shown = clip_line(escape(one_line(named)), _SHOWN)
        if Path(named).is_absolute():
            return top_of(Path(named))
        if "://" not in named and _NAME.fullmatch(named):
            return self._by_name(named, shown, commits)
        remote = read_remote_url(named)
        is_address = (
            remote and remote.scheme in _SCHEMES and ("://" in named or not remote.is_local)
        )
        if remote is None or not is_address:
            raise UsageError(
                f"there is no repository {shown}: "
                "name it by a path from the root, OWNER/NAME, or a URL of https, ssh or file"
            )
        return self._mirror(remote, commits)

    def _by_name(self, named: str, shown: str, commits: Sequence[str]) -> Path:
        if self.given:
            last = named.rpartition("/")[2]
            for name in dict.fromkeys((named, named.replace("/", "__"), last)):
                for place in (self.given / name, self.given / f"{name}.git"):
                    if place.is_dir():
                        return top_of(place)
        remote = read_remote_url(_FORGE.format(name=named))
        if self.given or "/" not in named or remote is None:
            where = f"in {self.given}" if self.given else "without a folder of repositories"
            raise UsageError(f"there is no repository {shown} {where}")
        return self._mirror(remote, commits)

    def _mirror(self, remote: Remote, commits: Sequence[str]) -> Path:
        """Return the mirror of a remote. It is fetched only if a commit is missing."""
        key = hashlib.sha256(remote.url.encode(errors="surrogateescape")).hexdigest()[:16]
        last = Path(remote.path).name.removesuffix(".git")  # the name that links in an issue use
        place = self.ours / key / (last if _NAME.fullmatch(last) else "repository")
        if not _missing(place, commits):
            return place
        access = Access(remote, environment=self.environment or {})
        try:
            disk.mkdir(place.parent, parents=True, exist_ok=True)
            with locked(place.parent / "lock"):
                if wanted := _missing(place, commits):
                    _fetch(place, access, wanted)
        except OSError as error:
            raise MachineError(f"{place} can't be written: {error.strerror}") from None
        return place


def _missing(place: Path, commits: Sequence[str]) -> list[str]:
    if not (place / "HEAD").is_file():
        return list(commits)
    how = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    return [commit for commit in commits if Git(place).ask(*how, f"{commit}^{{commit}}").code]


def _fetch(place: Path, access: Access, wanted: Sequence[str]) -> None:
    """Fetch branches and tags, and then by id the wanted commits that are still missing."""
    if not (place / "HEAD").is_file():
        new_repository(place)
    for lock in (*list(place.glob("*.lock")), *list(place.glob("refs/**/*.lock"))):
        disk.unlink(lock)  # left by a killed process
    answer = asked(Git(place), access, FETCH_S, "fetch", options=_HOW, refs=_ALL)
    if answer.code:
        raise fault(answer, access, "read")
    for commit in _missing(place, wanted):
        if is_known(commit):
            refs = (f"+{commit}:refs/wanted/{commit}",)
            asked(Git(place), access, FETCH_S, "fetch", options=_HOW, refs=refs)
