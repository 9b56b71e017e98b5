"""Deliver the result of a run to a forge: a pull request, review answers or a comment."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from react_agent.cli.arguments import Review, SendRun
from react_agent.cli.options import Running
from react_agent.cli.running import exit_code, print_rows, print_summary, solved, spec, watched
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.streams import give_lines, say
from react_agent.edge import surroundings
from react_agent.errors import UsageError
from react_agent.forges.contract import Pull
from react_agent.issue_to_pr.delivery import (
    Delivery,
    Outlet,
    check_ready,
    check_target,
    closing,
    commented,
    forge_for,
    kept,
    ours_there,
    outlet_for,
    said_of_failure,
    send,
)
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.pull_request import Prepared
from react_agent.issue_to_pr.review import SIGNED, answered, asked, review_of, what_would_be_sent
from react_agent.issue_to_pr.target import COMMENT, DRAFT, DRY, FORK, ISSUE, PULL, Target, target_of
from react_agent.parsers.forge.ci_event import PHRASE
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import LAST, find
from react_agent.runs.run_setup import Request, check_header
from react_agent.state.state import State, fold
from react_agent.state.transcript import read
from react_agent.tools.git.repository import common_dir, enclosing, in_repository, top_of


def finished(outcome: Outcome, around: Surroundings, console: Console) -> Pull | None:
    """Print the summary, then deliver the result. Return the pull request, if there is one."""
    print_summary(outcome, console)
    header = outcome.state.header
    target, repository = target_of(header), Path(header["repository"])
    if target is None:
        return None
    if not outcome.has_result:
        if COMMENT in target.way:
            _say_why(outcome, target, repository, around, console)
        return None
    if not target.is_sent_or_shown:
        return None
    if target.pull:
        later = f"to send what is left: react-agent pr {outcome.folder.path.name}"
        with kept(later, around.tell):
            outlet = outlet_for(repository, target.url, around)
        to = Delivery(outcome.folder, target, outlet, around, repository)
        return _answered(to, console, DRY in target.way)
    is_kept = f"the branch {outcome.branch} is kept"
    later = f"{is_kept}: react-agent pr {outcome.folder.path.name}"
    with kept(later, around.tell, f"; {is_kept}"):
        outlet = outlet_for(repository, target.url, around)
        to = Delivery(outcome.folder, target, outlet, around, repository)
        if DRY in target.way:
            console.print()
            _show(to)
            return None
        return _sent(to, console)


def _answered(to: Delivery, console: Console, is_dry: bool) -> Pull | None:
    """Send the answers that have not been sent. A dry run only prints them and returns None."""
    if is_dry:
        give_lines(what_would_be_sent(to))
        return None
    return answered(to, lambda line: print_rows([("review", line)], console))


def _sent(to: Delivery, console: Console) -> Pull:
    pull = send(to)
    print_rows([("pull", f"{pull.url}{' (draft)' if pull.is_draft else ''}")], console)
    return pull


def _say_why(
    outcome: Outcome, target: Target, repository: Path, around: Surroundings, console: Console
) -> None:
    """Post a comment about a run without a result. A dry run only prints the comment."""
    if DRY in target.way:
        if not target.pull:
            console.print()
        give_lines([said_of_failure(outcome, around).removesuffix("\n")])
        return
    with kept(f"its text is in {outcome.folder.report}", around.tell):
        if target.pull:
            forge = outlet_for(repository, target.url, around).forge
            text = f"{said_of_failure(outcome, around)}\n{SIGNED}"
            address = forge.comment(int(target.pull), text, is_pull=True)
        else:
            address = commented(outcome, forge_for(repository, target.url, around), around)
    print_rows([("comment", address)] if address else [], console)


def _show(to: Delivery) -> Prepared:
    """Print the pull request exactly as it would be sent, and return it."""
    made, target = to.prepared(), to.target
    if not made.branch:
        check_ready(made)
    branch = target.branch if to.outlet.access else made.branch
    place = "a fork of yours" if FORK in target.way else target.url
    commit = "none"  # the hash and the message of the branch's last commit
    if made.branch:
        with in_repository(made.repository) as git:
            shown = git.ask("log", "-1", "--format=%H%n%n%B", f"refs/heads/{made.branch}", "--")
        commit = shown.out.decode(errors="replace").rstrip("\n")
    lines = (
        f"branch: {branch} -> {target.into}{f' at {place}' if place else ''}",
        f"draft: {'yes' if made.is_draft or DRAFT in target.way else 'no'}",
        *(f"refused: {why}" for why in made.refused),
        f"commit: {commit}\n",
        f"title: {made.title}\n",
        made.body.rstrip(),
    )
    give_lines(lines)
    return made


def send_run(given: SendRun) -> None:
    around = surroundings(lambda line: say([line]))
    folder = find(around.runs, given.run)
    state = fold(read(folder.transcript).entries)
    check_header(state, folder)
    known = target_of(state.header)
    reference = read_reference(state.header.get(ISSUE, ""))
    repository = given.moved or Path(state.header["repository"])
    if not given.moved and not repository.is_dir():
        told = f"the repository of this run is not at {repository}: say where, with --repo"
        raise UsageError(told)
    here = enclosing(Path()) if given.run == LAST and not given.moved else None
    if here and common_dir(here) != common_dir(repository):
        name = folder.path.name
        raise UsageError(f"the last run is one of {repository}: name it, react-agent pr {name}")
    if known and known.pull:
        of_a_new_one = {"--base": given.base, "--draft": given.draft, "--fork": given.fork}
        for option, value in {**of_a_new_one, "--remote": given.remote}.items():
            if value not in (None, False):
                raise UsageError(f"{option} is for a new pull request: this run answers a review")
        outlet = outlet_for(repository, known.url, around)
        to = Delivery(folder, known, outlet, around, repository)
        _answered(to, console(), given.dry_run)
        return
    named = given.remote or (known.url if known else "")
    outlet = outlet_for(repository, named, around, reference if given.fork and not named else None)
    target = known if known and not given.remote else _target(state, known, outlet, repository)
    way = {DRAFT: given.draft or DRAFT in target.way, FORK: given.fork or FORK in target.way}
    target = replace(target, into=given.base or target.into, way=tuple(w for w in way if way[w]))
    to = Delivery(folder, target, outlet, around, repository)
    if given.dry_run:
        check_target(repository, outlet, target.into, target.way)
        check_ready(_show(to))
        return
    _sent(to, console())


def _target(state: State, known: Target | None, outlet: Outlet, repository: Path) -> Target:
    """Return the target for a run that was started without a forge or with another one."""
    reference = read_reference(state.header.get(ISSUE, ""))
    branch, top = state.header["branch"], top_of(repository)
    if outlet.access:
        branch = ours_there(reference, branch, outlet.access, top)
    closes = closing(reference, outlet)
    way = known.way if known else ()
    return Target(outlet.url, outlet.hosted.default_branch, branch, closes, way=way)


def review(given: Review, running: Running) -> int:
    screen, around = watched(running)
    ways = {PULL: not given.dry_run, DRY: given.dry_run, COMMENT: given.comment}
    way = tuple(word for word, is_given in ways.items() if is_given)
    reference = _reference(given.pull_request)
    request = requested(reference, given.repo, given.remote or "", way, running, around)
    if request is None:
        return 0
    outcome = solved(request, 1, around, screen)
    finished(outcome, around, screen.console)
    return exit_code(outcome)


def requested(
    reference: Reference,
    repo: Path,
    remote: str,
    way: tuple[str, ...],
    running: Running,
    around: Surroundings,
    phrase: str = PHRASE,
) -> Request | None:
    """Return the request for a run. If no thread needs an answer, report it and return None."""
    outlet = outlet_for(repo, remote, around, reference)
    review = review_of(outlet.forge, reference.number, around, phrase)
    if not review.threads:
        around.tell(f"pull request {reference.number} has no thread to answer")
        return None
    model, keep = spec(running, around), around.settings.keep
    request = Request(Issue("", ""), repo, "HEAD", model, running.budget, keep=keep)
    return asked(request, review, outlet, way, around)


def _reference(words: str) -> Reference:
    found = read_reference(f"#{words}" if words.isascii() and words.isdecimal() else words)
    if found is None:
        raise UsageError(f"{words!r} is not a pull request: give a number, OWNER/REPO#7 or address")
    if found.host and not found.is_pull:
        raise UsageError(f"{words} is the address of an issue, which has no review")
    return found
