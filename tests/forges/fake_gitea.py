"""As much of Gitea as a client of one repository and its fork can tell from Gitea."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from loopback import Asked, Given, Loopback, paged

TOKEN = "0123456789abcdef0123456789abcdef01234567"
MISSING = Given({"message": "The target couldn't be found.", "errors": []}, 404)
PATH = "ana/tool"
Row = dict[str, Any]


@dataclass
class FakeGitea:
    """`bo` has the token; the repository is `ana/tool`."""

    me: str = "bo"
    can_push: bool = True
    is_archived: bool = False
    writers: list[str] = field(default_factory=lambda: ["ana", "bo"])
    branches: dict[str, set[str]] = field(default_factory=lambda: {PATH: {"trunk", "fix"}})
    issues: dict[int, Row] = field(default_factory=dict)
    pulls: dict[int, Row] = field(default_factory=dict)
    comments: dict[int, list[Row]] = field(default_factory=dict)
    reviews: dict[int, list[Row]] = field(default_factory=dict)
    remarks: dict[int, list[Row]] = field(default_factory=dict)  # on code, by review
    looks_before_ready: int = 1
    moved: dict[str, str] = field(default_factory=dict)  # old paths
    default_branch: str = "trunk"
    at: Callable[[int], str] = lambda number: "2026-11-02T10:00:00Z"  # by what is said

    def __post_init__(self) -> None:
        self.parents: dict[str, str | None] = {PATH: None}
        self.looks: dict[str, int] = {}
        self.ids = itertools.count(101)

    def comment(self, of: int, author: str, body: str) -> Row:
        number = next(self.ids)
        made = {
            "id": number,
            "body": body,
            "user": {"login": author},
            "created_at": self.at(number),
            "html_url": f"{self.url}/{PATH}/issues/{of}#issuecomment-{number}",
        }
        self.comments.setdefault(of, []).append(made)
        return made

    def issue(self, of: int, title: str, body: str, author: str = "ana", **more: Any) -> None:
        self.issues[of] = {
            "title": title,
            "body": body,
            "state": "open",
            "user": {"login": author},
            "labels": [],
            "comments": 0,
            "html_url": f"{self.url}/{PATH}/issues/{of}",
            **more,
        }

    def pull(self, author: str, source: str, branch: str, body: Row) -> Row:
        """Opens one."""
        number = len(self.pulls) + 21
        self.pulls[number] = {
            "number": number,
            "html_url": f"{self.url}/{PATH}/pulls/{number}",
            "title": body["title"],
            "body": body["body"],
            "state": "open",
            "merged": False,
            "draft": body["title"].startswith("WIP:"),
            "user": {"login": author},
            "head": {
                "ref": branch,
                "repo": {"full_name": source, "clone_url": f"{self.url}/{source}.git"},
            },
            "base": {"ref": body["base"]},
        }
        return self.pulls[number]

    def server(self) -> Loopback:
        server = Loopback(self._routes(), "/api/v1", self._guard)
        self.url = server.url
        return server

    def _routes(self) -> dict[str, Any]:
        one = "/repos/{owner}/{name}"
        at = f"{one}/pulls/{{of}}"
        return {
            "GET /user": lambda asked: Given({"id": 2, "login": self.me}),
            f"GET {one}": self._repository,
            f"GET {one}/assignees": lambda asked, owner, name: Given(
                [{"login": writer} for writer in self.writers]
            ),
            f"GET {one}/branches/{{branch*}}": self._branch,
            f"GET {one}/forks": self._forks,
            f"POST {one}/forks": self._fork,
            f"GET {one}/issues/{{of}}": self._issue,
            f"GET {one}/issues/{{of}}/comments": self._comments,
            f"POST {one}/issues/{{of}}/comments": self._say,
            f"GET {one}/pulls": self._pulls,
            f"POST {one}/pulls": self._open,
            f"GET {at}": self._pull,
            f"PATCH {at}": self._change,
            f"GET {at}/reviews": lambda asked, owner, name, of: paged(
                asked, self.reviews.get(int(of), [])
            ),
            f"GET {at}/reviews/{{review}}/comments": lambda asked, owner, name, of, review: Given(
                self.remarks.get(int(review), [])
            ),
        }

    def _guard(self, asked: Asked) -> Given | None:
        said = asked.headers.get("authorization", "")
        if said == f"token {TOKEN}" or (not said and asked.method == "GET"):
            return self._moved(asked)
        return Given({"message": "invalid username, password or token"}, 401)

    def _moved(self, asked: Asked) -> Given | None:
        for old, new in self.moved.items():
            if asked.path.startswith(f"/repos/{old}"):
                path = asked.path.replace(old, new, 1)
                return Given(b"", 301, {"Location": f"{asked.address}{path}"})
        return None

    def _repository(self, asked: Asked, owner: str, name: str) -> Given:
        path = f"{owner}/{name}"
        return Given(self._shown(path, asked)) if path in self.parents else MISSING

    def _shown(self, path: str, asked: Asked) -> Row:
        looks = self.looks.get(path, 0)
        self.looks[path] = max(0, looks - 1)
        parent = self.parents[path]
        mine = path.startswith(f"{self.me}/")
        return {
            "id": 1 + list(self.parents).index(path),
            "owner": {"login": path.partition("/")[0]},
            "full_name": path,
            "clone_url": f"{self.url}/{path}.git",
            "html_url": f"{self.url}/{path}",
            "default_branch": self.default_branch,
            "empty": looks > 0,
            "archived": self.is_archived,
            "parent": {"full_name": parent} if parent else None,
            "permissions": {"push": mine or (self.can_push and "authorization" in asked.headers)},
        }

    def _branch(self, asked: Asked, owner: str, name: str, branch: str) -> Given:
        there = self.branches.get(f"{owner}/{name}", set())
        return Given({"name": branch}) if branch in there else MISSING

    def _forks(self, asked: Asked, owner: str, name: str) -> Given:
        forks = [path for path, parent in self.parents.items() if parent == f"{owner}/{name}"]
        return paged(asked, [self._shown(path, asked) for path in forks])

    def _fork(self, asked: Asked, owner: str, name: str) -> Given:
        path = f"{self.me}/{name}"
        if path in self.parents:
            return Given({"message": "repository is already forked by user"}, 409)
        self.parents[path] = f"{owner}/{name}"
        self.branches[path] = set(self.branches[f"{owner}/{name}"])
        self.looks[path] = self.looks_before_ready + 1
        return Given(self._shown(path, asked), 202)

    def _issue(self, asked: Asked, owner: str, name: str, of: str) -> Given:
        found = self.issues.get(int(of))
        return Given({"number": int(of), **found}) if found else MISSING

    def _comments(self, asked: Asked, owner: str, name: str, of: str) -> Given:
        """All of them on each page."""
        said = self.comments.get(int(of), [])
        return Given(said, headers={"X-Total-Count": str(len(said))})

    def _say(self, asked: Asked, owner: str, name: str, of: str) -> Given:
        return Given(self.comment(int(of), self.me, asked.body["body"]), 201)

    def _pulls(self, asked: Asked, owner: str, name: str) -> Given:
        state = asked.query.get("state", "open")
        return paged(asked, [row for row in self.pulls.values() if row["state"] == state])

    def _open(self, asked: Asked, owner: str, name: str) -> Given:
        body = asked.body
        path = f"{owner}/{name}"
        whose, colon, branch = body["head"].rpartition(":")
        source = path if not colon else whose if "/" in whose else f"{whose}/{name}"
        if branch not in self.branches.get(source, ()) or body["base"] not in self.branches[path]:
            return MISSING
        ends = (branch, source, body["base"])
        for row in self.pulls.values():
            there = (row["head"]["ref"], row["head"]["repo"]["full_name"], row["base"]["ref"])
            if (row["state"], *there) == ("open", *ends):
                said = f"pull request already exists for these targets [id: {row['number']}]"
                return Given({"message": said}, 409)
        return Given(self.pull(self.me, source, branch, body), 201)

    def _pull(self, asked: Asked, owner: str, name: str, of: str) -> Given:
        found = self.pulls.get(int(of))
        return Given(found) if found else MISSING

    def _change(self, asked: Asked, owner: str, name: str, of: str) -> Given:
        found = self.pulls.get(int(of))
        if found is None:
            return MISSING
        body = asked.body
        if body["base"] not in self.branches[f"{owner}/{name}"]:
            return MISSING
        found.update(title=body["title"], body=body["body"], base={"ref": body["base"]})
        found["draft"] = body["title"].startswith("WIP:")
        return Given(found, 201)
