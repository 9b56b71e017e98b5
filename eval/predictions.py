"""Predictions: patches, each for an instance, in the formats of the official harness.

preds = {instance_id: prediction, ...}       as SWE-agent and mini-swe-agent write it
      | [prediction, ...]
      | (prediction NEWLINE)*                JSON lines
prediction = {"instance_id", "model_name_or_path", "model_patch"}

Below its id, a prediction may leave that out; one without a model is of `unnamed`.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Store
from react_agent.eval.task import PLAIN, Arm, Conditions, Instance, Key, Record, Solved
from react_agent.parsers.settings.errors import ParseError, parse_error
from react_agent.parsers.text.json_rows import numbered_values
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree

INSTANCE, MODEL, PATCH = "instance_id", "model_name_or_path", "model_patch"
PREDICTIONS = "predictions"  # in the place of a profile
_UNNAMED = "unnamed"
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Prediction:
    instance: str
    model: str
    patch: str  # empty: it came to none


def predictions_of(records: Iterable[Record], arm: Arm) -> list[Prediction]:
    """But of attempts that are not counted: an empty patch would count against the model."""
    model = arm.model if arm.name == PLAIN else f"{arm.model} {arm.name}"
    return [
        Prediction(record.key.instance, model, record.patch)
        for record in records
        if not record.is_infrastructure
    ]


def _by_instance(rows: Sequence[Mapping[str, str]]) -> str:
    return json.dumps({row[INSTANCE]: row for row in rows}, indent=2) + "\n"


def _lines(rows: Sequence[Mapping[str, str]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


FORMATS: Mapping[str, Callable[[Sequence[Mapping[str, str]]], str]] = {
    "preds": _by_instance,
    "jsonl": _lines,
}


def write_predictions(predictions: Iterable[Prediction], form: str) -> bytes:
    rows = [
        {
            INSTANCE: one.instance,
            MODEL: one.model,
            PATCH: one.patch.encode(errors="surrogateescape").decode(errors="replace"),
        }
        for one in predictions
    ]
    return FORMATS[form](rows).encode()


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """Raises UsageError."""
    try:
        found = tuple(_once(_predictions(disk.read_bytes(path).decode())))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8") from None
    except ParseError as error:
        raise UsageError(f"{path}, {escape(str(error))}") from None
    if not found:
        raise UsageError(f"there are no predictions in {path}")
    return found


def _predictions(text: str) -> Iterator[tuple[int, Prediction]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if value and isinstance(value, dict) and INSTANCE not in value:
        for name, row in value.items():
            yield 1, _prediction(row, 1, name)
    else:
        for line, row in numbered_values(text):
            yield line, _prediction(row, line)


def _once(found: Iterable[tuple[int, Prediction]]) -> Iterator[Prediction]:
    seen = set[tuple[str, str]]()
    for line, one in found:
        key = one.instance, one.model
        if key in seen:
            raise parse_error(line, f"one prediction of {one.model} for each", one.instance)
        seen.add(key)
        yield one


def _prediction(row: object, line: int, name: str = "") -> Prediction:
    if not isinstance(row, dict):
        shown = json.dumps(row)[:_SHOWN]
        raise parse_error(line, f"an object with {INSTANCE}, {PATCH}, ...", shown)
    instance = _text(row, INSTANCE, line) or name
    if name and instance != name:
        raise parse_error(line, f"{INSTANCE} {name}", instance[:_SHOWN])
    for column, is_there in ((INSTANCE, bool(instance)), (PATCH, PATCH in row)):
        if not is_there:
            raise parse_error(line, column, ", ".join(map(str, row)))
    return Prediction(instance, _text(row, MODEL, line) or _UNNAMED, _text(row, PATCH, line))


def _text(row: Mapping[str, object], column: str, line: int) -> str:
    value = row.get(column)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise parse_error(line, f"a text as {column}", json.dumps(value)[:_SHOWN])
    return value


def predicted(
    folder: Path,
    instances: Sequence[Instance],
    given: Sequence[Prediction],
    conditions: Conditions,
    about: Mapping[str, str],
) -> tuple[Store, int]:
    """An experiment with an arm for each model, to be judged; and for how many attempts there is no
    prediction, which counts as no patch, as the official harness has it.

    Whole or not at all: nobody is to solve what is lacking. Raises UsageError.
    """
    if os.path.lexists(folder) and (not folder.is_dir() or any(list(folder.iterdir()))):
        raise UsageError(f"{folder} is there already")
    models = list(dict.fromkeys(one.model for one in given))
    arms = [Arm(one, one if len(models) > 1 else PLAIN, PREDICTIONS) for one in models]
    patches = {(one.instance, one.model): one.patch for one in given}
    named = {one.instance for one in given}
    known = [one for one in instances if one.id in named]
    if not known:
        raise UsageError("none of the predictions is of an instance of the set")
    beside, missing = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}"), 0
    try:
        with closing(stores.create(beside, about, known, arms, 1, conditions)) as store:
            for key in store.due().to_solve:
                patch = patches.get((key.instance, _model(arms, key)))
                missing += patch is None
                store.solved(Solved(key, patch or ""))
        disk.rename(beside, folder)
    finally:
        remove_tree(beside)
    return stores.open(folder), missing


def _model(arms: Iterable[Arm], key: Key) -> str:
    return next(arm.model for arm in arms if arm.name == key.arm)
