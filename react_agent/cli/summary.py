"""What is printed when a run has ended."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from react_agent.outcome import Outcome
from react_agent.parsers.quoting import escape
from react_agent.stop import Stop
from react_agent.tools.clip import counted

_INDENT = 11
_MORE = {
    Stop.OUT_OF_STEPS: " --steps N",
    Stop.OUT_OF_TIME: " --seconds N",
    Stop.OUT_OF_TOKENS: " --tokens N",
    Stop.OUT_OF_MONEY: " --money N",
}


def print_summary(outcome: Outcome, console: Console) -> None:
    for name, value in _rows(outcome):
        first, *others = (escape(line.strip()) for line in value.split("\n"))
        console.print(Text.assemble((f"{name:<{_INDENT}}", "bold"), first), soft_wrap=True)
        for other in others:
            console.print(Text(" " * _INDENT + other), soft_wrap=True)


def exit_code(outcome: Outcome) -> int:
    if outcome.stop is Stop.INTERRUPTED:
        return 130
    return 0 if outcome.is_success else 1


def _rows(outcome: Outcome) -> Iterator[tuple[str, str]]:
    spent = outcome.state.spent
    reason = f": {outcome.state.stop_reason}" if outcome.stop is not Stop.CONCLUDED else ""
    cost = "" if spent.money is None else f", {spent.money:.4f} $"
    steps = counted(len(outcome.state.steps), "step")
    tokens = f"{spent.prompt_tokens:,} + {spent.reply_tokens:,} tokens"
    yield "outcome", f"{outcome.stop}{reason}"
    yield "spent", f"{steps}, {tokens}, {spent.seconds:.1f} s{cost}"
    yield "branch", outcome.branch or _no_branch(outcome)
    yield "change", outcome.diff.rstrip() or "no file was changed"
    if outcome.left_out:
        yield "left out", f"{', '.join(outcome.left_out)} (new, and made by commands only)"
    yield "tests", outcome.tests
    yield "transcript", str(outcome.folder.transcript)
    if outcome.kept:
        yield "workspace", str(outcome.folder.workspace)
    if not outcome.stop.is_final:
        more = _MORE.get(outcome.stop, "")
        yield "to go on", f"react-agent resume {outcome.folder.path.name}{more}"


def _no_branch(outcome: Outcome) -> str:
    if outcome.stop is Stop.CONCLUDED:
        return "none: there is nothing to put into it"
    return f"none: the change so far is in {outcome.folder.patch}" if outcome.diff else "none"
