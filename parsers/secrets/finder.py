"""Find keys and passwords in a text by the prefixes and other marks that their issuers use.

A row has a kind, a list of fixed texts and a pattern. Each key contains one of the fixed texts, so
a text without them is skipped quickly. The group `key` of the pattern, or the whole match, is the
key. A key that was made up as an example does not count: it repeats itself, counts up, or is
labelled as one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, auto
from itertools import pairwise

from react_agent.parsers.text.late_pattern import LatePattern

_END = r"(?![A-Za-z0-9_-])"
_HEX = r"[0-9a-f]"
_UUID = rf"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}"


class Sure(IntEnum):
    """How certain it is that a text is a secret, which decides where it is removed."""

    CERTAIN = auto()  # it has the mark of its issuer and can be nothing else
    PLACED = auto()  # it is in a place where only a key can be
    LIKELY = auto()  # a name or its look suggests it; removed only if everybody can read the text


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    holds: tuple[str, ...]  # each key contains one of these
    pattern: LatePattern
    sure: Sure = Sure.CERTAIN


def _kind(name: str, holds: str, pattern: str, sure: Sure = Sure.CERTAIN) -> Kind:
    return Kind(name, tuple(holds.split()), LatePattern(pattern), sure)


def _begun(name: str, holds: str, rest: str) -> Kind:
    """Return a rule for a kind of key that begins with one of the texts in `holds`."""
    starts = "|".join(map(re.escape, holds.split()))
    return _kind(name, holds, rf"(?<![A-Za-z0-9])(?:{starts}){rest}{_END}")


PRIVATE_KEY = "private key"  # found by its lines
KINDS = (
    _begun("age key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    _begun("AWS access key", "AKIA ASIA", r"[A-Z2-7]{16}"),
    _kind(
        "AWS secret key",
        "aws AWS Aws secret_access_key SecretAccessKey",
        r"(?i)(?:aws.{0,20}?(?:secret|key)|secret_?access_?key).{0,20}?[=:>\"'\s]"
        r"[\"']?(?-i:(?P<key>(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])))",
    ),
    _begun("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,251}"),
    _begun("GitHub token", "github_pat_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _begun(
        "GitLab token",
        "glpat- gldt- glrt- glrtr- glptt- gloas- glcbt- glft- glimt- glagent- glsoat- glffct-",
        r"[A-Za-z0-9_.=-]{20,}",
    ),
    _begun("Slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xox", r"[A-Za-z0-9._-]{20,}"),
    _begun("Slack token", "xapp-", r"\d-[A-Z0-9]+-\d+-[a-z0-9]{20,}"),
    _kind(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<key>[A-Za-z0-9+/]{40,50})",
    ),
    _begun("Stripe key", "sk_live_ rk_live_ whsec_", r"[A-Za-z0-9+/=]{24,}"),
    _kind("OpenAI key", "T3BlbkFJ", r"sk-[A-Za-z0-9_-]{16,400}T3BlbkFJ[A-Za-z0-9_-]{16,}"),
    _begun("OpenAI key", "sk-proj- sk-svcacct- sk-admin-", r"[A-Za-z0-9_-]{40,}"),
    _begun("Anthropic key", "sk-ant-", r"[a-z]+\d*-[A-Za-z0-9_-]{40,}"),
    _begun("OpenRouter key", "sk-or-v1-", rf"{_HEX}{{64}}"),
    _begun("Google API key", "AIza", r"[A-Za-z0-9_-]{35}"),
    _begun("Google secret", "GOCSPX-", r"[A-Za-z0-9_-]{28}"),
    _begun("Google token", "ya29.", r"[A-Za-z0-9_-]{40,}"),
    _begun("npm token", "npm_", r"[A-Za-z0-9]{36}"),
    _begun("PyPI token", "pypi-AgE", r"[A-Za-z0-9_-]{60,}"),
    _begun("RubyGems key", "rubygems_", rf"{_HEX}{{48}}"),
    _begun("crates.io token", "cio", r"[A-Za-z0-9]{32}"),
    _begun("Docker token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,}"),
    _begun("Hugging Face token", "hf_", r"[A-Za-z]{34}"),
    _begun("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{64}}"),
    _begun("SendGrid key", "SG.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _kind("Mailgun key", "key-", rf"(?<![\w-])key-{_HEX}{{32}}{_END}"),
    _kind("Mailchimp key", "-us", rf"(?<![\w-]){_HEX}{{32}}-us\d{{1,2}}{_END}"),
    _kind(
        "Twilio key", "twilio TWILIO Twilio", rf"(?is:twilio.{{0,80}}?)(?P<key>\bSK{_HEX}{{32}}\b)"
    ),
    _kind("Telegram token", ":AA", r"(?<![\w:-])\d{8,10}:AA[A-Za-z0-9_-]{33}" + _END),
    _kind(
        "Discord token",
        ".",
        rf"(?<![\w.-])[MNO][A-Za-z\d]{{23,25}}\.[\w-]{{6}}\.[\w-]{{27,38}}{_END}",
    ),
    _kind(
        "Discord webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{15,}/(?P<key>[\w-]{60,})",
    ),
    _begun("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _begun("Square token", "sq0atp- sq0csp-", r"[A-Za-z0-9_-]{22,43}"),
    _begun("Databricks token", "dapi", rf"{_HEX}{{32}}(?:-\d)?"),
    _begun("Grafana token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    _begun("Vault token", "hvs. hvb.", r"[A-Za-z0-9_-]{24,}"),
    _kind("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    _begun("Postman key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    _begun("New Relic key", "NRAK-", r"[A-Z0-9]{27}"),
    _begun("Linear key", "lin_api_", r"[A-Za-z0-9]{40}"),
    _begun("Atlassian token", "ATATT3", r"[A-Za-z0-9_=-]{60,}"),
    _begun("Sentry token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_-]{40,}"),
    _begun("Supabase token", "sbp_", rf"{_HEX}{{40}}"),
    _begun("PlanetScale token", "pscale_tkn_ pscale_pw_", r"[A-Za-z0-9_.-]{32,}"),
    _begun("Doppler token", "dp.pt. dp.st.", r"[A-Za-z0-9._-]{40,}"),
    _begun("Tailscale key", "tskey-", r"[a-z]+-[A-Za-z0-9_-]{20,}"),
    _begun("Heroku key", "HRKU-", rf"(?:{_UUID}|[A-Za-z0-9_-]{{40,}})"),
    _kind("Azure key", "AccountKey=", r"AccountKey=(?P<key>[A-Za-z0-9+/]{86}==)"),
    _kind(
        "web token",
        "eyJ",
        r"(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}",
        Sure.PLACED,
    ),
    _kind(
        "password in an address",
        "://",
        r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>{}$]{0,60}:(?P<key>[^\s:/@\"'<>{}$%]{8,100})@[\w.-]",
        Sure.PLACED,
    ),
    _kind(
        "key in an address",
        "://",
        r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://(?P<key>[A-Za-z0-9_-]{20,100})(?::[\w-]{0,20})?@[\w.-]",
        Sure.PLACED,
    ),
    _kind(
        "password of a login",
        "password",
        r"\bmachine[ \t]+\S{1,100}\s{1,20}login[ \t]+\S{1,100}\s{1,20}"
        r"password[ \t]+(?P<key>\S{6,200})",
    ),
    _kind(
        "password of a request",
        "uthorization UTHORIZATION",
        r"(?i)authorization[\\\"']{0,2}\s{0,3}[:=,]\s{0,3}[\\\"']{0,2}"
        r"(?:bearer|basic|token|digest|apikey) {1,3}(?P<key>[A-Za-z0-9_.~+/=-]{8,2000})",
        Sure.PLACED,
    ),
    _kind(
        "password of a request",
        "-key -token -Key -Token -KEY -TOKEN",
        r"(?i)\b(?:x-(?:[a-z]{1,20}-)?(?:api-key|auth-token|access-token|token)|private-token|api-key)"
        r"[\\\"']{0,2}\s{0,3}[:=]\s{0,3}[\\\"']{0,2}(?P<key>[A-Za-z0-9_.~+/=-]{16,2000})",
        Sure.PLACED,
    ),
    _kind(
        "password of a request",
        "earer asic",
        r"(?i)\b(?:bearer|basic)[ :]+(?P<key>[A-Za-z0-9_.~+/=-]{20,})",
        Sure.LIKELY,
    ),
    _kind(
        "secret",
        "ey asswd assword ecret oken EY ASSWD ASSWORD ECRET OKEN",
        r"(?i)(?:api|access|auth|secret|private|signing|encryption|client|session)?[_.-]?"
        r"(?:key|secret|token|passwd|password)[\"']?\s{0,3}(?::=|=>|[:=])\s{0,3}"
        r"[\"'`]?(?P<key>[A-Za-z0-9_+/=.~!@#$%^&*-]{16,200})(?![\w([])",
        Sure.LIKELY,
    ),
)

_MADE_UP = LatePattern(
    r"(?i)example|sample|dummy|fake|placeholder|redacted|changeme|your[_-]|my[_-]|test|xxxx|abcdef"
    r"|01234|12345|98765|deadbeef|notreal|not[_-]a|insert|\.\.\.|lorem|secret|password"
)
_NO_LOT = LatePattern(r"[A-Za-z_.]+|[a-z0-9]+(?:[-_./][a-z0-9]+){2,}|[\d.:-]+|[A-Z0-9_]+")
_FEWEST_SIGNS = 9  # different characters in a key
_MIXED = 3.4  # bits a character, about as many as 20 random letters have
_LOOKED_AT = 80  # characters of a key that are searched for words
_SHORTEST = 12  # characters of a text with a key in it

# Private keys: in a file, with line numbers, quoted, in a diff or in one string.
_BLOCK = r"(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_MARKS = LatePattern(rf"-----(?:(?P<begin>BEGIN)|(?P<end>END)) {_BLOCK}")
_LONGEST_LINE = 4_000  # characters of a line
_RUN = LatePattern(r"[A-Za-z0-9+/=]{16,}")
_PARTS = LatePattern(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\n)?[\"'`\\,;)\s]{0,9}$)")
_HEADER = LatePattern(r"[A-Za-z-]{1,30}: \S")
_FEWEST_OF_BLOCK = 40  # characters in long runs: less is an example
_DIFFERENT = 8  # most different characters of a run in an example


@dataclass(frozen=True, slots=True)
class Secret:
    kind: str
    start: int
    end: int
    sure: Sure = Sure.CERTAIN


def secrets_in(text: str, least: Sure = Sure.LIKELY) -> list[Secret]:
    """Return the secrets in order. They do not overlap."""
    if len(text) < _SHORTEST:
        return []
    found = sorted(_found(text, least), key=lambda one: (one.start, one.sure, -one.end))
    kept = list[Secret]()
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _found(text: str, least: Sure) -> Iterator[Secret]:
    for start, end in _key_blocks(text):
        if not is_made_up(text[start:end]):
            yield Secret(PRIVATE_KEY, start, end)
    for kind in KINDS:
        if kind.sure > least or not _is_near(kind, text):
            continue
        pattern = kind.pattern.pattern
        for found in pattern.finditer(text):
            start, end = found.span("key" if "key" in pattern.groupindex else 0)
            if _is_meant(text[start:end], kind):
                yield Secret(kind.name, start, end, kind.sure)


def _is_near(kind: Kind, text: str) -> bool:
    for part in kind.holds:  # noqa: SIM110 - `any` takes three times as long for most texts
        if part in text:
            return True
    return False


def _is_meant(key: str, kind: Kind) -> bool:
    """Return whether the key is real and not made up as an example."""
    own = key
    for start in kind.holds:
        own = own.removeprefix(start)
    if len(set(own)) < min(_FEWEST_SIGNS, max(len(own) // 2, 6)) or is_made_up(own):
        return False
    if kind.sure is Sure.PLACED:
        return _NO_LOT.fullmatch(own) is None
    return kind.sure is Sure.CERTAIN or is_by_lot(own)


def is_made_up(key: str) -> bool:
    return _MADE_UP.search(key[:_LOOKED_AT]) is not None


def is_by_lot(key: str) -> bool:
    """Return whether the key looks random. Words rarely switch case or change to digits."""
    if _NO_LOT.fullmatch(key):
        return False
    shares = [count / len(key) for count in Counter(key).values()]
    bits = -sum(share * math.log2(share) for share in shares)
    sorts = ["d" if one.isdigit() else "u" if one.isupper() else "l" for one in key]
    changes = sum(one != other for one, other in pairwise(sorts))
    return bits >= _MIXED and changes >= len(key) / 4


def _key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each private key. For a cut-off key, it covers all lines that fit."""
    if "PRIVATE KEY" not in text:
        return
    floor, is_open = 0, False
    for mark in _MARKS.pattern.finditer(text):
        begins = mark.lastgroup == "begin"
        if is_open:
            stop = _grown(text, floor, mark.start()) if begins else mark.start()
            yield from _key(text, floor, stop)
        elif not begins:
            yield from _key(text, _above(text, floor, mark.start()), mark.start())
        floor, is_open = mark.end(), begins
    if is_open:
        yield from _key(text, floor, _grown(text, floor, len(text)))


