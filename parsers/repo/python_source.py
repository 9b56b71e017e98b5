"""Parse Python code that is not ours."""

import ast
import warnings


def parse(text: str) -> ast.Module | None:
    """Return the syntax tree, or None if this Python can't parse the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as one about an invalid escape in a string
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
