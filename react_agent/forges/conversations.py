"""Plain comments as conversations, at forges where one can't be answered: an answer links to it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from react_agent.forges.contract import MOST, Remark, Thread

_ANSWER = re.compile(r"(?:> In reply to (\S+)|\[About this\]\((\S+)\):)\n\n")


def answer_to(thread: Thread, words: str) -> str:
    url = thread.remarks[0].url if thread.remarks else ""
    return f"> In reply to {url}\n\n{words}" if url else words


def gathered(found: Iterable[Thread]) -> tuple[Thread, ...]:
    """Oldest first, with each such answer in the conversation that it belongs to."""
    threads: list[Thread] = []
    places: dict[str, int] = {}
    for thread in sorted(found, key=lambda one: _instant(one.remarks[0])):
        first = thread.remarks[0]
        answer = _ANSWER.match(first.body)
        at = places.get(answer[1] or answer[2]) if answer else None
        if answer is None or at is None:
            at = len(threads)
            threads.append(thread)
        else:
            said = replace(first, body=first.body[answer.end() :])
            remarks = sorted((*threads[at].remarks, said, *thread.remarks[1:]), key=_instant)
            threads[at] = replace(threads[at], remarks=tuple(remarks))
        places.update({said.url: at for said in thread.remarks if said.url})
    return tuple(threads[:MOST])


def said_before(remarks: Sequence[Remark], me: str, words: str) -> str:
    """The address of what we have said already; empty if we have not."""
    ours = (one for one in reversed(remarks) if one.author == me)
    return next((one.url for one in ours if one.body.strip() == words.strip()), "")


def _instant(said: Remark) -> datetime:
    try:
        return datetime.fromisoformat(said.at).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.max.replace(tzinfo=UTC)
