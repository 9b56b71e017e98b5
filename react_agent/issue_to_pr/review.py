"""Answer a review with a run: one commit on top of the branch, then an answer to each thread.

The run begins at the tip of the pull request's branch. Its objective lists the threads that wait
for an answer. Lines by other people are indented or follow a `>`, so that none of them looks like
the agent's own. Delivery can be repeated, because nothing is sent to the forge twice.

%% thread: n=2 key=1234 path=src/a.py line=12 said=1
%% answered: n=2 at=https://host/owner/name/pull/7#r2
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, ForgeError, Pull, Remark, Thread
from react_agent.issue_to_pr import delivery
from react_agent.issue_to_pr.delivery import Delivery, NotSent, Outlet
from react_agent.issue_to_pr.issue import Issue, is_heard, newest
from react_agent.issue_to_pr.pull_request import Prepared, placeless
from react_agent.issue_to_pr.target import Target, target_event
from react_agent.parsers.answers.labelled import read_answers
from react_agent.parsers.forge.ci_event import PHRASE, behind
from react_agent.parsers.forge.remote import Trouble
from react_agent.parsers.forge.safe_markdown import prose, readable
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.transcript.quoting import escape
from react_agent.procedure.course import as_one_run
from react_agent.profiles.settings import Speak
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_setup import Names, Request, check_header, names_of
from react_agent.state import transcript as transcripts
from react_agent.state.state import THREAD, State, Stop, fold
from react_agent.state.steps import whole_number
from react_agent.tools.clip import clip_line
from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.remote import Standing, fetched_base, push, tips
from react_agent.tools.git.repository import file_at, in_repository, top_of

SIGNED = "<!-- react-agent -->"  # the end of all that we write below a pull request
_BEFORE, _AFTER, _HUNK = 6, 2, 12  # lines of code
_LINE, _TITLE, _NAME, _OF_BOT = 200, 200, 60, 400  # characters
_REMARKS, _ALL_REMARKS = 8_000, 60_000  # characters of a thread, of all of them
_BODY = 3_000  # of what the pull request says of itself

ReadFile = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Voices:
    """The people whose comments count. Only signed comments from our account are the agent's."""

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
        """Return the number of comments in the thread that count."""
        return sum(map(self.counts, thread.remarks))


