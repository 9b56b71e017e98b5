"""A file's name in a --- or +++ line, with what stands behind it left out.

name = (path | quoted path) [TAB anything | date | " (revision 12)"]
"""

from react_agent.parsers.git_name import read_name
from react_agent.parsers.late_pattern import LatePattern

_BEHIND = LatePattern(
    r"(?: {1,9}\d{4}-\d\d-\d\d[ T].*| {1,9}[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d .*"
    r"| {1,9}\((?:revision \d+|working copy|original|modified|old|new|before|after|updated)\))$"
)
_QUOTED = LatePattern(r'"(?:[^"\\]|\\.)*"')
_NOWHERE = ("/dev/null", "dev/null", "a/dev/null", "b/dev/null")
_ABSENT = LatePattern(r" \(nonexistent\)$")
_NAMES_A_FILE = LatePattern(r"[^\s<>|*?]*[^\s<>|*?.]\.[A-Za-z0-9_]{1,12}")


def header_name(text: str) -> str | None:
    """None: there is no such file on this side."""
    bare = text.split("\t")[0].strip()
    if bare[:1] == '"' and (quoted := _QUOTED.match(bare)):
        return read_name(quoted[0])
    if "(nonexistent)" in text and (_ABSENT.search(bare) or _ABSENT.search(text)):
        return None
    name = (_BEHIND.sub("", bare) if " " in bare else bare).strip("`")
    return None if name in _NOWHERE else name


def is_path(name: str | None) -> bool:
    """Whether it can hardly be anything else: SQL and Lua begin their remarks with two dashes."""
    if name is None:
        return True
    if " " in name and not name.startswith(("a/", "b/")):
        return False
    return "/" in name.strip("/") or _NAMES_A_FILE.fullmatch(name) is not None
