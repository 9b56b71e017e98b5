"""react-agent eval export"""

from collections.abc import Container
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.places import experiments_folder
from react_agent.cli.streams import give, say
from react_agent.errors import UsageError
from react_agent.eval.exports import FORMATS, ONE_EACH, Exported, left_out
from react_agent.eval.record import Record
from react_agent.eval.store import store as stores
from react_agent.eval.store.find import find_experiment
from react_agent.eval.task import Key
from react_agent.run_folder import write_whole
from react_agent.tools.clip import counted

_KNOWN = ", ".join(FORMATS)


def command(
    experiment: Annotated[
        str, typer.Argument(metavar="EXP", help="its folder, or the start of its name")
    ],
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"one of {_KNOWN}")
    ] = "preds",
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="a file; else standard output")
    ] = None,
    arm: Annotated[
        str | None, typer.Option("--arm", metavar="NAME", help="of this arm only")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--try", metavar="N", help="of the tries with this number only")
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
    folder = find_experiment(experiment, experiments_folder())
    exported = _exported(folder, arm, number)
    if form in ONE_EACH:
        exported = _of_one_try(exported, number)
    data = FORMATS[form](exported)
    if to is None:
        give(data)
    else:
        write_whole(to, data)
    _say_what_is_missing(exported, form)


def _exported(folder: Path, arm: str | None, number: int | None) -> Exported:
    store = stores.open(folder)
    try:
        arms = {one.name: one for one in store.arms if arm in (None, one.name)}
        if not arms:
            known = ", ".join(one.name for one in store.arms)
            raise UsageError(f"there is no arm {arm!r}: it is one of {known}")
        records, waiting = store.records(), store.waiting()
    finally:
        store.close()
    return Exported(
        folder.name,
        [one for one in records if _is_wanted(one.key, arms, number)],
        arms,
        [key for key in waiting if _is_wanted(key, arms, number)],
    )


def _is_wanted(key: Key, arms: Container[str], number: int | None) -> bool:
    return key.arm in arms and number in (None, key.number)


def _of_one_try(exported: Exported, number: int | None) -> Exported:
    if len(exported.arms) > 1:
        known = ", ".join(exported.arms)
        raise UsageError(f"predictions are of one arm: choose it by --arm ({known})")
    wanted = [one for one in exported.records if one.key.number == (number or 1)]
    waiting = [key for key in exported.waiting if key.number == (number or 1)]
    return Exported(exported.name, wanted, exported.arms, waiting)


def _say_what_is_missing(exported: Exported, form: str) -> None:
    missing: list[Record] = [one for one in exported.records if left_out(one)]
    if missing and form in ONE_EACH:
        say([f"left out: {counted(len(missing), 'attempt')} that the surroundings failed"])
    if exported.waiting:
        say([f"not done yet: {counted(len(exported.waiting), 'attempt')}"])
