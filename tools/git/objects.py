"""Read and write objects of one of our own repositories in this process, without starting git.

No other program writes to the repository. Only SHA-1 object ids are supported: for other ids,
`is_known` returns False, and reading the object fails.
"""

import contextlib
import functools
import hashlib
import os
import re
import secrets
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from react_agent.tools import disk
from react_agent.tools.errors import OF_THE_MACHINE, MachineError, ReactAgentError, reason, writing
from react_agent.tools.git.door import AUTHOR

if TYPE_CHECKING:
    from gitdb.base import OStream
    from gitdb.db import GitDB

MOST = 256 * 1024 * 1024  # bytes of an object that is read whole
_CHUNK = 1 << 20
FOLDER, FILE, PROGRAM, LINK, SUBMODULE = b"40000", b"100644", b"100755", b"120000", b"160000"
_NOTES = "react-agent-notes"  # the newest objects once more, as they were stored
_NOTED = 1_000_000  # bytes of an object; a larger one is made safe where it lies
_AT_ONCE = 200  # objects
_LENGTH = struct.Struct(">I")
_HEAD = 20 + _LENGTH.size
_ID = re.compile("[0-9a-f]{40}")
_MODE = re.compile(b"[0-7]{5,6}")
_MOST_TREES = 4096  # that are kept in memory
_DEEPEST = 500  # folders in one another
_LONGEST = 2_000_000  # files of a tree that are told

Person: TypeAlias = tuple[str, str]  # a name and an address


class ObjectError(ReactAgentError):
    """An object is missing, damaged, too large, or of an unexpected type."""


class Entry(NamedTuple):
    """The mode and the object id of a name in a tree."""

    mode: bytes
    id: str

    @property
    def is_folder(self) -> bool:
        return self.mode.lstrip(b"0") == FOLDER


class Difference(NamedTuple):
    """A file that differs between two trees. An entry is None if its tree lacks the file."""

    path: str
    before: Entry | None
    after: Entry | None


def is_known(id: str) -> bool:
    """Return whether this is the full id of an object that can be read here."""
    return _ID.fullmatch(id) is not None


def objects_in(git_dir: Path) -> "ObjectStore":
    """Return the objects of our git directory. They are cached until the directory is replaced."""
    folder = git_dir / "objects"
    try:
        found = (folder / "info" / "alternates").stat()
    except OSError:
        return ObjectStore(folder)
    return _opened(folder, found.st_ino, found.st_ctime_ns)


@functools.lru_cache(maxsize=4)
def _opened(folder: Path, number: int, changed: int) -> "ObjectStore":
    return ObjectStore(folder)


