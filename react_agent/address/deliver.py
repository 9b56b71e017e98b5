"""What becomes of a run that answers a review: one commit on top of its branch, then the answers.

It can be done again: what has reached the forge is not sent twice.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.forges.contract import Pull
from react_agent.issue_to_pr.target import Target
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import State, fold
from react_agent.loop.stop import Stop
from react_agent.parsers.forge.remote_complaint import Trouble
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.procedure.course import as_one_run
from react_agent.pull.prepared import Prepared
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import check_header
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.remote import Standing, push, tips
from react_agent.tools.git.repository import in_repository

Tell = Callable[[str], None]


def answered(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    tell: Tell,
    moved: Path | None = None,
) -> Pull:
    """Pushed first: an answer tells of the commit. Raises NotSent, and what is made is kept.

    `moved` is the repository, where it is no longer where the run began.
    """
    later = f"to send what is left: react-agent pr {folder.path.name}"
    try:
        return _answered(folder, target, outlet, around, tell, moved)
    except NotSent:
        raise
    except ReactAgentError as error:
        raise NotSent(f"{error}; {later}") from error
    except KeyboardInterrupt:
        tell(later)
        raise


def _answered(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    tell: Tell,
    moved: Path | None,
) -> Pull:
    entries = transcripts.read(folder.transcript).entries
    state = fold(entries)
    _check_concluded(state, folder)
    pull = outlet.forge.pull(int(target.pull))
    check_open(pull)
    commit = ""
    if "diff" in state.result:
        made, at = ready(folder, target, outlet, around, moved), branch_of(pull, outlet)
        _check_ready(made)
        commit = _on_top(made, target, at, folder)
        if at is None:
            tell(f"{target.branch} is left as it is: the change is in the branch {made.branch}")
    answers = _answers(folder, entries, outlet, around)
    voices = Voices(outlet.forge.me(), pull.author, around.settings.speak)
    for line in give(answers, folder, outlet.forge, pull.number, voices, commit):
        tell(line)
    return pull


def _check_concluded(state: State, folder: RunFolder) -> None:
    check_header(state, folder)
    if state.stop is not Stop.CONCLUDED:
        raise NotSent(f"no answer: the run ended as {state.stop or Stop.INTERRUPTED}")


def _check_ready(made: Prepared) -> None:
    if made.refused:
        raise NotSent(f"nothing is pushed, and nothing answered: {'; '.join(made.refused)}")


def _on_top(made: Prepared, target: Target, at: Access | None, folder: RunFolder) -> str:
    """The commit, which the branch goes forward to from where the run began, or stays where it is.

    Without a forge there is no other branch than the one that the run made.
    """
    with in_repository(made.repository) as git:
        commit = git.line("rev-parse", "--verify", f"refs/heads/{made.branch}^{{commit}}")
        if at is None or tips(git, at).branch(target.branch) == commit:
            return commit
        try:
            push(git, commit, at, Standing(target.branch, made.base))
        except RemoteError as error:
            if error.trouble is not Trouble.MOVED:
                raise
            raise NotSent(
                f"{target.branch} has got other commits since the run began, so nothing is pushed "
                f"or answered; the change is in the branch {made.branch} here: "
                f"merge it, or react-agent address {target.pull} once more"
            ) from error
    noted(folder, Event(PUSHED, write_facts({"commit": commit, "branch": target.branch})))
    return commit


def what_would_be_sent(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    moved: Path | None = None,
) -> Iterator[str]:
    """To the letter, but for the number of the commit."""
    entries = transcripts.read(folder.transcript).entries
    state = fold(entries)
    _check_concluded(state, folder)
    if "diff" in state.result:
        made = ready(folder, target, outlet, around, moved)
        yield from (f"refused: {why}" for why in made.refused)
        at = outlet.forge.pull(int(target.pull)).source or outlet.hosted.path
        yield f"push: {made.branch} -> {target.branch} of {at}"
    answers = _answers(folder, entries, outlet, around)
    for number, text in answers.said.items():
        yield f"answer to thread {number}:\n{signed(text, '')}"
    yield from (f"answer to thread {number}: none" for number in answers.left)


def told_of_failure(outcome: Outcome, target: Target, outlet: Outlet, around: Surroundings) -> str:
    """Below the pull request, where the run got to; its address."""
    text = f"{said_of_failure(outcome, around)}\n{SIGNED}"
    return outlet.forge.comment(int(target.pull), text, is_pull=True)


def _answers(
    folder: RunFolder, entries: Sequence[Entry], outlet: Outlet, around: Surroundings
) -> Answers:
    state = as_one_run(folder, fold(entries))
    places = [str(folder.path), state.header["repository"]]
    hidden = Hidden(known_secrets(outlet, around), places)
    return answers_of(state, entries, hidden)
