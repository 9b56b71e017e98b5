"""Answer a review by a run: one commit on top of the branch, then an answer to each thread.

The run begins at the tip of the pull request's branch. Delivery can be repeated: what has reached
the forge is not sent twice.

%% answered: n=2 at=https://host/owner/name/pull/7#r2
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, ForgeError, Pull, Thread
from react_agent.issue_to_pr import delivery
from react_agent.issue_to_pr.delivery import NotSent, Outlet, ready, said_of_failure
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.pull_request import Prepared
from react_agent.issue_to_pr.review_threads import (
    MOST,
    SIGNED,
    Kept,
    Voices,
    objective,
    thread_events,
    threads_of,
    title,
    waiting,
)
from react_agent.issue_to_pr.target import Target, target_event
from react_agent.parsers.answers.labelled import read_answers
from react_agent.parsers.forge.remote import Trouble
from react_agent.parsers.forge.safe_markdown import prose
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.transcript.quoting import escape
from react_agent.procedure.course import as_one_run
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Names, Request, check_header, names_of
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, fold
from react_agent.state.stop import Stop
from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.cut import base_of
from react_agent.tools.git.remote import Standing, fetched_base, push, tips
from react_agent.tools.git.repository import Base, file_at, in_repository, top_of

ANSWERED = "answered"  # the event
_FULL = "refs/"
_LONGEST = 4000  # characters of an answer
_FAULTS = 2  # failed replies, after which no more are sent


@dataclass(frozen=True, slots=True)
class Review:
    pull: Pull
    voices: Voices
    threads: tuple[Thread, ...]  # that wait for an answer
    later: int = 0  # that are more than one run should answer


def review_of(forge: Forge, number: int, around: Surroundings, phrase: str) -> Review:
    """Read the review. Raises UsageError if the pull request can no longer be changed."""
    pull = _open_pull(forge, number)
    voices = Voices(forge.me(), pull.author, around.settings.speak, phrase)
    threads = waiting(forge.threads(number), voices)
    return Review(pull, voices, tuple(threads[:MOST]), max(len(threads) - MOST, 0))


def _open_pull(forge: Forge, number: int) -> Pull:
    pull = forge.pull(number)
    if pull.state != "open":
        state = pull.state
        raise UsageError(f"pull request {pull.number} is {state}: only an open one can be changed")
    if pull.branch.startswith(_FULL):  # which would be read as the name of another branch
        raise UsageError(f"there is no branch {escape(pull.branch)} is worked on")
    return pull


def _branch_of(pull: Pull, outlet: Outlet) -> Access | None:
    """Return the access to the branch, here or in a fork; None in a folder. Raises UsageError."""
    if outlet.access is None:
        return None
    if not pull.source_url:
        raise UsageError(f"the fork that pull request {pull.number} came from is gone")
    return outlet.access_to(pull.source_url) if pull.source else outlet.access


def asked(
    request: Request, review: Review, outlet: Outlet, way: tuple[str, ...], around: Surroundings
) -> Request:
    """Return the request with the review as its issue."""
    pull, base = review.pull, _base(request, review.pull, outlet, around)
    read = partial(file_at, base)
    issue = Issue(title(pull), objective(pull, review.threads, review.voices, read))
    target = Target(outlet.url, pull.base, pull.branch, pull=str(pull.number), way=way)
    return replace(
        request,
        issue=issue,
        names=Names(names_of(issue, around, request.model).run, pull.branch),
        revision=base.commit,
        also=(target_event(target), *thread_events(review.threads, review.voices)),
    )


def _base(request: Request, pull: Pull, outlet: Outlet, around: Surroundings) -> Base:
    top, at = top_of(request.repository), _branch_of(pull, outlet)
    if at is None:
        return base_of(top, f"refs/heads/{pull.branch}", around.cuts)
    if not pull.source and not outlet.hosted.can_push:
        raise UsageError(f"this token may not push to {outlet.hosted.path}")
    return fetched_base(top, at, pull.branch, around.cuts)


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers as they are posted, without the signature."""

    state: State  # of the run itself
    threads: Mapping[int, Kept]
    said: Mapping[int, str]  # by their numbers; those that nothing is said to are missing
    given: Collection[int]  # before now

    @property
    def left(self) -> list[int]:
        return [number for number in self.threads if number not in self.said]


