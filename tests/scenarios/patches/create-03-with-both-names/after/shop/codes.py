from decimal import Decimal

CODES = {
    "WELCOME": Decimal("0.10"),
}
