"""The commands `react-agent eval report`, `compare` and `export`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

from rich.text import Text

from react_agent.cli.options import argument, flag, option, whole
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.streams import give, say
from react_agent.errors import UsageError
from react_agent.eval.cli.options import MOST_TRIES, Experiment, opened
from react_agent.eval.report.comparison import comparison
from react_agent.eval.report.experiment import compared, experiment
from react_agent.eval.report.page import write_page
from react_agent.eval.report.report import SHOWN, report
from react_agent.eval.report.summary import Line
from react_agent.eval.task import PLAIN, Arm, Kind, Record
from react_agent.gone import EXPORTS
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_folder import write_whole

Rows = Sequence[Mapping[str, str]]


def predictions_of(records: Iterable[Record], arm: Arm) -> Rows:
    """Return the predictions. Attempts that an error ended have none: they did not fail."""
    model = arm.model if arm.name == PLAIN else f"{arm.model} {arm.name}"
    return [
        {
            "instance_id": record.key.instance,
            "model_name_or_path": model,
            "model_patch": record.patch.encode(errors="surrogateescape").decode(errors="replace"),
        }
        for record in records
        if not record.is_infrastructure or (record.patch and record.kind != Kind.ENDPOINT)
    ]


FORMATS: Mapping[str, Callable[[Rows], str]] = {
    "preds": lambda rows: json.dumps({row["instance_id"]: row for row in rows}, indent=2) + "\n",
    "jsonl": lambda rows: "".join(f"{json.dumps(row)}\n" for row in rows),
}

Every = Annotated[bool, flag("--all", f"list every attempt, not only the first {SHOWN} of a kind")]


def show(lines: Callable[[int], Iterator[Line]]) -> None:
    """Print the lines, formatted for the width of the terminal."""
    screen = console()
    for line in lines(screen.width):
        screen.print(line, soft_wrap=isinstance(line, Text))


def command(
    named: Experiment,
    every: Every = False,
    html: Annotated[
        Path | None, option("--html", "FILE", "write an HTML page with all transcripts instead")
    ] = None,
) -> None:
    """Report on an experiment: what was resolved, what it cost, and why the rest failed.

    Rates have 95 % intervals. Failures of the endpoint or the machine are not counted.

    \b
    Example:
      react-agent eval report trial
      react-agent eval report trial --html trial.html
    """
    told = experiment(named)
    if html:
        write_page(html, told.title, told.records, {**told.about, **told.ways})
        console().print(Text(f"written: {escape(str(html))}"))
    else:
        show(lambda columns: report(told, columns, None if every else SHOWN))


First = Annotated[str, argument("A", "an experiment, or EXP:ARM if it has several arms")]
Second = Annotated[str, argument("B", "another experiment, or another arm of it")]


def compare_command(first: First, second: Second, every: Every = False) -> None:
    """Compare two experiments, or two arms, on the attempts that were judged in both.

    Shows the difference with its interval, whether it may be chance, and each attempt that only
    one side resolved, with both transcripts.

    \b
    Example:
      react-agent eval compare trial:plain trial:no-hidden
    """
    both = compared(first, second)
    show(lambda columns: comparison(both, columns, None if every else SHOWN))


def export_command(
    named: Experiment,
    form: Annotated[str, option("--format", "FORMAT", f"one of {', '.join(FORMATS)}")] = "preds",
    to: Annotated[
        Path | None, option("--to", "FILE", "the file to write to; default: standard output")
    ] = None,
    arm: Annotated[
        str | None, option("--arm", "NAME", "only this arm, if there are several")
    ] = None,
    tried: Annotated[str, option("--try", "N", "only tries with this number")] = "1",
) -> None:
    """Write the patches of an arm as predictions, in the format of SWE-bench.

    preds is one JSON object keyed by instance; jsonl has one line per instance.

    \b
    Example:
      react-agent eval export trial --to preds.json
    """
    if form not in FORMATS:
        why = EXPORTS.get(form, f"it is one of {', '.join(FORMATS)}")
        raise UsageError(f"there is no format {form!r}: {why}")
    number = whole("--try", tried, MOST_TRIES)
    with closing(opened(named)) as store:
        names = {one.name: one for one in store.arms}
        known = ", ".join(names)
        if arm is None and len(names) > 1:
            raise UsageError(f"predictions come from one arm: choose it with --arm ({known})")
        arm = arm or known
        if arm not in names:
            raise UsageError(f"there is no arm {arm!r}: it is one of {known}")
        wanted = arm, number
        records = [one for one in store.records() if (one.key.arm, one.key.number) == wanted]
        waiting = [key for key in store.waiting() if (key.arm, key.number) == wanted]
    if not records and not waiting:
        raise UsageError(f"there is no try {number}")
    found = predictions_of(records, names[arm])
    data = FORMATS[form](found).encode()
    if to is None:
        give(data)
    else:
        write_whole(to, data)
    if missing := len(records) - len(found):
        say([f"left out: {counted(missing, 'attempt')} that endpoint or machine failed"])
    if waiting:
        say([f"not done yet: {counted(len(waiting), 'attempt')}"])
