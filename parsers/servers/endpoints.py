"""What was learned of each endpoint and model, as a file that people read and edit.

line  = base_url " " model ":" (" " name "=" value)*
other = "#" anything, and every line that can't be read: left out

    http://127.0.0.1:8000/v1 qwen3-coder: stop=no tokens=max_tokens window=8192

In a base URL, a model and a name, `%20` is a space and so on, and a lone `%` is the empty word.
Values are those of facts.py. What can't be seen stands as `<U+000C>`.
"""

import re
from collections.abc import Iterator, Mapping

from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.transcript.quoting import escape, unescape

Endpoint = tuple[str, str]  # base URL, model

_HEADING = "# What react-agent learned of model endpoints. You may edit this file, or delete it."
_EMPTY = "%"
_TAKEN = re.compile(r"[% \n\t=]|^#|:$")
_CODE = re.compile(r"%([0-9A-F]{2})")


def read_endpoints(text: str) -> dict[Endpoint, dict[str, str]]:
    return dict(_entries(text))


def write_endpoints(endpoints: Mapping[Endpoint, Mapping[str, str]]) -> str:
    lines = (_line(endpoint, endpoints[endpoint]) for endpoint in sorted(endpoints))
    return "".join(f"{line}\n" for line in (_HEADING, *lines))


def _entries(text: str) -> Iterator[tuple[Endpoint, dict[str, str]]]:
    for raw in text.split("\n"):
        line = unescape(raw.strip(" \r"))
        base_url, _, rest = line.partition(" ")
        model, colon, facts = f"{rest.strip(' ')} ".partition(": ")
        if colon and not line.startswith("#"):
            names = {_decode(name): value for name, value in read_facts(facts.rstrip(" ")).items()}
            yield (_decode(base_url), _decode(model)), names


def _line(endpoint: Endpoint, facts: Mapping[str, str]) -> str:
    base_url, model = map(_encode, endpoint)
    named = write_facts({_encode(name): value for name, value in facts.items()})
    return escape(f"{base_url} {model}: {named}".rstrip(" "))


def _encode(word: str) -> str:
    return _TAKEN.sub(lambda found: f"%{ord(found[0]):02X}", word) or _EMPTY


def _decode(word: str) -> str:
    return "" if word == _EMPTY else _CODE.sub(lambda found: chr(int(found[1], 16)), word)
