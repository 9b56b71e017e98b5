"""What Gitea's API says of an issue, a pull request, a repository, as our values."""

import re
from collections.abc import Mapping

from react_agent.forges.contract import Hosted, Posted, Pull, Remark
from react_agent.forges.fields import Row, flag, inner, needed, number, row, several, text
from react_agent.forges.names import is_bot, without_credentials

_DRAFT = re.compile(r"(?:WIP:|\[WIP\])\s*", re.IGNORECASE)
DRAFT = "WIP: "


def hosted(of: Row) -> Hosted:
    web = without_credentials(text(of, "html_url"))
    return Hosted(
        text(of, "full_name"),
        without_credentials(text(of, "clone_url")) or f"{web}.git",
        text(of, "default_branch"),
        flag(inner(of, "permissions"), "push") and not flag(of, "archived"),
        web,
    )


def posted(of: Row, standing: Mapping[str, str]) -> Posted:
    author = author_of(of)
    return Posted(
        needed(of, "number"),
        text(of, "title"),
        text(of, "body"),
        text(of, "html_url"),
        author,
        association(author, standing),
        tuple(text(row(label), "name") for label in several(of, "labels")),
        text(of, "state") == "open",
        number(of, "comments"),
    )


def remark(of: Row, standing: Mapping[str, str]) -> Remark:
    author = author_of(of)
    return Remark(
        author,
        text(of, "body"),
        association(author, standing),
        text(of, "created_at") or text(of, "submitted_at"),
        is_bot(author),
        text(of, "html_url"),
    )


def pull(of: Row, path: str) -> Pull:
    title, draft = without_draft(text(of, "title"))
    source = inner(of, "head", "repo")
    name = text(source, "full_name")
    return Pull(
        needed(of, "number"),
        text(of, "html_url"),
        title,
        text(of, "body"),
        text(inner(of, "head"), "ref"),
        text(inner(of, "base"), "ref"),
        "merged" if flag(of, "merged") else text(of, "state"),
        draft or flag(of, "draft"),
        author_of(of),
        "" if name.casefold() == path.casefold() else name,
        without_credentials(text(source, "clone_url")),
    )


def without_draft(title: str) -> tuple[str, bool]:
    """The title alone; whether it said that it is a draft."""
    found = _DRAFT.match(title)
    return (title[found.end() :], True) if found else (title, False)


def author_of(of: Row) -> str:
    return text(inner(of, "user"), "login")


def association(author: str, standing: Mapping[str, str]) -> str:
    return standing.get(author, "none") if standing else ""
