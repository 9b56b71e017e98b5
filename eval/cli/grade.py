"""react-agent eval grade"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.terminal.streams import say
from react_agent.errors import UsageError
from react_agent.eval.cli.options import (
    Chosen,
    Cluster,
    Going,
    Out,
    Workers,
    Working,
    carried_out,
    check_machine,
    folder_for,
    opened,
)
from react_agent.eval.grading.predicted import predicted, stored
from react_agent.eval.predictions import Prediction, read_predictions
from react_agent.eval.sets.issue_set import BUNDLED
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import Key
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape

Named = Annotated[
    str, typer.Argument(metavar="EXP|SET", help="an experiment; or a set, with --predictions")
]
Predictions = Annotated[
    Path | None,
    typer.Option("--predictions", metavar="FILE", help="preds.json, a JSON list or JSON lines"),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="NAME", help="of this model or arm; may be given again"),
]


def command(
    named: Named,
    chosen: Chosen,
    working: Working,
    predictions: Predictions = None,
    models: Models = None,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Out = None,
) -> None:
    """Judge what is solved, without solving anything.

    The patches of an experiment are judged again, and its verdicts replaced. Predictions on a set
    become an experiment of their own, with an arm for each model: it is read, compared and exported
    like any other.

    \b
    Example:
      react-agent eval grade trial --only shop-3
      react-agent eval grade project.jsonl --predictions preds.json --out theirs
    """
    going = Going(workers=workers, cluster=cluster)
    going.check()
    if predictions is None:
        store = _opened(named, chosen, working, out)
        if going.is_here:
            check_machine(store.conditions)
        wanted = _wanted(store, chosen.only or (), models or ())
    else:
        working.checked(going.is_here)
        given = _of_models(read_predictions(predictions), models or ())
        store = _made(named, chosen, working, given, folder_for(named, out))
        wanted = store.due()
    with closing(store):
        code = carried_out(store, going, wanted)
    raise typer.Exit(code)


def _opened(named: str, chosen: Chosen, working: Working, out: Path | None) -> Store:
    """With the conditions that are asked for now, where they are others."""
    if chosen.repo or chosen.limit or out:
        raise UsageError("--repo, --limit and --out go with a set and --predictions")
    if named == BUNDLED or Path(named).is_file():
        raise UsageError(f"{escape(named)} is no experiment: a set is judged with --predictions")
    store = opened(named)
    now, made = working.conditions, store.conditions
    conditions = replace(
        made,
        repositories=now.repositories or made.repositories,
        sandbox=working.sandbox or made.sandbox,
        network=now.network or made.network,
    )
    return replace(store, conditions=conditions)


def _wanted(store: Store, only: Sequence[str], models: Sequence[str]) -> Due:
    arms = {arm.name: {arm.name, arm.model} for arm in store.arms}
    _check("arm or model", models, {name for names in arms.values() for name in names})
    _check("instance", only, {one.id for one in store.instances()})

    def is_wanted(key: Key) -> bool:
        is_meant = not models or not arms[key.arm].isdisjoint(models)
        return is_meant and (not only or key.instance in only)

    return Due(to_grade=tuple(filter(is_wanted, store.due(grade_again=True).to_grade)))


def _of_models(given: Sequence[Prediction], models: Sequence[str]) -> Sequence[Prediction]:
    _check("model", models, {one.model for one in given})
    return [one for one in given if not models or one.model in models]


def _check(what: str, named: Sequence[str], known: set[str]) -> None:
    if missing := sorted({*named} - known):
        raise UsageError(f"there is no {what} {escape(missing[0])}")


def _made(
    named: str, chosen: Chosen, working: Working, given: Sequence[Prediction], folder: Path
) -> Store:
    found = predicted(chosen.of(named), given)
    unknown = {one.instance for one in given} - {one.id for one in found.instances}
    if unknown:
        say([f"left out: predictions of {counted(len(unknown), 'other instance')}"])
    if found.missing:
        lacking = counted(len(found.missing), "attempt")
        say([f"without a prediction, which counts as no patch: {lacking}"])
    return stored(folder, found, working.conditions, {"set": named})
