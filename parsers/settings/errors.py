"""A file that people write could not be read."""


class ParseError(ValueError):
    """Says which line, what was expected and what was found."""


def parse_error(line: int, expected: str, found: str) -> ParseError:
    shown = found if len(found) <= 60 else found[:57] + "..."
    return ParseError(f"line {line}: expected {expected}, found {shown!r}")
