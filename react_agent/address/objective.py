"""A review as an objective: what each thread says, and what an answer to it looks like.

Each line that somebody else wrote is indented or stands behind a `>`: none passes for ours.
"""

from collections.abc import Callable, Iterator, Sequence

from react_agent.address.voices import Voices
from react_agent.forges.contract import Pull, Remark, Thread
from react_agent.parsers.issue.forge_markdown import readable
from react_agent.parsers.text.counted import counted
from react_agent.tools.clip import clip_line

_BEFORE, _AFTER, _HUNK = 6, 2, 12  # lines of code
_LINE, _TITLE, _NAME, _OF_BOT = 200, 200, 60, 400  # characters
_REMARKS, _ALL_REMARKS = 8_000, 60_000  # characters of a thread, of all of them
_BODY = 3_000  # of what the pull request says of itself

ReadFile = Callable[[str], str | None]


def title(pull: Pull) -> str:
    return f"Answer the review of pull request #{pull.number}: {_line(pull.title, _TITLE)}"


def objective(pull: Pull, threads: Sequence[Thread], voices: Voices, read: ReadFile) -> str:
    """`read` is a file as it is on the branch; None if it is not there."""
    room = min(_REMARKS, _ALL_REMARKS // len(threads))
    parts = (
        title(pull),
        _task(pull, len(threads)),
        *(_thread(number, one, voices, read, room) for number, one in enumerate(threads, 1)),
        _of_itself(pull),
    )
    return "\n\n".join(filter(None, parts))


def _task(pull: Pull, count: int) -> str:
    other = "\nThread 2: ..." if count > 1 else ""
    which = "the thread below" if count == 1 else f"each of the {count} threads below"
    branch, base = _line(pull.branch, _NAME), _line(pull.base, _NAME)
    return (
        f"You are on its branch {branch}, which is to go into {base}; "
        "`git log` shows its commits.\n"
        f"For {which}, do what it asks for, or find out why that is better left;\n"
        "answer a question. Change nothing that no thread asks for. To leave things as they are\n"
        "is an answer, too, and not to give up. Conclude with a line for each thread, which is\n"
        "posted as the answer to it:\n\n"
        f"Thread 1: what you did, or why not{other}"
    )


def _thread(number: int, thread: Thread, voices: Voices, read: ReadFile, room: int) -> str:
    code, said = list(_code(thread, read)), _said(thread, voices, room)
    return "\n".join((f"## Thread {number}: {_place(thread)}", *code, *said))


def _place(thread: Thread) -> str:
    if not thread.path:
        return "the pull request as a whole"
    path = _line(thread.path, _TITLE)
    if thread.line:
        return f"{path}, line {thread.line}"
    return f"{path}, as it was then" if thread.hunk else path


def _code(thread: Thread, read: ReadFile) -> Iterator[str]:
    """As it is now; as it was when it was spoken of, where the line is gone."""
    lines = (read(thread.path) or "").rstrip("\n").split("\n") if thread.line else []
    if 0 < thread.line <= len(lines):
        first = max(thread.line - _BEFORE, 1)
        for number in range(first, min(thread.line + _AFTER, len(lines)) + 1):
            yield clip_line(f"{number:>6}  {lines[number - 1]}".rstrip(), _LINE)
        return
    hunk = [line for line in thread.hunk.split("\n") if line]
    yield from (clip_line(f"      {line}", _LINE) for line in hunk[-_HUNK:])


def _said(thread: Thread, voices: Voices, room: int) -> Iterator[str]:
    shown = [one for one in thread.remarks if voices.is_ours(one) or voices.counts(one)]
    bots = [one for one in thread.remarks if one.is_bot and one not in shown]
    others = len(thread.remarks) - len(shown) - len(bots)
    told = [_remark(one, voices, room) for one in thread.remarks if one in shown or one in bots]
    kept = _newest(told, room)
    if len(kept) < len(told):
        yield f"[{counted(len(told) - len(kept), 'older remark')} left out: too long]"
    yield from kept
    if others:
        yield f"[{counted(others, 'remark')} by others left out]"


def _newest(told: Sequence[str], room: int) -> list[str]:
    kept = list[str]()
    for one in reversed(told):
        room -= len(one)
        if room < 0 and kept:
            break
        kept.append(one)
    return kept[::-1]


def _remark(one: Remark, voices: Voices, room: int) -> str:
    body = readable(one.body).strip()
    who = _line(one.author, _NAME) or "somebody"
    if voices.is_ours(one):
        who = "you, in an earlier run"
    elif one.is_bot:
        who, body = f"{who}, a bot", _clipped(body, _OF_BOT)
    return "\n".join((f"{who}:", *_quoted(_clipped(body, room // 2))))


def _of_itself(pull: Pull) -> str:
    body = _clipped(readable(pull.body).strip(), _BODY)
    if not body:
        return ""
    head = "## What the pull request says of itself, to know what it is for"
    return "\n".join((head, *_quoted(body)))


def _quoted(text: str) -> Iterator[str]:
    return (f"> {line}".rstrip() for line in text.split("\n"))


def _clipped(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}\n[... {len(text) - most:,} more characters]"


def _line(text: str, most: int) -> str:
    return clip_line(" ".join(text.split()), most)
