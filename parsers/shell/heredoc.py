"""Find the here-documents of a shell line. Their texts are the lines below it.

opener = "<<" ["-" | "~"] (quote word quote | word)   not "<<<", not within quotes, not behind a
                                                      number or ")", nor in a line that ends like C;
                                                      a bare word behind a blank is in capitals
"""

import re
from dataclasses import dataclass

_OPENER = re.compile(
    r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|`[^`]*`|<<<+"""
    r"""|<<(?P<dash>[-~]?)(?P<gap>[ \t]*)"""
    r"""(?:(?P<quote>['"])(?P<quoted>[^'"\n]{1,60})(?P=quote)|\\?(?P<bare>[A-Za-z_]\w{0,59}))"""
)
_COMMON = frozenset({"eof", "end", "heredoc"})
_ENDS_OF_CODE = (";", "}", "{", ",")


@dataclass(frozen=True, slots=True)
class Heredoc:
    word: str
    is_indented: bool = False  # its end mark may be indented

    def is_closed_by(self, line: str) -> bool:
        return (line.lstrip() if self.is_indented else line) == self.word


def heredocs(line: str) -> tuple[Heredoc, ...]:
    """Return the here-documents in the order of their texts."""
    if "<<" not in line:
        return ()
    found = (match for match in _OPENER.finditer(line) if _opens(match))
    return tuple(Heredoc(match["quoted"] or match["bare"], bool(match["dash"])) for match in found)


def _opens(match: re.Match[str]) -> bool:
    if match["quoted"]:
        return True
    if not match["bare"] or (
        match["gap"] and match["bare"] not in _COMMON | {match["bare"].upper()}
    ):
        return False
    if match.string.rstrip().endswith(_ENDS_OF_CODE):
        return False  # a shift, or a stream of C++
    before = match.string[max(match.start() - 20, 0) : match.start()].split()
    return not before or not (before[-1].isdigit() or before[-1].endswith(")"))
