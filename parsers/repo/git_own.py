"""What git keeps for itself: `.git`, in each spelling that some file system takes for it."""

from react_agent.parsers.text.late_pattern import LatePattern

_SHORT = LatePattern(r"git~\d+")  # as Windows shortens `.git`


def is_gits(part: str) -> bool:
    """As file systems compare it that ignore case, dots at the end, invisible characters."""
    if part.isascii() and not part.casefold().startswith((".git", "git~")):
        return False
    import unicodedata

    visible = "".join(letter for letter in part if unicodedata.category(letter) != "Cf")
    plain = visible.split(":")[0].rstrip(" .").casefold()
    return plain == ".git" or bool(_SHORT.fullmatch(plain))
