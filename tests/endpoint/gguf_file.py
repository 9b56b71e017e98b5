"""The header of a GGUF file, written."""

import struct
from collections.abc import Mapping, Sequence

Value = str | int | float | bool | Sequence[str] | Sequence[int]
MODEL: Mapping[str, Value] = {
    "general.architecture": "llama",
    "general.name": "A small  model",
    "llama.context_length": 4096,
    "llama.block_count": 3,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": [2, 4],
    "llama.rope.freq_base": 10000.0,
    "tokenizer.ggml.add_bos_token": True,
    "tokenizer.ggml.tokens": ["<s>", "a", "é"],
    "tokenizer.chat_template": "{{ messages }}",
}


def gguf(pairs: Mapping[str, Value], version: int = 3) -> bytes:
    told = b"".join(_text(name) + _value(value) for name, value in pairs.items())
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs)) + told


def _value(value: Value) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<IQ", 10, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    items = [_value(item) for item in value]
    kind = items[0][:4] if items else struct.pack("<I", 10)
    joined = b"".join(item[4:] for item in items)
    return struct.pack("<I", 9) + kind + struct.pack("<Q", len(items)) + joined


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data
