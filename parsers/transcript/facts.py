"""Facts are short named values on one line: `%% turn: n=3 in=1234 paths=src/a.py,src/b.py`.

In a value, spaces, line ends and `%` are written as `%20`, `%0A` and `%25`. A list is one value
with members separated by commas. A comma or `%` in a member is first written as `%2C` or `%25`.
Step numbers are written as in `2-5,7`.

Facts about several subjects are stored in a file that people can read and edit. Each line contains
the names of a subject, a colon, and its facts. Names use the same escapes as values, and a single
`%` is the empty name. Invisible characters are written as in `<U+000C>`. A line that begins with
`#` or can't be read is skipped.

    http://127.0.0.1:8000/v1 qwen3-coder: stop=no tokens=max_tokens window=8192
"""

import re
from collections.abc import Iterable, Mapping

from react_agent.parsers.transcript.quoting import escape, unescape

Endpoint = tuple[str, str]  # base URL, model

_IN_VALUES = str.maketrans({"%": "%25", " ": "%20", "\n": "%0A"})
_IN_MEMBERS = str.maketrans({"%": "%25", ",": "%2C"})
_HEADING = "# What react-agent learned of model endpoints. You may edit this file, or delete it."
_EMPTY = "%"
_TAKEN = re.compile(r"[% \n\t=]|^#|:$")  # in a name
_CODE = re.compile(r"%([0-9A-F]{2})")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def write_facts(facts: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value.translate(_IN_VALUES)}" for name, value in facts.items())


def read_facts(text: str) -> dict[str, str]:
    """Return the facts. Words without `=` are comments for people and are skipped."""
    pairs = (word.partition("=") for word in text.split(" "))
    return {name: _decoded(value) for name, equals, value in pairs if equals}


def write_list(members: Iterable[str]) -> str:
    return ",".join(member.translate(_IN_MEMBERS) for member in members)


def read_list(text: str) -> tuple[str, ...]:
    return tuple(map(_decoded, text.split(","))) if text else ()


def write_numbers(numbers: Iterable[int]) -> str:
    runs = list[list[int]]()
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


def read_numbers(text: str, most: int) -> tuple[int, ...]:
    """Return the numbers from 1 to `most`, in order. Text that is not a number is skipped."""
    found = set[int]()
    for part in text.split(","):
        if match := _RANGE.fullmatch(part.strip()):
            first, last = int(match[1]), int(match[2] or match[1])
            found.update(range(max(first, 1), min(last, most) + 1))
    return tuple(sorted(found))


def read_endpoints(text: str) -> dict[Endpoint, dict[str, str]]:
    found: dict[Endpoint, dict[str, str]] = {}
    for raw in text.split("\n"):
        line = unescape(raw.strip(" \r"))
        base_url, _, rest = line.partition(" ")
        model, colon, facts = f"{rest.strip(' ')} ".partition(": ")
        if colon and not line.startswith("#"):
            named = read_facts(facts.rstrip(" "))
            found[_name(base_url), _name(model)] = {_name(one): named[one] for one in named}
    return found


def write_endpoints(endpoints: Mapping[Endpoint, Mapping[str, str]]) -> str:
    lines = [_HEADING]
    for base_url, model in sorted(endpoints):
        facts = {_quoted(name): value for name, value in endpoints[base_url, model].items()}
        named = f"{_quoted(base_url)} {_quoted(model)}: {write_facts(facts)}"
        lines.append(escape(named.rstrip(" ")))
    return "".join(f"{line}\n" for line in lines)


def _quoted(name: str) -> str:
    return _TAKEN.sub(lambda found: f"%{ord(found[0]):02X}", name) or _EMPTY


def _name(quoted: str) -> str:
    return "" if quoted == _EMPTY else _decoded(quoted)


def _decoded(text: str) -> str:
    return _CODE.sub(lambda found: chr(int(found[1], 16)), text)
