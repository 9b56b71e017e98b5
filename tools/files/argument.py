"""What can be handed to a program, or be a file's name."""

import os


def can_be_passed(text: str) -> bool:
    """Neither NUL nor a character that has no bytes."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
