"""What becomes of a run that was meant for a forge: a pull request, or a comment if it failed."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.forges.contract import Forge, Pull
from react_agent.issue_to_pr.outlet import Outlet
from react_agent.issue_to_pr.send import How, NotSent, send
from react_agent.issue_to_pr.target import DRAFT, FORK, ISSUE, Target
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.profiles.settings import Settings
from react_agent.pull.prepared import Prepared, prepared
from react_agent.runs.outcome import Outcome
from react_agent.runs.report import failure_comment
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.surroundings import Surroundings


def ready(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    moved: Path | None = None,
) -> Prepared:
    """What would be sent, to the letter."""
    known = known_secrets(outlet, around)
    return prepared(folder, moved=moved, closes=target.issue, known=known)


def how(way: tuple[str, ...], settings: Settings) -> How:
    return How(DRAFT in way, FORK in way, settings.reviewers, settings.labels)


@contextlib.contextmanager
def kept(outcome: Outcome, tell: Callable[[str], None]) -> Iterator[None]:
    """Whatever goes wrong within, the branch is kept: it is said how to send it later."""
    later = f"the branch {outcome.branch} is kept: react-agent pr {outcome.folder.path.name}"
    try:
        yield
    except NotSent as error:
        raise NotSent(f"{error}; the branch {outcome.branch} is kept") from error
    except ReactAgentError as error:
        raise NotSent(f"{error}; {later}") from error
    except KeyboardInterrupt:
        tell(later)
        raise


def delivered(outcome: Outcome, target: Target, outlet: Outlet, around: Surroundings) -> Pull:
    folder = outcome.folder
    made = ready(folder, target, outlet, around)
    return send(folder, made, target, outlet, how(target.way, around.settings), around.tell)


def said_of_failure(outcome: Outcome, around: Surroundings) -> str:
    """As everybody may read it."""
    return around.redaction().for_all(failure_comment(outcome))


def commented(
    outcome: Outcome, forge_for: Callable[[Reference], Forge], around: Surroundings
) -> str:
    """On the issue of a run that made nothing: where it got to. Its address; empty without one."""
    reference = read_reference(outcome.state.header.get(ISSUE, ""))
    if reference is None:
        return ""
    try:
        return forge_for(reference).comment(reference.number, said_of_failure(outcome, around))
    except ReactAgentError as error:
        raise NotSent(f"{error}; what it would say is in {outcome.folder.report}") from error


def known_secrets(outlet: Outlet, around: Surroundings) -> list[str]:
    """What nobody may read in anything that is sent."""
    token = outlet.access.token if outlet.access else ""
    redaction = around.redaction()
    return [*redaction.known, *redaction.named, *filter(None, [token])]