def _answers(folder: RunFolder, outlet: Outlet, around: Surroundings) -> _Answers:
    entries = transcripts.read(folder.transcript).entries
    own = fold(entries)
    check_header(own, folder)
    if own.stop is not Stop.CONCLUDED:
        raise NotSent(f"no answer: the run ended as {own.stop or Stop.INTERRUPTED}")
    state = as_one_run(folder, own)
    threads, said, given = threads_of(state.threads), dict[int, str](), set[int]()
    found = read_answers(state.conclusion, max(threads, default=0))
    for number in filter(found.__contains__, threads):
        text = found[number]
        for place in (str(folder.path), own.header["repository"]):  # of this machine
            text = text.replace(place, "…")
        said[number] = prose(redacted(text, delivery.known_secrets(outlet, around))[:_LONGEST])
    for entry in entries:
        if isinstance(entry, Event) and entry.name == ANSWERED:
            number_given = read_facts(entry.text).get("n", "")
            if number_given.isascii() and number_given.isdecimal():
                given.add(int(number_given))
    return _Answers(own, threads, said, given)


def _signed(text: str, commit: str) -> str:
    by = f"react-agent, {commit[:10]}" if commit else "react-agent"
    return f"{text}\n\n{by}\n\n{SIGNED}"


def answered(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    tell: Callable[[str], None],
    moved: Path | None = None,
) -> Pull:
    """Push the commit, then post the answers that refer to it. On NotSent, the result is kept.

    `moved` is the repository's place, if it is no longer where the run began.
    """
    later = f"to send what is left: react-agent pr {folder.path.name}"
    with delivery.kept(later, tell):
        answers = _answers(folder, outlet, around)
        pull = _open_pull(outlet.forge, int(target.pull))
        commit = ""
        if "diff" in answers.state.result:
            made = ready(folder, target, outlet, around, moved)
            if made.refused:
                why = "; ".join(made.refused)
                raise NotSent(f"nothing was pushed or answered: {why}")
            at = _branch_of(pull, outlet)
            commit = _on_top(made, target, at, folder)
            if at is None:
                where = f"the change is in the branch {made.branch}"
                tell(f"{target.branch} is unchanged: {where}")
        voices = Voices(outlet.forge.me(), pull.author, around.settings.speak)
        for line in _given(answers, folder, outlet.forge, pull.number, voices, commit):
            tell(line)
        return pull


def _on_top(made: Prepared, target: Target, at: Access | None, folder: RunFolder) -> str:
    """Push the commit if the branch is still where the run began, and return the commit.

    Without a forge there is only the branch that the run made.
    """
    with in_repository(made.repository) as git:
        commit = delivery.commit_of(git, made.branch)
        if at is None or tips(git, at).branch(target.branch) == commit:
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
    delivery.noted(folder, delivery.pushed_event(commit, target))
    return commit


def _given(
    answers: _Answers, folder: RunFolder, forge: Forge, number: int, voices: Voices, commit: str
) -> Iterator[str]:
    """Post the answers and yield a line for each. Raises ForgeError at the end if some failed."""
    there = {thread.key: thread for thread in waiting(forge.threads(number), voices)}
    faults = list[ForgeError]()
    for at in sorted(answers.said.keys() - answers.given):
        thread = there.get(answers.threads[at].key)
        if thread is None:
            yield f"thread {at}: not answered: it is resolved, answered or deleted"
            continue
        if voices.said(thread) > answers.threads[at].said:
            yield f"thread {at}: not answered: somebody has replied to it since"
            continue
        try:
            address = forge.reply(number, thread, _signed(answers.said[at], commit))
        except ForgeError as error:
            faults.append(error)
            if len(faults) == _FAULTS:
                break
        else:
            delivery.noted(folder, Event(ANSWERED, write_facts({"n": str(at), "at": address})))
            yield f"thread {at}: {address}"
    yield from (
        f"thread {at}: not answered: the Conclusion has no line for it" for at in answers.left
    )
    if faults:
        raise faults[0]


def what_would_be_sent(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    moved: Path | None = None,
) -> Iterator[str]:
    """Yield exactly what would be sent, except for the number of the commit."""
    answers = _answers(folder, outlet, around)
    if "diff" in answers.state.result:
        made = ready(folder, target, outlet, around, moved)
        yield from (f"refused: {why}" for why in made.refused)
        at = outlet.forge.pull(int(target.pull)).source or outlet.hosted.path
        yield f"push: {made.branch} -> {target.branch} of {at}"
    for number, text in answers.said.items():
        yield f"answer to thread {number}:\n{_signed(text, '')}"
    yield from (f"answer to thread {number}: none" for number in answers.left)


def told_of_failure(outcome: Outcome, target: Target, outlet: Outlet, around: Surroundings) -> str:
    """Comment on the pull request about a failed run, and return the comment's address."""
    text = f"{said_of_failure(outcome, around)}\n{SIGNED}"
    return outlet.forge.comment(int(target.pull), text, is_pull=True)