def waiting(threads: Iterable[Thread], voices: Voices) -> list[Thread]:
    """Return the unresolved threads in which a relevant comment follows the agent's last one.
    Comments that only ask the agent to begin are left out.
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


def thread_events(threads: Iterable[Thread], voices: Voices) -> Iterator[Event]:
    for number, thread in enumerate(threads, 1):
        where = {"path": thread.path, "line": str(thread.line or "")}
        facts = {"n": str(number), "key": thread.key, **where, "said": str(voices.said(thread))}
        yield Event(THREAD, write_facts({name: value for name, value in facts.items() if value}))


def threads_of(header: Iterable[str]) -> Mapping[int, tuple[str, int]]:
    """Return the key of each thread and the number of its comments that counted, by number.

    Lines that can't be parsed after an edit are skipped.
    """
    found = dict[int, tuple[str, int]]()
    for text in header:
        facts = read_facts(text)
        number, said = whole_number(facts.get("n")), whole_number(facts.get("said"))
        if number and facts.get("key"):
            found[number] = facts["key"], said
    return found


def title(pull: Pull) -> str:
    return f"Answer the review of pull request #{pull.number}: {_line(pull.title, _TITLE)}"


def objective(pull: Pull, threads: Sequence[Thread], voices: Voices, read: ReadFile) -> str:
    """Return the objective of the run. `read` returns the text of a file on the branch, or None."""
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
    """Yield the current code or, if the line is gone, the code at the start of the thread."""
    lines = (read(thread.path) or "").rstrip("\n").split("\n") if thread.line else []
    if 0 < thread.line <= len(lines):
        first = max(thread.line - _BEFORE, 1)
        for number in range(first, min(thread.line + _AFTER, len(lines)) + 1):
            yield clip_line(f"{number:>6}  {lines[number - 1]}".rstrip(), _LINE)
        return
    hunk = [line for line in thread.hunk.split("\n") if line]
    yield from (clip_line(f"      {line}", _LINE) for line in hunk[-_HUNK:])


def _said(thread: Thread, voices: Voices, room: int) -> Iterator[str]:
    """Yield the newest comments that fit: by people who count, by the agent, and by bots."""
    shown = [
        one for one in thread.remarks if one.is_bot or voices.is_ours(one) or voices.counts(one)
    ]
    kept = newest([_remark(one, voices, room) for one in shown], room)
    if len(kept) < len(shown):
        yield f"[{counted(len(shown) - len(kept), 'older remark')} left out: too long]"
    yield from kept
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


ANSWERED = "answered"  # the event
_FULL = "refs/"
_LONGEST = 4000  # characters of an answer
_FAULTS = 2  # failed replies, after which no more are sent


@dataclass(frozen=True, slots=True)
class Review:
    pull: Pull
    voices: Voices
    threads: Sequence[Thread]  # that wait for an answer


def review_of(forge: Forge, number: int, around: Surroundings, phrase: str) -> Review:
    """Read the review. Raises UsageError if the pull request can no longer be changed."""
    pull = _open_pull(forge, number)
    voices = Voices(forge.me(), pull.author, around.settings.speak, phrase)
    return Review(pull, voices, waiting(forge.threads(number), voices))


def _open_pull(forge: Forge, number: int) -> Pull:
    pull = forge.pull(number)
    if pull.state != "open":
        state = pull.state
        raise UsageError(f"pull request {pull.number} is {state}: only an open one can be changed")
    if pull.branch.startswith(_FULL):  # which would be read as the name of another branch
        raise UsageError(f"a branch that is called {escape(pull.branch)} can't be worked on")
    return pull


def _branch_of(pull: Pull, outlet: Outlet) -> Access:
    """Return the credentials for the branch. Raises UsageError."""
    assert outlet.access is not None  # without a forge there is no review
    if not pull.source_url:
        raise UsageError(f"the fork that pull request {pull.number} came from is gone")
    return outlet.access_to(pull.source_url) if pull.source else outlet.access


def asked(
    request: Request, review: Review, outlet: Outlet, way: tuple[str, ...], around: Surroundings
) -> Request:
    """Return the request with the review in place of its issue."""
    pull = review.pull
    delivery.refuse_archived(outlet.hosted)
    at = _branch_of(pull, outlet)
    if not pull.source and not outlet.hosted.can_push:
        raise UsageError(f"this token may not push to {outlet.hosted.path}")
    base = fetched_base(top_of(request.repository), at, pull.branch, around.cuts)
    read = partial(file_at, base)
    issue = Issue(title(pull), objective(pull, review.threads, review.voices, read))
    number, phrase = str(pull.number), review.voices.phrase
    target = Target(outlet.url, pull.base, pull.branch, pull=number, phrase=phrase, way=way)
    return replace(
        request,
        issue=issue,
        names=Names(names_of(issue, around, request.model).run, pull.branch),
        revision=base.commit,
        also=(target_event(target), *thread_events(review.threads, review.voices)),
    )


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers to post, without the signature."""

    state: State  # of the run itself
    threads: Mapping[int, tuple[str, int]]
    said: Mapping[int, str]  # by their numbers, of what was not posted before
    left: Sequence[int]  # threads that nothing is said to


def _answers(to: Delivery) -> _Answers:
    folder = to.folder
    entries = transcripts.read(folder.transcript).entries
    own = fold(entries)
    check_header(own, folder)
    if own.stop is not Stop.CONCLUDED:
        raise NotSent(f"no answer: the run ended as {own.stop or Stop.INTERRUPTED}")
    state = as_one_run(folder, own)
    threads, places = threads_of(state.threads), (str(folder.path), own.header["repository"])
    found = read_answers(state.conclusion, max(threads, default=0))
    events = (entry for entry in entries if isinstance(entry, Event) and entry.name == ANSWERED)
    given = {whole_number(read_facts(event.text).get("n")) for event in events}
    said = {
        number: prose(redacted(placeless(found[number], places), to.secrets)[:_LONGEST])
        for number in sorted(threads.keys() & found.keys() - given)
    }
    left = [number for number in threads if number not in found]
    return _Answers(own, threads, said, left)


