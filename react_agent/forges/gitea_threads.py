"""The conversations about a pull request at Gitea: reviews, their comments, and plain comments."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from react_agent.forges.contract import MOST, Remark, Thread
from react_agent.forges.fields import Row, flag, inner, needed, number, rows, text
from react_agent.forges.gitea_api import GiteaApi
from react_agent.forges.gitea_read import remark

_REPLY = "> In reply to "
_NO_WORDS = ("PENDING", "REQUEST_REVIEW")  # states of a review


def threads(api: GiteaApi, of: int) -> list[Thread]:
    plain = (Thread(f"comment {said.url}", (said,)) for said in api.remarks(of))
    return _gathered([*_reviews(api, of), *plain])[:MOST]


def reply(thread: Thread, words: str) -> str:
    """It is a comment, which the API can make everywhere, and says of itself what it replies to."""
    url = thread.remarks[0].url if thread.remarks else ""
    return f"{_REPLY}{url}\n\n{words}" if url else words


def _reviews(api: GiteaApi, of: int) -> Iterator[Thread]:
    reviews = f"{api.home}/pulls/{of}/reviews"
    for review in api.all(reviews):
        if text(review, "state") in _NO_WORDS:
            continue
        key = f"review {needed(review, 'id')}"
        if text(review, "body").strip():
            yield Thread(
                key, (remark(review, api.standing),), is_resolved=flag(review, "dismissed")
            )
        if review.get("comments_count") != 0:
            on_code = rows(api.ask("GET", f"{reviews}/{needed(review, 'id')}/comments"))
            yield from _on_lines(api, key, on_code)


def _on_lines(api: GiteaApi, key: str, comments: Iterable[Row]) -> Iterator[Thread]:
    """Those of one review on one line are one conversation."""
    by_line: dict[tuple[str, int, int], list[Row]] = {}
    for comment in sorted(comments, key=lambda comment: number(comment, "id")):
        line, before = number(comment, "position"), number(comment, "original_position")
        by_line.setdefault((text(comment, "path"), line, before), []).append(comment)
    for (path, line, before), talk in by_line.items():
        yield Thread(
            f"{key} {path}:{line or -before}",
            tuple(remark(one, api.standing) for one in talk),
            path,
            line,
            text(talk[0], "diff_hunk"),
            any(inner(one, "resolver") for one in talk),
        )


def _instant(said: Remark) -> datetime:
    try:
        return datetime.fromisoformat(said.at).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.max.replace(tzinfo=UTC)


def _gathered(found: Iterable[Thread]) -> list[Thread]:
    """With each reply in the conversation that it belongs to."""
    gathered: list[Thread] = []
    places: dict[str, int] = {}
    for thread in found:
        first, *others = thread.remarks
        to, _, words = first.body.removeprefix(_REPLY).partition("\n")
        at = places.get(to.strip()) if first.body.startswith(_REPLY) else None
        if at is None:
            at = len(gathered)
            gathered.append(thread)
        else:
            there = gathered[at]
            said = (*there.remarks, replace(first, body=words.strip()), *others)
            gathered[at] = replace(there, remarks=tuple(sorted(said, key=_instant)))
        places.update({said.url: at for said in thread.remarks if said.url})
    return gathered
