"""An issue of a forge and what was said on it, as one text: the Objective of a run.

Everything in it is foreign. What stands between is ours, and no line of theirs looks like it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from react_agent.forges.contract import Posted, Remark
from react_agent.parsers.issue.forge_markdown import readable
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.quoting import escape

_BODY, _COMMENT, _COMMENTS = 60_000, 8_000, 40_000  # characters
_TITLE, _NAME, _LABEL, _OF_BOT = 300, 60, 50, 160
_MOST_LABELS, _MOST_BOTS = 20, 5
_SEEN = 200  # characters of a line
_SAID_BY = "Comment by"
_LIKE_OURS = re.compile(rf"[^\w\n]{{0,40}}{_SAID_BY}\b", re.IGNORECASE)
_NOBODY = ("", "ghost")  # whose account is gone
_KNOWN = ("owner", "member", "collaborator", "contributor")


class Speak(StrEnum):
    """Whose comments are read; the author of the issue has spoken anyway."""

    ALL = "all"
    CONTRIBUTORS = "contributors"
    COLLABORATORS = "collaborators"
    NONE = "none"


_HEARD = {Speak.CONTRIBUTORS: _KNOWN, Speak.COLLABORATORS: _KNOWN[:3], Speak.NONE: ()}


def written(posted: Posted, remarks: Sequence[Remark], speak: Speak, path: str = "") -> str:
    """`path` is the repository's at the forge."""
    plain = (replace(one, body=readable(one.body).rstrip()) for one in remarks)
    told = [one for one in plain if one.body]
    people = [one for one in told if not one.is_bot]
    heard = [one for one in people if is_heard(one, posted.author, speak)]
    said, older = _newest([_said(one) for one in heard])
    bots = [] if speak is Speak.NONE else [one for one in told if one.is_bot]
    left, unread = len(people) - len(heard), max(posted.comments - len(remarks), 0)
    return "\n\n".join(
        (
            f"# {_line(posted.title, _TITLE)}",
            "\n".join(_head(posted, path, said=len(said), left=left, unread=unread)),
            *filter(None, [_clipped(_quoted(_body(posted)), _BODY)]),
            *([f"[{counted(older, 'older comment')} left out: too long]"] if older else ()),
            *said,
            *_folded(bots),
        )
    )


def _body(posted: Posted) -> str:
    """Without a heading that only says the title again, as a file has it."""
    text = readable(posted.body).rstrip()
    first, _, rest = text.partition("\n")
    is_title = first.startswith("#") and one_line(first.lstrip("#")) == one_line(posted.title)
    return rest.strip("\n") if is_title else text


def _head(posted: Posted, path: str, *, said: int, left: int, unread: int) -> Iterator[str]:
    whose = f" of {_line(path, _TITLE)}" if path else ""
    state = "" if posted.is_open else ", which is closed"
    by = f", by {_who(posted.author, posted.association)}" if posted.author else ""
    yield f"Issue #{posted.number}{whose}{state}{by}."
    if posted.labels:
        more = len(posted.labels) - _MOST_LABELS
        names = [_line(label, _LABEL) for label in posted.labels[:_MOST_LABELS]]
        yield f"Labels: {', '.join(names)}{f' and {more} more' if more > 0 else ''}."
    if said or left or unread:
        told = f"{counted(said, 'comment')} below" if said else "No comment is shown"
        others = f", {left} by others left out" if left else ""
        yield f"{told}{others}{f', {unread} not read' if unread else ''}."


def is_heard(remark: Remark, author: str, speak: Speak) -> bool:
    """`author` is whoever opened what it is said on."""
    is_author = remark.author not in _NOBODY and remark.author == author
    known = remark.association.casefold() in _HEARD.get(speak, ())
    return speak is Speak.ALL or known or (is_author and speak is not Speak.NONE)


def _said(remark: Remark) -> str:
    at = f", {_line(remark.at[:10], 10)}" if remark.at else ""
    who = _who(remark.author, remark.association)
    return f"{_SAID_BY} {who}{at}:\n\n{_clipped(_quoted(remark.body), _COMMENT)}"


def _folded(bots: Sequence[Remark]) -> Iterator[str]:
    for one in bots[:_MOST_BOTS]:
        line = _line(headline(one.body, _OF_BOT), _OF_BOT)
        yield f"{_SAID_BY} the bot {_line(one.author, _NAME)}: {line}"
    if len(bots) > _MOST_BOTS:
        yield f"[{counted(len(bots) - _MOST_BOTS, 'comment')} by bots left out]"


def _newest(comments: Sequence[str]) -> tuple[list[str], int]:
    """As many as there is room for, in their order; and how many older ones there is none for."""
    room, kept = _COMMENTS, list[str]()
    for one in reversed(comments):
        room -= len(one)
        if room < 0:
            break
        kept.append(one)
    return kept[::-1], len(comments) - len(kept)


def _who(author: str, association: str) -> str:
    part = association.casefold()
    told = part if part in _KNOWN else "not of the project" if part == "none" else ""
    name = _line(author, _NAME) or "somebody"
    return f"{name} ({told})" if told else name


def _quoted(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(f"\\{line}" if _LIKE_OURS.match(_seen(line)) else line for line in lines)


def _seen(line: str) -> str:
    """As a reader sees it, who does not tell one blank from another."""
    start = unicodedata.normalize("NFKC", line[:_SEEN])
    return one_line("".join(char for char in start if unicodedata.category(char) != "Cf"))


def _clipped(text: str, most: int) -> str:
    """Without its middle, where it is too long."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 3
    left = counted(len(text) - head - tail, "character")
    return f"{text[:head]}\n[... {left} left out here ...]\n{text[-tail:]}"


def _line(text: str, most: int) -> str:
    line = one_line(escape(text))
    return line if len(line) <= most else f"{line[: most - 1]}…"
