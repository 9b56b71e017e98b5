"""How many of something there are, in words."""


def counted(number: int, noun: str) -> str:
    """`1 line`, `1,234 lines`, `2 matches`, `2 entries`."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("ry"):
        return noun.removesuffix("y") + "ies"
    return noun + ("es" if noun.endswith("ch") else "s")
