"""What is said about local issues and pull requests: Markdown files, some with facts in front.

note = "---" NEWLINE (name ": " value NEWLINE)* "---" NEWLINE text | text
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.forges.contract import ForgeError, Remark
from react_agent.tools import disk

_FENCE = "---\n"
_FACT = re.compile(r"([a-z]+): ?(.*)")
_MOST_BYTES = 1_000_000
_PERSON = "you"


@dataclass(frozen=True, slots=True)
class Note:
    facts: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


def read_note(text: str) -> Note:
    front, fence, body = text.removeprefix(_FENCE).partition(f"\n{_FENCE}")
    facts = [_FACT.fullmatch(line) for line in front.split("\n")]
    if not text.startswith(_FENCE) or not fence or not all(facts):
        return Note(text=text)
    return Note({fact[1]: fact[2] for fact in facts if fact}, body)


def write_note(note: Note) -> str:
    facts = "".join(f"{name}: {' '.join(fact.split())}\n" for name, fact in note.facts.items())
    return f"{_FENCE}{facts}{_FENCE}{note.text}"


def note_at(path: Path) -> Note | None:
    """None where there is none."""
    try:
        return read_note(disk.start_of(path, _MOST_BYTES).decode(errors="replace"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ForgeError(f"can't read {path}: {error.strerror}") from None


def notes_in(folder: Path, prefix: str = "") -> list[tuple[Path, Note]]:
    """Those numbered behind the prefix, in order; a person may have put some there."""
    pattern = re.compile(rf"{re.escape(prefix)}([0-9]{{1,6}})\.md")
    found = []
    for name in _names(folder):
        if number := pattern.fullmatch(name):
            note = note_at(folder / name)
            if note is not None:
                found.append((int(number[1]), folder / name, note))
    return [(path, note) for _, path, note in sorted(found, key=lambda one: one[0])]


def remark(path: Path, note: Note) -> Remark:
    """What has no author was put there by whoever owns the repository."""
    author = note.facts.get("author", _PERSON)
    association = "owner" if author == _PERSON else ""
    at = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    return Remark(author, note.text, association, at, author != _PERSON, str(path))


def put(path: Path, note: Note) -> None:
    """Whole, or not at all."""
    try:
        disk.mkdir(path.parent, parents=True, exist_ok=True)
        disk.write_over(path, write_note(note).encode(errors="replace"))
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from None


def put_new(folder: Path, prefix: str, note: Note) -> Path:
    """Under the next number that is free, whoever else writes at the same time."""
    half = folder / f".{secrets.token_hex(8)}.new"
    put(half, note)
    try:
        while True:
            path = folder / f"{prefix}{_next(folder, prefix)}.md"
            try:
                disk.hardlink(path, half)  # which nobody's file is in the way of
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise MachineError(f"can't write into {folder}: {error.strerror}") from None
    finally:
        disk.unlink(half, missing_ok=True)


def new_folder(above: Path) -> int:
    """Its number: the first that is free."""
    try:
        while True:
            number = max([0, *(int(name) for name in _names(above) if name.isdecimal())]) + 1
            disk.mkdir(above / str(number), parents=True, exist_ok=False)
            return number
    except FileExistsError:
        return new_folder(above)
    except OSError as error:
        raise MachineError(f"can't write into {above}: {error.strerror}") from None


def _next(folder: Path, prefix: str) -> int:
    numbers = [int(path.stem.rpartition(".")[2]) for path, _ in notes_in(folder, prefix)]
    return max([0, *numbers]) + 1


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in list(folder.iterdir())]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ForgeError(f"can't read {folder}: {error.strerror}") from None
