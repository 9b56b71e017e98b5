"""Read a review: whose words count, which threads wait for an answer, and the objective.

%% thread: n=2 key=1234 path=src/a.py line=12 said=1

Each line that somebody else wrote is indented or follows a `>`: none looks like the agent's own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from react_agent.forges.contract import Pull, Remark, Thread
from react_agent.issue_to_pr.issue import is_heard
from react_agent.parsers.forge.ci_event import PHRASE, behind
from react_agent.parsers.issue.forge_markdown import readable
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.profiles.settings import Speak
from react_agent.state.spent import whole_number
from react_agent.state.state import THREAD
from react_agent.tools.clip import clip_line

SIGNED = "<!-- react-agent -->"  # the end of all that we write below a pull request
MOST = 30  # threads in one run; the next takes what is left
_BEFORE, _AFTER, _HUNK = 6, 2, 12  # lines of code
_LINE, _TITLE, _NAME, _OF_BOT = 200, 200, 60, 400  # characters
_REMARKS, _ALL_REMARKS = 8_000, 60_000  # characters of a thread, of all of them
_BODY = 3_000  # of what the pull request says of itself

ReadFile = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Voices:
    """The people whose words count. Our account may be a person's: only signed remarks are ours."""

    me: str
    author: str  # of the pull request
    speak: Speak
    phrase: str = PHRASE  # that only starts us

    def is_ours(self, remark: Remark) -> bool:
        return remark.author == self.me and remark.body.rstrip().endswith(SIGNED)

    def counts(self, remark: Remark) -> bool:
        if remark.is_bot or not remark.body.strip() or self.is_ours(remark):
            return False
        return remark.author == self.me or is_heard(remark, self.author, self.speak)

    def said(self, thread: Thread) -> int:
        """Return how many remarks of the thread count."""
        return sum(map(self.counts, thread.remarks))


def waiting(threads: Iterable[Thread], voices: Voices) -> list[Thread]:
    """Return the unsettled threads in which somebody who counts spoke after the agent.
    Remarks that only ask the agent to begin are left out.
    """
    found = []
    for thread in threads:
        bare = (
            replace(one, body=behind(voices.phrase, one.body)) if voices.counts(one) else one
            for one in thread.remarks
        )
        heard = replace(thread, remarks=tuple(one for one in bare if one.body.strip()))
        last = [one for one in heard.remarks if voices.is_ours(one) or voices.counts(one)][-1:]
        if not thread.is_resolved and any(map(voices.counts, last)):
            found.append(heard)
    return found


@dataclass(frozen=True, slots=True)
class Kept:
    """The facts of a thread that an answer needs."""

    key: str
    path: str = ""
    line: int = 0
    said: int = 0  # remarks that count; where there are more now, they were not read


def thread_events(threads: Iterable[Thread], voices: Voices) -> Iterator[Event]:
    for number, thread in enumerate(threads, 1):
        where = {"path": thread.path, "line": str(thread.line or "")}
        facts = {"n": str(number), "key": thread.key, **where, "said": str(voices.said(thread))}
        yield Event(THREAD, write_facts({name: value for name, value in facts.items() if value}))


def threads_of(header: Iterable[str]) -> Mapping[int, Kept]:
    """Return the threads by number; lines that a person has made unreadable are left out."""
    found = dict[int, Kept]()
    for text in header:
        facts = read_facts(text)
        number, line, said = (whole_number(facts.get(name)) for name in ("n", "line", "said"))
        if number and facts.get("key"):
            found[number] = Kept(facts["key"], facts.get("path", ""), line, said)
    return found


def title(pull: Pull) -> str:
    return f"Answer the review of pull request #{pull.number}: {_line(pull.title, _TITLE)}"


def objective(pull: Pull, threads: Sequence[Thread], voices: Voices, read: ReadFile) -> str:
    """Return the objective. `read` returns the text of a file on the branch, or None."""
    room, count = min(_REMARKS, _ALL_REMARKS // len(threads)), len(threads)
    which = "the thread below" if count == 1 else f"each of the {count} threads below"
    branch, base = _line(pull.branch, _NAME), _line(pull.base, _NAME)
    other = "\nThread 2: ..." if count > 1 else ""
    parts = [
        title(pull),
        f"You are on its branch {branch}, which is to go into {base}; "
        "`git log` shows its commits.\n"
        f"For {which}, do what it asks for, or find out why it is better not to;\n"
        "answer a question. Change nothing that no thread asks for. To leave things as they are\n"
        "is an answer, too, and not to give up. Conclude with a line for each thread, which is\n"
        "posted as the answer to it:\n\n"
        f"Thread 1: what you did, or why not{other}",
    ]
    for number, thread in enumerate(threads, 1):
        head = f"## Thread {number}: {_place(thread)}"
        parts.append("\n".join((head, *_code(thread, read), *_said(thread, voices, room))))
    if body := _clipped(readable(pull.body).strip(), _BODY):
        head = "## The description of the pull request, for context"
        parts.append("\n".join((head, *_quoted(body))))
    return "\n\n".join(parts)


def _place(thread: Thread) -> str:
    if not thread.path:
        return "the pull request as a whole"
    path = _line(thread.path, _TITLE)
    if thread.line:
        return f"{path}, line {thread.line}"
    return f"{path}, as it was then" if thread.hunk else path


def _code(thread: Thread, read: ReadFile) -> Iterator[str]:
    """Yield the code as it is now; if the line is gone, as it was when the thread began."""
    lines = (read(thread.path) or "").rstrip("\n").split("\n") if thread.line else []
    if 0 < thread.line <= len(lines):
        first = max(thread.line - _BEFORE, 1)
        for number in range(first, min(thread.line + _AFTER, len(lines)) + 1):
            yield clip_line(f"{number:>6}  {lines[number - 1]}".rstrip(), _LINE)
        return
    hunk = [line for line in thread.hunk.split("\n") if line]
    yield from (clip_line(f"      {line}", _LINE) for line in hunk[-_HUNK:])


def _said(thread: Thread, voices: Voices, room: int) -> Iterator[str]:
    """Yield the newest remarks that fit: by those who count, by the agent, and by bots."""
    shown = [
        one for one in thread.remarks if one.is_bot or voices.is_ours(one) or voices.counts(one)
    ]
    kept, left = list[str](), room
    for one in reversed(shown):
        told = _remark(one, voices, room)
        left -= len(told)
        if left < 0 and kept:
            break
        kept.append(told)
    if len(kept) < len(shown):
        yield f"[{counted(len(shown) - len(kept), 'older remark')} left out: too long]"
    yield from reversed(kept)
    if others := len(thread.remarks) - len(shown):
        yield f"[{counted(others, 'remark')} by others left out]"


def _remark(one: Remark, voices: Voices, room: int) -> str:
    body = readable(one.body).strip()
    who = _line(one.author, _NAME) or "somebody"
    if voices.is_ours(one):
        who = "you, in an earlier run"
    elif one.is_bot:
        who, body = f"{who}, a bot", _clipped(body, _OF_BOT)
    return "\n".join((f"{who}:", *_quoted(_clipped(body, room // 2))))


def _quoted(text: str) -> Iterator[str]:
    return (f"> {line}".rstrip() for line in text.split("\n"))


def _clipped(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}\n[... {len(text) - most:,} more characters]"


def _line(text: str, most: int) -> str:
    return clip_line(" ".join(text.split()), most)
