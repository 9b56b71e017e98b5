"""Pull requests of the fake GitHub, and what is said about them."""

from collections.abc import Mapping
from typing import Any, Protocol

from fake_github_repo import FakeRepository, Row, person
from loopback import Asked, Given, Handler, paged


class Hub(Protocol):
    repositories: dict[str, FakeRepository]

    def login(self, asked: Asked) -> str | None: ...


class Pulls:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def routes(self) -> Mapping[tuple[str, str], Handler]:
        one = "/pulls/{number}"
        return {
            ("GET", "/pulls"): self._list,
            ("POST", "/pulls"): self._open,
            ("GET", one): self._shown,
            ("PATCH", one): self._edit,
            ("GET", f"{one}/comments"): self._on_lines,
            ("GET", f"{one}/reviews"): self._reviews,
            ("POST", f"{one}/comments/{{id}}/replies"): self._reply,
        }

    def row(self, repo: FakeRepository, number: int) -> Row:
        pull = repo.pulls[number]
        issue = repo.issues[number]
        head = self._hub.repositories.get(pull["source"])
        return {
            **issue,
            "node_id": f"{repo.path}#{number}",
            "url": f"{repo.url}/pulls/{number}",
            "issue_url": f"{repo.url}/issues/{number}",
            "html_url": f"{repo.web}/{repo.path}/pull/{number}",
            "draft": pull["draft"],
            "merged_at": pull["merged_at"],
            "head": {"ref": pull["branch"], "repo": head.row(None) if head else None},
            "base": {"ref": pull["base"], "repo": repo.row(None)},
        }

    def _list(self, asked: Asked, repo: FakeRepository) -> Given:
        rows = [self.row(repo, number) for number in repo.pulls]
        owner, _, branch = asked.query.get("head", "").partition(":")
        wanted = [row for row in rows if row["state"] == asked.query.get("state", "open")]
        if owner:
            wanted = [row for row in wanted if _is_from(row, owner, branch)]
        return paged(asked, wanted)

    def _open(self, asked: Asked, repo: FakeRepository) -> Given:
        body = asked.body
        owner, _, branch = body["head"].rpartition(":")
        source = self._source(repo, owner)
        refused = self._refused(repo, body, source, branch)
        if refused:
            return refused
        number = repo.issue(body["title"], body["body"], str(self._hub.login(asked)))
        repo.pulls[number] = {
            "source": source.path if source else "",
            "branch": branch,
            "base": body["base"],
            "draft": body["draft"],
            "merged_at": None,
        }
        return Given(self.row(repo, number), 201)

    def _source(self, repo: FakeRepository, owner: str) -> FakeRepository | None:
        if owner in ("", repo.owner):
            return repo
        others = self._hub.repositories.values()
        return next((it for it in others if (it.owner, it.parent) == (owner, repo.path)), None)

    def _refused(
        self, repo: FakeRepository, body: Row, source: FakeRepository | None, branch: str
    ) -> Given | None:
        if body["draft"] and not repo.allows_drafts:
            message = "Draft pull requests are not supported in this repository."
            return Given({"message": message}, 422)
        if body["base"] not in repo.branches():
            return _invalid({"field": "base", "code": "invalid"})
        if source is None or branch not in source.branches():
            return _invalid({"field": "head", "code": "invalid"})
        if source.branches()[branch] == repo.branches()[body["base"]]:
            return _invalid({"message": f"No commits between {body['base']} and {branch}"})
        for number, pull in repo.pulls.items():
            if repo.issues[number]["state"] == "open" and (
                (pull["source"], pull["branch"], pull["base"])
                == (source.path, branch, body["base"])
            ):
                return _invalid({"message": f"A pull request already exists for {body['head']}."})
        return None

    def _shown(self, asked: Asked, repo: FakeRepository, number: str) -> Given:
        if int(number) not in repo.pulls:
            return Given({"message": "Not Found"}, 404)
        return Given(self.row(repo, int(number)))

    def _edit(self, asked: Asked, repo: FakeRepository, number: str) -> Given:
        issue, pull = repo.issues[int(number)], repo.pulls[int(number)]
        issue.update({name: asked.body[name] for name in ("title", "body") if name in asked.body})
        if asked.body.get("base", pull["base"]) not in repo.branches():
            return _invalid({"field": "base", "code": "invalid"})
        pull["base"] = asked.body.get("base", pull["base"])
        return Given(self.row(repo, int(number)))

    def _on_lines(self, asked: Asked, repo: FakeRepository, number: str) -> Given:
        rows = repo.on_lines.get(int(number), [])
        return paged(asked, rows[::-1] if asked.query.get("direction") == "desc" else rows)

    def _reviews(self, asked: Asked, repo: FakeRepository, number: str) -> Given:
        return paged(asked, repo.reviews.get(int(number), []))

    def _reply(self, asked: Asked, repo: FakeRepository, number: str, id: str) -> Given:
        rows = repo.on_lines.get(int(number), [])
        if not any(row["id"] == int(id) for row in rows):
            return Given({"message": "Not Found"}, 404)
        login = str(self._hub.login(asked))
        said = repo.on_line(int(number), login, asked.body["body"], in_reply_to_id=int(id))
        return Given(said, 201)


def _is_from(row: Row, owner: str, branch: str) -> bool:
    repo: Any = row["head"]["repo"]
    return bool(repo) and repo["owner"] == person(owner) and row["head"]["ref"] == branch


def _invalid(problem: Row) -> Given:
    problem = {"resource": "PullRequest", "code": "custom", **problem}
    return Given({"message": "Validation Failed", "errors": [problem]}, 422)