def _key(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    runs = _RUN.findall(text[start:stop])
    if sum(map(len, runs)) >= _FEWEST_OF_BLOCK and any(len(set(run)) > _DIFFERENT for run in runs):
        yield start, stop


def _above(text: str, floor: int, end: int) -> int:
    """Return the beginning of a key whose first lines were cut off."""
    start = text.rfind("\n", floor, end) + 1 or floor
    while start > floor:
        above = text.rfind("\n", floor, start - 1) + 1 or floor
        if not _can_be_of_one(text[above : start - 1]):
            break
        start = above
    return start


def _grown(text: str, start: int, bound: int) -> int:
    """Return the end of the last line below this one that can belong to the same key."""
    stop = _line_end(text, start, bound)
    while stop < bound:
        below = _line_end(text, stop + 1, bound)
        if not _can_be_of_one(text[stop + 1 : below]):
            break
        stop = below
    return stop


def _line_end(text: str, at: int, bound: int) -> int:
    end = text.find("\n", at, bound)
    return bound if end < 0 else end


def _can_be_of_one(line: str) -> bool:
    long = _RUN.search(line)
    return bool(long or _HEADER.search(line)) and len(line) <= _LONGEST_LINE


def hidden_lines(body: str, instead: str) -> str:
    """Return the body with the key on each line replaced by `instead`. Line breaks are kept."""
    return "\n".join(_hidden(line, instead) for line in body.split("\n"))


def _hidden(line: str, instead: str) -> str:
    head, rest = line[:1], line[1:]
    if head not in "+-":
        head, rest = "", line
    spans = [found.span() for found in _PARTS.pattern.finditer(rest)]
    if not spans:
        return line
    return f"{head}{rest[: spans[0][0]]}{instead}{rest[spans[-1][1] :]}"
