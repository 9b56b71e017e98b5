"""What GitLab's API says of an issue, a merge request, a project, as our values."""

import re
from collections.abc import Mapping

from react_agent.forges.contract import Hosted, Posted, Pull, Remark
from react_agent.forges.fields import Row, as_text, flag, inner, needed, number, several, text
from react_agent.forges.names import is_bot, without_credentials

_DRAFT = re.compile(r"(?:(?:Draft:|\[Draft\]|\(Draft\)|WIP:|\[WIP\])\s*)+", re.IGNORECASE)
_COMMAND = re.compile(r"^([^\S\n]*)/(?=[A-Za-z])", re.MULTILINE)
_STATES = {"opened": "open", "locked": "open"}
_STANDING = ((50, "owner"), (30, "member"), (15, "collaborator"))  # from which access level on
DRAFT = "Draft: "

Levels = Mapping[int, int] | None  # by the number of a user; None: not known


def hosted(of: Row, can_push: bool) -> Hosted:
    return Hosted(
        text(of, "path_with_namespace"),
        without_credentials(text(of, "http_url_to_repo")),
        text(of, "default_branch"),
        can_push,
        without_credentials(text(of, "web_url")),
    )


def posted(of: Row, levels: Levels) -> Posted:
    return Posted(
        needed(of, "iid"),
        text(of, "title"),
        text(of, "description"),
        text(of, "web_url"),
        author_of(of),
        association(of, levels),
        tuple(filter(None, map(as_text, several(of, "labels")))),
        text(of, "state") == "opened",
        number(of, "user_notes_count"),
    )


def remark(of: Row, levels: Levels, url: str) -> Remark:
    author = author_of(of)
    return Remark(
        author,
        text(of, "body"),
        association(of, levels),
        text(of, "created_at"),
        is_bot(author),
        url,
    )


def pull(of: Row, source: Row, target: Row) -> Pull:
    """`source` is the project that has the branch, empty where that is gone."""
    title, is_draft = without_draft(text(of, "title"))
    state = text(of, "state")
    is_same = number(source, "id") == number(target, "id")
    return Pull(
        needed(of, "iid"),
        text(of, "web_url"),
        title,
        text(of, "description"),
        text(of, "source_branch"),
        text(of, "target_branch"),
        _STATES.get(state, state),
        is_draft or flag(of, "draft"),
        author_of(of),
        "" if is_same else text(source, "path_with_namespace"),
        without_credentials(text(source, "http_url_to_repo")),
    )


def without_draft(title: str) -> tuple[str, bool]:
    """The title alone; whether it said that it is a draft."""
    found = _DRAFT.match(title)
    return (title[found.end() :], True) if found else (title, False)


def without_commands(words: str) -> str:
    """GitLab obeys lines like `/merge`, with the rights of the token, whoever thought of them."""
    return _COMMAND.sub(r"\1\\/", words)


def author_of(of: Row) -> str:
    return text(inner(of, "author"), "username")


def association(of: Row, levels: Levels) -> str:
    if levels is None:
        return ""
    level = levels.get(number(inner(of, "author"), "id"), 0)
    return next((word for least, word in _STANDING if level >= least), "none")