def _signed(text: str, commit: str) -> str:
    by = f"react-agent, {commit[:10]}" if commit else "react-agent"
    return f"{text}\n\n{by}\n\n{SIGNED}"


def answered(to: Delivery, tell: Callable[[str], None]) -> Pull:
    """Push the commit, then post the answers. If NotSent is raised, the result is kept."""
    target, outlet = to.target, to.outlet
    later = f"to send what is left: react-agent pr {to.folder.path.name}"
    with delivery.kept(later, tell):
        answers = _answers(to)
        pull = _open_pull(outlet.forge, int(target.pull))
        commit = ""
        if "diff" in answers.state.result:
            made = to.prepared()
            delivery.check_ready(made, "nothing was pushed or answered")
            commit = _on_top(to, made, _branch_of(pull, outlet))
        speak, phrase = to.around.settings.speak, target.phrase or PHRASE
        voices = Voices(outlet.forge.me(), pull.author, speak, phrase)
        for line in _given(answers, to, pull.number, voices, commit):
            tell(line)
        return pull


def _on_top(to: Delivery, made: Prepared, at: Access) -> str:
    """Push the commit if the branch has not changed since the run began. Return the commit."""
    target = to.target
    with in_repository(made.repository) as git:
        commit = delivery.commit_of(git, made.branch)
        if tips(git, at).branch(target.branch) == commit:
            return commit
        try:
            push(git, commit, at, Standing(target.branch, made.base))
        except RemoteError as error:
            if error.trouble is not Trouble.MOVED:
                raise
            raise NotSent(
                f"{target.branch} has new commits since the run began, so nothing is pushed "
                f"or answered; the change is in the branch {made.branch} here: "
                f"merge it, or react-agent review {target.pull} once more"
            ) from error
    to.note_pushed(commit)
    return commit


def _given(
    answers: _Answers, to: Delivery, number: int, voices: Voices, commit: str
) -> Iterator[str]:
    """Post the answers and yield a line for each. Raises ForgeError at the end if some failed."""
    forge = to.outlet.forge
    there = {thread.key: thread for thread in waiting(forge.threads(number), voices)}
    faults = list[ForgeError]()
    for at, words in answers.said.items():
        key, read = answers.threads[at]
        thread = there.get(key)
        if thread is None:
            yield f"thread {at}: not answered: it is resolved, answered or deleted"
            continue
        if voices.said(thread) > read:
            yield f"thread {at}: not answered: somebody has replied to it since"
            continue
        try:
            address = forge.reply(number, thread, _signed(words, commit))
        except ForgeError as error:
            faults.append(error)
            if len(faults) == _FAULTS:
                break
        else:
            to.note(Event(ANSWERED, write_facts({"n": str(at), "at": address})))
            yield f"thread {at}: {address}"
    yield from (
        f"thread {at}: not answered: the Conclusion has no line for it" for at in answers.left
    )
    if faults:
        raise faults[0]


def what_would_be_sent(to: Delivery) -> Iterator[str]:
    """Yield the exact text that would be sent, except for the commit hash."""
    answers = _answers(to)
    if "diff" in answers.state.result:
        made = to.prepared()
        yield from (f"refused: {why}" for why in made.refused)
        at = to.outlet.forge.pull(int(to.target.pull)).source or to.outlet.hosted.path
        yield f"push: {made.branch} -> {to.target.branch} of {at}"
    for number, text in answers.said.items():
        yield f"answer to thread {number}:\n{_signed(text, '')}"
    yield from (f"answer to thread {number}: none" for number in answers.left)
