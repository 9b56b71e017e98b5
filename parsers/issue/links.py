"""Addresses of lines of code at a forge: `.../blob/COMMIT/PATH#L10-L20`, in the ways of several."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from react_agent.parsers.text.late_pattern import LatePattern

_ADDRESS = LatePattern(
    r"""https?://[^\s/<>"'()]{1,255}/([^\s#?<>"'()]{1,1000})(?:\?[^\s#<>"'()]{0,300})?"""
    r"#(?:L|lines-)(\d{1,7})(?:C\d{1,5})?(?:[-:]L?(\d{1,7}))?"
)
_KINDS = ("/-/blob/", "/blob/", "/src/commit/", "/src/branch/", "/blame/", "/src/")
_COMMIT = LatePattern(r"[0-9a-fA-F]{7,64}")


@dataclass(frozen=True, slots=True)
class CodeLink:
    repository: str  # OWNER/NAME
    revision: str
    path: str
    first: int
    last: int

    @property
    def is_of_commit(self) -> bool:
        return _COMMIT.fullmatch(self.revision) is not None


def code_links(text: str) -> Iterator[CodeLink]:
    for found in _ADDRESS.pattern.finditer(text):
        first, last = int(found[2]), int(found[3] or found[2])
        kind = next((kind for kind in _KINDS if kind in found[1]), "")
        if not kind or first < 1:
            continue
        repository, _, rest = found[1].partition(kind)
        revision, _, path = unquote(rest).partition("/")
        if path and "\0" not in path:
            yield CodeLink(repository, revision, path, min(first, last), max(first, last))
