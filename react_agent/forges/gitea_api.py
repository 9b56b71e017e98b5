"""The REST API of Gitea and Forgejo for one repository; what goes wrong is a Fault."""

from collections.abc import Mapping
from functools import cached_property
from itertools import count
from typing import Any
from urllib.parse import quote

import httpx2

from react_agent.forges.contract import MOST, Remark
from react_agent.forges.faults import Account, Failed, Fault
from react_agent.forges.fields import OTHER, Row, inner, row, rows, text
from react_agent.forges.gitea_read import remark
from react_agent.forges.http import Http, json_of

_PAGE = 50  # what a server gives at most, unless it is told otherwise


class GiteaApi:
    def __init__(self, account: Account, path: str, seconds: float) -> None:
        root = account.api.rstrip("/").removesuffix("/api/v1")
        self._root = f"{root}/api/v1"
        self._path = path
        headers = {"Authorization": f"token {account.token}"} if account.token else {}
        self._http = Http(self._root, headers, seconds)

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        return json_of(self._http.ask(method, f"{self._root}{path}", query, body))

    def get(self, path: str, **query: Any) -> Row:
        return row(self.ask("GET", path, **query))

    def all(self, path: str, **query: Any) -> list[Row]:
        """Its first rows, `MOST` at most."""
        found: list[Row] = []
        for page in count(1):
            answer = self._http.ask(
                "GET", f"{self._root}{path}", {**query, "page": page, "limit": _PAGE}
            )
            got = rows(json_of(answer))
            found += got
            if not got or len(found) >= MOST or not _has_more(answer, len(found)):
                break
        return found[:MOST]

    def repository(self, path: str = "") -> Row:
        """As it is now, under the name that it has now."""
        return self.get(f"/repos/{quoted(path or self._path)}")

    @cached_property
    def home(self) -> str:
        """Where all of the repository is: what is written does not follow to a new name."""
        return f"/repos/{quoted(text(self._first, 'full_name') or self._path)}"

    @cached_property
    def path(self) -> str:
        return text(self._first, "full_name") or self._path

    @cached_property
    def me(self) -> str:
        login = text(self.get("/user"), "login")
        if not login:
            raise Fault(Failed.STRANGE, OTHER)
        return login

    def remarks(self, number: int) -> list[Remark]:
        """On an issue or a pull request."""
        found = self.all(f"{self.home}/issues/{number}/comments")
        return [remark(one, self.standing) for one in found]

    @cached_property
    def standing(self) -> Mapping[str, str]:
        """Of those who may write to the repository; empty where the token may not know."""
        try:
            found = rows(self.ask("GET", f"{self.home}/assignees"))
        except Fault:
            return {}
        owner = text(inner(self._first, "owner"), "login")
        return {**{text(one, "login"): "collaborator" for one in found}, owner: "owner"}

    @cached_property
    def _first(self) -> Row:
        return self.repository()


def quoted(name: str) -> str:
    """Slashes stay as they are."""
    return quote(name, errors="replace")


def _has_more(answer: httpx2.Response, found: int) -> bool:
    """Lists of no pages, as that of comments, are given whole again for each page."""
    total = answer.headers.get("x-total-count", "")
    return "next" in answer.links or (total.isdigit() and int(total) > found)
