"""Remove secrets from a text before it is shown to readers who do not need them.

Line breaks are kept, so line numbers do not change. A secret that has been removed is not found
again.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote

from react_agent.parsers.secrets.finder import (
    PRIVATE_KEY,
    Sure,
    hidden_lines,
    is_by_lot,
    is_made_up,
    secrets_in,
)

MARK = "[redacted: "
_INSTEAD = re.compile(r"\[redacted: [A-Za-z][^\[\]\n]{0,60}\]")
_VARIABLE = "secret variable"
_SHORTEST = 8  # characters
_ONE_WORD = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}|[\d.:,-]+")
_LONGEST_WORD = 15

_SECRET_NAMES = """
KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASS PWD PAT
CREDENTIAL CREDENTIALS COOKIE
"""
_NAMED = frozenset(_SECRET_NAMES.split())  # words in names of variables
_JOINED = ("APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE")  # PGPASSWORD
_OTHER = "URL URI FILE FILES PATH DIR FOLDER NAME USER USERNAME TYPE HOST PORT LIMIT SOCK COUNT"
_ABOUT = frozenset(_OTHER.split())  # last words of names about a secret, not of the secret
_WORD = re.compile(r"[A-Z0-9]+")
_PATH = re.compile(r"(?:~|\.{0,2})/[\w.@+-]+(?:/[\w.@+-]*)*")
_IN_ADDRESS = re.compile(r"://[^\s:/@]{0,100}:([^\s/@]{4,200})@")
_SHORTEST_NAMED = 6  # characters of a key that a person named


def instead(kind: str) -> str:
    return f"{MARK}{kind}]"


def marks_in(text: str) -> list[str]:
    return _INSTEAD.findall(text) if MARK in text else []


@dataclass(frozen=True)
class Redaction:
    """Remove secrets from texts: the `known` values, and the `named` keys that a person listed."""

    known: tuple[str, ...] = field(default=(), repr=False)
    named: tuple[str, ...] = field(default=(), repr=False)  # removed even if it is a word

    def __call__(self, text: str) -> str:
        """Return the text in the form that a run stores and shows to a model."""
        return _taken_out(text, self._secret, Sure.PLACED)

    def for_all(self, text: str) -> str:
        """Return the text in a form that is safe to publish."""
        return _taken_out(text, self._all, Sure.LIKELY)

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(_written(self.known, self.named))

    @cached_property
    def _secret(self) -> tuple[str, ...]:
        """Return the secrets that are not plain words, since a run may need to use such words."""
        known = [
            value
            for value in self.known
            if (len(value) > _LONGEST_WORD or not _ONE_WORD.fullmatch(value))
            and (is_by_lot(value) or not is_made_up(value))
        ]
        return tuple(_written(known, self.named))


def redacted(text: str, known: Collection[str] = ()) -> str:
    """Return the text in a form that is safe to publish."""
    return Redaction(tuple(known)).for_all(text)


def _taken_out(text: str, known: Collection[str], least: Sure) -> str:
    for value in known:
        if value in text:
            text = text.replace(value, instead(_VARIABLE))
    found = secrets_in(text, least)
    if not found:
        return text
    parts, at = list[str](), 0
    for one in found:
        inner, mark = text[one.start : one.end], instead(one.kind)
        hidden = hidden_lines(inner, mark) if one.kind == PRIVATE_KEY else mark
        parts += [text[at : one.start], hidden]
        at = one.end
    return "".join((*parts, text[at:]))


def _written(values: Collection[str], named: Collection[str]) -> list[str]:
    """Return each line of each value in all its common spellings, the longest first."""
    import html
    import json  # 5 ms together

    lines = [line.strip() for value in values for line in value.split("\n")]
    whole = [line for line in lines if len(line) >= _SHORTEST]
    ways = {
        way
        for value in (*whole, *named)
        for way in (value, quote(value, safe=""), html.escape(value), json.dumps(value)[1:-1])
    }
    return sorted(ways, key=lambda one: (-len(one), one))


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of environment variables that are likely to be secret."""
    values = list[str]()
    for name, value in environment.items():
        values += _IN_ADDRESS.findall(value)
        is_path = _PATH.fullmatch(value) and not is_by_lot(value)
        values += [value] if is_named_secret(name) and not is_path else []
    return tuple(dict.fromkeys(value for value in values if len(value) >= _SHORTEST))


def named_keys(environment: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the values of the variables that a person listed as containing a key."""
    values = (environment.get(name, "").strip() for name in dict.fromkeys(names))
    return tuple(value for value in values if len(value) >= _SHORTEST_NAMED)


def is_named_secret(name: str) -> bool:
    """Return whether a variable with this name is likely to contain a secret."""
    words = _WORD.findall(name.upper())
    if not words or words[-1] in _ABOUT or words in (["PWD"], ["OLDPWD"]):
        return False
    return not _NAMED.isdisjoint(words) or words[-1].endswith(_JOINED)
