"""A defect: what it is called, how often models make it, and what it leaves of the edit."""

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import NamedTuple

from draft import Draft


class Kind(StrEnum):
    PRESERVING = "preserving"
    LOSING = "losing"
    DEPENDS = "depends"


class Told(StrEnum):
    """What a defect makes of a draft."""

    YES = "yes"  # the edit can be told, if its places can
    NO = "no"
    UNFIT = "unfit"  # the defect cannot be made in it


Damage = Callable[[Draft, Random], Told]
PATCHES = 2461  # that `share` is a count of


class Defect(NamedTuple):
    name: str
    damage: Damage
    share: int = 0  # of 2,461 recorded patches; 0: seen in none of them, but known
    kind: Kind = Kind.PRESERVING
    group: str = ""  # of these, a patch has one
    moves_columns: bool = False  # two such defects, and nobody can tell what was indented how


def yes(told: bool) -> Told:
    return Told.YES if told else Told.NO
