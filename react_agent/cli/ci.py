"""The command `react-agent ci`, which acts on the event that started a GitHub Actions job."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from react_agent.cli.arguments import Ci
from react_agent.cli.deliver import finished, requested
from react_agent.cli.options import Running, Sending
from react_agent.cli.run import requested as of_issue
from react_agent.cli.running import exit_code, solved, spec, watched
from react_agent.cli.terminal.streams import say
from react_agent.errors import UsageError
from react_agent.forges.find import Place, find_account
from react_agent.issue_to_pr.delivery import outside
from react_agent.issue_to_pr.target import COMMENT, PULL
from react_agent.parsers.forge.ci_event import Ask, read_event
from react_agent.parsers.forge.safe_markdown import fenced, prose
from react_agent.parsers.issue.reference import Reference
from react_agent.runs.commands import Surroundings
from react_agent.tools import disk, variables
from react_agent.tools.errors import machine_error

_LONGEST = 500_000  # characters of a report: GitHub takes 1 MiB
_NAMES = ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_SERVER_URL")


def command(given: Ci, running: Running) -> int:
    if not given.label.strip() or not given.phrase.strip():
        raise UsageError("--label and --phrase must not be empty: every event would start work")
    job = {name: variables.value(name) for name in _NAMES}
    if missing := [name for name in _NAMES if not job[name]]:
        raise UsageError(f"this is not a GitHub Actions job: such a job sets {', '.join(missing)}")
    ask = Ask(job["GITHUB_REPOSITORY"], given.label.strip(), given.phrase.strip())
    start = read_event(job["GITHUB_EVENT_NAME"], _event(job), ask)
    if isinstance(start, str):
        say([f"nothing to do: {start}"])
        return 0
    screen, around = watched(running)
    server, path = urlsplit(job["GITHUB_SERVER_URL"]), job["GITHUB_REPOSITORY"]
    reference = Reference(start.number, path, server.netloc, start.is_pull, server.scheme)
    if not _may_start(reference, start.by, around):
        say([f"nothing is started: {start.by} may not push to {reference.path}"])
        return 0
    is_runner = variables.value("GITHUB_ACTIONS") == "true"  # it reads the output as a log
    with screen.in_log() if is_runner else nullcontext():
        if reference.is_pull:
            way = (PULL, COMMENT)
            request = requested(reference, given.repo, "", way, running, around, ask.phrase)
        else:
            sending = Sending(pr=True, comment=True)
            request = of_issue(str(reference), given.repo, sending, running, around)
        if request is None:  # no thread needs an answer
            return 0
        outcome = solved(request, 1, around, screen)
        try:
            pull = finished(outcome, around, screen.console)
        finally:  # also of a result that could not be sent
            report = disk.read_text(outcome.folder.report, errors="replace")
            report = around.redaction(spec(running, around)).for_all(report)[:_LONGEST]
            title, _, text = report.partition("\n")
            page = f"# {prose(title.lstrip('# '))}\n\n{fenced(text.strip())}\n"
            _append("GITHUB_STEP_SUMMARY", page)
    if pull:
        _append("GITHUB_OUTPUT", f"pull-request={''.join(pull.url.split())}\n")
    return exit_code(outcome)


def _event(given: Mapping[str, str]) -> str:
    place = Path(given["GITHUB_EVENT_PATH"])
    try:
        return disk.read_text(place, errors="replace")
    except OSError as error:
        raise UsageError(f"can't read the event {place}: {error.strerror}") from error


def _may_start(reference: Reference, login: str, around: Surroundings) -> bool:
    place = Place(reference.host, reference.path, reference.scheme)
    account = find_account(place, outside(around))
    if account.kind != "GitHub":
        raise UsageError(f"{reference.host} is not GitHub: use `react-agent solve` in its jobs")
    from react_agent.forges.github import GitHub  # with PyGithub

    return GitHub(account, reference.path, outside(around).patience).may_push(login)


def _append(variable: str, text: str) -> None:
    """Append text to the file named by an environment variable, if the variable is set."""
    if place := variables.value(variable):
        with machine_error(f"can't write {place}"):
            disk.append_text(Path(place), text, errors="replace")
