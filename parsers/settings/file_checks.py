"""What the plainest hooks of the pre-commit framework look for, in the bytes of one file.

A check is a function of a file and of the hook's arguments; it answers with what the file should
hold, with what is wrong, or with neither. An argument that it does not know is a ParseError.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.parsers.settings.errors import ParseError

_KB = 1024
_LARGEST = 500  # kB
_BOM = b"\xef\xbb\xbf"
_CONFLICTS = (b"<<<<<<< ", b">>>>>>> ")
_KEYS = tuple(
    f"BEGIN {kind}PRIVATE KEY".encode()
    for kind in ("", "RSA ", "DSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "SSH2 ENCRYPTED ")
)
_ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}


@dataclass(frozen=True, slots=True)
class File:
    path: str
    data: bytes
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    fixed: bytes | None = None  # what the file should hold
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class OwnCheck:
    look: Callable[[File, Sequence[str]], Found]
    types: tuple[str, ...] = ("text",)


def _trailing_whitespace(file: File, args: Sequence[str]) -> Found:
    options = _options(args, "--markdown-linebreak-ext")
    kept = options.get("--markdown-linebreak-ext", "").replace(".", "").split(",")
    ending = PurePosixPath(file.path).suffix.removeprefix(".").lower()
    is_markdown = bool(ending) and (ending in kept or "*" in kept)
    lines = file.data.splitlines(keepends=True) if b"\r" in file.data else _lines(file.data)
    return _changed(file, b"".join(_trimmed(line, is_markdown) for line in lines))


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [data.rpartition(b"\n")[2]]


def _trimmed(line: bytes, is_markdown: bool) -> bytes:
    bare = line.rstrip(b"\r\n")
    end = line[len(bare) :]
    text = bare.rstrip()
    return text + (b"  " if is_markdown and text and bare.endswith(b"  ") else b"") + end


def _end_of_file(file: File, args: Sequence[str]) -> Found:
    _options(args)
    text = file.data.rstrip(b"\r\n")
    end = b"\r\n" if file.data[len(text) :].startswith(b"\r\n") else b"\n"
    return _changed(file, text + end if text else b"")


def _json(file: File, args: Sequence[str]) -> Found:
    _options(args)
    try:
        json.loads(file.data, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        return _is_wrong(file, str(error) or "it is nested too deeply")
    return Found()


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if twice:
        raise ValueError(f"the key {twice[0][:60]!r} comes twice")
    return dict(pairs)


def _toml(file: File, args: Sequence[str]) -> Found:
    _options(args)
    try:
        tomllib.loads(file.data.decode())
    except (ValueError, RecursionError) as error:
        return _is_wrong(file, str(error) or "it is nested too deeply")
    return Found()


def _conflict(file: File, args: Sequence[str]) -> Found:
    _options(args, "--assume-in-merge")
    for number, line in enumerate(file.data.split(b"\n"), 1):
        if line.startswith(_CONFLICTS):
            return _is_wrong(file, f"line {number} is a mark of a conflict")
    return Found()


def _large(file: File, args: Sequence[str]) -> Found:
    options = _options(args, "--maxkb", "--enforce-all")
    most = options.get("--maxkb", str(_LARGEST))
    if not most.isdecimal():
        raise ParseError(f"--maxkb={most}")
    size = -(-len(file.data) // _KB)
    is_looked_at = file.is_new or "--enforce-all" in options
    if is_looked_at and size > int(most[:9]):
        return _is_wrong(file, f"{size:,} kB, and {most} are allowed")
    return Found()


def _line_ends(file: File, args: Sequence[str]) -> Found:
    wanted = _options(args, "--fix", "-f").get("--fix", "auto")
    crlf = file.data.count(b"\r\n")
    found = {"lf": file.data.count(b"\n") - crlf, "crlf": crlf}
    found["cr"] = file.data.count(b"\r") - crlf
    if wanted == "no":
        is_mixed = len([count for count in found.values() if count]) > 1
        return _is_wrong(file, "its lines end in several ways") if is_mixed else Found()
    if wanted not in ("auto", *_ENDS):
        raise ParseError(f"--fix={wanted}")
    if wanted == "auto" and len([count for count in found.values() if count]) < 2:
        return Found()
    end = _ENDS[max(found, key=lambda kind: found[kind]) if wanted == "auto" else wanted]
    plain = file.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _changed(file, plain.replace(b"\n", end))


def _private_key(file: File, args: Sequence[str]) -> Found:
    _options(args)
    has_one = any(key in file.data for key in _KEYS)
    return _is_wrong(file, "it holds a private key") if has_one else Found()


def _byte_order_mark(file: File, args: Sequence[str]) -> Found:
    _options(args)
    return _changed(file, file.data.removeprefix(_BOM))


def _options(args: Sequence[str], *known: str) -> dict[str, str]:
    """Given as `--name=value` or as `--name value`."""
    found, name = dict[str, str](), ""
    for arg in args:
        if not arg.startswith("-") and name:
            found[name], name = arg, ""
            continue
        name, _, value = arg.partition("=")
        if name not in known:
            raise ParseError(arg)
        found[name] = value
    return found


def _changed(file: File, fixed: bytes) -> Found:
    return Found(fixed=fixed) if fixed != file.data else Found()


def _is_wrong(file: File, what: str) -> Found:
    return Found(wrong=f"{file.path}: {what}")


OWN: Mapping[str, OwnCheck] = {
    "trailing-whitespace": OwnCheck(_trailing_whitespace),
    "end-of-file-fixer": OwnCheck(_end_of_file),
    "mixed-line-ending": OwnCheck(_line_ends),
    "fix-byte-order-marker": OwnCheck(_byte_order_mark),
    "check-json": OwnCheck(_json, ("json",)),
    "check-toml": OwnCheck(_toml, ("toml",)),
    "check-merge-conflict": OwnCheck(_conflict),
    "check-added-large-files": OwnCheck(_large, ("file",)),
    "detect-private-key": OwnCheck(_private_key),
}
