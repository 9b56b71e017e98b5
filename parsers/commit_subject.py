"""The first line of a commit message, taken apart.

subject = emoji? number? (typed | bracketed | area)? text pull?
emoji   = ":bug:" | "🐛"
number  = "PROJ-12: " | "[PROJ-12] " | "gh-12: " | "#12 " | "Fixed #12 -- " | ...
typed   = TYPE ("(" scope ")")? "!"? ": "
area    = ("net/http" | "mm, slab" | ...) ": "
pull    = " (#12)"                  what a forge adds when it merges
"""

from dataclasses import dataclass

from react_agent.parsers.late_pattern import LatePattern

_TYPES = """
feat feature fix bugfix hotfix bug docs doc style refactor perf test tests build ci chore revert
deps security release improvement
"""
TYPES = frozenset(_TYPES.split())
_EMOJI = LatePattern(
    r"(?P<emoji>:[a-z][a-z0-9_+-]+:|[\u2190-\u2bff\u3030\U0001f000-\U0001faff]\ufe0f?)\s*"
)
_NUMBER = LatePattern(
    r"(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see) )?"
    r"(?P<open>[\[(]?)(?P<key>#|(?:gh|bpo|issue)[- ]#?|[A-Z][A-Z0-9]+-)(?P<digits>\d+)[\])]?"
    r"(?::| --| -|,|(?<=[\])])|(?<=\d))\s+(?=\S)",
    2,  # re.IGNORECASE; the capitals of a key are looked at afterwards
)
_TYPED = LatePattern(r"(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()\n]{1,60})\))?!?:\s+(?=\S)")
_BRACKETED = LatePattern(r"\[(?P<area>[^\[\]\n]{1,40})\]:?\s+(?=\S)")
_AREA = LatePattern(r"(?P<area>[\w.*{}/+@-]{1,60}(?:, ?[\w.*{}/+@-]{1,40}){0,3}):\s+(?=\S)")
_PULL = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_KEY = LatePattern(r"[A-Z][A-Z0-9]+-")


@dataclass(frozen=True, slots=True)
class Subject:
    text: str  # what is said
    emoji: str = ""
    number: str = ""  # with `{}` where the digits were: "gh-{}: "
    type: str = ""
    scope: str = ""
    area: str = ""
    is_bracketed: bool = False


def read_subject(line: str) -> Subject:
    """Anything else is its text."""
    rest = _PULL.sub("", " ".join(line.split()))
    rest, emoji = _emoji(rest)
    rest, number = _number(rest)
    if not emoji:
        rest, emoji = _emoji(rest)
    typed = _TYPED.match(rest)
    if typed and typed["type"].lower() in TYPES:
        text, scope = rest[typed.end() :], typed["scope"] or ""
        return Subject(text, emoji, number, typed["type"], scope)
    if found := _BRACKETED.match(rest):
        text = rest[found.end() :]
        return Subject(text, emoji, number, area=found["area"], is_bracketed=True)
    if (found := _AREA.match(rest)) and not found["area"].isdigit():
        return Subject(rest[found.end() :], emoji, number, area=found["area"])
    return Subject(rest, emoji, number)


def _emoji(rest: str) -> tuple[str, str]:
    found = _EMOJI.match(rest)
    return (rest[found.end() :], found["emoji"]) if found and rest[found.end() :] else (rest, "")


def _number(rest: str) -> tuple[str, str]:
    found = _NUMBER.match(rest)
    if found is None or (found["key"].endswith("-") and not _is_key(found["key"])):
        return rest, ""
    whole, start, end = found[0], *found.span("digits")
    return rest[found.end() :], f"{whole[:start]}{{}}{whole[end:]}"


def _is_key(key: str) -> bool:
    """`utf-8 names` and `sha-256 sums` are words."""
    return key.lower() in ("gh-", "bpo-", "issue-") or (
        _KEY.fullmatch(key) is not None and key not in ("UTF-", "SHA-", "ISO-", "RFC-", "CVE-")
    )
