"""react-agent pr"""

from dataclasses import replace
from pathlib import Path

from react_agent.cli.delivery import print_pull, print_what_would_be_sent
from react_agent.cli.options import Draft, DryRun, Fork, Into, Moved, Remote, Run
from react_agent.cli.reviewed import sent
from react_agent.cli.screen import console
from react_agent.cli.streams import say
from react_agent.edge import surroundings
from react_agent.errors import UsageError
from react_agent.issue_to_pr.delivery import Outlet, closing, ours_there, outlet_for, ready, send
from react_agent.issue_to_pr.target import DRAFT, FORK, ISSUE, Target, target_of
from react_agent.loop.state import State, fold
from react_agent.loop.transcript import read
from react_agent.parsers.issue.reference import read_reference
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import check_header
from react_agent.tools.git.repository import top_of


def command(
    run: Run,
    *,
    repo: Moved = None,
    base: Into = None,
    draft: Draft = False,
    dry_run: DryRun = False,
    fork: Fork = False,
    remote: Remote = None,
) -> None:
    """Send the branch that a run made: push it, and open a pull request or update the one it has.

    Of a run that answers a review: push its commit, and give the answers that are not given yet.

    \b
    Example:
      react-agent pr 2026-11-20-fix --dry-run
    """
    around = surroundings(lambda line: say([line]))
    folder = find(around.runs, run)
    state = fold(read(folder.transcript).entries)
    check_header(state, folder)
    known = target_of(state.header)
    reference = read_reference(state.header.get(ISSUE, ""))
    repository = repo or _repository(state)
    if known and known.pull:
        sent(folder, known, repository, around, console(), dry_run=dry_run)
        return
    named = remote or (known.url if known else "")
    outlet = outlet_for(repository, named, around, reference if fork and not named else None)
    target = known if known and not remote else _target(state, known, outlet, repository)
    way = {DRAFT: draft or DRAFT in target.way, FORK: fork or FORK in target.way}
    target = replace(target, into=base or target.into, way=tuple(w for w in way if way[w]))
    if dry_run:
        print_what_would_be_sent(folder, target, outlet, around, repository)
        return
    made = ready(folder, target, outlet, around, repository)
    print_pull(send(folder, made, target, outlet, target.way, around), console())


def _repository(state: State) -> Path:
    found = Path(state.header["repository"])
    if not found.is_dir():
        raise UsageError(f"the repository of this run is not at {found}: say where, with --repo")
    return found


def _target(state: State, known: Target | None, outlet: Outlet, repository: Path) -> Target:
    """Of a run that was not meant for a forge, or for another one."""
    reference = read_reference(state.header.get(ISSUE, ""))
    branch, top = state.header["branch"], top_of(repository)
    if outlet.access:
        branch = ours_there(reference, branch, outlet.access, top)
    closes = closing(reference, outlet)
    way = known.way if known else ()
    return Target(outlet.url, outlet.hosted.default_branch, branch, closes, way=way)
