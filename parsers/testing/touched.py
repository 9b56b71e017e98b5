"""Lines of a file of tests: the names of tests, and what has them passed over."""

from react_agent.parsers.late_pattern import LatePattern

_NAMES = (
    LatePattern(r"\s*(?:async\s+)?def\s+(test\w*)\s*\("),
    LatePattern(r"\s*func\s+(Test\w+)\s*\("),
    LatePattern(r"\s*(?:it|test)\s*\(\s*(?P<quote>['\"`])(.+?)(?P=quote)"),
    LatePattern(r"\s*(?:public\s+|private\s+)?void\s+(test\w+)\s*\("),
)
_SKIPS = LatePattern(
    r"\s*(?:"
    r"@(?:pytest\.mark\.)?(?:skip|xfail)\b"
    r"|pytestmark\s*=.*\b(?:skip|xfail)\b"
    r"|@(?:unittest\.)?(?:skip\b|expectedFailure\b)"
    r"|@(?:Disabled|Ignore)\b"
    r"|(?:it|test|describe)\.(?:skip|only|todo)\s*\("
    r"|x(?:it|test|describe)\s*\("
    r"|#\[ignore\b"
    r"|\w.*marks\s*=\s*pytest\.mark\.(?:skip|xfail)\b"
    r")"
)
_SKIPS_NOW = LatePattern(r"\s*(?:self\.skipTest|pytest\.(?:skip|xfail)|t\.Skip(?:f|Now)?)\s*\(")


def named_test(line: str) -> str:
    """The name of the test that begins on this line; nothing where none does."""
    found = next(filter(None, (pattern.match(line) for pattern in _NAMES)), None)
    return found[found.re.groups] if found else ""


def is_skip(line: str) -> bool:
    """Always, and not on a condition."""
    return _SKIPS.match(line) is not None


def skips_now(line: str) -> bool:
    """If it is come to."""
    return _SKIPS_NOW.match(line) is not None
