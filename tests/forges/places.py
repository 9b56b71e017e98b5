"""The forges that tests ask, each with an issue 12: the same questions, the same answers."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import fake_gitea
import fake_gitlab
from fake_github import FakeGitHub
from loopback import Loopback

from react_agent.forges.account import Account
from react_agent.forges.contract import Forge, Wanted
from react_agent.forges.faults import Patience
from react_agent.forges.gitea import Gitea
from react_agent.forges.github import GitHub
from react_agent.forges.gitlab import GitLab

WANTED = Wanted("Mend it", "As said.", "fix", "trunk")
TOKENS = {"gitlab": fake_gitlab.TOKEN, "gitea": fake_gitea.TOKEN, "github": "ghp_s3cret"}


@dataclass(frozen=True)
class Place:
    """A forge of one kind, with an issue 12."""

    name: str
    token: str
    path: str
    fake: Callable[[], Any]
    make: Callable[[Account, str, Patience], Forge]
    issue: str  # how it is asked for
    opened: str  # and a pull request opened
    api: str = ""

    def forge(self, server: Loopback, token: str | None = None, **patience: Any) -> Forge:
        token = self.token if token is None else token
        api = f"{server.url}{self.api}"
        account = Account(server.host, api, token, "THE_TOKEN", self.name, "all of it")
        quick = {"answer": 5.0, "sleep": lambda seconds: None, **patience}
        return self.make(account, self.path, Patience(**quick))


class AtGitHub(FakeGitHub):
    """With the repository there, as the others have it."""

    def __init__(self) -> None:
        super().__init__({TOKENS["github"]: "bo"})
        branches = {"trunk": "0" * 40, "fix": "1" * 40}
        self.repo = self.add("org/tool", default_branch="trunk", branches=lambda: branches)
        self.issues = self.repo.issues
        self.repo.issue("the one before", "")
        self.issues[11] = self.issues.pop(1)
        self.repo.issue("It breaks", "")


PLACES = {
    "gitlab": Place(
        "GitLab",
        TOKENS["gitlab"],
        "group/sub/tool",
        fake_gitlab.FakeGitLab,
        GitLab,
        "GET /projects/7/issues/12",
        "POST /projects/7/merge_requests",
    ),
    "gitea": Place(
        "Gitea",
        TOKENS["gitea"],
        fake_gitea.PATH,
        fake_gitea.FakeGitea,
        Gitea,
        "GET /repos/ana/tool/issues/12",
        "POST /repos/ana/tool/pulls",
    ),
    "github": Place(
        "GitHub",
        TOKENS["github"],
        "org/tool",
        AtGitHub,
        GitHub,
        "GET /v3/repos/org/tool/issues/12",
        "POST /v3/repos/org/tool/pulls",
        "/api/v3",
    ),
}


@contextlib.contextmanager
def served(place: Place) -> Iterator[tuple[Any, Loopback]]:
    """The fake and its server."""
    fake = place.fake()
    if not isinstance(fake, FakeGitHub):
        fake.issues[12] = {"title": "It breaks"}
    with fake.server if isinstance(fake, FakeGitHub) else fake.server() as server:
        yield fake, server