class Objects:
    """The objects of one `objects` folder, and of the folders that it borrows from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trees = dict[str, dict[bytes, Entry]]()  # as they were read: they never change
        self._tree_of = dict[str, str]()  # by commit

    def read(self, id: str, kind: str, most: int = MOST) -> bytes:
        size = self.size(id, kind)
        if not 0 <= size <= most:
            raise ObjectError(f"the object {id} is too large: {size} bytes (limit: {most})")
        return b"".join(self.chunks(id, kind, size))

    def chunks(self, id: str, kind: str = "blob", size: int = -1) -> Iterator[bytes]:
        """Yield the content in chunks. Raises ObjectError at the end if the object is damaged."""
        size = self.size(id, kind) if size < 0 else size
        found = hashlib.sha1(b"%s %d\0" % (kind.encode(), size), usedforsecurity=False)
        try:
            stream = self._database.stream(bytes.fromhex(id))
            while chunk := bytes(stream.read(_CHUNK)):
                found.update(chunk)
                yield chunk
        except _failures() as error:
            raise _objection(id, error) from None
        if found.hexdigest() != id:
            raise ObjectError(f"the object {id} is damaged")

    def size(self, id: str, kind: str) -> int:
        """Return the size of an object in bytes, without reading its content."""
        found, size = self._info(id)
        if found != kind:
            raise ObjectError(f"the object {id} is a {found}, not a {kind}")
        return size

    def has(self, id: str, *, refresh: bool = True) -> bool:
        try:
            self._info(id, refresh=refresh)
        except ObjectError:
            return False
        return True

    def tree_of(self, commit: str) -> str:
        """Return the tree of a commit. If the id is that of a tree, return it unchanged."""
        if commit in self._trees:
            return commit
        if commit not in self._tree_of:
            found = commit
            if self._info(commit)[0] != "tree":
                found = self.read(commit, "commit")[len(b"tree ") :][:40].decode("ascii", "replace")
            self._tree_of[commit] = found
        return self._tree_of[commit]

    def entries(self, tree: str) -> Mapping[bytes, Entry]:
        """Return the entries of a tree by name, in git's order."""
        if tree not in self._trees:
            if len(self._trees) >= _MOST_TREES:
                self._trees.clear()
            data, at, found = self.read(tree, "tree"), 0, dict[bytes, Entry]()
            while at < len(data):
                end = data.find(b"\0", at)
                mode, _, name = data[at:end].partition(b" ")
                id, at = data[end + 1 : end + 21].hex(), end + 21
                if end < 0 or not _MODE.fullmatch(mode) or not name or len(id) != 40:
                    raise ObjectError(f"the object {tree} is damaged")
                found[name] = Entry(mode, id)
            self._trees[tree] = found
        return self._trees[tree]

    def files(self, rev: str) -> Iterator[tuple[str, Entry]]:
        """Yield the path and entry of each file in a commit or a tree, in git's order."""
        for count, found in enumerate(_differences(self, None, self.tree_of(rev))):
            if count == _LONGEST:
                raise ObjectError(f"the tree {rev} holds more than {_LONGEST} files")
            if found.after:
                yield found.path, found.after

    def names(self, rev: str) -> Iterator[str]:
        """Return the paths of all files of a commit or a tree."""
        return (path for path, _ in self.files(rev))

    def differences(self, before: str, after: str) -> Iterator[Difference]:
        """Yield the files that differ between two commits or trees, in git's order."""
        return _differences(self, self.tree_of(before), self.tree_of(after))

    def find(self, rev: str, path: str) -> Entry | None:
        """Return the entry of a file or folder in a commit or a tree, or None if it is missing."""
        found = Entry(FOLDER, self.tree_of(rev))
        for name in os.fsencode(path).split(b"/"):
            below = self.entries(found.id).get(name) if found.is_folder else None
            if below is None:
                return None
            found = below
        return found

    def at(self, rev: str, paths: Iterable[str]) -> dict[str, Entry]:
        """Return the entries of those paths that exist in a commit or a tree."""
        found = ((path, self.find(rev, path)) for path in paths)
        return {path: entry for path, entry in found if entry}

    def file(self, rev: str, path: str, most: int = MOST) -> bytes | None:
        """Return the content of a file in a commit or a tree, or None if it can't be read."""
        try:
            found = self.find(rev, path)
            return self.read(found.id, "blob", most) if found else None
        except ObjectError:
            return None

    @functools.cached_property
    def _database(self) -> "GitDB":
        from gitdb.db import GitDB

        return GitDB(str(self._folder))

    def _info(self, id: str, *, refresh: bool = True) -> tuple[str, int]:
        """Return the type and size of an object, reading only as much of it as necessary.

        `refresh` lists the packs again if no pack contains the object: there may be a new one.
        """
        if not is_known(id):
            raise ObjectError(f"{id[:80]!r} is not a supported object id")
        binary = bytes.fromhex(id)
        try:
            try:
                found = self._database.info(binary)
            except _failures():
                if not refresh:
                    raise
                self._database.update_cache()
                found = self._database.info(binary)
            return found.type.decode("ascii"), int(found.size)
        except _failures() as error:
            raise _objection(id, error) from None


