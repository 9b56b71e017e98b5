"""Shopping cart with discounts."""

from decimal import Decimal

from shop.models import Item

TAX_RATE = Decimal("0.19")


class CartError(Exception):
    """The cart cannot do this."""


class Cart:
    def __init__(self, owner, currency="EUR"):
        self.owner = owner
        self.currency = currency
        self.items = []
        self.discount = None

    def add(self, item, count=1):
        if count < 1:
            raise CartError("count must be positive")
        for _ in range(count):
            self.items.append(item)
        return self

    def remove(self, item):
        if item not in self.items:
            raise CartError("no such item")
        self.items.remove(item)
        return self

    def total(self):
        total = sum(item.price for item in self.items)
        if self.discount:
            total -= total * self.discount
        return total

    def taxed_total(self):
        return self.total() * (1 + TAX_RATE)

    def apply(self, code):
        if code not in CODES:
            raise CartError("unknown code")
        self.discount = CODES[code]
        return self

    def __len__(self):
        return len(self.items)


CODES = {
    "WELCOME": Decimal("0.10"),
    "FRIENDS": Decimal("0.25"),
}
