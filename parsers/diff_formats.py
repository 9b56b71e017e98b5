"""Other ways to write a change, told apart so that it can be said which one is read here."""

from collections.abc import Sequence

_FORMATS = (
    ("*** Begin Patch", "a patch in the *** Begin Patch format"),
    ("*** Update File:", "a patch in the *** Begin Patch format"),
    ("*** Add File:", "a patch in the *** Begin Patch format"),
    ("*** Delete File:", "a patch in the *** Begin Patch format"),
    ("<<<<<<< ", "a SEARCH/REPLACE block"),
    ("------- SEARCH", "a SEARCH/REPLACE block"),
)


def other_format(lines: Sequence[str]) -> str:
    """What the lines are instead of a unified diff; empty if nothing is known of them."""
    for line in lines:
        for beginning, name in _FORMATS:
            if line.lstrip().startswith(beginning):
                return name
    return ""