def _differences(
    objects: Objects, before: str | None, after: str | None, prefix: bytes = b"", depth: int = 0
) -> Iterator[Difference]:
    """Yield the files that differ between two trees. None means an empty tree."""
    if before == after:
        return
    if depth > _DEEPEST:
        raise ObjectError(f"the tree {after} is nested in more than {_DEEPEST} folders")
    old, new = (
        {_in_gits_order(one): one[1] for one in objects.entries(tree).items()} if tree else {}
        for tree in (before, after)
    )
    for name in sorted({**old, **new}):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        if name.endswith(b"/"):
            ids = was.id if was else None, now.id if now else None
            yield from _differences(objects, *ids, prefix + name, depth + 1)
        else:
            yield Difference(os.fsdecode(prefix + name), was, now)


class ObjectStore(Objects):
    """The objects of one of our own repositories, to which new objects can be written."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._half = f"tmp_obj_{secrets.token_hex(8)}_"  # git clears away such names
        self._noted = list[tuple[str, bytes]]()  # objects that are still to be made safe
        self._delays = 0

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Sync all objects stored in this block when it ends, in case of a power failure."""
        self._delays += 1
        try:
            yield
        finally:
            self._delays -= 1
            self._note()

    def store(self, kind: str, data: bytes) -> str:
        """Store an object and return its id. After a power failure, `recover` restores it."""
        id = object_id(kind, data)
        if self.has(id, refresh=False):
            return id
        packed = zlib.compress(_headed(kind, data), 1)
        with writing("an object"):
            place = self._place(id, packed)
            if len(packed) > _NOTED:
                disk.sync(place)
                disk.sync_names(place, 2)
            else:
                self._noted.append((id, packed))
        self._note()
        return id

    def _place(self, id: str, packed: bytes) -> Path:
        """Write a loose object. An edit writes several, so this makes as few calls as possible."""
        folder, half = self._folder / id[:2], self._folder / f"{self._half}{id}"
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
        try:
            descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
            try:
                _write(descriptor, packed)
            finally:
                os.close(descriptor)
            return half.replace(folder / id[2:])
        except BaseException:  # Ctrl-C, too: the same name is used when it is written again
            half.unlink(missing_ok=True)
            raise

    def _note(self) -> None:
        """Append new objects to one file. Syncing one file is faster than syncing many."""
        if not self._noted or (self._delays and len(self._noted) < _AT_ONCE):
            return
        records = (bytes.fromhex(id) + _LENGTH.pack(len(data)) + data for id, data in self._noted)
        notes = b"".join(records)
        with writing("an object"), (self._folder / _NOTES).open("ab", buffering=0) as file:
            before = file.tell()
            try:
                _write(file.fileno(), notes)
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), before)  # what follows half a note is not read
                raise
            if not before:
                disk.sync(self._folder)
        self._noted.clear()

    def recover(self) -> None:
        """Rewrite objects that a power failure removed or damaged, and sync all others."""
        whole, seen = 0, set[str]()
        with writing("an object"):
            for id, packed in noted_in(self._folder):
                place = self._folder / id[:2] / id[2:]
                if not place.is_file() or place.read_bytes() != packed:
                    self._place(id, packed)
                whole += _HEAD + len(packed)
                seen.add(id)
            if (self._folder / _NOTES).exists():
                os.truncate(self._folder / _NOTES, whole)
            for place in self._folder.glob("[0-9a-f][0-9a-f]/*"):
                if place.parent.name + place.name not in seen:
                    disk.sync(place)
                    disk.sync_names(place, 2)

    def edited(self, tree: str | None, edits: Mapping[bytes, Entry | None]) -> str | None:
        """Return the tree with these entries changed. An entry of None removes the path.

        Empty folders are removed, and an empty tree becomes None. A file may replace a folder, and
        a folder may replace a file.
        """
        if tree and not edits:
            return tree
        now = dict(self.entries(tree) if tree else {})
        below = defaultdict[bytes, dict[bytes, Entry | None]](dict)
        for path, entry in edits.items():
            name, _, rest = path.partition(b"/")
            if rest:
                below[name][rest] = entry
            elif entry:
                now[name] = entry
            elif name in now and not now[name].is_folder:
                del now[name]
        for name, inner in below.items():
            old = now.get(name)
            folder = self.edited(old.id if old and old.is_folder else None, inner)
            if folder:
                now[name] = Entry(FOLDER, folder)
            elif old and old.is_folder:
                del now[name]
        if not now:
            return None
        in_order = dict(sorted(now.items(), key=_in_gits_order))
        rows = (
            b"%s %s\0%s" % (one.mode, name, bytes.fromhex(one.id)) for name, one in in_order.items()
        )
        written = self.store("tree", b"".join(rows))
        if len(self._trees) < _MOST_TREES:
            self._trees[written] = in_order
        return written

    def with_files(self, rev: str, edits: Mapping[str, Entry | None]) -> str:
        """Return the tree of a commit or a tree with these files changed. It may be empty."""
        changes = {os.fsencode(path): entry for path, entry in edits.items()}
        return self.edited(self.tree_of(rev), changes) or self.store("tree", b"")

    def commit(self, tree: str, parent: str, message: str, author: Person, when: int) -> str:
        """Write one of our commits and return its id. `when` is in seconds since 1970."""
        people = f"author {_signed(author, when)}\ncommitter {_signed(AUTHOR, when)}"
        data = f"tree {tree}\nparent {parent}\n{people}\n\n{message}\n"
        return self.store("commit", data.encode(errors="replace"))


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def commit_stream(objects: Objects, binary: bytes, most: int) -> "OStream":
    """Return a commit in the form that GitPython reads. It is complete and verified."""
    from gitdb.base import OStream

    data = objects.read(binary.hex(), "commit", most)
    return OStream(binary, b"commit", len(data), BytesIO(data))


