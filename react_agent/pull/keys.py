"""Keys in the lines that a change adds: where, and of what kind; never the key."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.secrets.finder import secrets_in
from react_agent.parsers.transcript.quoting import escape

_NAMES = """
.env .netrc .pgpass .htpasswd .npmrc .pypirc .git-credentials id_rsa id_dsa id_ecdsa id_ed25519
credentials.json secrets.json service-account.json
"""
_OWN = frozenset(_NAMES.split())
_FOR_SHOW = (".example", ".sample", ".template", ".dist", ".defaults")


@dataclass(frozen=True, slots=True)
class Key:
    path: str
    line: int
    kind: str

    def __str__(self) -> str:
        return f"{shown(self.path)}:{self.line} {held_by(self)}"


def shown(path: str) -> str:
    """On one line, whatever it holds."""
    return escape(path.replace("\n", "\\n"))


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in 'AEIOaeio' else 'a'} {kind}"


def held_by(key: Key) -> str:
    return f"holds {_a(key.kind)}"


def keys_in(one: FileDiff) -> Iterator[Key]:
    """Not those that the change only moves; in tests, those that can be nothing else."""
    added, removed = list(one.added), "\n".join(line.text for line in one.removed)
    text = "\n".join(line.text for line in added)
    for found in secrets_in(text):
        if not found.is_certain and is_of_tests(one.path):
            continue
        if text[found.start : found.end] not in removed:
            yield Key(one.new, added[text.count("\n", 0, found.start)].number, found.kind)


def is_of_one_machine(path: str) -> bool:
    """By its name, settings that hold what only their owner may know."""
    name = PurePosixPath(path).name.casefold()
    return name in _OWN or (name.startswith(".env.") and not name.endswith(_FOR_SHOW))


def can_be_left_out(one: FileDiff) -> bool:
    """No code can need it: it is new, and no code itself."""
    return not one.old and not is_code(one.new)
