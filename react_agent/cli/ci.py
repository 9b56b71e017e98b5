"""react-agent ci"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from react_agent.cli.deliver import addressed, finished, requested
from react_agent.cli.options import Repository, Sending
from react_agent.cli.run import asked, solved
from react_agent.cli.running import Running
from react_agent.cli.screen import RunnerLog, Screen
from react_agent.cli.streams import say
from react_agent.cli.summary import exit_code
from react_agent.errors import MachineError, UsageError
from react_agent.forges.find import Place, find_account
from react_agent.issue_to_pr.delivery import outside
from react_agent.issue_to_pr.target import COMMENT, PULL
from react_agent.parsers.forge.ci_event import LABEL, PHRASE, Ask, NoStart, Start, read_event
from react_agent.parsers.forge.safe_markdown import fenced, prose
from react_agent.parsers.issue.reference import Reference
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.tools import disk, variables

_LARGEST = 5_000_000  # bytes of an event
_LONGEST = 500_000  # characters of a report: GitHub takes 1 MiB
_NAMES = ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_SERVER_URL")
Label = Annotated[str, typer.Option("--label", metavar="NAME", help="that starts work on an issue")]
Phrase = Annotated[
    str, typer.Option("--phrase", metavar="WORD", help="that a comment begins with, to start work")
]


def command(
    *,
    repo: Repository = Path(),
    label: Label = LABEL,
    phrase: Phrase = PHRASE,
    running: Running,
) -> None:
    """Do what the event that started a job of GitHub Actions asks for.

    A label on an issue or a comment that begins with the phrase starts work, if whoever set or
    wrote it may push to the repository; whatever else happens starts nothing.

    \b
    Example:
      react-agent ci --model anthropic/NAME
    """
    if not label.strip() or not phrase.strip():
        raise UsageError("--label and --phrase must not be empty: anything would start work")
    given = _given(variables.all_of_them())
    ask = Ask(given["GITHUB_REPOSITORY"], label.strip(), phrase.strip())
    start = read_event(given["GITHUB_EVENT_NAME"], _event(given), ask)
    if isinstance(start, NoStart):
        say([f"nothing to do: {start.why}"])
        return
    screen, around = running.watched()
    reference = _reference(given, start)
    if not _may_start(reference, start.by, around):
        say([f"nothing is started: {start.by} may not push to {reference.path}"])
        return
    with _logged(screen, variables.all_of_them()):
        outcome = _done(reference, repo, ask.phrase, running, around, screen)
        pull = finished(outcome, around, screen.console) if outcome else None
    if outcome is None:
        return
    report = around.redaction(running.spec(around)).for_all(_report(outcome))
    _append("GITHUB_STEP_SUMMARY", _page(report[:_LONGEST]))
    if pull:
        _append("GITHUB_OUTPUT", f"pull-request={''.join(pull.url.split())}\n")
    raise typer.Exit(exit_code(outcome))


def _done(
    reference: Reference,
    repo: Path,
    phrase: str,
    running: Running,
    around: Surroundings,
    screen: Screen,
) -> Outcome | None:
    """None where there was nothing to answer."""
    if reference.is_pull:
        way = (PULL, COMMENT)
        request = requested(reference, repo, "", way, running, around, phrase)
        return addressed(request, around, screen) if request else None
    sending = Sending(pr=True, comment=True)
    wanted = asked(str(reference), repo, sending, running, around)
    return solved(wanted, 1, around, screen)


def _given(environment: Mapping[str, str]) -> dict[str, str]:
    missing = [name for name in _NAMES if not environment.get(name)]
    if missing:
        raise UsageError(f"this is no job of GitHub Actions: {', '.join(missing)} is not set")
    return {name: environment[name] for name in _NAMES}


def _event(given: Mapping[str, str]) -> str:
    place = Path(given["GITHUB_EVENT_PATH"])
    try:
        data = disk.start_of(place, _LARGEST + 1)
    except OSError as error:
        raise UsageError(f"can't read the event {place}: {error.strerror}") from error
    if len(data) > _LARGEST:
        raise UsageError(f"the event {place} has more than {_LARGEST:,} bytes")
    return data.decode(errors="replace")


def _reference(given: Mapping[str, str], start: Start) -> Reference:
    server = urlsplit(given["GITHUB_SERVER_URL"])
    return Reference(
        start.number, given["GITHUB_REPOSITORY"], server.netloc, start.is_pull, server.scheme
    )


def _may_start(reference: Reference, login: str, around: Surroundings) -> bool:
    place = Place(reference.host, reference.path, reference.scheme)
    account = find_account(place, outside(around))
    if account.kind != "GitHub":
        raise UsageError(f"{reference.host} is not GitHub: use `react-agent solve` in its jobs")
    from react_agent.forges.github import GitHub  # with PyGithub

    return GitHub(account, reference.path, outside(around).patience).may_push(login)


@contextmanager
def _logged(screen: Screen, environment: Mapping[str, str]) -> Iterator[None]:
    """Where it is a runner who reads what is printed."""
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    with screen.in_log(RunnerLog()):
        yield


def _page(report: str) -> str:
    """All below the title as one block, in which nothing is Markdown."""
    title, _, text = report.partition("\n")
    return f"# {prose(title.lstrip('# '))}\n\n{fenced(text.strip())}\n"


def _report(outcome: Outcome) -> str:
    return disk.read_text(outcome.folder.report, errors="replace")


def _append(variable: str, text: str) -> None:
    """To a file that the runner reads, if there is one."""
    if place := variables.value(variable):
        try:
            disk.append_text(Path(place), text, errors="replace")
        except OSError as error:
            raise MachineError(f"can't write {place}: {error.strerror}") from error