def _failures() -> tuple[type[Exception], ...]:
    """Return the library's exceptions for an object that is missing or malformed."""
    from gitdb.exc import ODBError

    return (
        *(ODBError, OSError, zlib.error, struct.error, ValueError, KeyError, IndexError),
        *(AssertionError, TypeError, AttributeError, RecursionError, MemoryError, OverflowError),
    )


def _objection(id: str, error: Exception) -> ReactAgentError:
    from gitdb.exc import BadObject

    cause = error.__cause__ or error
    if isinstance(cause, OSError) and cause.errno in OF_THE_MACHINE:
        return MachineError(f"the object {id} can't be read: {reason(cause)}")
    missing = isinstance(error, BadObject)
    return ObjectError(f"the object {id} is {'missing' if missing else 'damaged'}")


def noted_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the newest objects of a folder as stored, except an incomplete one at the end."""
    try:
        held, at = (folder / _NOTES).read_bytes(), 0
    except FileNotFoundError:
        return
    while len(held) >= at + _HEAD:
        id, start = held[at : at + 20].hex(), at + _HEAD
        packed = held[start : start + _LENGTH.unpack(held[at + 20 : start])[0]]
        try:
            unpacked(packed, id)
        except ObjectError:
            return
        yield id, packed
        at = start + len(packed)


def unpacked(packed: bytes, id: str) -> tuple[str, bytes]:
    """Return the type and data of a stored object. Raises ObjectError if its id does not match."""
    stream = zlib.decompressobj()
    try:
        held = stream.decompress(packed, MOST + 64)
    except zlib.error:
        held = b""
    head, _, data = held.partition(b"\0")
    kind, _, size = head.partition(b" ")
    found = hashlib.sha1(held, usedforsecurity=False).hexdigest()
    is_whole = stream.eof and not stream.unused_data  # git refuses trailing data
    if not is_whole or found != id or size != str(len(data)).encode():
        raise ObjectError(f"the object {id} is damaged")
    return kind.decode(errors="replace"), data


def _headed(kind: str, data: bytes) -> bytes:
    return b"%s %d\0%s" % (kind.encode(), len(data), data)


def object_id(kind: str, data: bytes) -> str:
    """Return the id of an object, which is the hash of its content."""
    return hashlib.sha1(_headed(kind, data), usedforsecurity=False).hexdigest()


def _in_gits_order(item: tuple[bytes, Entry]) -> bytes:
    name, entry = item
    return name + b"/" if entry.is_folder else name


def _signed(person: Person, when: int) -> str:
    name, email = (re.sub("[<>\n\0]", "", word).strip() for word in person)
    return f"{name} <{email}> {when} +0000"
