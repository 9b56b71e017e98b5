"""An experiment out of predictions: solved elsewhere, to be judged here."""

import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.predictions import Prediction
from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Store
from react_agent.eval.task import PLAIN, Arm, Conditions, Instance, Key, Solved
from react_agent.tools import disk
from react_agent.tools.disk import remove_tree

PREDICTIONS = "predictions"  # in the place of a profile


@dataclass(frozen=True, slots=True)
class Predicted:
    """An arm for each model, with the instances that any of them has a prediction of."""

    instances: Sequence[Instance]
    arms: Sequence[Arm]
    patches: Mapping[Key, str]

    @property
    def keys(self) -> list[Key]:
        return [Key(one.id, arm.name, 1) for one in self.instances for arm in self.arms]

    @property
    def missing(self) -> list[Key]:
        """They count as no patch, as the official harness has it."""
        return [key for key in self.keys if key not in self.patches]


def predicted(instances: Sequence[Instance], predictions: Sequence[Prediction]) -> Predicted:
    """Raises UsageError where none is of these instances."""
    models = list(dict.fromkeys(one.model for one in predictions))
    names = {model: model if len(models) > 1 else PLAIN for model in models}
    patches = {Key(one.instance, names[one.model], 1): one.patch for one in predictions}
    having = {one.instance for one in predictions}
    known = [one for one in instances if one.id in having]
    if not known:
        raise UsageError("none of the predictions is of an instance of the set")
    return Predicted(known, [Arm(model, names[model], PREDICTIONS) for model in models], patches)


def stored(
    folder: Path, made_of: Predicted, conditions: Conditions, about: Mapping[str, str]
) -> Store:
    """Whole or not at all: nobody is to solve what is lacking. Raises UsageError: it is there."""
    if os.path.lexists(folder) and (not folder.is_dir() or any(list(folder.iterdir()))):
        raise UsageError(f"{folder} is there already")
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        arms, instances = made_of.arms, made_of.instances
        with closing(stores.create(beside, about, instances, arms, 1, conditions)) as store:
            for key in made_of.keys:
                store.solved(Solved(key, made_of.patches.get(key, "")))
        disk.rename(beside, folder)
    finally:
        remove_tree(beside)
    return stores.open(folder)
