"""Which variables of an environment hold a secret, by their names and by what they hold."""

import re
from collections.abc import Iterable, Iterator, Mapping

from react_agent.parsers.secrets.finder import is_by_lot

_NAMES = """
KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASS PWD PAT
CREDENTIAL CREDENTIALS COOKIE
"""
_NAMED = frozenset(_NAMES.split())
_JOINED = ("APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE")  # PGPASSWORD
_OTHER = "URL URI FILE FILES PATH DIR FOLDER NAME USER USERNAME TYPE HOST PORT LIMIT SOCK COUNT"
_ABOUT = frozenset(_OTHER.split())  # of one, and not it
_WORD = re.compile(r"[A-Z0-9]+")
_PLACE = re.compile(r"(?:~|\.{0,2})/[\w.@+-]+(?:/[\w.@+-]*)*")
_IN_ADDRESS = re.compile(r"://[^\s:/@]{0,100}:([^\s/@]{4,200})@")
_SHORTEST = 8  # characters of what can be one
_SHORTEST_NAMED = 6  # of what a person says is one


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """What is likely to be secret."""
    return tuple(dict.fromkeys(_of(environment)))


def named_keys(environment: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """What the variables hold that a person has named as those of a key."""
    values = (environment.get(name, "").strip() for name in dict.fromkeys(names))
    return tuple(value for value in values if len(value) >= _SHORTEST_NAMED)


def _of(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        found = _IN_ADDRESS.findall(value)
        if _is_named_so(name) and not _is_a_place(value):
            found.append(value)
        yield from (one for one in found if len(one) >= _SHORTEST)


def _is_named_so(name: str) -> bool:
    words = _WORD.findall(name.upper())
    if not words or words[-1] in _ABOUT or words in (["PWD"], ["OLDPWD"]):
        return False
    return not _NAMED.isdisjoint(words) or words[-1].endswith(_JOINED)


def _is_a_place(value: str) -> bool:
    return _PLACE.fullmatch(value) is not None and not is_by_lot(value)
