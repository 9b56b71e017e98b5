"""The shortest words that stand for a text."""


def one_line(text: str) -> str:
    return " ".join(text.split())


def bare(text: str) -> str:
    """Without the marks that stand around all of it; those of a part of it stay."""
    text = text.strip()
    for mark in ("**", "*", '"', "`"):
        inner = text.removeprefix(mark).removesuffix(mark)
        if len(inner) == len(text) - 2 * len(mark) and mark not in inner:
            text = inner.strip()
    return text


def headline(text: str, most: int = 100) -> str:
    """Its first line that says something."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return first if len(first) <= most else f"{first[: most - 1]}…"
