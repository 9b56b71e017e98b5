"""The little that only GraphQL tells, as the fake GitHub answers it."""

from typing import Any, Protocol

from fake_github_repo import FakeRepository
from loopback import Asked, Given


class Hub(Protocol):
    repositories: dict[str, FakeRepository]
    has_graph: bool

    def login(self, asked: Asked) -> str | None: ...


class Graph:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def answer(self, asked: Asked) -> Given:
        query, variables = asked.body["query"], asked.body["variables"]
        if "viewer" in query:
            return Given({"data": {"viewer": {"login": self._hub.login(asked)}}})
        if not self._hub.has_graph:
            return Given({"message": "Resource not accessible by integration"}, 403)
        if "reviewThreads" in query:
            return Given({"data": self._threads(variables)})
        is_draft = "convertPullRequestToDraft" in query
        name = "convertPullRequestToDraft" if is_draft else "markPullRequestReadyForReview"
        path, _, number = variables["input"]["pullRequestId"].partition("#")
        self._hub.repositories[path].pulls[int(number)]["draft"] = is_draft
        return Given({"data": {name: {"pullRequest": {"isDraft": is_draft}}}})

    def _threads(self, variables: dict[str, Any]) -> dict[str, Any]:
        repo = self._hub.repositories[f"{variables['owner']}/{variables['name']}"]
        firsts = [
            row for row in repo.on_lines.get(variables["number"], []) if not row["in_reply_to_id"]
        ]
        at = int(variables["after"] or 0)
        nodes = [
            {
                "isResolved": row["id"] in repo.resolved,
                "comments": {"nodes": [{"databaseId": row["id"]}]},
            }
            for row in firsts[at : at + 1]  # so that a second page is asked for
        ]
        more = {"hasNextPage": at + 1 < len(firsts), "endCursor": str(at + 1)}
        threads = {"pageInfo": more, "nodes": nodes}
        return {"repository": {"pullRequest": {"reviewThreads": threads}}}
