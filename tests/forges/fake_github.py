"""GitHub as an enterprise has it: repositories, issues and pull requests in memory, over REST.

with FakeGitHub({"a-token": "me"}) as fake:
    number = fake.add("org/project").issue("It fails", "...")
    github.Github(base_url=fake.api, auth=...)
"""

from collections.abc import Callable, Mapping
from typing import Any, Self

from fake_github_graph import Graph
from fake_github_pulls import Pulls
from fake_github_repo import Branches, FakeRepository, person
from loopback import Asked, Given, Handler, Loopback, paged

REPOSITORY = "/v3/repos/{owner}/{name}"
NOT_FOUND = Given({"message": "Not Found"}, 404)


class FakeGitHub:
    """`server` takes faults and remembers requests, all of them below `/v3` but `/graphql`."""

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self.logins = dict(tokens)
        self.repositories: dict[str, FakeRepository] = {}
        self.apps: set[str] = set()  # logins that may not ask who they are over REST
        self.has_graph = True
        self.branches_of: Callable[[str], Branches] | None = None  # a fork, if not its parent's
        self.server = Loopback(self._routes(), "/api", self._refused)
        self.url = self.server.url
        self.host = self.server.host
        self.api = f"{self.url}/api/v3"

    def __enter__(self) -> Self:
        self.server.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        self.server.__exit__(*failure)

    def add(self, path: str, **facts: Any) -> FakeRepository:
        number = len(self.repositories) + 1
        url = f"{self.url}/{path}.git"
        made = FakeRepository(path, number, self.api, self.url, url)
        for name, fact in facts.items():
            setattr(made, name, fact)
        self.repositories[path] = made
        return made

    def login(self, asked: Asked) -> str | None:
        _, _, token = asked.headers.get("authorization", "").partition(" ")
        return self.logins.get(token)

    def _refused(self, asked: Asked) -> Given | None:
        if self.login(asked) is None and "authorization" in asked.headers:
            return Given({"message": "Bad credentials"}, 401)
        if self.login(asked) is None and asked.method != "GET":
            return Given({"message": "Requires authentication"}, 401)
        return None

    def _routes(self) -> dict[str, Handler]:
        pulls, graph = Pulls(self), Graph(self)
        on = self._in_repository
        return {
            "GET /v3/user": self._user,
            "GET /v3/meta": lambda asked: Given({"installed_version": "3.14.0"}),
            "POST /graphql": graph.answer,
            f"GET {REPOSITORY}": on(self._shown),
            "GET /v3/repositories/{id}": self._by_id,
            f"GET {REPOSITORY}/branches/{{branch*}}": on(_branch),
            f"POST {REPOSITORY}/forks": on(self._fork),
            f"GET {REPOSITORY}/collaborators/{{login}}/permission": on(_permission),
            f"GET {REPOSITORY}/issues/{{number}}": on(_issue),
            f"GET {REPOSITORY}/issues/{{number}}/comments": on(_comments),
            f"POST {REPOSITORY}/issues/{{number}}/comments": on(self._comment),
            **{f"{verb} {REPOSITORY}{rest}": on(do) for (verb, rest), do in pulls.routes().items()},
        }

    def _in_repository(self, handler: Handler) -> Handler:
        def handle(asked: Asked, owner: str, name: str, **parts: str) -> Given:
            found = self.repositories.get(f"{owner}/{name}")
            if found is None:
                return NOT_FOUND
            if found.moved_to:
                address = f"{self.api}/repositories/{self.repositories[found.moved_to].id}"
                said = {"message": "Moved Permanently", "url": address}
                return Given(said, 301, {"Location": address})
            return handler(asked, found, **parts)

        return handle

    def _user(self, asked: Asked) -> Given:
        login = self.login(asked)
        if login is None:
            return Given({"message": "Requires authentication"}, 401)
        if login in self.apps:
            return Given({"message": "Resource not accessible by integration"}, 403)
        return Given({**person(login), "url": f"{self.api}/users/{login}"})

    def _shown(self, asked: Asked, found: FakeRepository) -> Given:
        row = found.row(self.login(asked))
        if found.parent:
            row["parent"] = self.repositories[found.parent].row(None)
        return Given(row)

    def _by_id(self, asked: Asked, id: str) -> Given:
        found = next(one for one in self.repositories.values() if one.id == int(id))
        return self._shown(asked, found)

    def _fork(self, asked: Asked, found: FakeRepository) -> Given:
        if not found.allows_forks:
            return Given({"message": "The repository owner has disabled forking."}, 403)
        path = f"{self.login(asked)}/{found.path.partition('/')[2]}"
        if path in self.repositories and self.repositories[path].parent != found.path:
            path += "-1"
        if path not in self.repositories:
            branches = self.branches_of(path) if self.branches_of else found.branches
            facts = {"branches": branches, "default_branch": found.default_branch}
            self.add(path, parent=found.path, **facts)
        return Given(self.repositories[path].row(self.login(asked)), 202)

    def _comment(self, asked: Asked, found: FakeRepository, number: str) -> Given:
        return Given(found.comment(int(number), str(self.login(asked)), asked.body["body"]), 201)


def _branch(asked: Asked, found: FakeRepository, branch: str) -> Given:
    commit = found.branches().get(branch)
    if commit is None:
        return Given({"message": "Branch not found"}, 404)
    return Given(
        {"name": branch, "commit": {"sha": commit, "url": f"{found.url}/commits/{commit}"}}
    )


def _permission(asked: Asked, found: FakeRepository, login: str) -> Given:
    """Whoever is nobody's account may read what is public, and an app is no user at all."""
    if login.endswith("[bot]"):
        return Given({"message": f"{login} is not a user"}, 404)
    right = "admin" if login == found.owner else "write" if login in found.writers else "read"
    return Given({"permission": right, "role_name": right, "user": person(login)})


def _issue(asked: Asked, found: FakeRepository, number: str) -> Given:
    if int(number) in found.deleted:
        return Given({"message": "This issue was deleted"}, 410)
    row = found.issues.get(int(number))
    return Given(row) if row else NOT_FOUND


def _comments(asked: Asked, found: FakeRepository, number: str) -> Given:
    return paged(asked, found.comments.get(int(number), []))
