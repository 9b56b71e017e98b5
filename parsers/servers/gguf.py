"""Read the header of a GGUF file: what llama.cpp will load, and how much memory it needs.

header = "GGUF" version:u32 tensors:u64 pairs:u64 (key:text type:u32 value)*
text   = length:u64 bytes
value  = number | bool | text | type:u32 count:u64 value*          all little-endian
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_PAIRS = 10_000
_MOST_ITEMS = 4_000_000  # of a list; the largest vocabularies have some 100,000 words
_LONGEST_NAME = 200
_FORMATS = ("B", "b", "H", "h", "I", "i", "f", "?", "", "", "Q", "q", "d")  # indexed by type
_TEXT, _LIST = 8, 9
_COUNTS = "HhIiQq"
_CUT_OFF = "is cut off in its header"
_UNREADABLE = "has a header that can't be read"
_HALF = 2  # bytes of a number in the cache of keys and values


class NotGguf(ValueError):
    """An unusable file. The message says what is wrong, and is shown after the file's name."""


@dataclass(frozen=True, slots=True)
class Gguf:
    name: str  # the makers' name of the model; may be empty
    window: int  # tokens that the model was trained for
    bytes_per_token: int  # approximate memory for each token of the window
    is_chat: bool  # it has a template for messages


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def skip(self, length: int) -> int:
        """Skip some bytes, and return the offset at which they begin."""
        start, self._at = self._at, self._at + length
        if self._at > len(self._data):
            raise NotGguf(_CUT_OFF)
        return start

    def number(self, kind: str) -> int | float | bool:
        start = self.skip(struct.calcsize(f"<{kind}"))
        found: int | float | bool = struct.unpack_from(f"<{kind}", self._data, start)[0]
        return found

    def count(self, kind: str = "Q") -> int:
        return int(self.number(kind))

    def text(self) -> str:
        length = self.count()
        start = self.skip(length)
        return self._data[start : start + length].decode(errors="replace")

    def skip_list(self) -> int | None:
        """Skip a list, and return its largest number, since some values differ between layers."""
        kind, count = self.count("I"), self.count()
        if count > _MOST_ITEMS or kind >= len(_FORMATS) or kind == _LIST:
            raise NotGguf(_UNREADABLE)
        if kind == _TEXT:
            self._skip_texts(count)
            return None
        item = _FORMATS[kind]
        start = self.skip(struct.calcsize(f"<{item}") * count)
        if item not in _COUNTS:
            return None
        numbers = struct.iter_unpack(f"<{item}", self._data[start : self._at])
        return max((number for (number,) in numbers), default=None)

    def _skip_texts(self, count: int) -> None:
        """Skip texts quickly, since a vocabulary contains a hundred thousand of them."""
        read, at, end = struct.Struct("<Q").unpack_from, self._at, len(self._data)
        for _ in range(count):
            if at + 8 > end:
                raise NotGguf(_CUT_OFF)
            at += 8 + read(self._data, at)[0]
        self._at = at
        self.skip(0)

    def value(self) -> object:
        kind = self.count("I")
        if kind == _LIST:
            return self.skip_list()
        if kind == _TEXT:
            return self.text()
        if kind >= len(_FORMATS):
            raise NotGguf(_UNREADABLE)
        return self.number(_FORMATS[kind])


def read_gguf(data: bytes) -> Gguf:
    """Read the start of a file, at least up to its weights. Raises NotGguf."""
    if not data.startswith(_MAGIC):
        raise NotGguf("is not a GGUF file")
    cursor = _Cursor(data)
    cursor.skip(len(_MAGIC))
    if (version := cursor.count("I")) not in _VERSIONS:
        raise NotGguf(f"is GGUF of version {version}; versions 2 and 3 can be read")
    cursor.skip(struct.calcsize("<Q"))
    if (pairs := cursor.count()) > _MOST_PAIRS:
        raise NotGguf(_UNREADABLE)
    found = {cursor.text(): cursor.value() for _ in range(pairs)}
    kind = found.get("general.architecture")
    window = _whole(found, f"{kind}.context_length")
    if window < 1:
        raise NotGguf("contains no language model")
    name = str(found.get("general.name") or "")[:_LONGEST_NAME]
    template = found.get("tokenizer.chat_template")
    return Gguf(" ".join(name.split()), window, _bytes_per_token(found, kind), bool(template))


def _bytes_per_token(found: Mapping[str, object], kind: object) -> int:
    """Return the size in bytes of a token's keys and values for all heads in all layers."""
    heads = max(_whole(found, f"{kind}.attention.head_count"), 1)
    kept = _whole(found, f"{kind}.attention.head_count_kv") or heads
    width = _whole(found, f"{kind}.embedding_length") // heads
    key = _whole(found, f"{kind}.attention.key_length") or width
    value = _whole(found, f"{kind}.attention.value_length") or width
    return _HALF * _whole(found, f"{kind}.block_count") * kept * (key + value)


def _whole(found: Mapping[str, object], name: str) -> int:
    value = found.get(name)
    return value if isinstance(value, int) and value > 0 else 0
