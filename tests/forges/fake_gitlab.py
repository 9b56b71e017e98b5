"""As much of GitLab as a client of one project and its fork can tell from GitLab."""

import itertools
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from loopback import Asked, Given, Loopback, paged

TOKEN = "glpat-0123456789abcdef"
MISSING = Given({"message": "404 Not found"}, 404)
Row = dict[str, Any]


@dataclass
class FakeGitLab:
    """`bo` has the token; the project is `group/sub/tool`, of `ana`, and has the number 7."""

    me: str = "bo"
    level: int = 30
    users: list[str] = field(default_factory=lambda: ["ana", "bo", "cy", "project_7_bot_a1"])
    levels: dict[str, int] = field(default_factory=lambda: {"ana": 50, "bo": 30, "cy": 20})
    branches: dict[int, set[str]] = field(default_factory=lambda: {7: {"trunk", "fix"}})
    issues: dict[int, Row] = field(default_factory=dict)
    requests: dict[int, Row] = field(default_factory=dict)
    notes: dict[tuple[str, int], list[Row]] = field(default_factory=dict)
    discussions: dict[int, list[Row]] = field(default_factory=dict)
    looks_before_ready: int = 1
    moved: dict[str, int] = field(default_factory=dict)  # old paths
    ids: Any = field(default_factory=lambda: itertools.count(101))

    def __post_init__(self) -> None:
        self.projects: dict[int, Row] = {7: {"path_with_namespace": "group/sub/tool"}}

    def user(self, name: str) -> Row:
        return {"id": self.users.index(name) + 1, "username": name, "name": name.title()}

    def note(self, kind: str, of: int, author: str, body: str, **more: Any) -> Row:
        made = {
            "id": next(self.ids),
            "body": body,
            "author": self.user(author),
            "created_at": "2026-11-02T10:00:00.000Z",
            "system": False,
            "internal": False,
            "resolvable": False,
            **more,
        }
        self.notes.setdefault((kind, of), []).append(made)
        return made

    def issue(self, of: int, title: str, body: str, author: str = "ana", **more: Any) -> None:
        self.issues[of] = {
            "title": title,
            "description": body,
            "state": "opened",
            "author": self.user(author),
            "labels": [],
            "user_notes_count": 0,
            "web_url": f"{self._web}/issues/{of}",
            **more,
        }

    def request(self, author: str, source: int, body: Row, iid: int = 0) -> Row:
        """Opens one."""
        iid = iid or len(self.requests) + 1
        self.requests[iid] = {
            "iid": iid,
            "web_url": f"{self._web}/merge_requests/{iid}",
            "state": "opened",
            "author": self.user(author),
            "source_project_id": source,
            "labels": [],
            **{name: body[name] for name in ("title", "description", "source_branch")},
            "target_branch": body["target_branch"],
            "draft": body["title"].startswith("Draft: "),
        }
        return self.requests[iid]

    @property
    def _web(self) -> str:
        return f"{self.url}/{self.projects[7]['path_with_namespace']}/-"

    def server(self) -> Loopback:
        server = Loopback(self._routes(), "/api/v4", self._guard)
        self.url = server.url
        return server

    def _routes(self) -> dict[str, Any]:
        one = "/projects/{project}"
        return {
            "GET /user": lambda asked: Given(self.user(self.me)),
            f"GET {one}": self._project,
            f"GET {one}/members/all": self._members,
            f"GET {one}/forks": self._forks,
            f"POST {one}/fork": self._fork,
            f"GET {one}/issues/{{of}}": self._issue,
            f"GET {one}/merge_requests": self._requests,
            f"POST {one}/merge_requests": self._open,
            f"GET {one}/merge_requests/{{of}}": self._request,
            f"PUT {one}/merge_requests/{{of}}": self._change,
            f"GET {one}/{{kind}}/{{of}}/notes": self._notes,
            f"POST {one}/{{kind}}/{{of}}/notes": self._say,
            f"GET {one}/merge_requests/{{of}}/discussions": lambda asked, project, of: paged(
                asked, self.discussions.get(int(of), [])
            ),
            f"POST {one}/merge_requests/{{of}}/discussions/{{key}}/notes": self._reply,
        }

    def _guard(self, asked: Asked) -> Given | None:
        said = asked.headers.get("authorization", "")
        if said == f"Bearer {TOKEN}" or (not said and asked.method == "GET"):
            return None
        return Given({"message": "401 Unauthorized"}, 401)

    def _project(self, asked: Asked, project: str) -> Given:
        if project in self.moved:
            url = f"{asked.address}/projects/{self.moved[project]}"
            return Given({"message": "moved"}, 301, {"Location": url})
        for number, row in self.projects.items():
            if project in (str(number), row["path_with_namespace"]):
                return Given(self._shown(number, asked))
        return MISSING

    def _shown(self, number: int, asked: Asked) -> Row:
        row = self.projects[number]
        path = row["path_with_namespace"]
        root = asked.address.removesuffix("/api/v4")
        if row.get("looks"):
            row["looks"] -= 1
        level = 50 if path.startswith(f"{self.me}/") else self.level
        return {
            "id": number,
            "path_with_namespace": path,
            "http_url_to_repo": f"{root}/{path}.git",
            "web_url": f"{root}/{path}",
            "default_branch": "trunk",
            "empty_repo": False,
            "archived": row.get("archived", False),
            "namespace": {"full_path": path.rpartition("/")[0]},
            "import_status": row.get("status") or ("started" if row.get("looks") else "finished"),
            "import_error": row.get("error"),
            "permissions": {"project_access": {"access_level": level}, "group_access": None},
        }

    def _members(self, asked: Asked, project: str) -> Given:
        people = [self.user(name) | {"access_level": at} for name, at in self.levels.items()]
        return paged(asked, people)

    def _forks(self, asked: Asked, project: str) -> Given:
        return paged(asked, [self._shown(at, asked) for at in self.projects if at != 7])

    def _fork(self, asked: Asked, project: str) -> Given:
        path = f"{self.me}/tool"
        if any(row["path_with_namespace"] == path for row in self.projects.values()):
            return Given({"message": ["Path has already been taken"]}, 409)
        number = next(self.ids)
        looks = self.looks_before_ready + 1
        self.projects[number] = {"path_with_namespace": path, "looks": looks}
        self.branches[number] = set(self.branches[7])
        return Given(self._shown(number, asked), 201)

    def _issue(self, asked: Asked, project: str, of: str) -> Given:
        found = self.issues.get(int(of))
        return Given({"iid": int(of), **found}) if found else MISSING

    def _requests(self, asked: Asked, project: str) -> Given:
        wanted = {"state": asked.query.get("state"), "source_branch": asked.query["source_branch"]}
        return paged(
            asked,
            [row for row in self.requests.values() if all(row[k] == v for k, v in wanted.items())],
        )

    def _open(self, asked: Asked, project: str) -> Given:
        body = asked.body
        target = int(body.get("target_project_id", project))
        there = self.branches[int(project)], self.branches[target]
        if body["source_branch"] not in there[0] or body["target_branch"] not in there[1]:
            return Given({"message": {"validate_branches": ["no such branch"]}}, 422)
        same = [
            row
            for row in self.requests.values()
            if (row["source_branch"], row["target_branch"], row["state"])
            == (body["source_branch"], body["target_branch"], "opened")
            and row["source_project_id"] == int(project)
        ]
        if same:
            said = "Another open merge request already exists for this source branch"
            return Given({"message": [f"{said}: !{same[0]['iid']}"]}, 409)
        return Given(self.request(self.me, int(project), body), 201)

    def _request(self, asked: Asked, project: str, of: str) -> Given:
        found = self.requests.get(int(of))
        return Given(found) if found else MISSING

    def _change(self, asked: Asked, project: str, of: str) -> Given:
        found = self.requests.get(int(of))
        if found is None:
            return MISSING
        body = asked.body
        found.update(body, draft=body.get("title", found["title"]).startswith("Draft: "))
        return Given(found)

    def _notes(self, asked: Asked, project: str, kind: str, of: str) -> Given:
        return paged(asked, self.notes.get((kind, int(of)), []))

    def _say(self, asked: Asked, project: str, kind: str, of: str) -> Given:
        return Given(self.note(kind, int(of), self.me, asked.body["body"]), 201)

    def _reply(self, asked: Asked, project: str, of: str, key: str) -> Given:
        for discussion in self.discussions.get(int(of), []):
            if discussion["id"] == unquote(key):
                made = self.note("merge_requests", int(of), self.me, asked.body["body"])
                discussion["notes"].append(made)
                return Given(made, 201)
        return Given({"message": "404 Discussion Not Found"}, 404)
