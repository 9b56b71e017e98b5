"""Predictions: patches, each for an instance, as the official harness and SWE-agent have them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from react_agent.eval.task import PLAIN, Arm, Record

Rows = Sequence[Mapping[str, str]]


def predictions_of(records: Iterable[Record], arm: Arm) -> Rows:
    """But of attempts that are not counted: an empty patch would count against the model."""
    model = arm.model if arm.name == PLAIN else f"{arm.model} {arm.name}"
    return [
        {
            "instance_id": record.key.instance,
            "model_name_or_path": model,
            "model_patch": record.patch.encode(errors="surrogateescape").decode(errors="replace"),
        }
        for record in records
        if not record.is_infrastructure
    ]


FORMATS: Mapping[str, Callable[[Rows], str]] = {
    "preds": lambda rows: json.dumps({row["instance_id"]: row for row in rows}, indent=2) + "\n",
    "jsonl": lambda rows: "".join(f"{json.dumps(row)}\n" for row in rows),
}
