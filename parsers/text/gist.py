"""Shorten a text to one line, to a length, to its first line, or to the text inside its marks."""


def one_line(text: str) -> str:
    return " ".join(text.split())


def clipped(text: str, most: int, mark: str = "...") -> str:
    return text if len(text) <= most else text[: most - len(mark)] + mark


def bare(text: str) -> str:
    """Return the text without quotes or marks around all of it. Marks around a part are kept."""
    text = text.strip()
    for mark in ("**", "*", '"', "`"):
        inner = text.removeprefix(mark).removesuffix(mark)
        if len(inner) == len(text) - 2 * len(mark) and mark not in inner:
            text = inner.strip()
    return text


def headline(text: str, most: int = 100) -> str:
    """Return the first line that has text, shortened to `most` characters."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return clipped(first, most, "…")
