"""A repository of the fake GitHub: what a test may set, and look at afterwards; as JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
Branches = Callable[[], Mapping[str, str]]  # their commits by their names

AT = "2026-11-20T14:00:{:02d}Z"


@dataclass(slots=True)
class FakeRepository:
    path: str
    id: int
    api: str  # of the fake
    web: str
    clone_url: str
    default_branch: str = "main"
    writers: set[str] = field(default_factory=set)
    branches: Branches = lambda: {"main": "0" * 40}
    parent: str = ""
    moved_to: str = ""
    is_archived: bool = False
    allows_forks: bool = True
    allows_drafts: bool = True
    issues: dict[int, Row] = field(default_factory=dict)  # pull requests too
    deleted: set[int] = field(default_factory=set)
    pulls: dict[int, Row] = field(default_factory=dict)
    comments: dict[int, list[Row]] = field(default_factory=dict)
    reviews: dict[int, list[Row]] = field(default_factory=dict)
    on_lines: dict[int, list[Row]] = field(default_factory=dict)
    resolved: set[int] = field(default_factory=set)  # first comments of threads
    made: int = 0

    @property
    def owner(self) -> str:
        return self.path.partition("/")[0]

    @property
    def url(self) -> str:
        return f"{self.api}/repos/{self.path}"

    def id_of_next(self) -> int:
        self.made += 1
        return self.id * 1000 + self.made

    def row(self, login: str | None) -> Row:
        row: Row = {
            "id": self.id,
            "name": self.path.partition("/")[2],
            "full_name": self.path,
            "owner": person(self.owner),
            "url": self.url,
            "html_url": f"{self.web}/{self.path}",
            "clone_url": self.clone_url,
            "default_branch": self.default_branch,
            "fork": bool(self.parent),
            "archived": self.is_archived,
        }
        if login:
            may = login in self.writers or login == self.owner
            row["permissions"] = {"admin": False, "push": may, "pull": True}
        return row

    def issue(self, title: str, body: str | None, author: str = "somebody", **other: Any) -> int:
        number = max([0, *self.issues, *self.deleted]) + 1
        self.issues[number] = {
            "id": self.id_of_next(),
            "number": number,
            "title": title,
            "body": body,
            "user": person(author),
            "author_association": "NONE",
            "state": "open",
            "labels": [],
            "comments": 0,
            "url": f"{self.url}/issues/{number}",
            "html_url": f"{self.web}/{self.path}/issues/{number}",
            **other,
        }
        return number

    def comment(self, number: int, author: str, body: str, **other: Any) -> Row:
        row = self._said(author, body, f"issues/{number}#issuecomment-", "issues/comments", other)
        self.comments.setdefault(number, []).append(row)
        return row

    def review(self, number: int, author: str, body: str, **other: Any) -> Row:
        row = self._said(author, body, f"pull/{number}#pullrequestreview-", "reviews", other)
        row = {"state": "COMMENTED", "submitted_at": row.pop("created_at"), **row}
        self.reviews.setdefault(number, []).append(row)
        return row

    def on_line(self, number: int, author: str, body: str, **other: Any) -> Row:
        row = self._said(author, body, f"pull/{number}#discussion_r", "pulls/comments", other)
        place = {"path": "src/a.py", "line": 3, "side": "RIGHT", "diff_hunk": "@@ -1 +3 @@\n+x"}
        row = {**place, "in_reply_to_id": None, **row}
        self.on_lines.setdefault(number, []).append(row)
        return row

    def _said(self, author: str, body: str, page: str, place: str, other: Row) -> Row:
        key = self.id_of_next()
        return {
            "id": key,
            "body": body,
            "user": person(author),
            "author_association": "NONE",
            "created_at": AT.format(self.made),
            "url": f"{self.url}/{place}/{key}",
            "html_url": f"{self.web}/{self.path}/{page}{key}",
            **other,
        }


def person(login: str) -> Row:
    kind = "Bot" if login.endswith("[bot]") else "User"
    return {"login": login, "type": kind, "id": sum(login.encode())}
