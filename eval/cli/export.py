"""react-agent eval export"""

from collections.abc import Container
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.cli.terminal.streams import give, say
from react_agent.errors import UsageError
from react_agent.eval.cli.options import MOST_TRIES, Experiment, opened
from react_agent.eval.exports import FORMATS, ONE_EACH, Exported, left_out
from react_agent.eval.store.store import Store
from react_agent.eval.task import Key
from react_agent.parsers.text.counted import counted
from react_agent.runs.run_folder import write_whole

_KNOWN = ", ".join(FORMATS)


def command(
    named: Experiment,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"one of {_KNOWN}")
    ] = "preds",
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="a file; else standard output")
    ] = None,
    arm: Annotated[
        str | None, typer.Option("--arm", metavar="NAME", help="of this arm only")
    ] = None,
    tried: Annotated[
        str | None, typer.Option("--try", metavar="N", help="of the tries with this number only")
    ] = None,
) -> None:
    """Write an experiment for other programs.

    preds is one JSON object by instances, jsonl a line for each: predictions in the format of
    SWE-bench, which hold one try of one arm. csv is a line for each attempt, junit a report of
    tests for CI systems.

    \b
    Example:
      react-agent eval export trial --format junit --to report.xml
    """
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}: it is one of {_KNOWN}")
    number = whole("--try", tried, MOST_TRIES) if tried else None
    with closing(opened(named)) as store:
        exported = _exported(store, arm, number or (1 if form in ONE_EACH else None))
    if form in ONE_EACH and len(exported.arms) > 1:
        known = ", ".join(exported.arms)
        raise UsageError(f"predictions are of one arm: choose it by --arm ({known})")
    data = FORMATS[form](exported)
    if to is None:
        give(data)
    else:
        write_whole(to, data)
    _say_what_is_missing(exported, form)


def _exported(store: Store, arm: str | None, number: int | None) -> Exported:
    arms = {one.name: one for one in store.arms if arm in (None, one.name)}
    if not arms:
        known = ", ".join(one.name for one in store.arms)
        raise UsageError(f"there is no arm {arm!r}: it is one of {known}")
    tries = max(key.number for key in (*(one.key for one in store.records()), *store.waiting()))
    if number is not None and not 1 <= number <= tries:
        raise UsageError(f"there is no try {number}: they are numbered from 1 to {tries}")
    return Exported(
        store.folder.name,
        [one for one in store.records() if _is_wanted(one.key, arms, number)],
        arms,
        [key for key in store.waiting() if _is_wanted(key, arms, number)],
    )


def _is_wanted(key: Key, arms: Container[str], number: int | None) -> bool:
    return key.arm in arms and number in (None, key.number)


def _say_what_is_missing(exported: Exported, form: str) -> None:
    missing = sum(map(left_out, exported.records)) if form in ONE_EACH else 0
    if missing:
        say([f"left out: {counted(missing, 'attempt')} that the surroundings failed"])
    if exported.waiting:
        say([f"not done yet: {counted(len(exported.waiting), 'attempt')}"])
