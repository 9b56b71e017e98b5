"""A forge with its repositories on one server: issues come from it, branches and requests go there.

with hosting("gitlab", tmp_path, source) as site:
    site.issue("It fails", "...")
    site.url, site.settings, site.environment
"""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fake_gitea
import fake_gitlab
from by_hand import plain_git, save
from fake_github import FakeGitHub
from git_server import Repositories, Served

GITHUB_TOKEN = "ghp_" + "0123456789" * 4
KINDS = ("github", "gitlab", "gitea")


@dataclass(frozen=True)
class Request:
    """What a test may look at of a pull request."""

    title: str
    body: str
    branch: str
    base: str
    is_draft: bool


@dataclass(frozen=True)
class Site(Served):
    kind: str
    fork_path: str
    fake: Any
    issue: Callable[[int, str, str], None]
    requests: Callable[[], list[Request]]
    comments: Callable[[int], list[str]]
    may_not_push: Callable[[], object]
    archive: Callable[[], object]
    api: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> str:
        api = f"api = {self.server.url}{self.api}\n"
        return (
            f"[react_agent:forge {self.server.host}]\nkind = {self.kind}\n{api}token = SITE_TOKEN\n"
        )

    def git(self, *args: str, path: str = "") -> str:
        return self.repositories.git(path or self.path, *args)

    def before(self, on: str, do: Callable[[], object], skip: int = 0) -> list[object]:
        """Do it before the first request that fits, or a later one; what it gave."""
        count, given = itertools.count(), list[object]()

        def first() -> None:
            if next(count) == skip:
                given.append(do())

        self.server.before(on, first)
        return given

    def has(self, branch: str, path: str = "") -> bool:
        return branch in _heads(self.repositories, path or self.path)

    def commit(self, branch: str, name: str, path: str = "") -> str:
        """Somebody adds a file to a branch, or to a new one; the commit."""
        served = self.repositories.place(path or self.path)
        begins = branch if self.has(branch, path) else "trunk"
        with TemporaryDirectory() as folder:
            place = Path(folder)
            plain_git(place, "clone", "--quiet", "--branch", begins, str(served), ".")
            commit = save(place, {name: f"{name}\n"})
            self.git("fetch", "--quiet", folder, f"HEAD:refs/heads/{branch}", path=path)
            return commit

    def head(self, branch: str, path: str = "") -> str:
        return self.git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", path=path)


@dataclass
class _Branches(dict[Any, Any]):
    """As git has them, by what the fake calls a repository."""

    repositories: Repositories
    path_of: Callable[[Any], str]

    def get(self, key: Any, default: Any = None) -> Any:
        return set(_heads(self.repositories, self.path_of(key)))

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """A fork, which git has already."""


def _heads(repositories: Repositories, path: str) -> dict[str, str]:
    listed = repositories.git(path, "for-each-ref", "--format=%(refname) %(objectname)")
    pairs = (line.split(" ") for line in listed.splitlines())
    return {name.removeprefix("refs/heads/"): commit for name, commit in pairs}


@contextlib.contextmanager
def hosting(kind: str, root: Path, source: Path) -> Iterator[Site]:
    """One repository with the branch `trunk`, and a fork that the token's owner may make of it."""
    site = {"github": _github, "gitlab": _gitlab, "gitea": _gitea}[kind](root)
    site.server.mount(site.repositories.routes)
    for path in (site.path, site.fork_path):
        site.repositories.add(path, source)
        site.git("branch", "--move", "main", "trunk", path=path)
    site.environment["SITE_TOKEN"] = site.token
    with site.server:
        yield site


def _served(root: Path, token: str) -> Repositories:
    return Repositories(root, writes=frozenset({token}), is_public=True)


def _github(root: Path) -> Site:
    fake, repositories = FakeGitHub({GITHUB_TOKEN: "me"}), _served(root, GITHUB_TOKEN)
    path, fork = "ann/stopwatch", "me/stopwatch"
    found = fake.add(path, writers={"me"}, default_branch="trunk")
    found.branches = lambda: _heads(repositories, path)
    fake.branches_of = lambda fork: lambda: _heads(repositories, fork)

    def issue(number: int, title: str, body: str) -> None:
        if number in found.issues:
            found.issues[number].update(title=title, body=body)
            return
        found.issues[number - 1] = {}
        assert found.issue(title, body) == number

    def requests() -> list[Request]:
        rows = [(found.issues[number], pull) for number, pull in found.pulls.items()]
        return [
            Request(row["title"], row["body"], pull["branch"], pull["base"], pull["draft"])
            for row, pull in rows
        ]

    return Site(
        *(fake.server, repositories, path, GITHUB_TOKEN, "github", fork, fake, issue, requests),
        comments=lambda number: [said["body"] for said in found.comments.get(number, [])],
        may_not_push=found.writers.clear,
        archive=lambda: setattr(found, "is_archived", True),
        api="/api/v3",
    )


def _gitlab(root: Path) -> Site:
    token, path, fork = fake_gitlab.TOKEN, "group/sub/tool", "bo/tool"
    fake, repositories = fake_gitlab.FakeGitLab(looks_before_ready=0), _served(root, token)
    fake.branches = _Branches(repositories, lambda number: path if number == 7 else fork)

    def requests() -> list[Request]:
        return [
            Request(
                *(row["title"].removeprefix("Draft: "), row["description"]),
                *(row["source_branch"], row["target_branch"], row["draft"]),
            )
            for row in fake.requests.values()
        ]

    return Site(
        *(fake.server(), repositories, path, token, "gitlab", fork, fake, fake.issue, requests),
        comments=lambda number: [said["body"] for said in fake.notes.get(("issues", number), [])],
        may_not_push=lambda: setattr(fake, "level", 20),
        archive=lambda: fake.projects[7].update(archived=True),
        api="/api/v4",
    )


def _gitea(root: Path) -> Site:
    token, path, fork = fake_gitea.TOKEN, "ana/tool", "bo/tool"
    fake, repositories = fake_gitea.FakeGitea(looks_before_ready=0), _served(root, token)
    fake.branches = _Branches(repositories, str)

    def requests() -> list[Request]:
        return [
            Request(
                *(row["title"].removeprefix("WIP: "), row["body"]),
                *(row["head"]["ref"], row["base"]["ref"], row["draft"]),
            )
            for row in fake.pulls.values()
        ]

    return Site(
        *(fake.server(), repositories, path, token, "gitea", fork, fake, fake.issue, requests),
        comments=lambda number: [said["body"] for said in fake.comments.get(number, [])],
        may_not_push=lambda: setattr(fake, "can_push", False),
        archive=lambda: setattr(fake, "is_archived", True),
        api="/api/v1",
    )
