"""What can be bought."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Item:
    name: str
    price: Decimal
    weight: float = 0.0

    def __str__(self):
        return f"{self.name} ({self.price})"


@dataclass(frozen=True)
class Parcel:
    items: tuple
    limit: float = 31.5

    @property
    def weight(self):
        return sum(item.weight for item in self.items)

    @property
    def is_too_heavy(self):
        return self.weight > self.limit
