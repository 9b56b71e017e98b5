"""Set up a run and print its summary, for all commands that run an agent."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_agent.cli.main import INTERRUPTED
from react_agent.cli.options import Running, spec_of
from react_agent.cli.terminal.screen import Screen, console
from react_agent.cli.terminal.table import print_table
from react_agent.edge import confined, surroundings
from react_agent.errors import UsageError
from react_agent.runs.attempts import attempt
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.state.state import Stop
from react_agent.state.steps import Spent
from react_agent.tools.clip import counted
from react_agent.tools.git.repository import uncommitted


def watched(running: Running) -> tuple[Screen, Surroundings]:
    """Return the screen that shows the run, and the context of the run."""
    screen = Screen(console(plain=running.plain))
    around = surroundings(screen.tell, screen.entry)
    around = confined(around, running.sandbox, running.network, running.prepare)
    return screen, replace(around, within=(screen.within,), said=screen.keyboard.said)


@contextmanager
def until_it_ends(screen: Screen, around: Surroundings) -> Iterator[None]:
    """Show a run, and tell at its end what the user typed too late for the model."""
    with closing(around), screen.live():
        yield
    if lines := screen.keyboard.lines:
        screen.tell(f"the run ended before the model could read: {' / '.join(lines)}")


def solved(request: Request, attempts: int, around: Surroundings, screen: Screen) -> Outcome:
    """Run the attempts. Print how each of several ended, and return the chosen one."""
    with until_it_ends(screen, around):
        if attempts == 1:
            return solve(request, around)
        attempted = attempt(request, attempts, around)
    if attempted.standings:
        lines = (f"{number}: {told}" for number, told in enumerate(attempted.standings, 1))
        taken = str(attempted.winner or "none: no attempt made a change")
        spent = sum((one.state.spent for one in attempted.outcomes), Spent())
        rows = (("attempts", "\n".join(lines)), ("in all", _cost(spent)), ("chosen", taken))
        print_rows(rows, screen.console)
    return attempted.best


def tell_uncommitted(repository: Path, screen: Screen) -> None:
    if changed := uncommitted(repository):
        files = counted(len(changed), "file")
        screen.tell(f"{files} with uncommitted changes, which the model does not see")


def spec(running: Running, around: Surroundings) -> str:
    return spec_of(running.model or around.settings.model, running.base_url, running.key)


def other_spec(running: Running) -> str | None:
    """Return the spec of the model given as an option, or None to keep the run's own model."""
    if running.model:
        return spec_of(running.model, running.base_url, running.key)
    if running.base_url or running.key:
        raise UsageError("--base-url and --key are for another model: name it with --model")
    return None


_NAME = 10  # columns
_COPIED = "to go on"


def print_summary(outcome: Outcome, console: Console, only: Sequence[str] = ()) -> None:
    """Print the summary of a run: all rows, or only the rows named in `only`."""
    print_rows((row for row in _rows(outcome) if not only or row[0] in only), console)


def print_rows(rows: Iterable[tuple[str, str]], console: Console) -> None:
    """Print rows of a name and its lines. Commands are not wrapped, so that they can be copied."""
    for name, value in rows:
        if name == _COPIED:
            console.print(Text.assemble((f"{name:<{_NAME}} ", "bold"), value))
            continue
        lines = [line.strip() for line in value.split("\n")]
        names = (Text(f"{one:<{_NAME}}", "bold") for one in (name, *("" for _ in lines[1:])))
        print_table(list(zip(names, lines, strict=True)), console, gap=" ")


def exit_code(outcome: Outcome) -> int:
    if outcome.stop is Stop.INTERRUPTED:
        return INTERRUPTED
    return 0 if outcome.is_success else 1


def _rows(outcome: Outcome) -> Iterator[tuple[str, str]]:
    spent = outcome.state.spent
    reason = f": {outcome.state.stop_reason}" if outcome.stop is not Stop.CONCLUDED else ""
    yield "outcome", f"{outcome.ending}{reason}"
    yield "spent", f"{outcome.state.length}, {_cost(spent)}"
    if times := len(outcome.state.compressed):
        gone = f"{outcome.state.taken:,} tokens removed from the prompt"
        yield "compressed", f"{counted(times, 'time')}, {gone}"
    yield "branch", outcome.branch or _no_branch(outcome)
    yield "change", outcome.diff.rstrip() or "no file was changed"
    if outcome.left_out:
        yield "left out", f"{', '.join(outcome.left_out)} (new files that only commands made)"
    if outcome.dropped:
        yield "dropped", "\n".join(outcome.dropped)
    if outcome.refused:
        yield "keep it", "\n".join(f"{line}: don't push this branch" for line in outcome.refused)
    yield "tests", outcome.tests
    if outcome.verified and outcome.verified.prepare:
        yield "to test", f"prepare = {outcome.verified.prepare}"
    if outcome.checks:
        yield "checks", "\n".join(outcome.checks)
    if outcome.open:
        yield "open", "\n".join(point.text for point in outcome.open)
    yield "transcript", str(outcome.folder.transcript)
    if outcome.kept:
        yield "workspace", str(outcome.folder.workspace)
    if command := outcome.resume_command:
        yield "to go on", command


def _cost(spent: Spent) -> str:
    money = "" if spent.money is None else f", {spent.money:.4f} $"
    tokens = f"{spent.prompt_tokens:,} + {spent.reply_tokens:,} tokens"
    return f"{tokens}, {spent.seconds:.1f} s{money}{spent.not_known}"


def _no_branch(outcome: Outcome) -> str:
    if outcome.stop is Stop.CONCLUDED:
        return "none: there is no change to commit"
    return f"none: the change so far is in {outcome.folder.patch}" if outcome.diff else "none"
